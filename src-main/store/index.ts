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
