/** The `ttl` of a token request (wire-format.md 1.5). The wording of the errors is compared by clients. */
import { Problem } from '../contract/errors.ts';
import { quote } from '../kit/go-quote.ts';

const DEFAULT_TTL_SECONDS = 3600;
/** Beyond this an expiry no longer fits what clients can read as a time. */
export const LONGEST_TTL_SECONDS = 100 * 365 * 86_400;

const INT64 = 2n ** 63n;

/** Lifetime in seconds; absent or empty means the default. Throws Problem `bad-request` (Model users, Key the user). */
export function readTtl(ttl: string | undefined, user: string): number {
  if (ttl === undefined || ttl === '') return DEFAULT_TTL_SECONDS;
  const refuse = (message: string): Problem => new Problem('bad-request', message, { model: 'users', key: user });
  if (!/^[+-]?[0-9]+$/.test(ttl)) throw refuse(`strconv.ParseInt: parsing ${quote(ttl)}: invalid syntax`);
  const seconds = ttl.length > 30 ? (ttl.startsWith('-') ? -INT64 - 1n : INT64) : BigInt(ttl.replace('+', ''));
  if (seconds >= INT64 || seconds < -INT64) {
    throw refuse(`strconv.ParseInt: parsing ${quote(ttl)}: value out of range`);
  }
  if (seconds <= 0n) throw refuse(`ttl must be at least 1 second, not ${ttl}`);
  if (seconds > BigInt(LONGEST_TTL_SECONDS)) {
    throw refuse(`ttl must be at most ${LONGEST_TTL_SECONDS} seconds (100 years), not ${ttl}`);
  }
  return Number(seconds);
}
