/** Key pairs of objects with secure params: own records next to the objects, never part of any answer (wire-format.md 9.3). */
import type { Committer } from './committer.ts';
import { type KeyPair, newKeyPair } from './secure-params.ts';
import type { View } from './types.ts';

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

export function createSecureKeys(view: View, committer: Committer): SecureKeys {
  const find = (prefix: string, key: string): KeyPair | undefined => {
    const stored = view.get(SECURE_KEYS, `${prefix}/${key}`);
    return stored && asPair(stored.value);
  };
  return {
    find,
    async ensure(prefix, key) {
      const known = find(prefix, key);
      if (known) return known;
      return committer.internal('system', (unit) => {
        const name = `${prefix}/${key}`;
        const raced = unit.get(SECURE_KEYS, name);
        if (raced) return asPair(raced.value);
        const pair = newKeyPair();
        unit.put(SECURE_KEYS, name, { ...pair });
        return pair;
      });
    },
  };
}
