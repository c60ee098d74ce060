/** A number of places; who comes when all are taken waits in line. */
import { Fifo } from './fifo.ts';
import { type Stop, Stopped } from './stop.ts';

interface Waiting {
  /** Undefined: does not wait any more. */
  call: (() => void) | undefined;
}

class Gate {
  #free: number;
  readonly #line = new Fifo<Waiting>();

  constructor(places: number) {
    this.#free = places;
  }

  /** Takes a place if there is one; whoever waits has none to give away. */
  tryEnter(): boolean {
    if (this.#free === 0) return false;
    this.#free--;
    return true;
  }

  /** Resolves with a place. Rejects with Stopped; then there is none to leave. */
  enter(stop: Stop): Promise<void> {
    if (stop.reason !== undefined) return Promise.reject(new Stopped(stop.reason));
    if (this.tryEnter()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        call: () => {
          waiting.call = undefined;
          off();
          resolve();
        },
      };
      this.#line.push(waiting);
      const off = stop.on((reason) => {
        waiting.call = undefined;
        reject(new Stopped(reason));
      });
    });
  }

  leave(): void {
    while (this.#line.length > 0) {
      const call = this.#line.shift()?.call;
      if (!call) continue;
      call();
      return;
    }
    this.#free++;
  }
}

/** Places for requests under way: over all destinations, and towards each. Who waits for one destination keeps no place of others. */
export class Wire {
  readonly #all: Gate;
  readonly #perDestination: number;
  readonly #gates = new Map<string, { readonly gate: Gate; users: number }>();

  constructor(total: number, perDestination: number) {
    this.#all = new Gate(total);
    this.#perDestination = perDestination;
  }

  /** Answers a place at once, or resolves with one; call what it answers to leave it. Stopped is thrown, or rejected with. */
  enter(destination: string, stop: Stop): (() => void) | Promise<() => void> {
    if (stop.reason !== undefined) throw new Stopped(stop.reason);
    let own = this.#gates.get(destination);
    if (!own) {
      own = { gate: new Gate(this.#perDestination), users: 0 };
      this.#gates.set(destination, own);
    }
    const { gate } = own;
    own.users++;
    if (!gate.tryEnter()) return this.#wait(destination, gate, stop);
    return this.#all.tryEnter() ? this.#leave(destination, gate) : this.#waitForAll(destination, gate, stop);
  }

  async #wait(destination: string, gate: Gate, stop: Stop): Promise<() => void> {
    try {
      await gate.enter(stop);
    } catch (error) {
      this.#forget(destination);
      throw error;
    }
    return this.#all.tryEnter() ? this.#leave(destination, gate) : this.#waitForAll(destination, gate, stop);
  }

  async #waitForAll(destination: string, gate: Gate, stop: Stop): Promise<() => void> {
    try {
      await this.#all.enter(stop);
    } catch (error) {
      gate.leave();
      this.#forget(destination);
      throw error;
    }
    return this.#leave(destination, gate);
  }

  #leave(destination: string, gate: Gate): () => void {
    return () => {
      this.#all.leave();
      gate.leave();
      this.#forget(destination);
    };
  }

  #forget(destination: string): void {
    const own = this.#gates.get(destination);
    if (own && --own.users === 0) this.#gates.delete(destination);
  }
}
