/**
 * Whose turn it is: in order per machine, parallel across machines, fair between destinations. Holds references only, a
 * waiting delivery costs one small object.
 *
 * A lane is the queue of one machine; only its head may be under way. Destinations with a head that is ready take turns.
 */

import { Fifo } from './fifo.ts';

export interface Entry {
  readonly id: string;
  readonly machine: string;
  /** What fairness counts: an address, or the callback where the address is only known after rendering. */
  readonly destination: string;
}

type HeadState = 'ready' | 'running' | 'parked';

interface Lane {
  readonly entries: Entry[];
  /** Index of the head; the array is compacted now and then. */
  first: number;
  head: HeadState;
}

interface Destination {
  /** Heads that go there, oldest first. One that was withdrawn meanwhile is passed over. */
  readonly offered: Fifo<Entry>;
  /** Those of them that are ready. */
  ready: number;
  running: number;
}

interface LaneLimits {
  readonly total: number;
  readonly perDestination: number;
}

const COMPACT_AT = 64;

export class Lanes {
  readonly #limits: LaneLimits;
  readonly #lanes = new Map<string, Lane>();
  readonly #destinations = new Map<string, Destination>();
  /** Destinations that may have something to do; the first one is next. */
  readonly #turn = new Set<string>();
  #running = 0;
  #size = 0;

  constructor(limits: LaneLimits) {
    this.#limits = limits;
  }

  /** Entries in all lanes, those under way included. */
  get size(): number {
    return this.#size;
  }

  add(entry: Entry): void {
    this.#size++;
    const lane = this.#lanes.get(entry.machine);
    if (lane) {
      lane.entries.push(entry);
      return;
    }
    this.#lanes.set(entry.machine, { entries: [entry], first: 0, head: 'ready' });
    this.#offer(entry);
  }

  /** The next entry that may run; it is under way from now on. */
  next(): Entry | undefined {
    if (this.#running >= this.#limits.total) return undefined;
    for (const name of this.#turn) {
      this.#turn.delete(name);
      const destination = this.#destinations.get(name);
      if (!destination || destination.running >= this.#limits.perDestination) continue;
      const entry = this.#firstReady(destination);
      if (!entry) continue;
      destination.running++;
      this.#running++;
      if (destination.ready > 0) this.#turn.add(name);
      return entry;
    }
    return undefined;
  }

  #firstReady(destination: Destination): Entry | undefined {
    while (destination.ready > 0) {
      const entry = destination.offered.shift();
      const lane = entry && this.#lanes.get(entry.machine);
      if (lane?.head !== 'ready' || lane.entries[lane.first] !== entry) continue;
      lane.head = 'running';
      destination.ready--;
      return entry;
    }
    return undefined;
  }

  /**
   * The entry under way waits for something: its lane stays closed, its place is free for others. One that was to go on wants
   * no place any more.
   */
  park(entry: Entry): void {
    const lane = this.#lanes.get(entry.machine);
    if (!lane || lane.head === 'parked' || lane.entries[lane.first] !== entry) return;
    const was = lane.head;
    lane.head = 'parked';
    if (was === 'running') this.#free(entry);
    else this.#withdraw(entry);
  }

  /** A parked entry wants to go on; `next` will answer it when there is a place. */
  unpark(entry: Entry): void {
    const lane = this.#lanes.get(entry.machine);
    if (lane?.head !== 'parked' || lane.entries[lane.first] !== entry) return;
    lane.head = 'ready';
    this.#offer(entry);
  }

  /** The head is finished; the next of its lane comes up. */
  done(entry: Entry): void {
    const lane = this.#lanes.get(entry.machine);
    if (!lane || lane.entries[lane.first] !== entry) return;
    if (lane.head === 'running') this.#free(entry);
    else if (lane.head === 'ready') this.#withdraw(entry);
    this.#size--;
    lane.first++;
    const following = lane.entries[lane.first];
    if (!following) {
      this.#lanes.delete(entry.machine);
      return;
    }
    if (lane.first >= COMPACT_AT) {
      lane.entries.splice(0, lane.first);
      lane.first = 0;
    }
    lane.head = 'ready';
    this.#offer(following);
  }

  /** Takes out an entry that has not begun. False when it is not there or under way. */
  remove(machine: string, id: string): boolean {
    const lane = this.#lanes.get(machine);
    const index = lane ? lane.entries.findIndex((entry, i) => i >= lane.first && entry.id === id) : -1;
    const entry = lane?.entries[index];
    if (!lane || !entry) return false;
    if (index === lane.first) {
      if (lane.head !== 'ready') return false;
      this.done(entry);
      return true;
    }
    lane.entries.splice(index, 1);
    this.#size--;
    return true;
  }

  #destination(name: string): Destination {
    let destination = this.#destinations.get(name);
    if (!destination) {
      destination = { offered: new Fifo(), ready: 0, running: 0 };
      this.#destinations.set(name, destination);
    }
    return destination;
  }

  #offer(entry: Entry): void {
    const destination = this.#destination(entry.destination);
    destination.offered.push(entry);
    destination.ready++;
    this.#turn.add(entry.destination);
  }

  #withdraw(entry: Entry): void {
    this.#destination(entry.destination).ready--;
    this.#forgetIfIdle(entry.destination);
  }

  #free(entry: Entry): void {
    this.#running--;
    const destination = this.#destination(entry.destination);
    destination.running--;
    if (destination.ready > 0) this.#turn.add(entry.destination);
    this.#forgetIfIdle(entry.destination);
  }

  #forgetIfIdle(name: string): void {
    const destination = this.#destinations.get(name);
    if (!destination || destination.running > 0 || destination.ready > 0) return;
    this.#destinations.delete(name);
    this.#turn.delete(name);
  }
}
