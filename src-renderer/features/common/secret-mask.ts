/**
 * Secrets inside an object are never painted: the JSON tab shows a mask, and a mask left as it was stands
 * for the value it hides. Pure.
 */
import type { Json, JsonObject } from '../../../src-main/kit/json.ts';
import { formatPointer, parsePointer } from '../../../src-main/kit/json-pointer.ts';
import { isPlainObject } from '../../api/patch.ts';

export const MASK = '••••••';

/** `value` with every non-empty text at one of the pointers masked; a `*` segment stands for any member. */
export function maskSecrets(value: JsonObject, pointers: readonly string[]): JsonObject {
  return pointers.reduce<JsonObject>(
    (masked, pointer) => mapAt(masked, parsePointer(pointer), (text) => (text === '' ? text : MASK)),
    value,
  );
}

/** Puts back what the masks of `edited` hide. `lost`: pointers whose mask was moved where nothing was hidden. */
export function unmaskSecrets(
  edited: JsonObject,
  current: JsonObject,
  pointers: readonly string[],
): { readonly value: JsonObject; readonly lost: readonly string[] } {
  const lost: string[] = [];
  const value = pointers.reduce<JsonObject>(
    (result, pointer) =>
      mapAt(result, parsePointer(pointer), (text, at) => {
        if (text !== MASK) return text;
        const hidden = at.reduce<Json | undefined>(
          (node, name) => (isPlainObject(node) ? node[name] : undefined),
          current,
        );
        if (typeof hidden === 'string') return hidden;
        lost.push(formatPointer(at));
        return text;
      }),
    edited,
  );
  return { value, lost };
}

type Change = (text: string, at: readonly string[]) => string;

function mapAt(object: JsonObject, tokens: readonly string[], change: Change, at: readonly string[] = []): JsonObject {
  const [head, ...rest] = tokens;
  if (head === undefined) return object;
  const names = head === '*' ? Object.keys(object) : Object.hasOwn(object, head) ? [head] : [];
  const changed = names.flatMap((name): [string, Json][] => {
    const inner = object[name];
    const here = [...at, name];
    if (rest.length === 0) return typeof inner === 'string' ? [[name, change(inner, here)]] : [];
    return isPlainObject(inner) ? [[name, mapAt(inner, rest, change, here)]] : [];
  });
  return { ...object, ...Object.fromEntries(changed) };
}
