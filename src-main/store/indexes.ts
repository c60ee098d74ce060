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
   * Identifies the definitions. Values on disk are trusted only when they were made by the same text, so that a start
   * need not parse every object; a changed function is noticed and its values are made anew.
   */
  readonly fingerprint: string;

  constructor(declared: NonNullable<StoreOptions['uniqueIndexes']>) {
    const byPrefix = new Map<string, PrefixIndexes>();
    const lines: string[] = [];
    for (const prefix of Object.keys(declared).sort(compareKeys)) {
      const functions = declared[prefix] ?? {};
      const names = Object.keys(functions).sort(compareKeys);
      if (names.length === 0) continue;
      byPrefix.set(prefix, { names, functions: names.map((name) => functions[name] as IndexFunction) });
      for (const name of names) lines.push(`${prefix} ${name} ${functions[name]}`);
    }
    this.#byPrefix = byPrefix;
    this.fingerprint = lines.join('\n');
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
    return indexes ? indexes.functions.map((f) => f(value)) : NO_INDEX_VALUES;
  }
}

/** Empty for objects without index values, which are most. */
export function encodeIndexValues(values: IndexValues): string {
  return values.some((v) => v !== undefined) ? JSON.stringify(values.map((v) => v ?? null)) : '';
}

export function decodeIndexValues(text: string): IndexValues {
  if (text === '') return NO_INDEX_VALUES;
  return (JSON.parse(text) as (string | null)[]).map((v) => v ?? undefined);
}
