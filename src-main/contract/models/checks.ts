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

/** Other objects a filled value names, each with its sentence should it not exist. */
export function references(definition: ModelDefinition, value: JsonObject): Reference[] {
  return definition.references(value);
}

/** Recomputes what follows from other fields (a subnet's netmask). `fill` does it too. */
export function normalize(definition: ModelDefinition, value: JsonObject): JsonObject {
  return definition.normalize?.(value) ?? value;
}
