import type { Json, JsonObject } from '../kit/json.ts';
import type { BackupManifest, CompactReport, Driver, Retention, VerifyReport } from './driver.ts';

export type { Json, JsonObject };

/** One committed object. */
export interface Stored {
  readonly prefix: string;
  readonly key: string;
  /** Immutable: never mutate it, every reader gets the same one. Parsed at first use. */
  readonly value: JsonObject;
  /** Sequence number of the commit that last wrote it. */
  readonly revision: number;
  /** The UTF-8 JSON of `value`, cached per revision. Immutable too. */
  readonly bytes: Buffer;
}

/** What can be asked of a state: the committed one (a `Store`) or one being built (a `Transaction`). */
export interface Reader {
  /** Two Map lookups. */
  get(prefix: string, key: string): Stored | undefined;
  /** The object whose unique index `index` has `value`. An undeclared index is a programming error and throws. */
  find(prefix: string, index: string, value: string): Stored | undefined;
  count(prefix: string): number;
  /**
   * Every object of the prefix in ascending byte order of its key. The iteration is a snapshot of the moment of the
   * call: commits that happen meanwhile, even across an `await`, neither appear in it nor disturb it.
   */
  entries(prefix: string): Iterable<Stored>;
  /** Prefixes that hold at least one object, ascending. */
  prefixes(): readonly string[];
}

/** What a write demands of the object it replaces; a mismatch throws `StoreError` with code `conflict`. */
export type Expectation = { readonly revision: number } | 'absent' | 'present';

/** Reads see the writes made before them in the same transaction. */
export interface Transaction extends Reader {
  /** Stores a copy of `value` (its JSON), so later edits by the caller change nothing. */
  put(prefix: string, key: string, value: JsonObject, expect?: Expectation): void;
  /** Removing what is not there throws `StoreError` with code `conflict`. */
  remove(prefix: string, key: string, expect?: { readonly revision: number }): void;
}

/** On whose behalf a commit is made; both end up in the change log. */
export interface Origin {
  readonly actor: string;
  readonly requestId: string;
}

/** One object before and after a commit. No `before`: created. No `after`: removed. */
export interface Change {
  readonly prefix: string;
  readonly key: string;
  readonly before?: JsonObject;
  readonly after?: JsonObject;
}

/** One committed transaction as live listeners see it. */
export interface Commit {
  readonly seq: number;
  /** RFC 3339 in UTC with milliseconds. The order of commits is that of `seq`, whatever the clock did. */
  readonly time: string;
  readonly actor: string;
  readonly requestId: string;
  readonly changes: readonly Change[];
}

/** A record that changes no object: a denied request, a failed sign-in. */
export type Note = { readonly kind: string } & JsonObject;

/** One record of the durable log. Secrets in `before` and `after` are masked, see `mask.ts`. */
export interface LogRecord extends Commit {
  readonly note?: Note;
  /** Hex SHA-256 over the record and the hash of its predecessor. */
  readonly hash: string;
}

/** All conditions must hold. Bounds are inclusive. */
export interface HistoryQuery {
  /** Lowest sequence number. */
  readonly from?: number;
  /** Highest sequence number. */
  readonly to?: number;
  /** RFC 3339 times. */
  readonly since?: string;
  readonly until?: string;
  /** Default 100, at most 10,000. */
  readonly limit?: number;
  readonly prefix?: string;
  readonly key?: string;
  readonly actor?: string;
  readonly requestId?: string;
  /** Only notes of this kind. */
  readonly noteKind?: string;
  readonly newestFirst?: boolean;
}

/**
 * A reader of the log with a durable cursor. At least once, in order: a record counts as handled when the cursor has
 * passed it, and the cursor moves in the same commit as whatever handling it wrote.
 */
export interface Consumer {
  readonly name: string;
  /** Sequence number of the last handled record. */
  readonly cursor: number;
  /**
   * Records after the cursor, oldest first, secrets masked, notes included; fewer than `limit` when they are large. Empty when
   * caught up.
   */
  read(limit?: number): Promise<readonly LogRecord[]>;
  /** Moves the cursor to `through` and commits what `work` writes, both or neither. Never moves backwards. */
  advance<R>(through: number, work: (tx: Transaction) => R, origin?: Origin): Promise<{ result: R; seq: number }>;
  /**
   * Calls `handle` with every record after the cursor, in order, in batches, one transaction per batch, until stopped.
   * `handle` is synchronous and may be called again with the same records after a failure or a restart.
   * A failure is reported to `onError` and tried again after a growing pause (at most 5 s).
   */
  run(
    handle: (tx: Transaction, records: readonly LogRecord[]) => void,
    options?: { batch?: number; onError?: (error: Error) => void },
  ): { stop(): Promise<void> };
  /** Forgets the cursor, so that it no longer holds records back from retention, and ends `run`. The consumer is of no use afterwards. */
  forget(): Promise<void>;
}

export interface Store extends Reader {
  /** Sequence number of the last commit that readers see. */
  readonly seq: number;
  /**
   * Runs `work` (synchronous; may throw to reject) against committed and pending state; resolves once it is durable.
   * `work` must have no effect but through `tx`: it runs again when another server wrote first. A transaction begun by `work` throws
   * `StoreError` `validation`; a note made by it comes after the transaction.
   * Rejects with what `work` threw, or with a `StoreError` that says which transaction failed and why.
   */
  transact<R>(origin: Origin, work: (tx: Transaction) => R): Promise<{ result: R; seq: number }>;
  /** Commits with changes, in order, unmasked, after they are durable. A listener must not throw and must be quick. */
  watch(listener: (commit: Commit) => void): () => void;
  /** Records of the log, read from disk; secrets masked. */
  history(query: HistoryQuery): Promise<LogRecord[]>;
  /**
   * The same one after the other, read on as they are taken, without regard to `limit`: for whoever handles more than fits into
   * memory, or cannot tell beforehand how many it takes to find enough.
   */
  records(query: HistoryQuery): AsyncIterable<LogRecord>;
  /** A new consumer starts before the oldest retained record, or after the newest one if asked to. */
  consumer(name: string, options?: { from?: 'oldest' | 'newest' }): Consumer;
  /** Checks the hash chain and that the objects are what the log says. */
  verify(): Promise<VerifyReport>;
  /** Drops the oldest records of the log as `policy` (default: the retention given at open) says. Objects stay. */
  compact(policy?: Retention): Promise<CompactReport>;
  /** A consistent copy in the new or empty directory `dir` while writing goes on; verified by opening it. */
  backupTo(dir: string): Promise<BackupManifest>;
  /** Adds a record without an object change, in the same chain and the same group commit. Resolves to its number. */
  appendNote(origin: Origin, note: Note): Promise<number>;
  /** Writes what was accepted; later calls reject with `StoreError` code `closed`. */
  close(): Promise<void>;
}

/** Returns the value under which an object is found, or undefined to leave it out. Must depend on nothing else. */
export type IndexFunction = (value: JsonObject) => string | undefined;

export interface UniqueIndex {
  /**
   * To be raised whenever `value` answers differently than before for any object. It is written down, and at the next
   * start the index values of all objects are made anew. Comparing the functions themselves would miss what they call.
   */
  readonly version: number;
  readonly value: IndexFunction;
}

export interface StoreOptions {
  readonly driver: Driver;
  /** prefix -> index name -> definition. Two objects of one prefix with the same value are a conflict. */
  readonly uniqueIndexes?: Readonly<Record<string, Readonly<Record<string, UniqueIndex>>>>;
  /** prefix -> JSON pointers of secrets, in any letter case; the segment `*` stands for every member or element. */
  readonly secretFields?: Readonly<Record<string, readonly string[]>>;
  /** The same of addresses: only the credentials in them are masked. */
  readonly secretAddresses?: Readonly<Record<string, readonly string[]>>;
  /** What `compact()` keeps, and what is kept automatically. Default: everything, for ever. */
  readonly retention?: Retention;
  /** Milliseconds since 1970. Default: the system clock. */
  readonly clock?: () => number;
}
