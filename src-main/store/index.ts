/**
 * Objects in memory, one durable change log behind them. Nothing is visible to others before it is on disk.
 *
 *   store        openStore: reading, transactions, watching, consumers, history, retention, backup
 *   committer    group commit: accept, queue, flush, settle, recover       pace       leaves the thread to readers
 *   committed    what is durable          layer, transaction    what is pending, what one function wrote so far
 *   stored, sorted-objects, key-order, indexes                  an object, lists in key order, unique indexes
 *   log-record, mask, verify, consumer, record-query, backup    the log: text, secrets, hash chain, cursors, queries
 *   driver       what a database must offer; drivers/ has SQLite and memory, conformance what both must pass
 */
export type { BackupManifest, CompactReport, Driver, Retention, VerifyProblem, VerifyReport } from './driver.ts';
export { type MemoryDatabase, memoryDatabase, memoryDriver, readMemoryBackup } from './drivers/memory.ts';
export { createSqliteDriver, type SqliteOptions, verifySqliteFile } from './drivers/sqlite.ts';
export { type ConflictDetail, StoreError, type StoreErrorCode } from './errors.ts';
export { openStore } from './store.ts';
export type {
  Change,
  Commit,
  Consumer,
  Expectation,
  HistoryQuery,
  IndexFunction,
  Json,
  JsonObject,
  LogRecord,
  Note,
  Origin,
  Reader,
  Store,
  Stored,
  StoreOptions,
  Transaction,
  UniqueIndex,
} from './types.ts';
