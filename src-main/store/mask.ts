import type { Json, JsonObject } from '../kit/json.ts';
import { parsePointer } from '../kit/json-pointer.ts';
import { StoreError } from './errors.ts';
import type { StoreOptions } from './types.ts';

/** What the log shows instead of a secret. */
export const MASK = '***';
/** What it shows in `after` when the secret is not the one in `before`. */
export const MASK_CHANGED = '*** (changed)';

/** Decides what the log may show of an object. Compiled once from the declared secret fields. */
export class Mask {
  readonly #pathsByPrefix: ReadonlyMap<string, readonly (readonly string[])[]>;

  constructor(declared: NonNullable<StoreOptions['secretFields']>) {
    this.#pathsByPrefix = new Map(
      Object.entries(declared)
        .filter(([, pointers]) => pointers.length > 0)
        .map(([prefix, pointers]) => [prefix, pointers.map((pointer) => compile(prefix, pointer))]),
    );
  }

  /** False: nothing of this prefix is ever masked. */
  covers(prefix: string): boolean {
    return this.#pathsByPrefix.has(prefix);
  }

  /** Both sides of a change as the log shows them. Empty strings, null and absent fields hide nothing and stay. */
  pair(
    prefix: string,
    before: JsonObject | undefined,
    after: JsonObject | undefined,
  ): { before: JsonObject | undefined; after: JsonObject | undefined } {
    const paths = this.#pathsByPrefix.get(prefix) ?? [];
    let maskedBefore: Json | undefined = before;
    let maskedAfter: Json | undefined = after;
    for (const path of paths) {
      maskedBefore = maskAt(maskedBefore, path, 0, undefined, false);
      maskedAfter = maskAt(maskedAfter, path, 0, before, before !== undefined);
    }
    return { before: maskedBefore as JsonObject | undefined, after: maskedAfter as JsonObject | undefined };
  }
}

function compile(prefix: string, pointer: string): readonly string[] {
  const path = parsePointer(pointer);
  if (path.length === 0)
    throw new StoreError(
      'validation',
      `A secret field of "${prefix}" is the empty pointer, which is the whole object.`,
    );
  return path;
}

/** Copies only what lies on the path to a secret, and nothing when there is none. `previous` is the same place in the object before the change. */
function maskAt(
  value: Json | undefined,
  path: readonly string[],
  depth: number,
  previous: Json | undefined,
  compare: boolean,
): Json | undefined {
  if (value === undefined) return undefined;
  const segment = path[depth];
  if (segment === undefined) return maskValue(value, previous, compare);
  if (value === null || typeof value !== 'object') return value;
  const keys = segment === '*' ? Object.keys(value) : Object.hasOwn(value, segment) ? [segment] : [];
  let copy: JsonObject | Json[] | undefined;
  for (const key of keys) {
    const current = (value as JsonObject)[key];
    const masked = maskAt(current, path, depth + 1, member(previous, key), compare);
    if (masked === current || masked === undefined) continue;
    // A spread makes an own property of whatever name; so does defining one, where assigning `__proto__` would not.
    copy ??= Array.isArray(value) ? [...(value as Json[])] : { ...(value as JsonObject) };
    Object.defineProperty(copy, key, { value: masked, writable: true, enumerable: true, configurable: true });
  }
  return copy ?? value;
}

function maskValue(value: Json, previous: Json | undefined, compare: boolean): Json {
  // Masked by an overlapping pointer already.
  if (value === null || value === '' || value === MASK || value === MASK_CHANGED) return value;
  const changed = compare && JSON.stringify(previous) !== JSON.stringify(value);
  return changed ? MASK_CHANGED : MASK;
}

function member(value: Json | undefined, key: string): Json | undefined {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return undefined;
  return (value as JsonObject)[key];
}
