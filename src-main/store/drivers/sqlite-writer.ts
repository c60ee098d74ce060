/** What the storage thread does with the file: snapshot, append, tail, compaction. Synchronous throughout. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Opened, Retention, Tail } from '../driver.ts';
import { StoreError } from '../errors.ts';
import { chainHash, parseBody } from '../log-record.ts';
import { agingTimes } from '../record-age.ts';
import { BatchReader } from './sqlite-batch.ts';
import {
  BUSY_TIMEOUT_MS,
  fromSqliteError,
  type OpenFileOptions,
  openDatabase,
  pagesIn,
  readHead,
  readMeta,
} from './sqlite-database.ts';
import { type LateChange, ObjectTable, WRITTEN_NOW } from './sqlite-objects.ts';

/** SQLITE_CONSTRAINT: with our statements only a record number that exists already. */
const CONSTRAINT = 19;
const CHECKPOINT_BYTES = 8 * 1024 * 1024;
/** Every record costs about a page, however small. */
const PAGE_BYTES = 4096;
const COMPACT_RECORDS = 100;
/** Freeing the pages of long records takes as long as reading them. */
const COMPACT_BYTES = 4 * 1024 * 1024;
const COMPACT_SLICE_MS = 4;

export interface CompactProgress {
  readonly removed: number;
  readonly oldestSeq: number;
  readonly more: boolean;
}

export class SqliteWriter {
  readonly db: DatabaseSync;
  readonly #path: string;
  readonly #objects: ObjectTable;
  readonly #insertRecord: StatementSync;
  readonly #setCursor: StatementSync;
  readonly #deleteCursor: StatementSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  #head: ReturnType<typeof readHead>;
  #sinceCheckpoint = 0;
  /** A transaction failed, and what it had written already could not be taken out of the write-ahead log: a crash might bring it back. */
  #hasLeftovers = false;

  constructor(options: OpenFileOptions) {
    this.#path = options.path;
    this.db = openDatabase(options);
    try {
      const { maxBytes } = options;
      this.#objects = new ObjectTable(this.db, maxBytes === undefined ? undefined : pagesIn(this.db, maxBytes));
      this.#objects.replay();
      this.#head = readHead(this.db);
      this.#checkEnd();
      this.#insertRecord = this.db.prepare(
        'INSERT INTO log (seq, time, actor, request, total, hash, body) VALUES (?, ?, ?, ?, ?, ?, ?)',
      );
      this.#setCursor = this.db.prepare(
        'INSERT INTO cursor (name, seq) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET seq = max(seq, excluded.seq)',
      );
      this.#deleteCursor = this.db.prepare('DELETE FROM cursor WHERE name = ?');
      this.#begin = this.db.prepare('BEGIN IMMEDIATE');
      this.#commit = this.db.prepare('COMMIT');
    } catch (error) {
      this.db.close();
      throw fromSqliteError(error, `The database ${this.#path} cannot be opened`);
    }
  }

  /** New records must not take the numbers of records that somebody took out. */
  #checkEnd(): void {
    const applied = Number(readMeta(this.db, 'applied'));
    if (applied <= this.#head.seq) return;
    throw new StoreError(
      'corrupt',
      `The change log in ${this.#path} ends with record ${this.#head.seq}, yet record ${applied} was written: its end is missing. Restore a backup.`,
    );
  }

  state(): Omit<Opened, 'snapshot'> {
    const rows = this.db.prepare('SELECT name, seq FROM cursor').all() as { name: string; seq: number }[];
    return {
      seq: this.#head.seq,
      oldestSeq: this.#oldestSeq(),
      cursors: new Map(rows.map(({ name, seq }) => [name, seq])),
      indexDefinition: String(readMeta(this.db, 'indexes')),
    };
  }

  append(numbers: ArrayLike<number>, text: string): void {
    if (this.#hasLeftovers) this.#removeLeftovers();
    const batch = new BatchReader(numbers, text);
    if (batch.expectedSeq !== this.#head.seq) this.#refreshHead();
    this.#checkSequence(batch.expectedSeq);
    try {
      this.#write(batch);
    } catch (error) {
      this.#afterFailure();
      if (((error as { errcode?: number }).errcode ?? 0) % 256 === CONSTRAINT) this.#checkSequence(batch.expectedSeq);
      const failure = fromSqliteError(error, 'The database cannot be written');
      // A disk that refuses to write has not written; one that fails to flush may have.
      if (!this.#hasLeftovers || failure.code !== 'io') throw failure;
      throw new StoreError(failure.code, failure.message, { cause: failure, isUncertain: true });
    }
  }

  /** Nothing more is written while the disk is in trouble: it would only add to what nobody knows. */
  #removeLeftovers(): void {
    try {
      this.#hasLeftovers = !this.#resetWal();
    } catch (error) {
      throw fromSqliteError(error, 'The database cannot be written since it failed before');
    }
  }

  #write(batch: BatchReader): void {
    const late: LateChange[] = [];
    let { seq: lastSeq, hash, total } = this.#head;
    // A single statement is a transaction by itself.
    const alone = batch.statementCount === 1;
    if (!alone) this.#begin.run();
    for (let i = 0; i < batch.commitCount; i++) {
      const { seq, time, actor, requestId, body, changeCount } = batch.commit();
      hash = chainHash(hash, { seq, time, actor, requestId, body });
      total += Buffer.byteLength(body);
      this.#insertRecord.run(seq, time, actor, requestId, total, hash, body);
      lastSeq = seq;
      for (let c = 0; c < changeCount; c++) {
        const { id, prefix, key, indexed, text, inLog } = batch.change();
        const row = text === undefined ? undefined : { id, prefix, key, revision: seq, indexed, text };
        if (row && !inLog) this.#objects.writeNow(row);
        late.push([id, inLog ? row : WRITTEN_NOW]);
      }
    }
    for (let i = 0; i < batch.cursorCount; i++) {
      const { name, seq } = batch.cursor();
      if (seq === undefined) this.#deleteCursor.run(name);
      else this.#setCursor.run(name, seq);
    }
    if (!alone) this.#commit.run();
    this.#sinceCheckpoint += total - this.#head.total + PAGE_BYTES;
    this.#head = { seq: lastSeq, hash, total };
    // Written over them.
    this.#hasLeftovers = false;
    this.#objects.commitLate(late, lastSeq);
  }

  /** Housekeeping between batches, after the answer has gone out: a commit does not wait for it, only the next may. */
  between(idle: boolean): void {
    try {
      if (this.#objects.isDue || (idle && this.#objects.hasLate)) this.#objects.apply();
      if (this.#sinceCheckpoint < CHECKPOINT_BYTES) return;
      this.#sinceCheckpoint = 0;
      this.db.exec('PRAGMA wal_checkpoint(PASSIVE)');
    } catch {
      // Nothing is lost: the log has it all, and the next append meets the same disk and reports what is wrong.
    }
  }

  get hasLate(): boolean {
    return this.#objects.hasLate;
  }

  /** Brings the object table up to the log, for whoever reads the file beside us. */
  apply(): void {
    try {
      this.#objects.apply();
    } catch (error) {
      throw fromSqliteError(error, 'The database cannot be written');
    }
  }

  tail(from: number): Tail {
    this.#refreshHead();
    this.apply();
    const touched = new Map<string, Tail['changes'][number]>();
    const records = this.db.prepare('SELECT seq, body FROM log WHERE seq > ? ORDER BY seq');
    for (const row of records.iterate(from)) {
      const { seq, body } = row as { seq: number; body: string };
      for (const { id, prefix, key } of parseBody(body).changes ?? [])
        touched.set(JSON.stringify([prefix, key]), { id, prefix, key, revision: seq, text: undefined, indexed: '' });
    }
    const object = this.db.prepare('SELECT value, indexed FROM object WHERE id = ?');
    const changes = [...touched.values()].map((change) => {
      const row = object.get(change.id) as { value: string; indexed: string } | undefined;
      return row ? { ...change, text: row.value, indexed: row.indexed } : change;
    });
    return { seq: this.#head.seq, changes };
  }

  /** One slice, short enough not to hold up a batch; call again while there is `more`. */
  compact(policy: Retention, nowMs: number): CompactProgress {
    const started = performance.now();
    const oldestTime = nowMs - (policy.maxAgeMs ?? Number.POSITIVE_INFINITY);
    const { handled } = this.db.prepare('SELECT min(seq) AS handled FROM cursor').get() as { handled: number | null };
    const troubled = this.#tryApply();
    const mayGo = Math.min(handled ?? this.#head.seq, Number(readMeta(this.db, 'applied')));
    const oldest = this.db.prepare(`SELECT seq, time, total, hash FROM log ORDER BY seq LIMIT ${COMPACT_RECORDS}`);
    const totalToDrop = this.#head.total - (policy.maxBytes ?? Number.POSITIVE_INFINITY);
    let removed = 0;
    while (performance.now() - started < COMPACT_SLICE_MS) {
      const rows = oldest.all() as { seq: number; time: number; total: number; hash: string }[];
      const times = this.#agingTimes(rows, nowMs);
      const droppedTotal = Number(readMeta(this.db, 'anchor_total'));
      let total = droppedTotal;
      const firstKept = rows.findIndex((row, i) => {
        const totalBefore = total;
        total = row.total;
        // At least one goes, however long it is.
        if (totalBefore > droppedTotal && total - droppedTotal > COMPACT_BYTES) return true;
        return row.seq > mayGo || ((times[i] ?? row.time) >= oldestTime && totalBefore >= totalToDrop);
      });
      const going = firstKept < 0 ? rows : rows.slice(0, firstKept);
      const last = going.at(-1);
      if (!last) {
        if (troubled && removed === 0) throw fromSqliteError(troubled, 'The change log cannot be shortened');
        return { removed, oldestSeq: this.#oldestSeq(), more: troubled !== undefined };
      }
      this.#dropThrough(last);
      removed += going.length;
    }
    return { removed, oldestSeq: this.#oldestSeq(), more: true };
  }

  #agingTimes(rows: readonly { seq: number; time: number }[], nowMs: number): number[] {
    const last = rows.at(-1);
    let after = Number.POSITIVE_INFINITY;
    if (last && last.time > nowMs) {
      const next = this.db.prepare('SELECT time FROM log WHERE seq > ? AND time <= ? ORDER BY seq LIMIT 1');
      after = (next.get(last.seq, nowMs) as { time: number } | undefined)?.time ?? after;
    }
    return agingTimes(
      rows.map(({ time }) => time),
      nowMs,
      after,
    );
  }

  /** On a full disk the objects may have no room until some records are gone. */
  #tryApply(): Error | undefined {
    try {
      this.#objects.apply();
      return undefined;
    } catch (error) {
      return error as Error;
    }
  }

  #dropThrough({ seq, hash, total }: { seq: number; hash: string; total: number }): void {
    // Records hold no secrets: their pages need not be zeroed, which would take as long as writing them did.
    this.db.exec('PRAGMA synchronous = NORMAL; PRAGMA secure_delete = FAST; BEGIN IMMEDIATE');
    try {
      this.db.prepare('DELETE FROM log WHERE seq <= ?').run(seq);
      const setMeta = this.db.prepare('UPDATE meta SET value = ? WHERE name = ?');
      setMeta.run(seq, 'anchor_seq');
      setMeta.run(hash, 'anchor_hash');
      setMeta.run(total, 'anchor_total');
      this.db.exec('COMMIT');
    } catch (error) {
      if (this.db.isTransaction) this.db.exec('ROLLBACK');
      throw fromSqliteError(error, 'The change log cannot be shortened');
    } finally {
      this.db.exec('PRAGMA synchronous = FULL; PRAGMA secure_delete = ON');
    }
  }

  #oldestSeq(): number {
    return Number(readMeta(this.db, 'anchor_seq')) + 1;
  }

  setIndexDefinition(definition: string, indexed: ReadonlyMap<number, string>): void {
    this.db.exec('BEGIN IMMEDIATE');
    try {
      const update = this.db.prepare('UPDATE object SET indexed = ? WHERE id = ?');
      for (const [id, values] of indexed) update.run(values, id);
      this.db.prepare("UPDATE meta SET value = ? WHERE name = 'indexes'").run(definition);
      this.db.prepare("INSERT OR REPLACE INTO meta VALUES ('indexed_seq', ?)").run(this.#head.seq);
      this.db.exec('COMMIT');
    } catch (error) {
      if (this.db.isTransaction) this.db.exec('ROLLBACK');
      throw fromSqliteError(error, 'The indexes cannot be written');
    }
  }

  close(): void {
    try {
      this.#objects.apply();
      this.#resetWal();
    } catch {
      // A full disk must not keep us from closing; the next start applies the log.
    }
    this.db.close();
  }

  /** Answers false while somebody reads: waiting for readers would keep writers waiting too. */
  #resetWal(): boolean {
    this.db.exec('PRAGMA busy_timeout = 0');
    try {
      const { busy } = this.db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
      return busy === 0;
    } finally {
      this.db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
  }

  #checkSequence(expected: number): void {
    const actual = this.#head.seq;
    if (actual === expected) return;
    throw new StoreError('conflict', `The last commit in the database is ${actual}, not ${expected}.`, {
      conflict: { kind: 'sequence', expected, actual },
    });
  }

  /** Takes notice of what another process wrote. */
  #refreshHead(): void {
    const head = readHead(this.db);
    if (head.seq !== this.#head.seq) this.#objects.replay();
    this.#head = head;
  }

  /** After an error the connection, and our idea of where the log ends, must be as if nothing had been tried. */
  #afterFailure(): void {
    this.#hasLeftovers = true;
    try {
      if (this.db.isTransaction) this.db.exec('ROLLBACK');
      this.#refreshHead();
      // Frames of the failed transaction that did reach the file must never be taken for committed ones.
      this.#hasLeftovers = !this.#resetWal();
    } catch {
      // The disk is in trouble; the caller hears about it from the original error.
    }
  }
}
