/** Any value that survives a JSON round trip unchanged. Read-only all the way down: copies are made, never edits. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [k: string]: Json };

/** A JSON value that is an object at the top: what every stored record is. */
export type JsonObject = { readonly [k: string]: Json };

/** True for what JSON calls an object: neither null nor a list. Only to be asked of JSON; a Date would be one too. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
