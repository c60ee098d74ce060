/**
 * Secrets inside an object are never painted: the JSON tab shows a mask, and a mask left as it was stands
 * for the value it hides. Pure.
 */
import { isSecretHeader } from '../../../src-main/contract/secret-names.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../src-main/kit/json.ts';
import { formatPointer, parsePointer } from '../../../src-main/kit/json-pointer.ts';

export const MASK = '••••••';

/** A segment of a pointer that stands for every header whose name says that it is secret. */
export const SECRET_HEADERS = '*secret';

/** `value` with every non-empty text at one of the pointers masked; a `*` segment stands for any member or entry. */
export function maskSecrets(value: JsonObject, pointers: readonly string[]): JsonObject {
  return pointers.reduce<JsonObject>(
    (masked, pointer) => mapAt(masked, parsePointer(pointer), (text) => (text === '' ? text : MASK)) as JsonObject,
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
        // In a list that got longer or shorter nobody can tell which entry a mask stands for.
        const hidden = lengthAt(edited, at) === lengthAt(current, at) ? valueAt(current, at) : undefined;
        if (typeof hidden === 'string') return hidden;
        lost.push(formatPointer(at));
        return text;
      }) as JsonObject,
    edited,
  );
  return { value, lost };
}

type Change = (text: string, at: readonly string[]) => string;

function mapAt(value: Json, tokens: readonly string[], change: Change, at: readonly string[] = []): Json {
  const [head, ...rest] = tokens;
  if (head === undefined) return typeof value === 'string' ? change(value, at) : value;
  const inside = (inner: Json, name: string): Json =>
    covers(head, name) ? mapAt(inner, rest, change, [...at, name]) : inner;
  if (Array.isArray(value)) return value.map((inner, index) => inside(inner, String(index)));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inside(inner, name)]));
}

function covers(token: string, name: string): boolean {
  return token === '*' || token === name || (token === SECRET_HEADERS && isSecretHeader(name));
}

function valueAt(value: Json | undefined, at: readonly string[]): Json | undefined {
  return at.reduce<Json | undefined>(
    (node, name) => (Array.isArray(node) ? node[Number(name)] : isJsonObject(node) ? node[name] : undefined),
    value,
  );
}

/** Length of the list the value at `at` stands in; undefined where it stands in none. */
function lengthAt(value: Json, at: readonly string[]): number | undefined {
  const holder = valueAt(value, at.slice(0, -1));
  return Array.isArray(holder) ? holder.length : undefined;
}
