import type { Clock } from './ports.ts';

/** Longest delay a timer of the platform takes; longer ones are made of several. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** The real clock. Timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, callback) {
    let timer: NodeJS.Timeout;
    const arm = (rest: number): void => {
      timer = setTimeout(
        () => (rest > LONGEST_TIMER ? arm(rest - LONGEST_TIMER) : callback()),
        Math.min(Math.max(rest, 0), LONGEST_TIMER),
      );
      timer.unref();
    };
    arm(ms);
    return () => clearTimeout(timer);
  },
};

let last = { ms: Number.NaN, text: '' };

/** RFC 3339 of milliseconds since 1970. Most are asked for several times in the same millisecond. */
export function timeText(ms: number): string {
  if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() };
  return last.text;
}
