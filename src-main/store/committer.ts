/**
 * Group commit. Who does what, in order:
 *
 *   submit    runs `work` over committed + pending state; a throw rejects that one caller and nothing else
 *   queue     accepted entries; their changes are in `pending`, so that the next `work` sees them
 *   flush     takes a batch from the queue and hands it to the driver; at most two batches are on their way, and when
 *             others want the thread, it is theirs most of the time (pace.ts)
 *   settle    the driver says durable: changes move from pending to committed, listeners hear, callers are answered
 *   recover   the driver says no: once nothing is on its way any more, pending is dropped. Another server came first:
 *             its changes are read and every entry is accepted anew. Anything else: the failed batch and all that was
 *             built on it are rejected, each with the reason. What is submitted meanwhile waits.
 *
 * INVARIANT: pending holds exactly the changes of the entries in flight and in the queue.
 * INVARIANT: `committed` changes in `settle` and `catchUp` only, and only to what is on disk.
 */
import { setImmediate } from 'node:timers';
import type { Committed } from './committed.ts';
import type { Driver, WriteCommit } from './driver.ts';
import { StoreError } from './errors.ts';
import { decodeIndexValues, type IndexDefinitions } from './indexes.ts';
import { Layer, type ObjectChange } from './layer.ts';
import { changesCommit, noteCommit } from './log-record.ts';
import type { Mask } from './mask.ts';
import { Pace } from './pace.ts';
import { StoredObject } from './stored.ts';
import { WorkingTransaction } from './transaction.ts';
import type { Origin, Transaction } from './types.ts';

/** Bounds what one turn of the event loop has to apply when a batch comes back. */
const MAX_BATCH_ENTRIES = 256;
const MAX_BATCH_TEXT = 1024 * 1024;
/** One is written while the next is prepared. */
const MAX_IN_FLIGHT = 2;
/** A server that loses this often in a row tells its caller instead of trying for ever. */
const MAX_ATTEMPTS = 100;

export interface Job<R> {
  readonly origin: Origin;
  readonly action: { readonly work: (tx: Transaction) => R } | { readonly note: string; readonly result: R };
  readonly cursor?: { readonly name: string; readonly seq: number | undefined };
}

export interface Answer<R> {
  readonly result: R;
  readonly seq: number;
}

interface Entry {
  readonly job: Job<unknown>;
  readonly resolve: (answer: Answer<unknown>) => void;
  readonly reject: (error: unknown) => void;
  attempts: number;
  result: unknown;
  seq: number;
  write: WriteCommit | undefined;
  changes: readonly ObjectChange[];
}

interface InFlight {
  readonly entries: Entry[];
  outcome: 'sent' | 'durable' | { readonly error: StoreError };
}

type Mode =
  | { readonly kind: 'running' }
  | { readonly kind: 'recovering'; readonly retry: Entry[]; readonly cause: StoreError; readonly failedSeq: number };

const RUNNING: Mode = { kind: 'running' };

interface CommitterParts {
  readonly driver: Driver;
  readonly committed: Committed;
  readonly indexes: IndexDefinitions;
  readonly mask: Mask;
  readonly clock: () => number;
  /** Hears every durable commit right after it was applied; `write` is undefined for what another server wrote. */
  readonly onSettled: (seq: number, write: WriteCommit | undefined, changes: readonly ObjectChange[]) => void;
}

export class Committer {
  readonly #parts: CommitterParts;
  readonly #pending: Layer;
  #mode: Mode = RUNNING;
  #queue: Entry[] = [];
  readonly #inFlight: InFlight[] = [];
  readonly #pace = new Pace();
  /** Entries submitted while recovering. */
  #waiting: Entry[] = [];
  /** True while somebody's `work` runs: what it accepts has its number already. */
  #isWorking = false;
  /** Notes made by `work`. */
  #afterWork: Entry[] = [];
  #flushPlanned = false;
  #settledSeq: number;
  /** Of the last accepted entry. */
  #acceptedSeq: number;
  /** Of the last entry handed to the driver. */
  #sentSeq: number;
  #nextId: number;
  #onIdle: (() => void)[] = [];

  constructor(parts: CommitterParts, start: { seq: number; nextId: number }) {
    this.#parts = parts;
    this.#pending = new Layer(parts.committed, parts.indexes);
    this.#settledSeq = this.#acceptedSeq = this.#sentSeq = start.seq;
    this.#nextId = start.nextId;
  }

  get seq(): number {
    return this.#settledSeq;
  }

  /**
   * Throws at once when called by the `work` of another job, which fails by it: a transaction begun there would take the number of
   * that one. A note made there follows it.
   */
  submit<R>(job: Job<R>): Promise<Answer<R>> {
    if (this.#isWorking && 'work' in job.action)
      throw new StoreError(
        'validation',
        'A transaction was begun by the function given to another; begin it when that one has ended.',
      );
    return new Promise((resolve, reject) => {
      const entry: Entry = {
        job,
        resolve: resolve as Entry['resolve'],
        reject,
        attempts: 0,
        result: undefined,
        seq: 0,
        write: undefined,
        changes: [],
      };
      if (this.#mode.kind === 'recovering') this.#waiting.push(entry);
      else if (this.#isWorking) this.#afterWork.push(entry);
      else this.#enqueue(entry);
    });
  }

  /** Resolves when everything submitted so far has been answered. */
  idle(): Promise<void> {
    if (this.#isIdle()) return Promise.resolve();
    return new Promise((resolve) => this.#onIdle.push(resolve));
  }

  #isIdle(): boolean {
    return this.#mode.kind === 'running' && this.#queue.length === 0 && this.#inFlight.length === 0;
  }

  #enqueue(entry: Entry): void {
    this.#enqueueOne(entry);
    for (const note of this.#afterWork.splice(0)) this.#enqueueOne(note);
  }

  #enqueueOne(entry: Entry): void {
    const started = performance.now();
    try {
      this.#accept(entry);
    } catch (error) {
      entry.reject(error);
      return;
    }
    this.#pace.work(performance.now() - started);
    if (entry.write || entry.job.cursor || this.#queue.length > 0) {
      this.#queue.push(entry);
      this.#planFlush();
      return;
    }
    // Nothing to write, but what it saw may not be durable yet: answered together with that.
    const last = this.#inFlight.at(-1);
    if (last) last.entries.push(entry);
    else entry.resolve({ result: entry.result, seq: entry.seq });
  }

  /** Runs the job over the newest state. Throws what `work` throws; then nothing has happened. */
  #accept(entry: Entry): void {
    const { origin, action } = entry.job;
    const { indexes, mask, clock } = this.#parts;
    entry.attempts++;
    entry.write = undefined;
    entry.changes = [];
    const seq = this.#acceptedSeq + 1;
    if ('note' in action) {
      entry.result = action.result;
      entry.write = noteCommit(seq, clock(), origin, action.note);
    } else {
      const tx = new WorkingTransaction(this.#pending, indexes, seq, () => this.#nextId++);
      let changes: readonly ObjectChange[];
      this.#isWorking = true;
      try {
        entry.result = action.work(tx);
      } finally {
        this.#isWorking = false;
        changes = tx.seal();
      }
      if (entry.result instanceof Promise) {
        entry.result.catch(() => undefined);
        throw new StoreError(
          'validation',
          'The function given to transact must be synchronous; it returned a promise.',
        );
      }
      if (changes.length > 0) {
        entry.write = changesCommit(seq, clock(), origin, changes, mask);
        entry.changes = changes;
        this.#pending.apply(changes);
      }
    }
    if (entry.write) this.#acceptedSeq = seq;
    entry.seq = this.#acceptedSeq;
  }

  #planFlush(): void {
    if (this.#flushPlanned) return;
    this.#flushPlanned = true;
    // After the other callers that were woken in the same turn: they join the batch.
    queueMicrotask(this.#plannedFlush);
  }

  readonly #plannedFlush = (): void => {
    this.#flushPlanned = false;
    this.#flush();
  };

  #flush(): void {
    while (this.#mode.kind === 'running' && this.#inFlight.length < MAX_IN_FLIGHT && this.#queue.length > 0) {
      const started = performance.now();
      if (this.#pace.rests(started)) {
        this.#flushPlanned = true;
        setImmediate(this.#plannedFlush);
        return;
      }
      const entries = this.#takeBatch();
      const batch: InFlight = { entries, outcome: 'sent' };
      this.#inFlight.push(batch);
      const expectedSeq = this.#sentSeq;
      const commits: WriteCommit[] = [];
      const cursors: NonNullable<Job<unknown>['cursor']>[] = [];
      for (const { write, job } of entries) {
        if (write) commits.push(write);
        if (job.cursor) cursors.push(job.cursor);
      }
      this.#sentSeq = commits.at(-1)?.seq ?? this.#sentSeq;
      this.#parts.driver.append(expectedSeq, { commits, cursors }).then(
        () => this.#arrived(batch, 'durable'),
        (error: unknown) => this.#arrived(batch, { error: asStoreError(error) }),
      );
      const now = performance.now();
      this.#pace.work(now - started);
      this.#pace.sent(now);
    }
  }

  #takeBatch(): Entry[] {
    let text = 0;
    let count = 0;
    for (const entry of this.#queue) {
      text += entry.write?.body.length ?? 0;
      if (count > 0 && (count >= MAX_BATCH_ENTRIES || text > MAX_BATCH_TEXT)) break;
      count++;
    }
    return this.#queue.splice(0, count);
  }

  #arrived(batch: InFlight, outcome: InFlight['outcome']): void {
    batch.outcome = outcome;
    const started = performance.now();
    // A driver may answer out of order; commits become visible in order.
    for (let first = this.#inFlight[0]; first && first.outcome !== 'sent'; first = this.#inFlight[0]) {
      this.#inFlight.shift();
      if (first.outcome === 'durable') for (const entry of first.entries) this.#settle(entry);
      else this.#fail(first, first.outcome.error);
    }
    this.#pace.work(performance.now() - started);
    if (this.#mode.kind === 'recovering') {
      if (this.#inFlight.length === 0) void this.#recover(this.#mode);
      return;
    }
    if (!this.#flushPlanned) this.#flush();
    this.#reportIdle();
  }

  #settle(entry: Entry): void {
    const { write, changes } = entry;
    if (write) {
      for (const change of changes) {
        this.#parts.committed.apply(change.before, change.after);
        this.#pending.settle(change);
      }
      this.#settledSeq = write.seq;
      this.#parts.onSettled(write.seq, write, changes);
    }
    entry.resolve({ result: entry.result, seq: entry.seq });
  }

  #fail(batch: InFlight, error: StoreError): void {
    if (this.#mode.kind === 'running') {
      const failedSeq = batch.entries.find((e) => e.write)?.seq ?? this.#sentSeq;
      this.#mode = { kind: 'recovering', retry: [], cause: error, failedSeq };
      this.#reject(batch.entries, error, undefined);
    } else this.#reject(batch.entries, error, this.#mode);
  }

  /** Rejects, or keeps for another try when all that happened is that another server came first. */
  #reject(
    entries: readonly Entry[],
    error: StoreError,
    before: Extract<Mode, { kind: 'recovering' }> | undefined,
  ): void {
    const mode = this.#mode;
    const cause = before?.cause ?? error;
    for (const entry of entries) {
      if (isSequenceConflict(cause) && entry.attempts < MAX_ATTEMPTS && mode.kind === 'recovering')
        mode.retry.push(entry);
      else entry.reject(notWritten(entry, cause, before?.failedSeq, error.isUncertain));
    }
  }

  async #recover(mode: Extract<Mode, { kind: 'recovering' }>): Promise<void> {
    this.#reject(this.#queue.splice(0), mode.cause, mode);
    this.#pending.clear();
    try {
      if (isSequenceConflict(mode.cause)) await this.#catchUp();
    } catch (error) {
      for (const entry of mode.retry.splice(0)) entry.reject(notWritten(entry, asStoreError(error), undefined, false));
    }
    this.#acceptedSeq = this.#sentSeq = this.#settledSeq;
    this.#mode = RUNNING;
    const again = [...mode.retry, ...this.#waiting];
    this.#waiting = [];
    for (const entry of again) this.#enqueue(entry);
    this.#reportIdle();
  }

  /** Applies what other servers wrote. */
  async #catchUp(): Promise<void> {
    const { driver, committed } = this.#parts;
    const tail = await driver.tail(this.#settledSeq);
    const changes: ObjectChange[] = [];
    for (const { id, prefix, key, revision, text, indexed } of tail.changes) {
      const before = committed.get(prefix, key);
      const values = decodeIndexValues(indexed);
      const after = text === undefined ? undefined : new StoredObject(prefix, key, revision, id, values, text);
      if (!before && !after) continue;
      committed.apply(before, after);
      changes.push({ prefix, key, before, after, revision });
      this.#nextId = Math.max(this.#nextId, id + 1);
    }
    this.#settledSeq = tail.seq;
    this.#parts.onSettled(tail.seq, undefined, changes);
  }

  #reportIdle(): void {
    if (this.#isIdle()) for (const resolve of this.#onIdle.splice(0)) resolve();
  }
}

function isSequenceConflict(error: StoreError): boolean {
  return error.code === 'conflict' && error.conflict?.kind === 'sequence';
}

function asStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  return new StoreError('io', `The store failed: ${error instanceof Error ? error.message : String(error)}`, {
    cause: error,
  });
}

/** Says which transaction it was and why; `failedSeq` when an earlier one took it along. */
function notWritten(entry: Entry, cause: StoreError, failedSeq: number | undefined, isUncertain: boolean): StoreError {
  const { actor, requestId } = entry.job.origin;
  const [first, ...others] = entry.changes;
  const what = first ? ` of ${first.prefix}/${first.key}${others.length > 0 ? ` and ${others.length} more` : ''}` : '';
  const why = failedSeq === undefined || failedSeq === entry.seq ? '' : `commit ${failedSeq} before it failed: `;
  const message = `Commit ${entry.seq}${what} (actor "${actor}", request "${requestId}") ${isUncertain ? 'may or may not be on disk' : 'was not written'}: ${why}${cause.message}`;
  const { code, conflict } = cause;
  return new StoreError(code, message, { cause, isUncertain, ...(conflict && { conflict }) });
}
