/** Typed reads of JSON objects that may come from anywhere; a value of the wrong kind reads as the unset one. */
import type { Json, JsonObject } from '../../kit/json.ts';

export function textOf(value: JsonObject, field: string): string {
  const found = value[field];
  return typeof found === 'string' ? found : '';
}

export function flagOf(value: JsonObject, field: string): boolean {
  return value[field] === true;
}

/** A flag as text in a query, the way Go or Python write it; undefined: it is none. */
export function readFlag(text: string): boolean | undefined {
  if (text === 'true' || text === 'True') return true;
  return text === 'false' || text === 'False' ? false : undefined;
}

export function integerOf(value: JsonObject, field: string): number {
  const found = value[field];
  return typeof found === 'number' ? found : 0;
}

export function listOf(value: JsonObject, field: string): readonly Json[] {
  const found = value[field];
  return Array.isArray(found) ? (found as readonly Json[]) : [];
}

export function textsOf(value: JsonObject, field: string): readonly string[] {
  return listOf(value, field).filter((item) => typeof item === 'string');
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectsOf(value: JsonObject, field: string): readonly JsonObject[] {
  return listOf(value, field).filter(isObject);
}

const NO_MEMBERS: JsonObject = Object.freeze({});

export function objectOf(value: JsonObject, field: string): JsonObject {
  const found = value[field];
  return isObject(found) ? found : NO_MEMBERS;
}
