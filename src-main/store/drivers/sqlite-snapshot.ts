import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { SnapshotObjects, SnapshotOrder } from '../driver.ts';
import { StoreError } from '../errors.ts';
import { compareKeys } from '../key-order.ts';
import type { IndexValues } from '../stored.ts';
import { enlargeCache, fromSqliteError } from './sqlite-database.ts';

const CHUNK_BYTES = 1024 * 1024;
const CHUNK_OBJECTS = 1000;
const ORDER_POSITIONS = 8192;
/** SQLITE_ERROR: with our statement only JSON that is none. */
const SQL_ERROR = 1;

/** Columns of a run of objects as they cross to the other thread: one JSON array each, which is one string to copy. */
type Columns = Readonly<Record<'ids' | 'prefixes' | 'keys' | 'revisions' | 'indexed', string>>;

export interface PackedObjects {
  readonly kind: 'objects';
  readonly columns: Columns;
  /** How many objects of `columns` belong to this chunk; the others come with the next. */
  readonly count: number;
  readonly ends: Uint32Array<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export type SnapshotPart = PackedObjects | (SnapshotOrder & { readonly positions: Uint32Array<ArrayBuffer> });

/**
 * All objects in the order they lie in the file, then their order by key. Reading in file order is one sequential sweep.
 * SQLite itself puts a chunk together, so that a thousand objects become one buffer and a few texts instead of
 * thousands of values that have to be made and collected again.
 */
export function* readSnapshot(db: DatabaseSync): Generator<SnapshotPart> {
  const prefixes: string[] = [];
  const keys: string[] = [];
  for (const chunk of readObjects(db)) {
    yield chunk;
    for (const prefix of parse<string>(chunk, 'prefixes')) prefixes.push(prefix);
    for (const key of parse<string>(chunk, 'keys')) keys.push(key);
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

/** On the receiving thread. */
export function unpackObjects(chunk: PackedObjects): SnapshotObjects {
  return {
    kind: 'objects',
    ids: parse(chunk, 'ids'),
    prefixes: parse(chunk, 'prefixes'),
    keys: parse(chunk, 'keys'),
    revisions: parse(chunk, 'revisions'),
    indexed: parse<IndexValues | null>(chunk, 'indexed'),
    ends: chunk.ends,
    bytes: chunk.bytes,
  };
}

function parse<T>({ columns, count }: PackedObjects, column: keyof Columns): T[] {
  const values = JSON.parse(columns[column]) as T[];
  values.length = count;
  return values;
}

/** What stands beside the values of up to `?2` objects after `?1`, and how long the values are. Reads no value. */
const COLUMNS = `
  SELECT json_group_array(id) AS ids, json_group_array(prefix) AS prefixes, json_group_array(key) AS keys,
    json_group_array(revision) AS revisions, json_group_array(iif(indexed = '', NULL, json(indexed))) AS indexed,
    json_group_array(octet_length(value)) AS lengths
  FROM (SELECT * FROM object WHERE id > ?1 ORDER BY id LIMIT ?2)`;
const VALUES = `
  SELECT CAST(group_concat(value, '') AS BLOB) AS bytes
  FROM (SELECT value FROM object WHERE id > ?1 AND id <= ?2 ORDER BY id)`;

function* readObjects(db: DatabaseSync): Generator<PackedObjects> {
  const readColumns = db.prepare(COLUMNS);
  const readValues = db.prepare(VALUES);
  let limit = CHUNK_OBJECTS;
  for (let after = 0; ; ) {
    const { lengths, ...columns } = columnsOf(readColumns, after, limit);
    const ids = JSON.parse(columns.ids) as number[];
    if (ids.length === 0) return;
    const ends = endsWithin(JSON.parse(lengths) as number[], CHUNK_BYTES);
    const count = ends.length;
    const last = ids[count - 1] ?? 0;
    const { bytes } = readValues.get(after, last) as { readonly bytes: Uint8Array<ArrayBuffer> };
    yield { kind: 'objects', columns, count, ends, bytes };
    // Where objects are large, few of them make a chunk.
    limit = Math.min(CHUNK_OBJECTS, count * 2);
    after = last;
  }
}

function columnsOf(query: StatementSync, after: number, limit: number): Columns & { readonly lengths: string } {
  try {
    return query.get(after, limit) as unknown as Columns & { readonly lengths: string };
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== SQL_ERROR)
      throw fromSqliteError(error, 'The objects cannot be read');
    const message = 'The index values of an object are not readable: the database was damaged. Restore a backup.';
    throw new StoreError('corrupt', message, { cause: error });
  }
}

/** Where the values end that fit into `room` bytes; one that is larger makes a chunk of its own. */
function endsWithin(lengths: readonly number[], room: number): Uint32Array<ArrayBuffer> {
  const ends = new Uint32Array(lengths.length);
  let end = 0;
  let count = 0;
  for (const length of lengths) {
    if (count > 0 && end + length > room) break;
    end += length;
    ends[count++] = end;
  }
  return ends.slice(0, count);
}
