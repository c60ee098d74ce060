import type { JsonObject } from '../kit/json.ts';
import { StoreError } from './errors.ts';
import type { Stored } from './types.ts';

/** Values of the declared unique indexes, in the order of the index names; null: not in that index. */
export type IndexValues = readonly (string | null)[];
export const NO_INDEX_VALUES: IndexValues = [];

/**
 * An object as a row of a driver. Read back from a file, nothing about it is certain: somebody may have edited it. `indexed` is the JSON
 * of its index values, `text` that of the object.
 */
export interface ObjectRow {
  readonly id: number;
  readonly prefix: string;
  readonly key: string;
  readonly revision: number;
  readonly indexed: string;
  readonly text: string;
}

/**
 * One revision of one object. Holds the JSON text in whatever form it arrived, a string from a writer or a slice of a
 * big chunk from disk, and makes the other forms when first asked: starting with 100,000 objects parses none of them.
 */
export class StoredObject implements Stored {
  readonly prefix: string;
  readonly key: string;
  readonly revision: number;
  /** Number of the object in the database, kept over its revisions. */
  readonly id: number;
  readonly indexed: IndexValues;
  #source: string | Uint8Array;
  #start: number;
  #end: number;
  #value: JsonObject | undefined;

  constructor(
    prefix: string,
    key: string,
    revision: number,
    id: number,
    indexed: IndexValues,
    source: string | Uint8Array,
    start = 0,
    end = 0,
  ) {
    this.prefix = prefix;
    this.key = key;
    this.revision = revision;
    this.id = id;
    this.indexed = indexed;
    this.#source = source;
    this.#start = start;
    this.#end = end;
    this.#value = undefined;
  }

  get value(): JsonObject {
    this.#value ??= parseValue(this);
    return this.#value;
  }

  get bytes(): Buffer {
    const source = this.#source;
    if (source instanceof Buffer && this.#start === 0 && this.#end === source.length) return source;
    const bytes =
      typeof source === 'string'
        ? Buffer.from(source)
        : Buffer.from(source.buffer, source.byteOffset + this.#start, this.#end - this.#start);
    this.#source = bytes;
    this.#start = 0;
    this.#end = bytes.length;
    return bytes;
  }

  withIndexValues(indexed: IndexValues): StoredObject {
    const { prefix, key, revision, id } = this;
    return new StoredObject(prefix, key, revision, id, indexed, this.#source, this.#start, this.#end);
  }

  /** The JSON as a string; not cached unless it is the form the object arrived in. */
  get text(): string {
    return typeof this.#source === 'string' ? this.#source : this.bytes.toString('utf8');
  }
}

/** What is no JSON was not written by this program; it is not repeated, it may be a secret. */
function parseValue({ prefix, key, text }: StoredObject): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    throw new StoreError('corrupt', `${prefix}/${key} is not readable: it was damaged. Restore a backup.`);
  }
}

/** Stands in a layer for an object that was removed. */
export class Tombstone {
  readonly revision: number;
  constructor(revision: number) {
    this.revision = revision;
  }
}
