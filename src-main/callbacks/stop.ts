/** Why work on a delivery ends before it is done. */
import type { Clock } from './ports.ts';

export type StopReason = 'timeout' | 'cancelled' | 'shutdown' | 'unwanted';

/** One signal for deadline, cancellation and shutdown: the first reason wins, everything that waits hears it once. */
export class Stop {
  #reason: StopReason | undefined;
  readonly #listeners = new Set<(reason: StopReason) => void>();

  get reason(): StopReason | undefined {
    return this.#reason;
  }

  /** Calls back at once when already stopped. Answers how to stop listening. */
  on(listener: (reason: StopReason) => void): () => void {
    if (this.#reason !== undefined) {
      listener(this.#reason);
      return () => undefined;
    }
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  trigger(reason: StopReason): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener(reason);
  }
}

/** Thrown by waits that a Stop ended. */
export class Stopped extends Error {
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(`stopped: ${reason}`);
    this.name = 'Stopped';
    this.reason = reason;
  }
}

/** Resolves after `ms`; rejects with Stopped when `stop` comes first. */
export function pause(clock: Clock, ms: number, stop: Stop): Promise<void> {
  if (stop.reason !== undefined) return Promise.reject(new Stopped(stop.reason));
  if (ms <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const disarm = clock.after(ms, () => {
      off();
      resolve();
    });
    const off = stop.on((reason) => {
      disarm();
      reject(new Stopped(reason));
    });
  });
}

/** `work`, or Stopped as soon as `stop` comes; the work itself goes on unheard. */
export function unlessStopped<T>(work: Promise<T>, stop: Stop): Promise<T> {
  return new Promise((resolve, reject) => {
    const off = stop.on((reason) => reject(new Stopped(reason)));
    work.then(resolve, reject).finally(off);
  });
}
