/** Typed reads of JSON objects that may come from anywhere; a value of the wrong kind reads as the unset one. */
import { isJsonObject, type Json, type JsonObject } from './json.ts';

export function textOf(value: JsonObject, field: string): string {
  const found = value[field];
  return typeof found === 'string' ? found : '';
}

export function flagOf(value: JsonObject, field: string): boolean {
  return value[field] === true;
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

export function objectsOf(value: JsonObject, field: string): readonly JsonObject[] {
  return listOf(value, field).filter(isJsonObject);
}

const NO_MEMBERS: JsonObject = Object.freeze({});

export function objectOf(value: JsonObject, field: string): JsonObject {
  const found = value[field];
  return isJsonObject(found) ? found : NO_MEMBERS;
}
