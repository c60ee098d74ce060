/** What the fields of a claim offer, from what stands beside them. Pure. */
import { knownHere } from '../../../src-main/contract/claims/index.ts';
import { isJsonObject, type Json } from '../../../src-main/kit/json.ts';
import { escapeToken } from '../../../src-main/kit/json-pointer.ts';

/** Actions of the scopes named (of all, for `*` or an unknown scope), with the qualified forms worth knowing. */
export function actionsOf(scope: string): string[] {
  const named = scope.split(',').map((item) => item.trim());
  const known = named.filter((item) => knownHere.has(item));
  const scopes = known.length === 0 ? [...knownHere.keys()] : known;
  const actions = new Set(scopes.flatMap((item) => [...(knownHere.get(item) ?? [])]));
  const qualified = [
    ...(actions.has('update') ? ['update:/Description', 'update:/Params', 'update:/Meta'] : []),
    ...(known.includes('machines') ? ['action:callbackDo'] : []),
  ];
  return ['*', ...[...actions].sort(), ...qualified];
}

/** A comma list with its last, half typed item replaced. */
export function withLast(list: string, item: string): string {
  return [...list.split(',').slice(0, -1), item].join(',');
}

/** The half typed item at the end of a comma list. */
export function lastOf(list: string): string {
  return list.split(',').at(-1)?.trim() ?? '';
}

/** A comma list with one more item; `*` or an item that is there already stays as it is. */
export function withItem(list: string, item: string): string {
  const items = list.split(',').filter((each) => each.trim() !== '');
  return items.includes('*') || items.includes(item) ? list : [...items, item].join(',');
}

interface FieldPointer {
  /** RFC 6901, escaped. */
  readonly pointer: string;
  /** Fields below it in the objects looked at. */
  readonly below: number;
}

/** Every field of some objects as a pointer, parents before children. Lists count as one value. */
export function fieldPointers(objects: readonly object[]): FieldPointer[] {
  const below = new Map<string, Set<string>>();
  const visit = (value: Json, parents: readonly string[]): void => {
    if (!isJsonObject(value)) return;
    for (const [name, inner] of Object.entries(value)) {
      const pointer = `${parents.at(-1) ?? ''}/${escapeToken(name)}`;
      if (!below.has(pointer)) below.set(pointer, new Set());
      for (const parent of parents) below.get(parent)?.add(pointer);
      visit(inner, [...parents, pointer]);
    }
  };
  for (const object of objects) visit(object as Json, []);
  return [...below]
    .map(([pointer, inner]) => ({ pointer, below: inner.size }))
    .sort((a, b) => (a.pointer < b.pointer ? -1 : 1));
}
