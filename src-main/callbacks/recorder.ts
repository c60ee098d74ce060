/**
 * Writes delivery records: everything that wants to be written in one turn of the event loop goes into one commit, so that
 * the outcome of one delivery and the start of the next share a trip to the disk.
 */

import { type Delivery, type DeliveryState, isFinished } from '../contract/deliveries.ts';
import type { Log } from '../kit/log.ts';
import { type Store, StoreError, type Transaction } from '../store/index.ts';
import { CLAIMS, ClaimBook } from './claims.ts';
import type { Clock } from './ports.ts';
import { DELIVERIES, headOf, packed } from './records.ts';

interface Write {
  readonly row: Delivery;
  /** `start`: only that its next attempt begins; the record as it is stays. */
  readonly what: 'row' | 'start';
  /** False: the writer wants to hear of a failure. True: it must be written, however long it takes. */
  readonly insist: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Actor of these commits: whoever counts deliveries by watching the store leaves them out, they are reported here. */
export const RECORDER = 'callbacks';
const ORIGIN = { actor: RECORDER, requestId: '' };
const LONGEST_PAUSE_MS = 5_000;
/** A commit costs about as much as twenty records: when many come at once, it waits a moment for more of them. */
const MANY = 16;
const GATHER_MS = 2;

export class Recorder {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #claims = new ClaimBook();
  /** State of the deliveries that are being written, as far as it is durable. */
  readonly #states = new Map<string, DeliveryState | undefined>();
  #queue: Write[] = [];
  #scheduled = false;
  #committing = false;
  #pauseMs = 0;
  /** Records in the last commit: what comes next is likely to be as many. */
  #lastSize = 0;
  #startNow: (() => void) | undefined;

  /** Hears of every durable change of state; `from` undefined: a new delivery. */
  onState: (from: DeliveryState | undefined, to: DeliveryState) => void = () => undefined;

  constructor(store: Store, clock: Clock, log: Log) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  /** Resolves once the record is durable. Rejects with StoreError; nothing was written then. */
  write(row: Delivery): Promise<void> {
    return this.#add(row, 'row', false);
  }

  /** Resolves once it is durable that an attempt begins, of a delivery that is on record otherwise. Rejects as `write`. */
  start(row: Delivery): Promise<void> {
    return this.#add(row, 'start', false);
  }

  /** As `write`, but tried again until the store takes it or is closed: what happened must not be forgotten. */
  insist(row: Delivery): Promise<void> {
    return this.#add(row, 'row', true);
  }

  #add(row: Delivery, what: Write['what'], insist: boolean): Promise<void> {
    if (!this.#states.has(row.Id)) {
      const stored = this.#store.get(DELIVERIES, row.Id);
      this.#states.set(row.Id, stored && headOf(stored).state);
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ row, what, insist, resolve, reject });
      this.#schedule();
    });
  }

  /**
   * One commit at a time: what comes meanwhile makes the next one larger, and larger ones cost less per delivery. After a
   * large one the next begins when it is as large, or a moment later.
   */
  #schedule(): void {
    if (this.#committing || this.#queue.length === 0) return;
    if (this.#scheduled) {
      if (this.#queue.length >= this.#lastSize) this.#startNow?.();
      return;
    }
    this.#scheduled = true;
    const flush = (): void => {
      this.#scheduled = false;
      const batch = this.#queue;
      this.#queue = [];
      void this.#commit(batch);
    };
    if (this.#pauseMs > 0) this.#clock.after(this.#pauseMs, flush);
    else if (this.#lastSize < MANY || this.#queue.length >= this.#lastSize) setImmediate(flush);
    else this.#gather(flush);
  }

  #gather(flush: () => void): void {
    const disarm = this.#clock.after(GATHER_MS, () => {
      this.#startNow = undefined;
      flush();
    });
    this.#startNow = () => {
      this.#startNow = undefined;
      disarm();
      setImmediate(flush);
    };
  }

  async #commit(batch: readonly Write[]): Promise<void> {
    const put = this.#plan(batch);
    this.#committing = true;
    this.#lastSize = batch.length;
    try {
      await this.#store.transact(ORIGIN, put);
    } catch (error) {
      this.#committing = false;
      this.#failed(batch, error);
      this.#schedule();
      return;
    }
    this.#committing = false;
    this.#pauseMs = 0;
    for (const { row, resolve } of batch) {
      this.onState(this.#states.get(row.Id), row.State);
      if (isFinished(row.State)) this.#states.delete(row.Id);
      else this.#states.set(row.Id, row.State);
      resolve();
    }
    this.#schedule();
  }

  /** What the transaction of a batch does. */
  #plan(batch: readonly Write[]): (tx: Transaction) => void {
    const done: string[] = [];
    const starts: string[] = [];
    for (const { row, what } of batch) {
      if (what === 'start') starts.push(row.Id);
      else done.push(...this.#claims.written(row.Id));
    }
    const key = starts.length === 0 ? undefined : this.#claims.add(starts);
    return (tx) => {
      for (const { row, what } of batch) if (what === 'row') tx.put(DELIVERIES, row.Id, packed(row));
      if (key !== undefined) tx.put(CLAIMS, key, { Ids: starts });
      // A claim that could not be written is not there.
      for (const old of done) if (tx.get(CLAIMS, old)) tx.remove(CLAIMS, old);
    };
  }

  #failed(batch: readonly Write[], error: unknown): void {
    const isClosed = error instanceof StoreError && error.code === 'closed';
    if (!isClosed) {
      this.#pauseMs = Math.min(Math.max(100, this.#pauseMs * 2), LONGEST_PAUSE_MS);
      this.#log.error({ err: error, deliveries: batch.length }, 'delivery records cannot be written');
    }
    const again = isClosed ? [] : batch.filter((write) => write.insist);
    for (const write of batch) if (isClosed || !write.insist) write.reject(error);
    // Older records of a delivery must not overwrite newer ones.
    this.#queue = [...again, ...this.#queue];
  }
}
