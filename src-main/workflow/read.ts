/** Typed reads of stored objects; a value of another kind reads as the unset one. */
import type { Json, JsonObject } from '../kit/json.ts';
import type { View } from '../objects/index.ts';

export function text(value: JsonObject, field: string): string {
  const found = value[field];
  return typeof found === 'string' ? found : '';
}

export function integer(value: JsonObject, field: string): number {
  const found = value[field];
  return typeof found === 'number' ? found : 0;
}

export function list(value: JsonObject, field: string): readonly Json[] {
  const found = value[field];
  return Array.isArray(found) ? (found as readonly Json[]) : [];
}

export function texts(value: JsonObject, field: string): readonly string[] {
  return list(value, field).filter((item) => typeof item === 'string');
}

export function objects(value: JsonObject, field: string): readonly JsonObject[] {
  return list(value, field).filter(
    (item): item is JsonObject => typeof item === 'object' && item !== null && !Array.isArray(item),
  );
}

export function object(value: JsonObject, field: string): JsonObject {
  const found = value[field];
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as JsonObject) : {};
}

/** The value of an object that may not be there; an empty key names nothing. */
export function find(view: View, prefix: string, key: string): JsonObject | undefined {
  return key === '' ? undefined : view.get(prefix, key)?.value;
}
