/** What is read from the file beside the writer: history, verification, backup copies. Synchronous, in other threads. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { CopyFacts } from '../backup.ts';
import type { RawRecord, RecordQuery, VerifyReport } from '../driver.ts';
import { StoreError } from '../errors.ts';
import { bodyNeedles, matchesBody } from '../record-query.ts';
import type { ObjectRow } from '../stored.ts';
import { LogVerifier } from '../verify.ts';
import {
  fromSqliteError,
  openDatabase,
  readAnchor,
  readHead,
  readIndexedSeq,
  readMeta,
  SCHEMA_VERSION,
} from './sqlite-database.ts';

export function readRecords(db: DatabaseSync, query: RecordQuery): RawRecord[] {
  const conditions = ['seq BETWEEN ? AND ?'];
  const values: SQLInputValue[] = [query.from, query.to];
  const add = (condition: string, ...given: SQLInputValue[]): void => {
    conditions.push(condition);
    values.push(...given);
  };
  if (query.sinceMs > Number.MIN_SAFE_INTEGER) add('time >= ?', query.sinceMs);
  if (query.untilMs < Number.MAX_SAFE_INTEGER) add('time <= ?', query.untilMs);
  if (query.actor !== undefined) add('actor = ?', query.actor);
  if (query.requestId !== undefined) add('request = ?', query.requestId);
  for (const needle of bodyNeedles(query)) add('instr(body, ?) > 0', needle);
  const sql = `SELECT seq, time, actor, request AS requestId, hash, body FROM log WHERE ${conditions.join(' AND ')}
    ORDER BY seq ${query.newestFirst ? 'DESC' : 'ASC'}`;
  try {
    const found: RawRecord[] = [];
    if (query.limit === 0) return found;
    let text = 0;
    for (const row of db.prepare(sql).iterate(...values)) {
      const record = row as unknown as RawRecord;
      if (!matchesBody(query, record.body)) continue;
      text += record.body.length;
      if (found.push(record) >= query.limit || text >= query.maxText) break;
    }
    return found;
  } catch (error) {
    throw fromSqliteError(error, 'The change log cannot be read');
  }
}

/** Verifies a database file, in use or not. Throws `StoreError` when it cannot be opened or is no database of ours. */
export function verifyDatabase(path: string): VerifyReport {
  const db = openDatabase({ path, readOnly: true });
  try {
    // One transaction: objects and log as of the same moment.
    db.exec('BEGIN');
    checkFile(db, path);
    const applied = Number(readMeta(db, 'applied'));
    const verifier = new LogVerifier({ anchor: readAnchor(db), appliedSeq: applied, indexedSeq: readIndexedSeq(db) });
    const records = db.prepare('SELECT seq, time, actor, request AS requestId, hash, body FROM log ORDER BY seq');
    for (const row of records.iterate()) verifier.record(row as unknown as RawRecord);
    verifier.endOfLog(applied);
    for (const row of db.prepare('SELECT id, prefix, key, revision, indexed, value AS text FROM object').iterate())
      verifier.object(row as unknown as ObjectRow);
    return verifier.report();
  } catch (error) {
    throw fromSqliteError(error, `The database ${path} cannot be verified`);
  } finally {
    db.close();
  }
}

/** Writes a consistent copy to the new file `target` and answers what the copy, opened, contains. */
export function copyDatabase(path: string, target: string): CopyFacts {
  const db = openDatabase({ path, readOnly: true });
  try {
    // Reads one snapshot; the writer goes on beside it.
    db.prepare('VACUUM INTO ?').run(target);
  } catch (error) {
    throw fromSqliteError(error, `The copy ${target} cannot be written`);
  } finally {
    db.close();
  }
  return inspectCopy(target);
}

function inspectCopy(path: string): CopyFacts {
  const report = verifyDatabase(path);
  if (!report.ok)
    throw new StoreError('corrupt', `The copy ${path} is not good: ${report.problems[0]?.detail ?? 'unknown problem'}`);
  const db = openDatabase({ path, readOnly: true });
  try {
    const rows = db.prepare('SELECT prefix, count(*) AS count FROM object GROUP BY prefix ORDER BY prefix').all();
    const objects = Object.fromEntries((rows as { prefix: string; count: number }[]).map((r) => [r.prefix, r.count]));
    const { seq, hash } = readHead(db);
    return { schema: SCHEMA_VERSION, seq, head: hash, objects };
  } finally {
    db.close();
  }
}

function checkFile(db: DatabaseSync, path: string): void {
  const rows = db.prepare('PRAGMA quick_check(1)').all() as { quick_check: string }[];
  const result = rows[0]?.quick_check ?? 'ok';
  if (result !== 'ok') throw new StoreError('corrupt', `The file ${path} is damaged: ${result}. Restore a backup.`);
}
