/**
 * Keeps deliveries moving. Waiting rows come in by two roads only: the recovery at the start and the commits seen since;
 * lanes say whose turn it is; a Run takes one delivery to its end. A replay is a row that became waiting again.
 */

import { type Delivery, type DeliveryState, isFinished } from '../contract/deliveries.ts';
import { type Commit, type Stored, StoreError } from '../store/index.ts';
import { claimed, removeClaims } from './claims.ts';
import type { ConfigBook } from './config-book.ts';
import { type DeliverDeps, type Delivered, Run } from './deliver.ts';
import type { DeliveryIds } from './delivery-ids.ts';
import { Wire } from './gate.ts';
import { type Entry, Lanes } from './lanes.ts';
import type { Counts } from './metrics.ts';
import { RECORDER } from './recorder.ts';
import { attemptStarted, DELIVERIES, deliveryOf, headOf, packed, stateOf } from './records.ts';
import { RETENTION, sweepDeliveries } from './retention.ts';
import { eachInSlices } from './slices.ts';
import { type Stop, Stopped } from './stop.ts';

/** Deliveries whose start is being recorded while others are on the wire: the disk and the network work side by side. */
const AHEAD = 96;
/** After the store refused a record. */
const REFUSED_PAUSE_MS = 1_000;
const SWEEP_EVERY_MS = 10 * 60_000;
/** Finished deliveries between two looks at the retention. */
const SWEEP_EVERY_COUNT = 1_000;
/** Params of plugins rest on these. */
const CONFIG_PREFIXES = new Set(['plugins', 'params', 'contents', 'preferences']);

/** Emptied at the end: tables that the map of these has outgrown outlive it (see fifo.ts). */
interface Active {
  run: Run | undefined;
  done: Promise<Delivered> | undefined;
}

export class Engine {
  readonly #deps: DeliverDeps;
  readonly #ids: DeliveryIds;
  readonly #lanes: Lanes;
  readonly #wire: Wire;
  readonly #active = new Map<string, Active>();
  /** How to tell a parked run that it has a place again. */
  readonly #wakes = new Map<string, () => void>();
  /** Cancelled before their turn; a run must not begin any more. */
  readonly #withdrawn = new Set<string>();
  readonly #counts: Record<DeliveryState, number> = { waiting: 0, sending: 0, held: 0, ok: 0, failed: 0, cancelled: 0 };
  #recovering: Delivery[] | undefined;
  #closing = false;
  #holding = false;
  #finishedSinceSweep = 0;
  #sweeping = false;
  #unwatch: () => void = () => undefined;
  #cancelSweep: () => void = () => undefined;

  constructor(deps: DeliverDeps, ids: DeliveryIds) {
    this.#deps = deps;
    this.#ids = ids;
    const { concurrency, perDestination } = deps.ports.settings;
    this.#lanes = new Lanes({ total: concurrency + AHEAD, perDestination: perDestination + AHEAD });
    this.#wire = new Wire(concurrency, perDestination);
    deps.recorder.onState = (from, to) => this.#counted(from, to);
  }

  get counts(): Counts {
    return this.#counts;
  }

  /** Queued or under way. */
  get queued(): number {
    return this.#lanes.size;
  }

  /** While held nothing new is sent for events; what is under way goes on, and actions are not concerned. */
  hold(on: boolean): void {
    this.#holding = on;
    this.#pump();
  }

  /** A delivery under way as it is now. */
  current(id: string): Delivery | undefined {
    return this.#active.get(id)?.run?.row;
  }

  /** Takes up what an earlier life left behind and everything that comes. Resolves when the recovery has read all rows. */
  start(): Promise<void> {
    const { store } = this.#deps.ports;
    this.#recovering = [];
    // One turn of the event loop: no row can slip between the subscription and the snapshot.
    this.#unwatch = store.watch((commit) => this.#seen(commit));
    const snapshot = store.entries(DELIVERIES);
    const open = claimed(store);
    this.#scheduleSweep();
    return this.#recover(snapshot, open);
  }

  /** Waits up to `drainMs` for attempts under way, then breaks off; what is unfinished goes on at the next start. */
  async stop(drainMs: number): Promise<void> {
    this.#closing = true;
    this.#unwatch();
    this.#cancelSweep();
    const all = [...this.#active.values()];
    for (const { run } of all) if (run && run.row.State !== 'sending') run.stop.trigger('shutdown');
    const ends = Promise.allSettled(all.map(({ done }) => done));
    let disarm = (): void => undefined;
    const late = new Promise<void>((resolve) => {
      disarm = this.#deps.ports.clock.after(drainMs, resolve);
    });
    await Promise.race([ends, late]);
    disarm();
    for (const { run } of this.#active.values()) run?.stop.trigger('shutdown');
    await ends;
  }

  /** Runs a delivery for a caller who waits, beside the lanes. Rejects when the store refuses its record. */
  async deliverNow(row: Delivery): Promise<Delivered> {
    const run = new Run(this.#deps, row, {
      kind: 'action',
      pausing: () => {
        if (this.#closing) run.stop.trigger('shutdown');
      },
      resume: () => Promise.resolve(),
      concluded: () => undefined,
      enter: () => Promise.resolve(() => undefined),
    });
    if (this.#closing) run.stop.trigger('shutdown');
    return this.#track(row.Id, run);
  }

  /** Ends a delivery that is queued or under way. Resolves when its record says so, or at once when it is neither. */
  async cancel(id: string, machine: string): Promise<void> {
    const active = this.#active.get(id);
    if (active) {
      active.run?.stop.trigger('cancelled');
      await active.done?.catch(() => undefined);
      return;
    }
    this.#withdrawn.add(id);
    if (this.#lanes.remove(machine, id)) this.#withdrawn.delete(id);
  }

  // ---- what comes in

  #seen({ actor, changes }: Commit): void {
    for (const change of changes) {
      if (CONFIG_PREFIXES.has(change.prefix)) this.#deps.book.changed();
      if (change.prefix !== DELIVERIES || actor === RECORDER || actor === RETENTION) continue;
      const was = change.before && stateOf(change.before);
      const is = change.after && stateOf(change.after);
      this.#counted(was, is);
      if (!change.after || is !== 'waiting' || (was && !isFinished(was))) continue;
      // Whatever was cancelled before is waiting anew.
      this.#withdrawn.delete(change.key);
      if (this.#recovering) this.#recovering.push(deliveryOf(change.after));
      else this.#enqueue(deliveryOf(change.after));
    }
    this.#pump();
  }

  #counted(from: DeliveryState | undefined, to: DeliveryState | undefined): void {
    if (from) this.#counts[from]--;
    if (to) this.#counts[to]++;
    if (to && isFinished(to) && ++this.#finishedSinceSweep >= SWEEP_EVERY_COUNT) void this.#sweep();
  }

  /** In slices: there may be many rows, and the service is starting. Newer rows queue up behind the older ones. */
  async #recover(rows: Iterable<Stored>, open: ReadonlyMap<string, number>): Promise<void> {
    let unfinished = 0;
    await eachInSlices(rows, (stored) => {
      const { state } = headOf(stored);
      this.#counts[state]++;
      this.#ids.after(stored.key);
      if (isFinished(state)) return undefined;
      this.#enqueue(deliveryOf(stored.value));
      unfinished++;
      return undefined;
    });
    if (open.size > 0) await this.#interrupt(open);
    for (const row of this.#recovering ?? []) this.#enqueue(row);
    this.#recovering = undefined;
    if (unfinished > 0)
      this.#deps.ports.log.info({ deliveries: unfinished }, 'unfinished deliveries are taken up again');
    this.#pump();
  }

  /** Attempts that had begun when the process ended become part of their deliveries; the claims have served. */
  async #interrupt(open: ReadonlyMap<string, number>): Promise<void> {
    const { store, clock } = this.#deps.ports;
    const time = new Date(clock.now()).toISOString();
    await store.transact({ actor: 'callbacks/recovery', requestId: '' }, (tx) => {
      for (const [id, attempts] of open) {
        const stored = tx.get(DELIVERIES, id);
        if (!stored || isFinished(stateOf(stored.value))) continue;
        let row = deliveryOf(stored.value);
        for (let i = 0; i < attempts; i++) row = attemptStarted(row, time);
        tx.put(DELIVERIES, id, packed(row));
      }
      removeClaims(tx);
    });
  }

  #enqueue(row: Delivery): void {
    this.#lanes.add({ id: row.Id, machine: row.Machine, destination: destinationOf(this.#deps.book, row) });
  }

  // ---- what goes out

  #pump(): void {
    if (this.#closing || this.#holding || this.#recovering) return;
    for (let entry = this.#lanes.next(); entry; entry = this.#lanes.next()) {
      const wake = this.#wakes.get(entry.id);
      this.#wakes.delete(entry.id);
      if (wake) wake();
      else void this.#drive(entry);
    }
  }

  async #drive(entry: Entry): Promise<void> {
    const finish = (): void => {
      this.#lanes.done(entry);
      this.#pump();
    };
    const stored = this.#deps.ports.store.get(DELIVERIES, entry.id);
    const withdrawn = this.#withdrawn.delete(entry.id);
    if (withdrawn || !stored || isFinished(headOf(stored).state)) {
      finish();
      return;
    }
    const run = new Run(this.#deps, deliveryOf(stored.value), {
      kind: 'event',
      pausing: () => {
        if (this.#closing) run.stop.trigger('shutdown');
        this.#lanes.park(entry);
        this.#pump();
      },
      resume: () => this.#place(entry, run.stop),
      concluded: finish,
      enter: (stop) => this.#wire.enter(entry.destination, stop),
    });
    try {
      await this.#track(entry.id, run);
    } catch (error) {
      if (this.#closing) return;
      const { log } = this.#deps.ports;
      if (!(error instanceof StoreError)) {
        // Again and again it would be the same; the next start takes it up.
        log.error({ err: error, delivery: entry.id }, 'a delivery broke off');
        finish();
        return;
      }
      log.error({ err: error, delivery: entry.id }, 'a delivery could not be recorded and waits');
      this.#lanes.park(entry);
      this.#pump();
      this.#deps.ports.clock.after(REFUSED_PAUSE_MS, () => {
        this.#lanes.unpark(entry);
        this.#pump();
      });
    }
  }

  /** Resolves when a parked run has a place again. Rejects with Stopped: who waits here may have to be told to end. */
  #place(entry: Entry, stop: Stop): Promise<void> {
    if (stop.reason !== undefined) return Promise.reject(new Stopped(stop.reason));
    return new Promise((resolve, reject) => {
      const off = stop.on((reason) => {
        this.#wakes.delete(entry.id);
        // At once, so that nobody begins it anew while its run comes to its end.
        this.#lanes.park(entry);
        reject(new Stopped(reason));
      });
      this.#wakes.set(entry.id, () => {
        off();
        resolve();
      });
      this.#lanes.unpark(entry);
      this.#pump();
    });
  }

  async #track(id: string, run: Run): Promise<Delivered> {
    const done = run.deliver();
    const active: Active = { run, done };
    this.#active.set(id, active);
    try {
      return await done;
    } finally {
      this.#active.delete(id);
      active.run = undefined;
      active.done = undefined;
    }
  }

  // ---- retention

  #scheduleSweep(): void {
    this.#cancelSweep = this.#deps.ports.clock.after(SWEEP_EVERY_MS, () => {
      this.#deps.http.pools.sweep();
      this.#deps.auth.sweep();
      void this.#sweep();
      this.#scheduleSweep();
    });
  }

  async #sweep(): Promise<void> {
    if (this.#sweeping || this.#closing) return;
    this.#sweeping = true;
    this.#finishedSinceSweep = 0;
    const { store, settings, clock, log } = this.#deps.ports;
    try {
      await sweepDeliveries(store, settings, clock.now(), (state) => void this.#counts[state]--);
    } catch (error) {
      log.warn({ err: error }, 'old deliveries could not be removed');
    } finally {
      this.#sweeping = false;
    }
  }
}

/** The address where it is known without rendering, otherwise the callback: what fairness goes by. */
function destinationOf(book: ConfigBook, row: Delivery): string {
  const url = book.get(row.Plugin)?.config.callbacks.get(row.Action)?.url ?? '';
  const address = /^https?:\/\/[^/?#{}]+/i.exec(url)?.[0];
  return address ?? `${row.Plugin} ${row.Action}`;
}
