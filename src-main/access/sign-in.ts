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
  /** The request that carried the password. */
  readonly requestId: string;
}

interface SignInDeps {
  readonly read: Pick<AccessReader, 'user'>;
  readonly clock: () => number;
  readonly cost: ScryptCost;
  readonly throttle: Throttle;
  readonly onSignIn: (event: SignInEvent) => void;
  /** `replaced` is the hash that was verified: store the new one only while that is still the one stored. */
  readonly onPasswordUpgrade: (user: string, hash: string, replaced: string) => unknown;
}

interface SignIn {
  /** Rejects with Problem `wrong-credentials` (no messages: the answer has no body) or `TooManyAttempts`. */
  check(user: string, password: string, address: string, requestId: string): Promise<void>;
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
  /** By pair and sender: what one sender got right is no answer for the guesses of another. */
  const right = new Map<string, { readonly hash: string; readonly until: number; readonly sender: string }>();
  /** Sender and user pairs that signed in before. */
  const known = new Map<string, true>();
  const underWay = new Map<string, Promise<boolean>>();

  const digest = (user: string, password: string, sender: string): string =>
    createHmac('sha256', digestKey)
      .update(JSON.stringify([user, password, sender]))
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

  const senderOf = (user: string, address: string): string => JSON.stringify([user, addressGroup(address)]);

  /** Whoever guesses faster than allowed must not be able to tell a right guess from a wrong one by what is remembered. */
  function forgetRight(sender: string): void {
    for (const [key, memory] of right) if (memory.sender === sender) right.delete(key);
  }

  /** The stored hash that the password was right for. */
  async function verify(user: string, password: string): Promise<string | undefined> {
    const before = storedHash(user);
    const { ok, upgrade: outdated } = await verifyPassword(password, before, deps.cost);
    if (!ok || before === undefined || storedHash(user) !== before) return undefined;
    if (outdated) void upgrade(user, password, before);
    return before;
  }

  async function throttled(user: string, password: string, address: string): Promise<boolean> {
    const sender = senderOf(user, address);
    const attempt = await deps.throttle.admit(address, known.has(sender) ? undefined : user);
    let hash: string | undefined;
    try {
      hash = await verify(user, password);
    } finally {
      if (hash === undefined) attempt.failed();
      else attempt.succeeded();
    }
    if (hash === undefined) return false;
    rememberIn(known, sender, true);
    rememberIn(right, digest(user, password, sender), { hash, until: deps.clock() + REMEMBERED_MS, sender });
    return true;
  }

  return {
    async check(user, password, address, requestId) {
      const report = (outcome: SignInEvent['outcome']): void =>
        deps.onSignIn({ user: user.slice(0, 256), address, outcome, requestId });
      const sender = senderOf(user, address);
      const key = digest(user, password, sender);
      const memory = right.get(key);
      if (memory && deps.clock() < memory.until && memory.hash === storedHash(user)) return report('ok');
      const running = underWay.get(key) ?? throttled(user, password, address);
      underWay.set(key, running);
      try {
        const ok = await running;
        report(ok ? 'ok' : 'wrong-credentials');
        if (!ok) throw new Problem('wrong-credentials', []);
      } catch (error) {
        if (error instanceof TooManyAttempts) {
          forgetRight(sender);
          report('throttled');
        }
        throw error;
      } finally {
        underWay.delete(key);
      }
    },
  };
}
