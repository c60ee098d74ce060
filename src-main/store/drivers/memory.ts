/** The driver that keeps everything in memory: for tests, and the shortest statement of what a driver does. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareBackupDirectory, writeManifest } from '../backup.ts';
import type { Batch, CompactReport, Driver, RawRecord, Retention, SnapshotObjects, SnapshotOrder } from '../driver.ts';
import { StoreError } from '../errors.ts';
import { decodeIndexValues } from '../indexes.ts';
import { compareKeys } from '../key-order.ts';
import { chainHash, checkNumbers, GENESIS_HASH, parseBody } from '../log-record.ts';
import { agingTimes } from '../record-age.ts';
import { matchesQuery } from '../record-query.ts';
import type { ObjectRow } from '../stored.ts';
import { type ChainLink, LogVerifier } from '../verify.ts';

/** What several drivers share when they stand for several servers over one database. */
export interface MemoryDatabase {
  readonly objects: Map<number, ObjectRow>;
  log: RawRecord[];
  /** The last record that compaction dropped. */
  anchor: ChainLink;
  readonly cursors: Map<string, number>;
  indexDefinition: string;
  /** The last record when index values were made anew. */
  indexedSeq: number;
}

export function memoryDatabase(): MemoryDatabase {
  const anchor = { seq: 0, hash: GENESIS_HASH };
  return { objects: new Map(), log: [], anchor, cursors: new Map(), indexDefinition: '', indexedSeq: 0 };
}

const BACKUP_FILE = 'store.json';
const SCHEMA = 1;

/** Reads what `backupTo` of this driver wrote. */
export function readMemoryBackup(dir: string): MemoryDatabase {
  const saved = JSON.parse(readFileSync(join(dir, BACKUP_FILE), 'utf8')) as ReturnType<typeof toSaved>;
  return { ...saved, objects: new Map(saved.objects.map((o) => [o.id, o])), cursors: new Map(saved.cursors) };
}

function toSaved(db: MemoryDatabase) {
  return { ...db, objects: [...db.objects.values()], cursors: [...db.cursors] };
}

function headOf(db: MemoryDatabase): ChainLink {
  return db.log.at(-1) ?? db.anchor;
}

export function memoryDriver(db: MemoryDatabase = memoryDatabase()): Driver {
  let closed = false;
  const checkOpen = (): void => {
    if (closed) throw new StoreError('closed', 'The store is closed.');
  };
  return {
    name: 'memory',
    async open() {
      const { indexDefinition } = db;
      const [seq, oldestSeq] = [headOf(db).seq, db.anchor.seq + 1];
      return { seq, oldestSeq, cursors: new Map(db.cursors), indexDefinition, snapshot: snapshotOf(db) };
    },
    async append(expectedSeq, batch) {
      checkOpen();
      append(db, expectedSeq, batch);
    },
    async tail(from) {
      checkOpen();
      return tailOf(db, from);
    },
    async records(query) {
      checkOpen();
      const ordered = query.newestFirst ? db.log.toReversed() : db.log;
      const found: RawRecord[] = [];
      let text = 0;
      for (const record of ordered) {
        if (found.length >= query.limit || text >= query.maxText) break;
        if (!matchesQuery(query, record)) continue;
        found.push(record);
        text += record.body.length;
      }
      return found;
    },
    async verify() {
      checkOpen();
      const verifier = new LogVerifier({
        anchor: db.anchor,
        appliedSeq: headOf(db).seq,
        indexedSeq: db.indexedSeq,
      });
      for (const record of db.log) verifier.record(record);
      for (const object of db.objects.values()) verifier.object(object);
      return verifier.report();
    },
    async compact(policy, nowMs) {
      checkOpen();
      return compact(db, policy, nowMs);
    },
    async backupTo(dir, nowMs) {
      checkOpen();
      const text = JSON.stringify(toSaved(db));
      await prepareBackupDirectory(dir);
      await writeFile(join(dir, BACKUP_FILE), text);
      const copy = readMemoryBackup(dir);
      const objects: Record<string, number> = {};
      for (const { prefix } of copy.objects.values()) objects[prefix] = (objects[prefix] ?? 0) + 1;
      const { seq, hash } = headOf(copy);
      return writeManifest(dir, 'memory', nowMs, [BACKUP_FILE], { schema: SCHEMA, seq, head: hash, objects });
    },
    async setIndexDefinition(definition, indexed) {
      checkOpen();
      for (const [id, object] of db.objects) db.objects.set(id, { ...object, indexed: indexed.get(id) ?? '' });
      db.indexDefinition = definition;
      db.indexedSeq = headOf(db).seq;
    },
    async close() {
      closed = true;
    },
  };
}

async function* snapshotOf(db: MemoryDatabase): AsyncGenerator<SnapshotObjects | SnapshotOrder> {
  const objects = [...db.objects.values()];
  const bytes = Buffer.from(objects.map((o) => o.text).join(''));
  let end = 0;
  yield {
    kind: 'objects',
    ids: objects.map((o) => o.id),
    prefixes: objects.map((o) => o.prefix),
    keys: objects.map((o) => o.key),
    revisions: objects.map((o) => o.revision),
    indexed: objects.map((o) => decodeIndexValues(o.indexed)),
    ends: Uint32Array.from(objects, (o) => {
      end += Buffer.byteLength(o.text);
      return end;
    }),
    bytes,
  };
  const order = objects.map((object, position) => ({ object, position }));
  order.sort((a, b) => compareKeys(a.object.prefix, b.object.prefix) || compareKeys(a.object.key, b.object.key));
  yield { kind: 'order', positions: Uint32Array.from(order, (o) => o.position) };
}

function append(db: MemoryDatabase, expectedSeq: number, batch: Batch): void {
  let last = headOf(db);
  if (last.seq !== expectedSeq)
    throw new StoreError('conflict', `The last commit is ${last.seq}, not ${expectedSeq}.`, {
      conflict: { kind: 'sequence', expected: expectedSeq, actual: last.seq },
    });
  checkNumbers(expectedSeq, batch.commits);
  for (const { seq, time, actor, requestId, body, changes } of batch.commits) {
    const record = { seq, time, actor, requestId, body };
    last = { ...record, hash: chainHash(last.hash, record) } as RawRecord;
    db.log.push(last as RawRecord);
    for (const { id, prefix, key, text, indexed } of changes) {
      if (text === undefined) db.objects.delete(id);
      else db.objects.set(id, { id, prefix, key, revision: seq, indexed, text });
    }
  }
  for (const { name, seq } of batch.cursors) {
    if (seq === undefined) db.cursors.delete(name);
    else db.cursors.set(name, Math.max(seq, db.cursors.get(name) ?? 0));
  }
}

function tailOf(db: MemoryDatabase, from: number) {
  const touched = new Map<string, { id: number; prefix: string; key: string; revision: number }>();
  for (const { seq, body } of db.log) {
    if (seq <= from) continue;
    for (const { id, prefix, key } of parseBody(body).changes ?? [])
      touched.set(JSON.stringify([prefix, key]), { id, prefix, key, revision: seq });
  }
  const changes = [...touched.values()].map((change) => {
    const object = db.objects.get(change.id);
    return { ...change, text: object?.text, indexed: object?.indexed ?? '' };
  });
  return { seq: headOf(db).seq, changes };
}

function compact(db: MemoryDatabase, policy: Retention, nowMs: number): CompactReport {
  const oldestTime = nowMs - (policy.maxAgeMs ?? Number.POSITIVE_INFINITY);
  const handled = Math.min(...db.cursors.values(), Number.MAX_SAFE_INTEGER);
  let bytes = db.log.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
  let removed = 0;
  const times = agingTimes(
    db.log.map((record) => record.time),
    nowMs,
    Number.POSITIVE_INFINITY,
  );
  for (const [i, { seq, time, body }] of db.log.entries()) {
    const wanted = (times[i] ?? time) >= oldestTime && bytes <= (policy.maxBytes ?? Number.POSITIVE_INFINITY);
    if (wanted || seq > handled) break;
    bytes -= Buffer.byteLength(body);
    removed++;
  }
  const last = db.log[removed - 1];
  if (last) db.anchor = { seq: last.seq, hash: last.hash };
  db.log = db.log.slice(removed);
  return { removed, oldestSeq: db.anchor.seq + 1 };
}
