import type { DatabaseSync } from 'node:sqlite';
import type { SnapshotObjects, SnapshotOrder } from '../driver.ts';
import { compareKeys } from '../key-order.ts';
import { enlargeCache } from './sqlite-database.ts';

const CHUNK_BYTES = 1024 * 1024;
const CHUNK_OBJECTS = 2000;
const ORDER_POSITIONS = 8192;

export type SnapshotPart = SnapshotObjects | SnapshotOrder;

/**
 * All objects in the order they lie in the file, then their order by key. Reading in file order is one sequential sweep.
 * SQLite itself puts a chunk together, so that a thousand objects become one buffer and a few texts instead of
 * thousands of values that have to be made and collected again.
 */
export function* readSnapshot(db: DatabaseSync): Generator<SnapshotPart> {
  const prefixes: string[] = [];
  const keys: string[] = [];
  for (const chunk of readObjects(db)) {
    for (const prefix of chunk.prefixes) prefixes.push(prefix);
    for (const key of chunk.keys) keys.push(key);
    yield chunk;
  }
  // An ordinary array: its sort is fast on runs that are in order already, as keys often are.
  const positions = Array.from(keys, (_, i) => i);
  positions.sort(
    (a, b) => compareKeys(prefixes[a] ?? '', prefixes[b] ?? '') || compareKeys(keys[a] ?? '', keys[b] ?? ''),
  );
  for (let i = 0; i < positions.length; i += ORDER_POSITIONS)
    yield { kind: 'order', positions: Uint32Array.from(positions.slice(i, i + ORDER_POSITIONS)) };
  enlargeCache(db);
}

/** Where a chunk that starts after `?1` has to end to stay within its limits. */
const CHUNK_END = `
  SELECT max(id) AS last FROM (
    SELECT id, sum(octet_length(value)) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) AS total
    FROM object WHERE id > ?1 ORDER BY id LIMIT ${CHUNK_OBJECTS}
  ) WHERE total <= ${CHUNK_BYTES}`;
const NEXT_ID = 'SELECT min(id) AS last FROM object WHERE id > ?1';
const CHUNK = `
  SELECT json_group_array(id) AS ids, json_group_array(prefix) AS prefixes, json_group_array(key) AS keys,
    json_group_array(revision) AS revisions, json_group_array(indexed) AS indexed,
    json_group_array(octet_length(value)) AS lengths, CAST(group_concat(value, '') AS BLOB) AS bytes
  FROM (SELECT * FROM object WHERE id > ?1 AND id <= ?2 ORDER BY id)`;

type ChunkRow = Readonly<Record<'ids' | 'prefixes' | 'keys' | 'revisions' | 'indexed' | 'lengths', string>> & {
  readonly bytes: Uint8Array;
};

function* readObjects(db: DatabaseSync): Generator<SnapshotObjects> {
  const chunkEnd = db.prepare(CHUNK_END);
  const nextId = db.prepare(NEXT_ID);
  const chunk = db.prepare(CHUNK);
  for (let after = 0; ; ) {
    // An object larger than a chunk makes one of its own.
    const last = lastOf(chunkEnd.get(after)) ?? lastOf(nextId.get(after));
    if (last === undefined) return;
    yield unpack(chunk.get(after, last) as unknown as ChunkRow);
    after = last;
  }
}

function lastOf(row: unknown): number | undefined {
  return (row as { last: number | null }).last ?? undefined;
}

function unpack({ ids, prefixes, keys, revisions, indexed, lengths, bytes }: ChunkRow): SnapshotObjects {
  let end = 0;
  return {
    kind: 'objects',
    ids: JSON.parse(ids) as number[],
    prefixes: JSON.parse(prefixes) as string[],
    keys: JSON.parse(keys) as string[],
    revisions: JSON.parse(revisions) as number[],
    indexed: JSON.parse(indexed) as string[],
    ends: Uint32Array.from(JSON.parse(lengths) as number[], (length) => {
      end += length;
      return end;
    }),
    bytes,
  };
}
