/**
 * Objects as they leave the server: shaped for the client's generation (v3 or v4 fields) with hidden fields removed, as bytes
 * that are made once per revision and shape.
 */
import { type ModelDefinition, modelOf, present, SECRET_PREFERENCES } from '../contract/models/index.ts';
import type { JsonObject } from '../kit/json.ts';
import type { Stored } from '../store/index.ts';

export type Shape = 'v3' | 'v4';

const cache: Record<Shape, WeakMap<Stored, Buffer>> = { v3: new WeakMap(), v4: new WeakMap() };

/** The object for one shape. */
export function shaped(definition: ModelDefinition, value: JsonObject, shape: Shape): JsonObject {
  return present(definition, value, shape) as JsonObject;
}

/** JSON bytes of the object for one shape. Objects stored in that very form share the store's own bytes. */
export function shapedBytes(definition: ModelDefinition, stored: Stored, shape: Shape): Buffer {
  const known = cache[shape].get(stored);
  if (known) return known;
  const made = Buffer.from(JSON.stringify(shaped(definition, stored.value, shape)));
  const own = stored.bytes;
  const bytes = own.length === made.length && own.equals(made) ? own : made;
  cache[shape].set(stored, bytes);
  return bytes;
}

/** An object for an event or an export, when its prefix has a model. */
export function masked(prefix: string, value: unknown, shape: Shape): unknown {
  const definition = modelOf(prefix);
  if (!definition || typeof value !== 'object' || value === null) return value;
  // A pointer cannot tell the secret preferences from the others, so `present` shows them all.
  if (prefix === 'preferences' && SECRET_PREFERENCES.has(String((value as JsonObject)['Name'])))
    return { ...value, Val: '***' };
  return shaped(definition, value as JsonObject, shape);
}
