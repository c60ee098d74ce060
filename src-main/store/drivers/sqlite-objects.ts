import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { parseBody } from '../log-record.ts';
import type { ObjectRow } from '../stored.ts';
import { NO_PAGE_LIMIT, readMeta, setPageLimit } from './sqlite-database.ts';

/** `writeNow` has overtaken whatever was late. */
export const WRITTEN_NOW = 'written-now';
/** Number of an object and its new state; undefined: removed. */
export type LateChange = readonly [number, ObjectRow | typeof WRITTEN_NOW | undefined];

const APPLY_OBJECTS = 512;
const APPLY_BYTES = 2 * 1024 * 1024;

/**
 * Keeps the object table up with the log, late and in bulk. A commit is durable with its log record alone, which is one
 * page written instead of two or more; an object changed often is written once. After a crash the records that were
 * not applied are applied from the log.
 */
export class ObjectTable {
  readonly #db: DatabaseSync;
  readonly #maxPages: number | undefined;
  readonly #upsert: StatementSync;
  readonly #delete: StatementSync;
  readonly #setApplied: StatementSync;
  /** Last state per object number; undefined: to be deleted. */
  readonly #late = new Map<number, ObjectRow | undefined>();
  #lateBytes = 0;
  /** The last record in `#late`, or in the table when that is empty. */
  #through: number;
  /** The last record that the table holds, as far as we know. */
  #applied: number;

  /** `maxPages` is the limit that commits keep to; catching up with them may exceed it. */
  constructor(db: DatabaseSync, maxPages: number | undefined) {
    this.#db = db;
    this.#maxPages = maxPages;
    this.#upsert = db.prepare(
      'INSERT OR REPLACE INTO object (id, prefix, key, revision, indexed, value) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.#delete = db.prepare('DELETE FROM object WHERE id = ?');
    this.#setApplied = db.prepare("UPDATE meta SET value = ? WHERE name = 'applied'");
    this.#through = this.#applied = Number(readMeta(db, 'applied'));
  }

  get hasLate(): boolean {
    return this.#late.size > 0;
  }

  get isDue(): boolean {
    return this.#late.size >= APPLY_OBJECTS || this.#lateBytes >= APPLY_BYTES;
  }

  /** To be called inside the transaction of the record: its value is nowhere else. */
  writeNow(row: ObjectRow): void {
    this.#upsert.run(row.id, row.prefix, row.key, row.revision, row.indexed, row.text);
  }

  /** To be called once the records through `seq` are committed, with their changes in order. */
  commitLate(changes: readonly LateChange[], seq: number): void {
    for (const [id, change] of changes) {
      if (change === WRITTEN_NOW) this.#late.delete(id);
      else {
        this.#late.set(id, change);
        this.#lateBytes += change?.text.length ?? 0;
      }
    }
    this.#through = seq;
  }

  /** Writes what is late. Not flushed on its own: losing it costs nothing but applying it again. */
  apply(): void {
    if (this.#through === this.#applied) return;
    this.#db.exec('PRAGMA synchronous = NORMAL');
    if (this.#maxPages !== undefined) setPageLimit(this.#db, NO_PAGE_LIMIT);
    try {
      this.#db.exec('BEGIN IMMEDIATE');
      if (Number(readMeta(this.#db, 'applied')) !== this.#applied) {
        // Another process was here: what is late may be older than what it wrote.
        this.#db.exec('ROLLBACK');
        this.replay();
        return;
      }
      for (const [id, row] of this.#late) {
        if (row) this.writeNow(row);
        else this.#delete.run(id);
      }
      this.#setApplied.run(this.#through);
      this.#db.exec('COMMIT');
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    } finally {
      if (this.#maxPages !== undefined) setPageLimit(this.#db, this.#maxPages);
      this.#db.exec('PRAGMA synchronous = FULL');
    }
    this.#applied = this.#through;
    this.#late.clear();
    this.#lateBytes = 0;
  }

  /** Applies the records after the last applied one from the log itself: after a start, or when others wrote. */
  replay(): void {
    this.#late.clear();
    this.#lateBytes = 0;
    this.#through = this.#applied = Number(readMeta(this.#db, 'applied'));
    const records = this.#db.prepare('SELECT seq, body FROM log WHERE seq > ? ORDER BY seq');
    for (const row of records.iterate(this.#through)) {
      const { seq, body } = row as { seq: number; body: string };
      for (const { id, prefix, key, index, masked, after } of parseBody(body).changes ?? []) {
        if (masked) this.#late.delete(id);
        else if (!after) this.#late.set(id, undefined);
        else {
          const indexed = index ? JSON.stringify(index) : '';
          this.#late.set(id, { id, prefix, key, revision: seq, indexed, text: JSON.stringify(after) });
        }
      }
      this.#through = seq;
    }
    this.apply();
  }
}
