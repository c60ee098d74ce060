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
