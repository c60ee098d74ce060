/** What people do with deliveries: look, replay, cancel, several at once with a preview. */
import { type Delivery, type DeliveryState, isFinished, type ReplayPreview } from '../contract/deliveries.ts';
import { Problem } from '../contract/errors.ts';
import type { JsonObject } from '../kit/json.ts';
import type { Origin, Store, Transaction } from '../store/index.ts';
import type { Engine } from './engine.ts';
import { createMasker } from './mask.ts';
import { DELIVERIES, deliveryOf, ended, packed, replayed } from './records.ts';
import { eachInSlices } from './slices.ts';

/** A range of finished deliveries; what is given must hold. Times are RFC 3339, inclusive. */
export interface ReplayRange {
  readonly since?: string;
  readonly until?: string;
  readonly machine?: string;
  readonly plugin?: string;
  readonly action?: string;
  readonly states?: readonly DeliveryState[];
}

const MASKER = createMasker([]);
const DEFAULT_STATES: readonly DeliveryState[] = ['failed'];

/** As answers show it: the argument of the call only as far as its names do not say that it is secret. */
function shownDelivery(row: Delivery): JsonObject {
  const { Override, ...rest } = row;
  if (!Override) return rest;
  return { ...rest, Override: { Value: MASKER.json(Override.Value) } };
}

function matches(row: Delivery, range: ReplayRange): boolean {
  return (
    (range.states ?? DEFAULT_STATES).includes(row.State) &&
    isFinished(row.State) &&
    (range.since === undefined || row.Time >= range.since) &&
    (range.until === undefined || row.Time <= range.until) &&
    (range.machine === undefined || row.Machine === range.machine) &&
    (range.plugin === undefined || row.Plugin === range.plugin) &&
    (range.action === undefined || row.Action === range.action)
  );
}

function notFound(id: string): Problem {
  return new Problem('not-found', `${DELIVERIES}: ${id}: Not Found`, { model: DELIVERIES, key: id });
}

function replayIn(tx: Transaction, id: string): Delivery {
  const stored = tx.get(DELIVERIES, id);
  if (!stored) throw notFound(id);
  const row = deliveryOf(stored.value);
  if (!isFinished(row.State))
    throw new Problem('conflict', `Delivery ${id} is ${row.State}; only finished ones can be replayed`, {
      model: DELIVERIES,
      key: id,
    });
  const again = replayed(row);
  tx.put(DELIVERIES, id, packed(again));
  return again;
}

const BATCH = 200;

export class Deliveries {
  readonly #store: Store;
  readonly #engine: Engine;
  readonly #time: () => string;

  constructor(store: Store, engine: Engine, time: () => string) {
    this.#store = store;
    this.#engine = engine;
    this.#time = time;
  }

  /** Those that `wanted` takes, oldest first, as answers show them. Works in slices: there may be many. */
  async list(wanted: (row: JsonObject) => boolean = () => true): Promise<JsonObject[]> {
    const rows: JsonObject[] = [];
    await eachInSlices(this.#store.entries(DELIVERIES), ({ key, value }) => {
      const row = shownDelivery(this.#engine.current(key) ?? deliveryOf(value));
      if (wanted(row)) rows.push(row);
      return undefined;
    });
    return rows;
  }

  /** Throws Problem `not-found`. */
  get(id: string): JsonObject {
    return shownDelivery(this.#engine.current(id) ?? this.#row(id));
  }

  /** Sends it again under its id, with a fresh Timeout. Rejects with Problem `not-found`, or `conflict` while unfinished. */
  async replay(id: string, origin: Origin): Promise<JsonObject> {
    const { result } = await this.#store.transact(origin, (tx) => replayIn(tx, id));
    return shownDelivery(result);
  }

  /** Rejects with Problem `not-found`, or `conflict` when it is finished. */
  async cancel(id: string, origin: Origin): Promise<JsonObject> {
    const row = this.#row(id);
    if (isFinished(row.State))
      throw new Problem('conflict', `Delivery ${id} is ${row.State} already`, { model: DELIVERIES, key: id });
    await this.#engine.cancel(id, row.Machine);
    const { result } = await this.#store.transact(origin, (tx) => {
      const stored = tx.get(DELIVERIES, id);
      if (!stored) throw notFound(id);
      const now = deliveryOf(stored.value);
      // It may have come to its end while we asked it to stop.
      if (isFinished(now.State)) return now;
      const cancelled = ended(now, 'cancelled', this.#time(), 'cancelled');
      tx.put(DELIVERIES, id, packed(cancelled));
      return cancelled;
    });
    return shownDelivery(result);
  }

  /** What a replay of the range would do. */
  async preview(range: ReplayRange): Promise<ReplayPreview> {
    const machines = new Set<string>();
    const callbacks: Record<string, number> = {};
    const rows = await this.#matching(range);
    for (const row of rows) {
      machines.add(row.Machine);
      const name = `${row.Plugin}/${row.Action}`;
      callbacks[name] = (callbacks[name] ?? 0) + 1;
    }
    return {
      Count: rows.length,
      Machines: machines.size,
      Callbacks: callbacks,
      Oldest: rows[0]?.Time ?? '',
      Newest: rows.at(-1)?.Time ?? '',
    };
  }

  /** Replays the range in its order. Resolves to how many; those that are unfinished by then are left alone. */
  async replayRange(range: ReplayRange, origin: Origin): Promise<number> {
    const ids = (await this.#matching(range)).map((row) => row.Id);
    let count = 0;
    for (let i = 0; i < ids.length; i += BATCH) {
      const { result } = await this.#store.transact(origin, (tx) => {
        let replays = 0;
        for (const id of ids.slice(i, i + BATCH)) {
          const stored = tx.get(DELIVERIES, id);
          if (!stored || !matches(deliveryOf(stored.value), range)) continue;
          replayIn(tx, id);
          replays++;
        }
        return replays;
      });
      count += result;
    }
    return count;
  }

  async #matching(range: ReplayRange): Promise<Delivery[]> {
    const rows: Delivery[] = [];
    await eachInSlices(this.#store.entries(DELIVERIES), ({ value }) => {
      const row = deliveryOf(value);
      if (matches(row, range)) rows.push(row);
      return undefined;
    });
    return rows;
  }

  #row(id: string): Delivery {
    const stored = this.#store.get(DELIVERIES, id);
    if (!stored) throw notFound(id);
    return deliveryOf(stored.value);
  }
}
