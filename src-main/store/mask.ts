import { maskAddress } from '../contract/secret-names.ts';
import type { Json, JsonObject } from '../kit/json.ts';
import { parsePointer } from '../kit/json-pointer.ts';
import { StoreError } from './errors.ts';

/** What the log shows instead of a secret. */
export const MASK = '***';
/** Stands behind what is shown in `after` when the secret is not the one in `before`. */
const CHANGED = ' (changed)';
export const MASK_CHANGED = MASK + CHANGED;

type Declared = Readonly<Record<string, readonly string[]>>;
/** What is shown at a declared place. `previous`: what stood there before, when `compare` is true. */
type Shown = (value: Json, previous: Json | undefined, compare: boolean) => Json;

interface Rule {
  /** Lower case: configurations are read without regard to letter case, so no spelling may bring a secret to light. */
  readonly path: readonly string[];
  readonly shown: Shown;
}

/** Decides what the log may show of an object. Compiled once from the declared secret fields. */
export class Mask {
  readonly #rulesByPrefix = new Map<string, Rule[]>();

  /** `secrets` are masked, of `addresses` the credentials in them. */
  constructor(secrets: Declared, addresses: Declared = {}) {
    this.#add(secrets, maskValue);
    this.#add(addresses, maskCredentials);
  }

  #add(declared: Declared, shown: Shown): void {
    for (const [prefix, pointers] of Object.entries(declared)) {
      if (pointers.length === 0) continue;
      const rules = pointers.map((pointer) => ({ path: compile(prefix, pointer), shown }));
      this.#rulesByPrefix.set(prefix, [...(this.#rulesByPrefix.get(prefix) ?? []), ...rules]);
    }
  }

  /** False: nothing of this prefix is ever masked. */
  covers(prefix: string): boolean {
    return this.#rulesByPrefix.has(prefix);
  }

  /** Both sides of a change as the log shows them. Empty strings, null and absent fields hide nothing and stay. */
  pair(
    prefix: string,
    before: JsonObject | undefined,
    after: JsonObject | undefined,
  ): { before: JsonObject | undefined; after: JsonObject | undefined } {
    let maskedBefore: Json | undefined = before;
    let maskedAfter: Json | undefined = after;
    for (const rule of this.#rulesByPrefix.get(prefix) ?? []) {
      maskedBefore = maskAt(maskedBefore, rule, 0, undefined, false);
      maskedAfter = maskAt(maskedAfter, rule, 0, before, before !== undefined);
    }
    return { before: maskedBefore as JsonObject | undefined, after: maskedAfter as JsonObject | undefined };
  }
}

/** Whether `actual` may be what the log shows as `shown`. */
export function fitsMask(shown: Json | undefined, actual: Json | undefined): boolean {
  if (typeof shown !== 'string' || !shown.includes(MASK)) return false;
  if (shown === MASK || shown === MASK_CHANGED) return actual !== undefined;
  if (typeof actual !== 'string') return false;
  const text = shown.endsWith(CHANGED) ? shown.slice(0, -CHANGED.length) : shown;
  const [first = '', ...others] = text.split(MASK);
  const last = others.pop() ?? '';
  if (!actual.startsWith(first) || !actual.endsWith(last)) return false;
  let at = first.length;
  for (const part of others) {
    const found = actual.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= actual.length - last.length;
}

function compile(prefix: string, pointer: string): readonly string[] {
  const path = parsePointer(pointer);
  if (path.length === 0)
    throw new StoreError(
      'validation',
      `A secret field of "${prefix}" is the empty pointer, which is the whole object.`,
    );
  return path.map((segment) => segment.toLowerCase());
}

/** Copies only what lies on the path to a secret, and nothing when there is none. `previous` is the same place in the object before the change. */
function maskAt(
  value: Json | undefined,
  rule: Rule,
  depth: number,
  previous: Json | undefined,
  compare: boolean,
): Json | undefined {
  if (value === undefined) return undefined;
  const segment = rule.path[depth];
  // Where there should be a structure with a secret in it, a plain value may be the secret itself, put in the wrong place.
  if (segment === undefined || value === null || typeof value !== 'object') return rule.shown(value, previous, compare);
  let copy: JsonObject | Json[] | undefined;
  for (const key of Object.keys(value)) {
    if (!isSegment(key, segment)) continue;
    const current = (value as JsonObject)[key];
    const masked = maskAt(current, rule, depth + 1, member(previous, key), compare);
    if (masked === current || masked === undefined) continue;
    // A spread makes an own property of whatever name; so does defining one, where assigning `__proto__` would not.
    copy ??= Array.isArray(value) ? [...(value as Json[])] : { ...(value as JsonObject) };
    Object.defineProperty(copy, key, { value: masked, writable: true, enumerable: true, configurable: true });
  }
  return copy ?? value;
}

function isSegment(key: string, segment: string): boolean {
  // The lengths tell most apart without a copy in lower case.
  return segment === '*' || key === segment || (key.length === segment.length && key.toLowerCase() === segment);
}

function maskValue(value: Json, previous: Json | undefined, compare: boolean): Json {
  // Masked by an overlapping pointer already.
  if (value === null || value === '' || value === MASK || value === MASK_CHANGED) return value;
  const changed = compare && JSON.stringify(previous) !== JSON.stringify(value);
  return changed ? MASK_CHANGED : MASK;
}

function maskCredentials(value: Json, previous: Json | undefined, compare: boolean): Json {
  if (typeof value !== 'string') return value;
  const shown = maskAddress(value);
  if (shown === value || !compare || typeof previous !== 'string' || previous === value) return shown;
  return maskAddress(previous) === shown ? shown + CHANGED : shown;
}

function member(value: Json | undefined, key: string): Json | undefined {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return undefined;
  return (value as JsonObject)[key];
}
