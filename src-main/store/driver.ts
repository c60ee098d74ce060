import type { IndexValues } from './stored.ts';

/** How much of the log to keep; a record goes when any limit says so, oldest first. */
export interface Retention {
  readonly maxAgeMs?: number;
  readonly maxBytes?: number;
}

export interface CompactReport {
  /** Log records removed. */
  readonly removed: number;
  /** Oldest record left; one past the newest when none is left. */
  readonly oldestSeq: number;
}

export type VerifyProblem =
  | { readonly kind: 'changed-record'; readonly seq: number; readonly detail: string }
  | { readonly kind: 'missing-record'; readonly seq: number; readonly detail: string }
  | { readonly kind: 'changed-object'; readonly prefix: string; readonly key: string; readonly detail: string };

export interface VerifyReport {
  readonly ok: boolean;
  /** Log records whose hash was recomputed. */
  readonly records: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** Hex hash of the newest record: note it elsewhere to prove later that nothing before it was changed. */
  readonly head: string;
  /** Objects compared with the record that last wrote them. */
  readonly objects: number;
  /** At most 100; `ok` counts all. */
  readonly problems: readonly VerifyProblem[];
}

/** `manifest.json` of a backup. */
export interface BackupManifest {
  readonly format: 'proviso-store-backup';
  readonly version: 1;
  readonly driver: string;
  readonly schema: number;
  /** RFC 3339. */
  readonly time: string;
  /** Last commit in the copy. */
  readonly seq: number;
  /** Hex hash of that commit's log record. */
  readonly head: string;
  /** prefix -> number of objects, counted in the opened copy. */
  readonly objects: Readonly<Record<string, number>>;
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[];
}

/** One object to write or to remove. */
export interface WriteChange {
  /** Number of the object, the same over all its revisions and never given to another living object. */
  readonly id: number;
  readonly prefix: string;
  readonly key: string;
  /** JSON of the new value; undefined removes the object. */
  readonly text: string | undefined;
  /** JSON array of the unique index values in the order of the index names; empty for none. */
  readonly indexed: string;
  /** Where `text` stands in the `body` of the commit; -1 when it does not, because the log masks it. */
  readonly textAt: number;
}

/** One commit as handed to a driver: the log record, and what it does to the objects. */
export interface WriteCommit {
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly actor: string;
  readonly requestId: string;
  /** See `log-record.ts`. */
  readonly body: string;
  /** Empty for a note. */
  readonly changes: readonly WriteChange[];
}

/** What is written atomically: all of it or nothing. */
export interface Batch {
  readonly commits: readonly WriteCommit[];
  /** Consumer cursors to move, never backwards; undefined forgets one. */
  readonly cursors: readonly { readonly name: string; readonly seq: number | undefined }[];
}

/** A run of objects in any order, packed: JSON texts lie one after the other in `bytes`. */
export interface SnapshotObjects {
  readonly kind: 'objects';
  readonly ids: readonly number[];
  readonly prefixes: readonly string[];
  readonly keys: readonly string[];
  readonly revisions: readonly number[];
  /** The values that `indexed` of `WriteChange` stands for; null for none. */
  readonly indexed: readonly (IndexValues | null)[];
  /** `ends[i]` is where text i ends and text i+1 begins. */
  readonly ends: Uint32Array;
  readonly bytes: Uint8Array;
}

/** Some positions, counted over all `objects` before, in ascending order of prefix and key. */
export interface SnapshotOrder {
  readonly kind: 'order';
  readonly positions: Uint32Array;
}

export interface Opened {
  readonly seq: number;
  /** Oldest record left; one past the newest when none is left. */
  readonly oldestSeq: number;
  readonly cursors: ReadonlyMap<string, number>;
  /** Which index definitions the `indexed` values were made with, see `setIndexDefinition`. */
  readonly indexDefinition: string;
  /**
   * All objects, then the order of all of them: sorting happens where it blocks nobody. Must be read to its end
   * before the first `append`.
   */
  readonly snapshot: AsyncIterable<SnapshotObjects | SnapshotOrder>;
}

/** The objects that commits after some sequence number wrote or removed, as they are now. */
export interface Tail {
  readonly seq: number;
  readonly changes: readonly {
    readonly id: number;
    readonly prefix: string;
    readonly key: string;
    readonly revision: number;
    readonly text: string | undefined;
    readonly indexed: string;
  }[];
}

/** A log record as a driver keeps it: `body` is JSON `{"changes":[...]}` or `{"note":{...}}`. */
export interface RawRecord {
  readonly seq: number;
  readonly time: number;
  readonly actor: string;
  readonly requestId: string;
  readonly hash: string;
  readonly body: string;
}

/** `HistoryQuery` with defaults filled in and times in milliseconds. */
export interface RecordQuery {
  readonly from: number;
  readonly to: number;
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly limit: number;
  /** An answer ends once its bodies have this many characters; one record always fits. */
  readonly maxText: number;
  readonly prefix: string | undefined;
  readonly key: string | undefined;
  readonly actor: string | undefined;
  readonly requestId: string | undefined;
  readonly noteKind: string | undefined;
  readonly newestFirst: boolean;
}

/**
 * Where objects and the log live. Every method rejects with `StoreError`; `conformance.ts` is what an implementation
 * must pass. Several drivers may work on one database (several servers): `append` then tells who came second.
 */
export interface Driver {
  readonly name: string;
  open(): Promise<Opened>;
  /**
   * Makes the batch durable. Rejects with code `conflict` and changes nothing when the last commit in the database is
   * not `expectedSeq`: read `tail`, validate again, retry. With code `validation` when the commits do not follow it one by one.
   */
  append(expectedSeq: number, batch: Batch): Promise<void>;
  /** What changed after commit `from`. */
  tail(from: number): Promise<Tail>;
  /** The first records that meet the query: ask again from behind the last one until there are none. */
  records(query: RecordQuery): Promise<RawRecord[]>;
  verify(): Promise<VerifyReport>;
  /** Never holds up an `append` for longer than a few milliseconds. Keeps what a consumer has not handled. */
  compact(policy: Retention, nowMs: number): Promise<CompactReport>;
  backupTo(dir: string, nowMs: number): Promise<BackupManifest>;
  /** Replaces the `indexed` values of all objects, after an index was added or changed. */
  setIndexDefinition(definition: string, indexed: ReadonlyMap<number, string>): Promise<void>;
  close(): Promise<void>;
}
