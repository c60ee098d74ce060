/** Any value that survives a JSON round trip unchanged. Read-only all the way down: copies are made, never edits. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [k: string]: Json };

/** A JSON value that is an object at the top: what every stored record is. */
export type JsonObject = { readonly [k: string]: Json };
