/** Per millisecond of work on the caller's thread, how long others may have it when they want it. */
const REST_PER_WORK = 12;
/** Less work than this between two batches disturbs nobody. */
const IGNORED_WORK_MS = 0.1;
const MAX_REST_MS = 5;
/** A turn of the event loop in which others took less than this had nothing else to do. */
const IDLE_TURN_MS = 0.05;

/**
 * Keeps a flood of writes from taking the thread away from readers: between two batches the others get most of it.
 * When nobody else wants the thread, the rest ends after one turn of the event loop. Times are in milliseconds.
 */
export class Pace {
  #worked = 0;
  #restUntil = 0;
  #turnStarted = 0;
  #workedAtTurn = 0;

  /** The store has kept the thread busy this long. */
  work(ms: number): void {
    this.#worked += ms;
  }

  /** A batch was handed over at `now`. */
  sent(now: number): void {
    this.#restUntil = this.#worked < IGNORED_WORK_MS ? 0 : now + Math.min(this.#worked * REST_PER_WORK, MAX_REST_MS);
    this.#worked = 0;
    this.#turnStarted = 0;
  }

  /** True: the next batch waits; ask again in the next turn of the event loop. */
  rests(now: number): boolean {
    if (now >= this.#restUntil) return false;
    const own = this.#worked - this.#workedAtTurn;
    const idle = this.#turnStarted > 0 && now - this.#turnStarted - own < IDLE_TURN_MS;
    this.#turnStarted = now;
    this.#workedAtTurn = this.#worked;
    return !idle;
  }
}
