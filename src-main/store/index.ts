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
export type { Retention, VerifyReport } from './driver.ts';
export { type MemoryDatabase, memoryDatabase, memoryDriver } from './drivers/memory.ts';
export { createSqliteDriver, verifySqliteFile } from './drivers/sqlite.ts';
export { StoreError } from './errors.ts';
export { openStore } from './store.ts';
export type {
  Commit,
  HistoryQuery,
  LogRecord,
  Origin,
  Reader,
  Store,
  Stored,
  Transaction,
  UniqueIndex,
} from './types.ts';
