/** A number of places; who comes when all are taken waits in line. */
import { type Stop, Stopped } from './stop.ts';

export class Gate {
  #free: number;
  readonly #line = new Set<() => void>();

  constructor(places: number) {
    this.#free = places;
  }

  /** Resolves with a place. Rejects with Stopped; then there is none to leave. */
  enter(stop: Stop): Promise<void> {
    if (stop.reason !== undefined) return Promise.reject(new Stopped(stop.reason));
    if (this.#free > 0) {
      this.#free--;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const call = (): void => {
        off();
        resolve();
      };
      this.#line.add(call);
      const off = stop.on((reason) => {
        this.#line.delete(call);
        reject(new Stopped(reason));
      });
    });
  }

  leave(): void {
    for (const call of this.#line) {
      this.#line.delete(call);
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

  /** Resolves with a place; call what it answers to leave it. Rejects with Stopped. */
  async enter(destination: string, stop: Stop): Promise<() => void> {
    let own = this.#gates.get(destination);
    if (!own) {
      own = { gate: new Gate(this.#perDestination), users: 0 };
      this.#gates.set(destination, own);
    }
    const { gate } = own;
    own.users++;
    try {
      await gate.enter(stop);
    } catch (error) {
      this.#forget(destination);
      throw error;
    }
    const leave = (): void => {
      gate.leave();
      this.#forget(destination);
    };
    try {
      await this.#all.enter(stop);
    } catch (error) {
      leave();
      throw error;
    }
    return () => {
      this.#all.leave();
      leave();
    };
  }

  #forget(destination: string): void {
    const own = this.#gates.get(destination);
    if (own && --own.users === 0) this.#gates.delete(destination);
  }
}
