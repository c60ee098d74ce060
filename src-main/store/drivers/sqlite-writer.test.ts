/** The storage thread's own work, on this thread, over a disk that fails when it is told to. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { commit, NO_CURSORS, temporaryDirectory } from '../conformance-support.ts';
import { packBatch } from './sqlite-batch.ts';
import { SqliteWriter } from './sqlite-writer.ts';

/** SQLITE_IOERR_FSYNC: a commit that was written and could not be flushed. */
const FLUSH_FAILED = Object.assign(new Error('disk I/O error'), { errcode: 1034 });

let path: string;
let writer: SqliteWriter;
/** Statements that fail while they are in here, by how their text begins. */
const failing = new Set<string>();

beforeEach(() => {
  path = join(temporaryDirectory(), 'proviso.db');
  const { prepare } = DatabaseSync.prototype;
  vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (this: DatabaseSync, sql) {
    const statement = prepare.call(this, sql);
    for (const method of ['run', 'get'] as const) {
      const real = statement[method].bind(statement) as (...values: unknown[]) => unknown;
      const faulty = (...values: unknown[]): unknown => {
        if ([...failing].some((start) => sql.startsWith(start))) throw FLUSH_FAILED;
        return real(...values);
      };
      Object.assign(statement, { [method]: faulty });
    }
    return statement;
  });
  writer = new SqliteWriter({ path });
});
afterEach(() => {
  failing.clear();
  writer.close();
  vi.restoreAllMocks();
});

function append(seq: number): void {
  const { numbers, text } = packBatch(seq - 1, {
    commits: [commit(seq, [{ id: seq, key: `k${seq}`, value: { seq } }])],
    ...NO_CURSORS,
  });
  writer.append(numbers, text);
}

function failure(seq: number): unknown {
  try {
    append(seq);
  } catch (error) {
    return error;
  }
  return undefined;
}

const synchronous = (): unknown => writer.db.prepare('PRAGMA synchronous').get();

describe('a commit that could not be flushed', () => {
  it('is taken out of the write-ahead log', () => {
    append(1);
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
    failing.add('INSERT INTO log');
    expect(failure(2)).toMatchObject({ code: 'io', isUncertain: false });
    expect(statSync(`${path}-wal`).size).toBe(0);
    failing.clear();
    append(2);
    expect(writer.state().seq).toBe(2);
  });

  it('is said to be uncertain when it cannot, and nothing is written until it can', () => {
    append(1);
    failing.add('INSERT INTO log').add('PRAGMA wal_checkpoint(TRUNCATE)');
    expect(failure(2)).toMatchObject({ code: 'io', isUncertain: true });
    failing.delete('INSERT INTO log');
    expect(failure(2)).toMatchObject({ code: 'io', message: expect.stringContaining('since it failed before') });
    expect(writer.state().seq).toBe(1);
    failing.clear();
    append(2);
    expect(writer.state().seq).toBe(2);
  });

  it('is written over by the next one while a reader keeps the log from being emptied', () => {
    append(1);
    const reader = new DatabaseSync(path, { readOnly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM log').get();
    append(2);
    failing.add('INSERT INTO log');
    expect(failure(3)).toMatchObject({ code: 'io', isUncertain: true });
    failing.clear();
    append(3);
    expect(writer.state().seq).toBe(3);
    reader.close();
  });
});

describe('every commit is flushed', () => {
  const FULL = { synchronous: 2 };

  it('after a start, after catching up, and after the log was shortened', () => {
    expect(synchronous()).toEqual(FULL);
    append(1);
    writer.apply();
    expect(synchronous()).toEqual(FULL);
    expect(writer.compact({ maxBytes: 0 }, 0).removed).toBe(1);
    expect(synchronous()).toEqual(FULL);
  });

  it('after catching up and shortening failed', () => {
    append(1);
    failing.add('UPDATE meta');
    expect(() => writer.apply()).toThrow('cannot be written');
    expect(synchronous()).toEqual(FULL);
    expect(() => writer.compact({ maxBytes: 0 }, 0)).toThrow('cannot be shortened');
    expect(synchronous()).toEqual(FULL);
  });
});

it('a slice of compaction ends in time for the next batch', () => {
  for (let seq = 1; seq <= 300; seq++) append(seq);
  const times = [0, 1, 5];
  vi.spyOn(performance, 'now').mockImplementation(() => times.shift() ?? 5);
  expect(writer.compact({ maxBytes: 0 }, 0)).toMatchObject({ removed: 100, more: true });
});
