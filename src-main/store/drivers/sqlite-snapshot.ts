import type { DatabaseSync } from 'node:sqlite';
import type { SnapshotObjects, SnapshotOrder } from '../driver.ts';
import { compareKeys } from '../key-order.ts';

const CHUNK_BYTES = 1024 * 1024;
const CHUNK_OBJECTS = 2000;
const ORDER_POSITIONS = 8192;

export type SnapshotPart = SnapshotObjects | SnapshotOrder;

/**
 * All objects in the order they lie in the file, then their order by key. Reading in file order is one sequential
 * sweep; values stay bytes all the way, nobody parses or even decodes them here.
 */
export function* readSnapshot(db: DatabaseSync): Generator<SnapshotPart> {
  const names: { prefix: string; key: string }[] = [];
  yield* readObjects(db, names);
  const positions = Uint32Array.from(names.keys());
  positions.sort((a, b) => compareNames(names[a], names[b]));
  for (let i = 0; i < positions.length; i += ORDER_POSITIONS)
    yield { kind: 'order', positions: positions.slice(i, i + ORDER_POSITIONS) };
}

type Name = { readonly prefix: string; readonly key: string };

function compareNames(a: Name | undefined, b: Name | undefined): number {
  if (!a || !b) return 0;
  return a.prefix === b.prefix ? compareKeys(a.key, b.key) : compareKeys(a.prefix, b.prefix);
}

function* readObjects(db: DatabaseSync, names: Name[]): Generator<SnapshotObjects> {
  const rows = db.prepare('SELECT id, prefix, key, revision, indexed, CAST(value AS BLOB) FROM object ORDER BY id');
  rows.setReturnArrays(true);
  let chunk = new ChunkBuilder();
  for (const row of rows.iterate()) {
    const [id, prefix, key, revision, indexed, value] = row as unknown as [
      number,
      string,
      string,
      number,
      string,
      Uint8Array,
    ];
    names.push({ prefix, key });
    if (!chunk.hasRoom(value.byteLength)) {
      yield chunk.finish();
      chunk = new ChunkBuilder(value.byteLength);
    }
    chunk.add(id, prefix, key, revision, indexed, value);
  }
  if (!chunk.isEmpty) yield chunk.finish();
}

class ChunkBuilder {
  readonly #bytes: Uint8Array;
  #used = 0;
  readonly #ends: number[] = [];
  readonly #ids: number[] = [];
  readonly #prefixes: string[] = [];
  readonly #keys: string[] = [];
  readonly #revisions: number[] = [];
  readonly #indexed: string[] = [];

  constructor(atLeast = 0) {
    this.#bytes = new Uint8Array(Math.max(CHUNK_BYTES, atLeast));
  }

  get isEmpty(): boolean {
    return this.#ids.length === 0;
  }

  hasRoom(bytes: number): boolean {
    return this.#ids.length < CHUNK_OBJECTS && this.#used + bytes <= this.#bytes.byteLength;
  }

  add(id: number, prefix: string, key: string, revision: number, indexed: string, value: Uint8Array): void {
    this.#bytes.set(value, this.#used);
    this.#used += value.byteLength;
    this.#ends.push(this.#used);
    this.#ids.push(id);
    this.#prefixes.push(prefix);
    this.#keys.push(key);
    this.#revisions.push(revision);
    this.#indexed.push(indexed);
  }

  finish(): SnapshotObjects {
    // A last chunk that is mostly empty would hold on to its megabyte for as long as one of its objects lives.
    const bytes = this.#used < this.#bytes.byteLength / 2 ? this.#bytes.slice(0, this.#used) : this.#bytes;
    return {
      kind: 'objects',
      ids: this.#ids,
      prefixes: this.#prefixes,
      keys: this.#keys,
      revisions: this.#revisions,
      indexed: this.#indexed,
      ends: Uint32Array.from(this.#ends),
      bytes,
    };
  }
}
