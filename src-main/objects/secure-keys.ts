/** Key pairs of objects with secure params: own records next to the objects, never part of any answer (wire-format.md 9.3). */
import type { Committer } from './committer.ts';
import { type KeyPair, newKeyPair } from './secure-params.ts';
import type { Unit, View } from './types.ts';

export const SECURE_KEYS = 'secure-keys';

export interface SecureKeys {
  find(prefix: string, key: string): KeyPair | undefined;
  /** The pair of an object, made and stored at first use. */
  ensure(prefix: string, key: string): Promise<KeyPair>;
}

function asPair(value: unknown): KeyPair {
  const { publicKey, privateKey } = value as KeyPair;
  return { publicKey, privateKey };
}

/** The pair of an object; undefined when it has none yet. */
export function pairOf(view: View, prefix: string, key: string): KeyPair | undefined {
  const stored = view.get(SECURE_KEYS, `${prefix}/${key}`);
  return stored && asPair(stored.value);
}

/** The pair of an object, made in this unit of work when it has none. */
export function ensurePair(unit: Unit, prefix: string, key: string): KeyPair {
  const known = pairOf(unit, prefix, key);
  if (known) return known;
  const pair = newKeyPair();
  unit.put(SECURE_KEYS, `${prefix}/${key}`, { ...pair });
  return pair;
}

export function createSecureKeys(view: View, committer: Committer): SecureKeys {
  const find = (prefix: string, key: string): KeyPair | undefined => pairOf(view, prefix, key);
  return {
    find,
    async ensure(prefix, key) {
      return find(prefix, key) ?? committer.internal('system', (unit) => ensurePair(unit, prefix, key));
    },
  };
}
