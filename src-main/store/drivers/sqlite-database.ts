/** The file: its tables, its version, and what a failure of SQLite means to a person. */
import { accessSync, chmodSync, closeSync, constants, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { StoreError, type StoreErrorCode } from '../errors.ts';
import { GENESIS_HASH } from '../log-record.ts';
import { fromSystemError } from '../system-errors.ts';
import type { ChainLink } from '../verify.ts';

/** How long to wait for another process, a backup tool for example. */
export const BUSY_TIMEOUT_MS = 5000;
/** Goes up with every change of the tables. */
export const SCHEMA_VERSION = 1;
/** "PRVS": tells our files from other SQLite files. */
const APPLICATION_ID = 0x50525653;

/**
 * `log` is the truth, `object` catches up with it: `applied` in `meta` is the last record whose changes are in
 * `object`, except that masked changes are written to `object` at once, since the log does not have their values.
 * Plain rowid tables: new rows go to the end, and reading them all in order is what a start does.
 */
const TABLES = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value);
  CREATE TABLE object (
    id INTEGER PRIMARY KEY,
    prefix TEXT NOT NULL,
    key TEXT NOT NULL,
    revision INTEGER NOT NULL,
    indexed TEXT NOT NULL,
    value TEXT NOT NULL
  );
  CREATE TABLE log (
    seq INTEGER PRIMARY KEY,
    time INTEGER NOT NULL,
    actor TEXT NOT NULL,
    request TEXT NOT NULL,
    total INTEGER NOT NULL,
    hash TEXT NOT NULL,
    body TEXT NOT NULL
  );
  CREATE TABLE cursor (name TEXT PRIMARY KEY, seq INTEGER NOT NULL);
`;

export interface OpenFileOptions {
  readonly path: string;
  readonly readOnly?: boolean;
  /** Refuse to let the file grow beyond this. */
  readonly maxBytes?: number;
}

/** Opens or creates the file. Throws `StoreError` with a sentence that names it. */
export function openDatabase({ path, readOnly = false, maxBytes }: OpenFileOptions): DatabaseSync {
  checkAccess(path, readOnly);
  let db: DatabaseSync | undefined;
  try {
    if (!readOnly) keepPrivate(path);
    db = new DatabaseSync(readOnly ? readableLocation(path) : path, { readOnly, timeout: BUSY_TIMEOUT_MS });
    // Before anything is set: a file that is not ours stays as it is.
    const isNew = checkVersion(db, path, readOnly);
    if (!readOnly) {
      prepareForWriting(db, maxBytes);
      if (isNew) createTables(db);
      // Finds a file that can be opened but not written before anybody relies on it.
      db.exec('BEGIN IMMEDIATE; ROLLBACK');
    }
    return db;
  } catch (error) {
    db?.close();
    throw fromSqliteError(error, `The database ${path} cannot be opened`);
  }
}

/**
 * Only its owner may read the file: it holds the secrets that tokens are made with. SQLite gives the files beside it the mode the
 * database has.
 */
function keepPrivate(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  for (const file of [path, `${path}-wal`, `${path}-shm`])
    if (((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0) chmodSync(file, 0o600);
}

/**
 * Reading beside a writer takes a file next to the database. Where none can be made and nobody is writing, SQLite may be
 * told so. A write-ahead log means that somebody is, or was cut off, and must not be overlooked.
 */
function readableLocation(path: string): string | URL {
  try {
    accessSync(dirname(path), constants.W_OK);
    return path;
  } catch {
    if (existsSync(`${path}-wal`)) return path;
    const location = pathToFileURL(path);
    location.searchParams.set('immutable', '1');
    return location;
  }
}

function prepareForWriting(db: DatabaseSync, maxBytes: number | undefined): void {
  // What is overwritten or removed may have held secrets: it is zeroed, pages that become free included.
  // An acknowledged commit must survive a power cut: WAL with a flush at every commit. Checkpoints are made between
  // batches (see sqlite-writer.ts), the automatic one is a safety net.
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA wal_autocheckpoint = 16000;
    PRAGMA secure_delete = ON;
  `);
  if (maxBytes !== undefined) setPageLimit(db, pagesIn(db, maxBytes));
}

export function pagesIn(db: DatabaseSync, bytes: number): number {
  const { page_size: pageSize } = db.prepare('PRAGMA page_size').get() as { page_size: number };
  return Math.max(1, Math.floor(bytes / pageSize));
}

/** The most that SQLite allows. */
export const NO_PAGE_LIMIT = 0xff_ff_ff_fe;

/** A file that is larger already keeps its size, and takes new pages only where others were freed. */
export function setPageLimit(db: DatabaseSync, pages: number): void {
  db.exec(`PRAGMA max_page_count = ${pages}`);
}

/** Answers whether the file is still empty. */
function checkVersion(db: DatabaseSync, path: string, readOnly: boolean): boolean {
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  const { application_id: application } = db.prepare('PRAGMA application_id').get() as { application_id: number };
  const { tables } = db.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() as { tables: number };
  if (application !== APPLICATION_ID && (tables > 0 || readOnly))
    throw new StoreError('corrupt', `${path} is not a Proviso database. Choose another data directory.`);
  if (version > SCHEMA_VERSION)
    throw new StoreError(
      'newer-schema',
      `The database ${path} has format ${version}, written by a newer version of Proviso; this one reads up to format ` +
        `${SCHEMA_VERSION}. Start the newer version, or restore a backup made before the upgrade.`,
    );
  return tables === 0;
}

/** Another process may have been faster: then nothing is left to do. */
function createTables(db: DatabaseSync): void {
  db.exec('BEGIN IMMEDIATE');
  const { tables } = db.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() as { tables: number };
  if (tables > 0) {
    db.exec('ROLLBACK');
    return;
  }
  db.exec(`
    ${TABLES}
    INSERT INTO meta VALUES ('applied', 0), ('anchor_seq', 0), ('anchor_hash', '${GENESIS_HASH}'), ('anchor_total', 0), ('indexes', ''), ('indexed_seq', 0);
    PRAGMA application_id = ${APPLICATION_ID};
    PRAGMA user_version = ${SCHEMA_VERSION};
    COMMIT;
  `);
}

/** SQLite says "unable to open database file" for all of this; people deserve to know which it is. */
function checkAccess(path: string, readOnly: boolean): void {
  const directory = dirname(path);
  try {
    if (!statSync(directory).isDirectory())
      throw new StoreError('io', `${directory} is not a directory, so no database can be kept in it.`);
    if (existsSync(path) && statSync(path).isDirectory())
      throw new StoreError('io', `${path} is a directory; the database must be a file.`);
    if (readOnly) accessSync(path, constants.R_OK);
    else {
      accessSync(directory, constants.W_OK);
      if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK);
    }
  } catch (cause) {
    throw fromSystemError(cause, `The database ${path} cannot be ${readOnly ? 'read' : 'written'}`);
  }
}

export function readMeta(db: DatabaseSync, name: string): string | number {
  const row = db.prepare('SELECT value FROM meta WHERE name = ?').get(name) as { value: string | number } | undefined;
  if (!row) throw new StoreError('corrupt', `The database has no "${name}". Restore a backup.`);
  return row.value;
}

/** The last record when index values were made anew; files of before this was written down say nothing of it. */
export function readIndexedSeq(db: DatabaseSync): number {
  const row = db.prepare("SELECT value FROM meta WHERE name = 'indexed_seq'").get() as { value: number } | undefined;
  return row?.value ?? Number.MAX_SAFE_INTEGER;
}

/** Not before the snapshot is read: every page is looked at once then, keeping them would be waste. */
export function enlargeCache(db: DatabaseSync): void {
  db.exec('PRAGMA cache_size = -16000');
}

/** The newest record; the last one dropped when the log is empty. */
export function readHead(db: DatabaseSync): ChainLink & { readonly total: number } {
  const row = db.prepare('SELECT seq, hash, total FROM log ORDER BY seq DESC LIMIT 1').get();
  return row
    ? (row as unknown as ChainLink & { total: number })
    : { ...readAnchor(db), total: Number(readMeta(db, 'anchor_total')) };
}

/** The last record that compaction dropped. */
export function readAnchor(db: DatabaseSync): ChainLink {
  return { seq: Number(readMeta(db, 'anchor_seq')), hash: String(readMeta(db, 'anchor_hash')) };
}

const FULL = 13;
/** Extended result code, or the primary one (its low byte) -> what it means here. */
const SQLITE_CODES: Readonly<Record<number, readonly [StoreErrorCode, string]>> = {
  5: ['busy', 'another process is using it. Stop that process first'],
  6: ['busy', 'another process is using it. Stop that process first'],
  8: ['read-only', 'it is read-only for this user. Change the permissions of the file and its directory'],
  10: ['io', 'the disk reported an error while reading or writing. Check the disk and its free space'],
  11: ['corrupt', 'the file is damaged. Restore a backup'],
  [FULL]: ['disk-full', 'the disk is full. Free some space and try again'],
  // The index of the write-ahead log could not be given its size.
  4874: ['disk-full', 'the disk is full. Free some space and try again'],
  14: ['io', 'the file cannot be opened. Check that the directory exists and may be written to'],
  18: ['validation', 'a value is too large'],
  26: ['corrupt', 'the file is not a database. Restore a backup, or choose another data directory'],
};

/** `what` starts the sentence, without a full stop. */
export function fromSqliteError(error: unknown, what: string): StoreError {
  if (error instanceof StoreError) return error;
  const { errcode, message = String(error) } = error as { errcode?: number; message?: string };
  const known = errcode === undefined ? undefined : (SQLITE_CODES[errcode] ?? SQLITE_CODES[errcode & 0xff]);
  const [code, why] = known ?? (['io', message] as const);
  const detail = known && errcode !== FULL ? ` (SQLite ${errcode}: ${message})` : '';
  return new StoreError(code, `${what}: ${why}${detail}.`, { cause: error });
}
