/**
 * Signing in with user name and password (wire-format.md 1.4).
 *
 *   remembered pair?  right a moment ago and the stored hash is the same   -> in, without scrypt
 *   throttle          too many failures from this sender or for this name  -> 429
 *   scrypt            also for users that do not exist, same work          -> 403, the same for every cause
 *   look again        the user may have changed while scrypt ran           -> 403
 *   outdated work parameters -> hashed anew in the background
 *
 * Clients that sign in with every request are why right pairs are remembered: for a minute, as a keyed digest that
 * only this process can make. The same pair under way twice is checked once.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { Problem } from '../contract/errors.ts';
import { hashPassword, type ScryptCost, verifyPassword } from './passwords.ts';
import { type AccessReader, passwordHashOf } from './reader.ts';
import { addressGroup, type Throttle, TooManyAttempts } from './throttle.ts';

/** What became of a sign-in, for the audit. Never holds a password. */
export interface SignInEvent {
  /** As sent, cut to 256 characters. */
  readonly user: string;
  readonly address: string;
  readonly outcome: 'ok' | 'wrong-credentials' | 'throttled';
}

export interface SignInDeps {
  readonly read: Pick<AccessReader, 'user'>;
  readonly clock: () => number;
  readonly cost: ScryptCost;
  readonly throttle: Throttle;
  readonly onSignIn: (event: SignInEvent) => void;
  /** `replaced` is the hash that was verified: store the new one only while that is still the one stored. */
  readonly onPasswordUpgrade: (user: string, hash: string, replaced: string) => unknown;
}

export interface SignIn {
  /** Rejects with Problem `wrong-credentials` (no messages: the answer has no body) or `TooManyAttempts`. */
  check(user: string, password: string, address: string): Promise<void>;
  forget(): void;
}

const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 1_000;

function rememberIn<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  const oldest = map.size > MOST_REMEMBERED ? map.keys().next().value : undefined;
  if (oldest !== undefined) map.delete(oldest);
}

export function createSignIn(deps: SignInDeps): SignIn {
  const digestKey = randomBytes(32);
  const right = new Map<string, { readonly hash: string; readonly until: number }>();
  /** Sender and user pairs that signed in before. */
  const known = new Map<string, true>();
  const underWay = new Map<string, Promise<boolean>>();

  const digest = (user: string, password: string): string =>
    createHmac('sha256', digestKey)
      .update(JSON.stringify([user, password]))
      .digest('base64');
  const storedHash = (user: string): string | undefined => {
    const stored = deps.read.user(user);
    const hash = stored && passwordHashOf(stored.value);
    return hash === '' ? undefined : hash;
  };

  async function upgrade(user: string, password: string, replaced: string): Promise<void> {
    try {
      await deps.onPasswordUpgrade(user, await hashPassword(password, deps.cost), replaced);
    } catch {
      // The sign-in was right either way; the next one tries again.
    }
  }

  async function verify(user: string, password: string): Promise<boolean> {
    const before = storedHash(user);
    const { ok, upgrade: outdated } = await verifyPassword(password, before, deps.cost);
    if (!ok || before === undefined || storedHash(user) !== before) return false;
    rememberIn(right, digest(user, password), { hash: before, until: deps.clock() + REMEMBERED_MS });
    if (outdated) void upgrade(user, password, before);
    return true;
  }

  async function throttled(user: string, password: string, address: string): Promise<boolean> {
    const pair = JSON.stringify([user, addressGroup(address)]);
    const attempt = await deps.throttle.admit(address, known.has(pair) ? undefined : user);
    let ok = false;
    try {
      ok = await verify(user, password);
    } finally {
      if (ok) attempt.succeeded();
      else attempt.failed();
    }
    if (ok) rememberIn(known, pair, true);
    return ok;
  }

  return {
    async check(user, password, address) {
      const report = (outcome: SignInEvent['outcome']): void =>
        deps.onSignIn({ user: user.slice(0, 256), address, outcome });
      const key = digest(user, password);
      const memory = right.get(key);
      if (memory && deps.clock() < memory.until && memory.hash === storedHash(user)) return report('ok');
      // The sender is part of it: another one's failures must not be shared with this one.
      const shared = `${key} ${address}`;
      const running = underWay.get(shared) ?? throttled(user, password, address);
      underWay.set(shared, running);
      try {
        const ok = await running;
        report(ok ? 'ok' : 'wrong-credentials');
        if (!ok) throw new Problem('wrong-credentials', []);
      } catch (error) {
        if (error instanceof TooManyAttempts) report('throttled');
        throw error;
      } finally {
        underWay.delete(shared);
      }
    },
    forget() {
      right.clear();
      known.clear();
      deps.throttle.forget();
    },
  };
}
