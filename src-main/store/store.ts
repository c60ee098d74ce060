import { setImmediate as nextTurn } from 'node:timers/promises';
import { Committed } from './committed.ts';
import { type Answer, Committer, type Job } from './committer.ts';
import { DurableConsumer } from './consumer.ts';
import type {
  BackupManifest,
  CompactReport,
  Driver,
  Opened,
  RawRecord,
  RecordQuery,
  Retention,
  VerifyReport,
  WriteCommit,
} from './driver.ts';
import { StoreError } from './errors.ts';
import { encodeIndexValues, IndexDefinitions } from './indexes.ts';
import type { ObjectChange } from './layer.ts';
import { toLogRecord } from './log-record.ts';
import { Mask } from './mask.ts';
import { afterPage, toRecordQuery } from './record-query.ts';
import { NO_INDEX_VALUES, StoredObject } from './stored.ts';
import { toText } from './transaction.ts';
import type {
  Change,
  Commit,
  Consumer,
  HistoryQuery,
  LogRecord,
  Note,
  Origin,
  Store,
  Stored,
  StoreOptions,
  Transaction,
} from './types.ts';

const COMPACT_EVERY_MS = 60_000;
/** How many objects are handled in one turn of the event loop. */
const PER_TURN = 1000;
/** How many records are read ahead of whoever handles them. */
const PER_PAGE = 256;

/**
 * Opens the database behind `options.driver` and loads all objects. Rejects with `StoreError`: `newer-schema`,
 * `corrupt`, `read-only`, `disk-full`, `busy` or `io`, each with a sentence for the person who has to act.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const indexes = new IndexDefinitions(options.uniqueIndexes ?? {});
  const mask = new Mask(options.secretFields ?? {}, options.secretAddresses ?? {});
  try {
    const opened = await options.driver.open();
    const committed = new Committed(indexes);
    const nextId = await load(options.driver, opened, committed, indexes);
    return new LiveStore(options, committed, indexes, mask, opened, nextId);
  } catch (error) {
    await options.driver.close();
    throw error;
  }
}

/** Fills `committed`; answers the first object number not in use. */
async function load(driver: Driver, opened: Opened, committed: Committed, indexes: IndexDefinitions): Promise<number> {
  const reindex = opened.indexDefinition !== indexes.fingerprint;
  const newIndexed = new Map<number, string>();
  const arrived: StoredObject[] = [];
  let nextId = 1;
  for await (const chunk of opened.snapshot) {
    if (chunk.kind === 'order') {
      for (const position of chunk.positions) committed.loadNext(arrived[position] as StoredObject);
      continue;
    }
    let start = 0;
    for (let i = 0; i < chunk.ids.length; i++) {
      const end = chunk.ends[i] ?? 0;
      const id = chunk.ids[i] ?? 0;
      const [prefix = '', key = '', revision = 0] = [chunk.prefixes[i], chunk.keys[i], chunk.revisions[i]];
      let object = new StoredObject(
        prefix,
        key,
        revision,
        id,
        chunk.indexed[i] ?? NO_INDEX_VALUES,
        chunk.bytes,
        start,
        end,
      );
      if (reindex) {
        object = object.withIndexValues(indexes.values(prefix, object.value));
        newIndexed.set(id, encodeIndexValues(object.indexed));
        if (arrived.length % PER_TURN === PER_TURN - 1) await nextTurn();
      }
      committed.load(object);
      arrived.push(object);
      if (id >= nextId) nextId = id + 1;
      start = end;
    }
  }
  if (reindex) await driver.setIndexDefinition(indexes.fingerprint, newIndexed);
  return nextId;
}

class LiveStore implements Store {
  readonly #driver: Driver;
  readonly #committed: Committed;
  readonly #committer: Committer;
  readonly #retention: Retention;
  readonly #clock: () => number;
  readonly #watchers = new Set<(commit: Commit) => void>();
  readonly #seqListeners = new Set<() => void>();
  readonly #cursors: Map<string, number>;
  readonly #consumers = new Map<string, DurableConsumer>();
  #oldestSeq: number;
  readonly #compactTimer: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  constructor(
    options: StoreOptions,
    committed: Committed,
    indexes: IndexDefinitions,
    mask: Mask,
    opened: Opened,
    nextId: number,
  ) {
    const { driver, retention = {}, clock = Date.now } = options;
    this.#driver = driver;
    this.#committed = committed;
    this.#retention = retention;
    this.#clock = clock;
    this.#cursors = new Map(opened.cursors);
    this.#oldestSeq = opened.oldestSeq;
    const onSettled = this.#publish.bind(this);
    const parts = { driver, committed, indexes, mask, clock, onSettled };
    this.#committer = new Committer(parts, { seq: opened.seq, nextId });
    if (retention.maxAgeMs !== undefined || retention.maxBytes !== undefined) {
      const compact = (): void => void this.compact().catch((error: Error) => process.emitWarning(error));
      this.#compactTimer = setInterval(compact, COMPACT_EVERY_MS).unref();
    }
  }

  get seq(): number {
    return this.#committer.seq;
  }

  get(prefix: string, key: string): Stored | undefined {
    return this.#committed.get(prefix, key);
  }

  find(prefix: string, index: string, value: string): Stored | undefined {
    return this.#committed.find(prefix, index, value);
  }

  count(prefix: string): number {
    return this.#committed.count(prefix);
  }

  entries(prefix: string): Iterable<Stored> {
    return this.#committed.entries(prefix);
  }

  prefixes(): readonly string[] {
    return this.#committed.prefixes();
  }

  transact<R>(origin: Origin, work: (tx: Transaction) => R): Promise<Answer<R>> {
    return this.#submit({ origin, action: { work } });
  }

  async appendNote(origin: Origin, note: Note): Promise<number> {
    const { seq } = await this.#submit({ origin, action: { note: toText('A note', note), result: undefined } });
    return seq;
  }

  watch(listener: (commit: Commit) => void): () => void {
    // Wrapped, so that the same function may watch twice.
    const own = (commit: Commit): void => listener(commit);
    this.#watchers.add(own);
    return () => this.#watchers.delete(own);
  }

  async history(query: HistoryQuery): Promise<LogRecord[]> {
    const { limit } = toRecordQuery(query);
    const records: LogRecord[] = [];
    if (limit === 0) this.#checkOpen();
    else for await (const record of this.records(query)) if (records.push(record) >= limit) break;
    return records;
  }

  async *records(query: HistoryQuery): AsyncGenerator<LogRecord> {
    for (let rest: RecordQuery | undefined = { ...toRecordQuery(query), limit: PER_PAGE }; rest; ) {
      this.#checkOpen();
      const page: RawRecord[] = await this.#driver.records(rest);
      for (const record of page) yield toLogRecord(record);
      rest = afterPage(rest, page);
    }
  }

  consumer(name: string, { from = 'oldest' }: { from?: 'oldest' | 'newest' } = {}): Consumer {
    this.#checkOpen();
    const existing = this.#consumers.get(name);
    if (existing) return existing;
    const known = this.#cursors.get(name);
    const cursor = known ?? (from === 'oldest' ? this.#oldestSeq - 1 : this.seq);
    const consumer = new DurableConsumer(name, cursor, {
      submit: (job) => this.#submit(job),
      records: async (after, limit) => {
        this.#checkOpen();
        const page = await this.#driver.records(toRecordQuery({ from: after + 1, limit }));
        return page.map(toLogRecord);
      },
      seq: () => this.seq,
      onCommit: (listener) => {
        this.#seqListeners.add(listener);
        return () => this.#seqListeners.delete(listener);
      },
      onForgotten: () => {
        this.#consumers.delete(name);
        this.#cursors.delete(name);
      },
    });
    this.#consumers.set(name, consumer);
    // Written down at once, so that retention waits for it and a restart does not start it anew. Should this write
    // fail, the first advance makes up for it.
    if (known === undefined) void consumer.advance(cursor, () => undefined).catch(() => undefined);
    return consumer;
  }

  async verify(): Promise<VerifyReport> {
    this.#checkOpen();
    return this.#driver.verify();
  }

  async compact(policy: Retention = this.#retention): Promise<CompactReport> {
    this.#checkOpen();
    const report = await this.#driver.compact(policy, this.#clock());
    this.#oldestSeq = report.oldestSeq;
    return report;
  }

  async backupTo(dir: string): Promise<BackupManifest> {
    this.#checkOpen();
    return this.#driver.backupTo(dir, this.#clock());
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearInterval(this.#compactTimer);
    await this.#committer.idle();
    await this.#driver.close();
    for (const listener of this.#seqListeners) listener();
  }

  #submit<R>(job: Job<R>): Promise<Answer<R>> {
    if (this.#closing !== undefined) return Promise.reject(closedError());
    const { actor, requestId } = job.origin;
    // They come from outside; half a surrogate pair would be stored as another character than the hash was made of.
    if (actor.isWellFormed() && requestId.isWellFormed()) return this.#committer.submit(job);
    const origin = { actor: actor.toWellFormed(), requestId: requestId.toWellFormed() };
    return this.#committer.submit({ ...job, origin });
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) throw closedError();
  }

  #publish(seq: number, write: WriteCommit | undefined, changes: readonly ObjectChange[]): void {
    if (changes.length > 0 && this.#watchers.size > 0) {
      const commit = toCommit(seq, write, changes, this.#clock);
      for (const listener of this.#watchers) callSafely(() => listener(commit));
    }
    for (const listener of this.#seqListeners) listener();
  }
}

function closedError(): StoreError {
  return new StoreError('closed', 'The store is closed; nothing more can be read or written.');
}

/** A listener that throws is a programming error; it must not keep the others, or the writer, from their news. */
function callSafely(call: () => void): void {
  try {
    call();
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
  }
}

function toCommit(
  seq: number,
  write: WriteCommit | undefined,
  changes: readonly ObjectChange[],
  clock: () => number,
): Commit {
  return {
    seq,
    time: new Date(write?.time ?? clock()).toISOString(),
    actor: write?.actor ?? '',
    requestId: write?.requestId ?? '',
    changes: changes.map(toChange),
  };
}

/** `before` and `after` are parsed when a listener looks at them: most look at few. */
function toChange({ prefix, key, before, after }: ObjectChange): Change {
  if (before && after)
    return {
      prefix,
      key,
      get before() {
        return before.value;
      },
      get after() {
        return after.value;
      },
    };
  if (after)
    return {
      prefix,
      key,
      get after() {
        return after.value;
      },
    };
  return {
    prefix,
    key,
    get before() {
      return before?.value ?? {};
    },
  };
}
