import type { Clock } from '../ports.ts';

interface Timer {
  readonly at: number;
  readonly ms: number;
  readonly callback: () => void;
}

/** A clock that stands still until it is told to go on. Wall time and monotonic time move apart when `jump` is called. */
export class FakeClock implements Clock {
  #wall = Date.UTC(2026, 0, 1);
  #elapsed = 0;
  readonly #timers = new Set<Timer>();
  readonly #watchers = new Set<() => void>();

  readonly now = (): number => this.#wall;
  readonly monotonic = (): number => this.#elapsed;

  readonly after = (ms: number, callback: () => void): (() => void) => {
    const timer = { at: this.#elapsed + ms, ms, callback };
    this.#timers.add(timer);
    for (const watcher of this.#watchers) watcher();
    return () => this.#timers.delete(timer);
  };

  /** The wall clock is set to another time; nothing that is waited for notices. */
  jump(ms: number): void {
    this.#wall += ms;
  }

  advance(ms: number): void {
    const end = this.#elapsed + ms;
    for (;;) {
      const due = [...this.#timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.#timers.delete(due);
      this.#wall += Math.max(0, due.at - this.#elapsed);
      this.#elapsed = Math.max(this.#elapsed, due.at);
      due.callback();
    }
    this.#wall += end - this.#elapsed;
    this.#elapsed = end;
  }

  /** Resolves as soon as somebody waits for exactly `ms`. */
  timerOf(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (![...this.#timers].some((timer) => timer.ms === ms)) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
      look();
    });
  }
}
