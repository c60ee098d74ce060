/**
 * Slows down guessing. Only failed sign-ins count, by address and by user name; right ones and authorised requests
 * are never limited.
 *
 *   each address and each user has a bucket that holds `limit` failures and leaks them evenly over a minute
 *   a sign-in is admitted while failures + sign-ins under way leave room
 *   no room because of failures: refused, with the time after which there is room again
 *   no room because of sign-ins under way: it waits for one to end, since those may well be right
 *
 * Buckets are kept for a bounded number of keys; the oldest go first.
 */
import { Problem } from '../contract/errors.ts';

/** Refusal of a sign-in, with the number of whole seconds to wait (header Retry-After). */
export class TooManyAttempts extends Problem {
  constructor(retryAfterSeconds: number) {
    super('too-many-attempts', `Too many failed sign-ins. Try again in ${retryAfterSeconds} s`, { retryAfterSeconds });
  }
}

export interface ThrottleLimits {
  /** Failures per minute and address. */
  readonly perAddress: number;
  /** Failures per minute and user name, from all addresses together. */
  readonly perUser: number;
  /** Addresses, and likewise user names, remembered at most. */
  readonly keys: number;
  /** Sign-ins that may wait at the same time. */
  readonly waiting: number;
}

export const DEFAULT_LIMITS: ThrottleLimits = { perAddress: 10, perUser: 20, keys: 10_000, waiting: 1_000 };

/** One admitted sign-in; exactly one of the two must be called when its outcome is known. */
export interface Attempt {
  failed(): void;
  succeeded(): void;
}

export interface Throttle {
  /**
   * Resolves when the sign-in may be tried. Rejects with `TooManyAttempts`. Without a user only the address counts: for
   * senders this user has signed in from before, whom strangers guessing at the same name must not lock out.
   */
  admit(address: string, user: string | undefined): Promise<Attempt>;
}

interface Bucket {
  readonly limit: number;
  failures: number;
  /** When `failures` was last brought up to date, ms. */
  at: number;
  underWay: number;
}

const WINDOW_MS = 60_000;

function leak(bucket: Bucket, now: number): void {
  const passed = Math.max(0, now - bucket.at);
  bucket.failures = Math.max(0, bucket.failures - (passed * bucket.limit) / WINDOW_MS);
  bucket.at = now;
}

function secondsUntilRoom(bucket: Bucket): number {
  const excess = bucket.failures + 1 - bucket.limit;
  return excess <= 0 ? 0 : Math.max(1, Math.ceil((excess * WINDOW_MS) / bucket.limit / 1000));
}

/** IPv4 as it is, also when written inside IPv6; IPv6 by its /64, of which one sender has every address. */
export function addressGroup(address: string): string {
  const mapped = /^::ffff:([0-9.]+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  if (!address.includes(':')) return address;
  const [head = '', tail] = (address.split('%')[0] ?? '').toLowerCase().split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const filled =
    tail === undefined
      ? first
      : [...first, ...Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0'), ...last];
  return filled
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}

class Buckets {
  readonly #limit: number;
  readonly #most: number;
  readonly #byKey = new Map<string, Bucket>();

  constructor(limit: number, most: number) {
    this.#limit = limit;
    this.#most = most;
  }

  take(key: string, now: number): Bucket {
    const bucket = this.#byKey.get(key) ?? { limit: this.#limit, failures: 0, at: now, underWay: 0 };
    leak(bucket, now);
    // Put again at the end: the first in the map is the one not asked for the longest.
    this.#byKey.delete(key);
    this.#byKey.set(key, bucket);
    if (this.#byKey.size > this.#most) {
      for (const [oldest, { underWay }] of this.#byKey) {
        if (underWay > 0) continue;
        this.#byKey.delete(oldest);
        break;
      }
    }
    return bucket;
  }
}

/** Lets so many things of one key through in a minute, spread evenly; for what must not be done without end on anybody's asking. */
export function createRateLimit(clock: () => number, perMinute: number, keys: number): (key: string) => boolean {
  const buckets = new Buckets(perMinute, keys);
  return (key) => {
    const bucket = buckets.take(key, clock());
    if (secondsUntilRoom(bucket) > 0) return false;
    bucket.failures++;
    return true;
  };
}

export function createThrottle(clock: () => number, limits: ThrottleLimits = DEFAULT_LIMITS): Throttle {
  const addresses = new Buckets(limits.perAddress, limits.keys);
  const users = new Buckets(limits.perUser, limits.keys);
  let ended: (() => void)[] = [];

  const settle = (buckets: readonly Bucket[], failed: boolean): void => {
    const now = clock();
    for (const bucket of buckets) {
      bucket.underWay--;
      leak(bucket, now);
      if (failed) bucket.failures++;
    }
    const woken = ended;
    ended = [];
    for (const wake of woken) wake();
  };

  return {
    async admit(address, user) {
      for (;;) {
        const now = clock();
        const buckets = [addresses.take(addressGroup(address), now)];
        if (user !== undefined) buckets.push(users.take(user.slice(0, 256), now));
        const wait = Math.max(...buckets.map(secondsUntilRoom));
        if (wait > 0) throw new TooManyAttempts(wait);
        if (buckets.every((bucket) => bucket.failures + bucket.underWay + 1 <= bucket.limit)) {
          for (const bucket of buckets) bucket.underWay++;
          return { failed: () => settle(buckets, true), succeeded: () => settle(buckets, false) };
        }
        if (ended.length >= limits.waiting) throw new TooManyAttempts(1);
        await new Promise<void>((resolve) => ended.push(resolve));
      }
    },
  };
}
