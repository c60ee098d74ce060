/** How long to wait before the next attempt: pure arithmetic in milliseconds. */
import type { Backoff } from './extras.ts';

/**
 * Wait before retry number `retry` (1, 2, ...). Without backoff it is the configured Delay; with it the Delay (1 s when
 * that is 0) grows by the factor up to the maximum, spread by the jitter. `random` is uniform in [0, 1).
 */
export function retryDelay(delaySeconds: number, backoff: Backoff | undefined, retry: number, random: number): number {
  if (!backoff) return delaySeconds * 1000;
  const base = (delaySeconds || 1) * 1000;
  const grown = Math.min(base * backoff.factor ** (retry - 1), Math.max(backoff.maxSeconds * 1000, base));
  return Math.round(grown * (1 + backoff.jitter * (2 * random - 1)));
}

const LONGEST_RETRY_AFTER_MS = 24 * 3600 * 1000;

/**
 * Milliseconds a service asks for in Retry-After: seconds, or a date compared with `now`. Undefined when absent or
 * unreadable; never negative, at most a day.
 */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (text === '') return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_RETRY_AFTER_MS);
}
