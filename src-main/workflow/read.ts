import type { JsonObject } from '../kit/json.ts';
import type { View } from '../objects/index.ts';

/** The value of an object that may not be there; an empty key names nothing. */
export function find(view: View, prefix: string, key: string): JsonObject | undefined {
  return key === '' ? undefined : view.get(prefix, key)?.value;
}
