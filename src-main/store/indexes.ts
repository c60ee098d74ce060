import type { JsonObject } from '../kit/json.ts';
import { StoreError } from './errors.ts';
import { compareKeys } from './key-order.ts';
import { type IndexValues, NO_INDEX_VALUES } from './stored.ts';
import type { IndexFunction, StoreOptions } from './types.ts';

interface PrefixIndexes {
  readonly names: readonly string[];
  readonly functions: readonly IndexFunction[];
}

/** The declared unique indexes, and the form in which their values are kept beside each object on disk. */
export class IndexDefinitions {
  readonly #byPrefix: ReadonlyMap<string, PrefixIndexes>;
  /**
   * Identifies the definitions by name and version. Values on disk are trusted only when they were made by the same, so
   * that a start need not parse every object; otherwise all of them are made anew.
   */
  readonly fingerprint: string;

  constructor(declared: NonNullable<StoreOptions['uniqueIndexes']>) {
    const byPrefix = new Map<string, PrefixIndexes>();
    const known: string[] = [];
    for (const prefix of Object.keys(declared).sort(compareKeys)) {
      const definitions = Object.entries(declared[prefix] ?? {}).sort(([a], [b]) => compareKeys(a, b));
      if (definitions.length === 0) continue;
      const names = definitions.map(([name]) => name);
      byPrefix.set(prefix, { names, functions: definitions.map(([, { value }]) => value) });
      for (const [name, { version }] of definitions) known.push(JSON.stringify([prefix, name, version]));
    }
    this.#byPrefix = byPrefix;
    this.fingerprint = known.join('\n');
  }

  names(prefix: string): readonly string[] {
    return this.#byPrefix.get(prefix)?.names ?? [];
  }

  /** Throws when nobody declared it: a misspelt index would otherwise find nothing for ever. */
  position(prefix: string, index: string): number {
    const position = this.names(prefix).indexOf(index);
    if (position < 0) throw new StoreError('validation', `No unique index "${index}" is declared for "${prefix}".`);
    return position;
  }

  values(prefix: string, value: JsonObject): IndexValues {
    const indexes = this.#byPrefix.get(prefix);
    return indexes ? indexes.functions.map((f) => f(value) ?? null) : NO_INDEX_VALUES;
  }
}

/** Empty for objects without index values, which are most. */
export function encodeIndexValues(values: IndexValues): string {
  return values.some((v) => v !== null) ? JSON.stringify(values) : '';
}

export function decodeIndexValues(text: string): IndexValues {
  return text === '' ? NO_INDEX_VALUES : (JSON.parse(text) as IndexValues);
}
