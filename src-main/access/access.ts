/** The service of this room: from credentials to actors, and from actors to tokens. See index.ts for the map. */

import type { TokenInspection } from '../contract/access-answers.ts';
import { Problem } from '../contract/errors.ts';
import { randomText } from '../kit/ids.ts';
import { type Actor, createActor } from './actor.ts';
import { inspectToken } from './inspect.ts';
import {
  type MachineTokenKind,
  machineTokenContent,
  signInContent,
  type TokenRequest,
  userTokenContent,
} from './issue.ts';
import { DEFAULT_COST, type ScryptCost } from './passwords.ts';
import { type AccessReader, secretOf } from './reader.ts';
import { checkToken, resolveToken, resolveUser } from './resolve.ts';
import { RoleBook } from './role-book.ts';
import { createSignIn, type SignInEvent } from './sign-in.ts';
import type { Subject } from './subject.ts';
import { createRateLimit, createThrottle, DEFAULT_LIMITS, type ThrottleLimits } from './throttle.ts';
import { createTokenKeys, type TokenContent, type TokenKeys } from './token-content.ts';

export interface AccessDeps {
  readonly read: AccessReader;
  /** ms since 1970. */
  readonly clock: () => number;
  /** Told of every sign-in with a password, right or wrong. Must not throw. */
  readonly onSignIn: (event: SignInEvent) => void;
  /** Told of dead tokens of users and machines that are there, now and then where they keep coming. Must not throw. */
  readonly onDeadToken?: (event: DeadTokenEvent) => void;
  /**
   * A right password whose hash has other work parameters than today's was hashed anew. Store it without changing
   * Secret, and only while `replaced` is still what is stored.
   */
  readonly onPasswordUpgrade: (user: string, hash: string, replaced: string) => unknown;
  /** Default: `DEFAULT_COST`. */
  readonly cost?: ScryptCost;
  readonly limits?: ThrottleLimits;
  /** Identifier of a token. Default: 16 random characters. */
  readonly randomId?: () => string;
}

/** Where a request came from and went, for records of refusals. */
export interface RequestOrigin {
  readonly requestId: string;
  readonly url: string;
}

/** A token that was ours and is not valid any more was sent. */
export interface DeadTokenEvent extends RequestOrigin {
  readonly scope: 'users' | 'machines';
  /** User name, or uuid of the machine. */
  readonly subject: string;
  readonly sentence: string;
}

export interface IssuedToken {
  readonly token: string;
  /** Roles asked for that were not given. */
  readonly dropped: readonly string[];
  readonly expires: Date;
}

export interface Access {
  /**
   * Who a token acts as. Synchronous; a known token costs one Map lookup, for a machine three. Throws Problem
   * `dead-token`: it is not ours, it expired, or (`Validation failed`, as clients expect) a Secret it rests on changed.
   * `origin`: of the request it came with; left out, its refusal is nobody's to record.
   */
  bearer(token: string, origin?: RequestOrigin): Actor;
  /**
   * Checks a password. `address`: the sender's; `requestId`: for the record of the sign-in. Rejects with Problem `wrong-credentials` (no messages: no body), whatever
   * was wrong, or with `TooManyAttempts`.
   */
  basic(user: string, password: string, address: string, requestId?: string): Promise<Actor>;
  /** The same actor as of now, for whoever holds one over time. Throws Problem `dead-token` once it is no longer valid. */
  renew(actor: Actor): Actor;
  /** A token for a user, granted by the caller (wire-format.md 1.5). See `userTokenContent` for the Problems. */
  issueUserToken(caller: Actor, user: string, request: TokenRequest): IssuedToken;
  /**
   * For template rendering alone; no route may lead here. `subject`: uuid of the machine, or name of the profile;
   * `seconds`: lifetime of a profile token.
   */
  issueMachineToken(kind: MachineTokenKind, subject?: string, seconds?: number): string;
  /** Everything a token says and whether each thing it rests on still holds. Throws nothing. */
  inspect(token: string): TokenInspection;
  /** A user as acting without any narrowing, for explanations; undefined when there is none. */
  subjectOfUser(name: string): Subject | undefined;
}

/** What an actor was made from. */
interface Origin {
  readonly content: TokenContent;
  /** True for the one-use identity of a password, which is no token anybody holds. */
  readonly byPassword: boolean;
}

interface Session {
  readonly content: TokenContent;
  readonly actor: Actor;
  readonly expiresMs: number;
  readonly generation: number;
  /** Of a machine token: what the actor was made from. */
  readonly machine: { readonly secret: string | undefined; readonly address: string | undefined } | undefined;
}

const MOST_SESSIONS = 10_000;
/** Each record of a dead token is a write, and whoever has one may send it as often as it likes. */
const DEAD_TOKENS_PER_MINUTE = 10;

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

function unknownToken(): Problem {
  return new Problem(
    'dead-token',
    'The token is not one of this system, or the Secret of the system was changed since it was issued',
  );
}

export function createAccess(deps: AccessDeps): Access {
  const { read, clock } = deps;
  const cost = deps.cost ?? DEFAULT_COST;
  const book = new RoleBook(read);
  const sessions = new Map<string, Session>();
  /** So that an actor can be renewed; only actors made here have an entry. */
  const origins = new WeakMap<Actor, Origin>();
  let kept: { readonly secret: string; readonly keys: TokenKeys } | undefined;
  const signIn = createSignIn({
    read,
    clock,
    cost,
    throttle: createThrottle(clock, deps.limits ?? DEFAULT_LIMITS),
    onSignIn: deps.onSignIn,
    onPasswordUpgrade: deps.onPasswordUpgrade,
  });

  function keys(): TokenKeys {
    const secret = read.preference('baseTokenSecret') ?? '';
    if (secret === '') throw new Problem('internal', 'The preference baseTokenSecret is not set, so no token is valid');
    if (kept?.secret !== secret) kept = { secret, keys: createTokenKeys(secret) };
    return kept.keys;
  }

  function issueDeps() {
    return { read, keys: keys(), now: clock(), randomId: deps.randomId ?? (() => randomText(16)) };
  }

  function actorOf({ content, byPassword }: Origin): Actor {
    const checks = checkToken(content, clock(), read, keys());
    const failed = checks.find((check) => !check.ok);
    if (failed?.what === 'expiry') throw new Problem('dead-token', `The token ${lowerFirst(failed.sentence)}`);
    const resolved = failed ? undefined : resolveToken(content, read, book);
    if (!resolved) throw new Problem('dead-token', 'Validation failed');
    const actor = createActor(resolved.subject, resolved.compiled, byPassword ? undefined : content);
    origins.set(actor, { content, byPassword });
    return actor;
  }

  function isCurrent(session: Session, generation: number): boolean {
    if (session.generation !== generation) return false;
    if (session.machine === undefined) return true;
    const uuid = session.content.subject;
    return read.machineSecret(uuid) === session.machine.secret && read.machineAddress(uuid) === session.machine.address;
  }

  const mayReport = createRateLimit(clock, DEAD_TOKENS_PER_MINUTE, MOST_SESSIONS);

  /** Unknown tokens and those of nobody go without: anybody can make them up, or have had one. */
  function reportDead({ kind, subject }: TokenContent, origin: RequestOrigin, error: unknown): void {
    const scope = kind === 'user' ? 'users' : 'machines';
    const isThere = kind === 'user' ? read.user(subject) : kind === 'operations' && read.machineSecret(subject);
    if (!(error instanceof Problem) || error.code !== 'dead-token' || isThere === undefined || isThere === false)
      return;
    if (!mayReport(`${scope}/${subject}`)) return;
    deps.onDeadToken?.({
      requestId: origin.requestId,
      url: origin.url,
      scope,
      subject,
      sentence: error.messages.join('; '),
    });
  }

  function open(token: string, origin: RequestOrigin | undefined): Actor {
    sessions.delete(token);
    const generation = read.generation();
    const content = keys().open(token);
    if (!content) throw unknownToken();
    let actor: Actor;
    try {
      actor = actorOf({ content, byPassword: false });
    } catch (error) {
      if (origin) reportDead(content, origin, error);
      throw error;
    }
    const uuid = content.subject;
    const machine =
      content.kind === 'operations'
        ? { secret: read.machineSecret(uuid), address: read.machineAddress(uuid) }
        : undefined;
    if (sessions.size >= MOST_SESSIONS) {
      for (const oldest of sessions.keys()) {
        sessions.delete(oldest);
        break;
      }
    }
    sessions.set(token, { content, actor, expiresMs: content.expires * 1000, generation, machine });
    return actor;
  }

  return {
    bearer(token, origin) {
      const session = sessions.get(token);
      if (session && clock() < session.expiresMs && isCurrent(session, read.generation())) return session.actor;
      return open(token, origin);
    },
    async basic(user, password, address, requestId = '') {
      await signIn.check(user, password, address, requestId);
      const stored = read.user(user);
      if (!stored) throw new Problem('wrong-credentials', []);
      return actorOf({ content: signInContent(user, secretOf(stored.value), issueDeps()), byPassword: true });
    },
    renew(actor) {
      const origin = origins.get(actor);
      return origin ? actorOf(origin) : actor;
    },
    issueUserToken(caller, user, request) {
      const content = userTokenContent(caller, user, request, issueDeps());
      return { token: keys().seal(content), dropped: content.dropped, expires: new Date(content.expires * 1000) };
    },
    issueMachineToken(kind, subject, seconds) {
      return keys().seal(machineTokenContent(kind, subject, seconds, issueDeps()));
    },
    inspect: (token) => inspectToken(token, { read, keys: keys(), now: clock(), book }),
    subjectOfUser: (name) => resolveUser(name, [], read, book)?.subject,
  };
}
