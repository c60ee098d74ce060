/** The checks of a model, with the defaults of this service. */
import type { JsonObject } from '../../kit/json.ts';
import { knownHere } from '../claims/registry.ts';
import type { ModelDefinition, Reference, StructuralContext } from './definition.ts';

/** Sentences that refuse a write (422), in the order of wire-format.md 4. `value` must be filled. */
export function structuralErrors(
  definition: ModelDefinition,
  value: JsonObject,
  context: StructuralContext = { scopes: knownHere },
): string[] {
  return definition.structural(value, context);
}

/**
 * Other objects a filled value names, each with its sentence should it not exist. What `before` (the object as it was stored)
 * named already is not hard any more: an object whose profile went with its content layer must stay writable.
 */
export function references(definition: ModelDefinition, value: JsonObject, before?: JsonObject): Reference[] {
  const found = definition.references(value);
  if (!before || !found.some(({ hard }) => hard)) return found;
  const known = new Set(definition.references(before).map(({ kind, key }) => `${kind}/${key}`));
  return found.map((reference) =>
    known.has(`${reference.kind}/${reference.key}`) ? { ...reference, hard: false } : reference,
  );
}

/** Recomputes what follows from other fields (a subnet's netmask). `fill` does it too. */
export function normalize(definition: ModelDefinition, value: JsonObject): JsonObject {
  return definition.normalize?.(value) ?? value;
}
