/**
 * Making token contents (wire-format.md 1.5 and 5.8): what was asked for, less what would widen. Pure but for reading
 * committed state; sealing is done by the caller.
 */
import { API_PREFIX } from '../contract/api-prefix.ts';
import { type Claim, roleCovers } from '../contract/claims/index.ts';
import { Problem } from '../contract/errors.ts';
import { type Actor, grantorsOf, subjectOf } from './actor.ts';
import { INFINITE_SECONDS } from './machine-rights.ts';
import { type AccessReader, claimsOf, rolesOf, secretOf } from './reader.ts';
import { systemPrint } from './resolve.ts';
import type { NarrowingLayer, TokenContent, TokenKeys } from './token-content.ts';
import { LONGEST_TTL_SECONDS, readTtl } from './ttl.ts';

/** Query of a token request, as sent. Absent fields are left out. */
export interface TokenRequest {
  readonly ttl?: string;
  /** Comma-separated role names. Without any name the token is not narrowed to roles. */
  readonly roles?: string;
  /** Any of the three present narrows the token to that one claim; the others default to `*`. */
  readonly scope?: string;
  readonly action?: string;
  readonly specific?: string;
}

export type MachineTokenKind = 'discovery' | 'operations' | 'infinite' | 'profile';

interface IssueDeps {
  readonly read: AccessReader;
  readonly keys: TokenKeys;
  /** ms since 1970. */
  readonly now: number;
  readonly randomId: () => string;
}

function namesIn(list: string | undefined): readonly string[] {
  const names = (list ?? '').split(',').map((name) => name.trim());
  return [...new Set(names)].filter((name) => name !== '');
}

/** A requested role stays when one of the user's own roles contains it; all others would widen the token. */
function sortRoles(asked: readonly string[], owned: readonly string[], read: AccessReader) {
  const claimsByName = (name: string): readonly Claim[] | undefined => {
    const stored = read.role(name);
    return stored && claimsOf(stored.value);
  };
  const holders = owned.flatMap((name) => {
    const claims = claimsByName(name);
    return claims ? [claims] : [];
  });
  const kept: string[] = [];
  const dropped: string[] = [];
  for (const name of asked) {
    const claims = claimsByName(name);
    const contained = claims !== undefined && holders.some((holder) => roleCovers(holder, claims));
    (contained ? kept : dropped).push(name);
  }
  return { kept, dropped };
}

function directClaim({ scope, action, specific }: TokenRequest): Claim | undefined {
  if (scope === undefined && action === undefined && specific === undefined) return undefined;
  return { scope: scope ?? '*', action: action ?? '*', specific: specific ?? '*' };
}

/** Layers the caller's own token was narrowed by, with names of roles, so that they resolve again at each use. */
function inheritedNarrowing(caller: Actor, user: string): readonly NarrowingLayer[] {
  if (caller.kind !== 'user' || caller.name !== user) return [];
  return (subjectOf(caller)?.layers ?? []).map((groups) => ({
    roles: groups.flatMap((group) => (group.role === undefined ? [] : [group.role])),
    ...(groups.some((group) => group.role === undefined)
      ? { claims: groups.flatMap((group) => (group.role === undefined ? group.claims : [])) }
      : {}),
  }));
}

function notFound(user: string): Problem {
  return new Problem('not-found', 'Not Found', { model: 'users', key: user });
}

function grantorOf(caller: Actor, deps: IssueDeps): { grantor: string | null; print: string } {
  if (caller.kind === 'system' || caller.kind === 'plugin') {
    return { grantor: null, print: systemPrint(deps.read, deps.keys) };
  }
  const stored = caller.kind === 'user' ? deps.read.user(caller.name) : undefined;
  if (!stored) throw notFound(caller.name);
  return { grantor: caller.name, print: deps.keys.print('user', caller.name, secretOf(stored.value)) };
}

/**
 * A token for a user, granted by the caller. Tenants play no part. Throws Problem `not-found` (user or caller gone),
 * `claim-missing` (`users token <user>`), `bad-request` (ttl), in this order.
 */
export function userTokenContent(caller: Actor, user: string, request: TokenRequest, deps: IssueDeps): TokenContent {
  const { read, keys } = deps;
  const stored = read.user(user);
  if (!stored) throw notFound(user);
  const { grantor, print } = grantorOf(caller, deps);
  if (!caller.allows('users', 'token', user)) {
    const head = `Cannot access ${API_PREFIX}/users/${encodeURIComponent(user)}/token`;
    throw new Problem('claim-missing', [head, `Requires: users token ${user}`]);
  }
  const seconds = readTtl(request.ttl, user);
  const asked = namesIn(request.roles);
  const { kept, dropped } = sortRoles(asked, rolesOf(stored.value), read);
  const claim = directClaim(request);
  const via = [...new Map(grantorsOf(caller).map((one) => [one.grantor, one])).values()].filter(
    (one) => one.grantor !== grantor && one.grantor !== user,
  );
  const issuedAt = Math.floor(deps.now / 1000);
  return {
    kind: 'user',
    subject: user,
    grantor,
    issuedAt,
    expires: issuedAt + seconds,
    id: deps.randomId(),
    prints: { user: keys.print('user', user, secretOf(stored.value)), grantor: print },
    ...(via.length > 0 ? { via } : {}),
    narrowing: [
      // A token that was narrowed cannot fetch its user a fuller one, even where its roles include getting tokens.
      ...inheritedNarrowing(caller, user),
      ...(asked.length > 0 ? [{ roles: kept }] : []),
      ...(claim ? [{ claims: [claim] }] : []),
    ],
    dropped,
  };
}

/**
 * The identity of one request made with a password: all rights of the user, granted by the user itself. It never leaves
 * the process and does not expire: a long request made with it ends when the password changes.
 */
export function signInContent(user: string, secret: string, deps: Omit<IssueDeps, 'read'>): TokenContent {
  const issuedAt = Math.floor(deps.now / 1000);
  const print = deps.keys.print('user', user, secret);
  return {
    kind: 'user',
    subject: user,
    grantor: user,
    issuedAt,
    expires: issuedAt + LONGEST_TTL_SECONDS,
    id: deps.randomId(),
    prints: { user: print, grantor: print },
    narrowing: [],
    dropped: [],
  };
}

function timeout(read: AccessReader, preference: string, fallback: number): number {
  const seconds = Number(read.preference(preference) ?? fallback);
  return Number.isInteger(seconds) && seconds > 0 ? seconds : fallback;
}

/**
 * A token for a machine, granted by the system. `subject`: machine uuid, or name of the profile; none for discovery.
 * `seconds`: lifetime of a profile token. Throws a TypeError for a machine that does not exist: templates are rendered
 * for machines that do.
 */
export function machineTokenContent(
  kind: MachineTokenKind,
  subject: string | undefined,
  seconds: number | undefined,
  deps: IssueDeps,
): TokenContent {
  const { read, keys } = deps;
  const issuedAt = Math.floor(deps.now / 1000);
  const base = { grantor: null, issuedAt, id: deps.randomId(), narrowing: [], dropped: [] };
  const grantor = systemPrint(read, keys);
  if (kind === 'discovery') {
    const expires = issuedAt + timeout(read, 'unknownTokenTimeout', 600);
    return { ...base, kind, subject: 'general', expires, prints: { grantor } };
  }
  if (subject === undefined) throw new TypeError(`A token of kind ${kind} needs the name of what it is for`);
  if (kind === 'profile') {
    if (seconds === undefined || !(seconds > 0)) throw new TypeError('A profile token needs a lifetime in seconds');
    return { ...base, kind, subject, expires: issuedAt + Math.floor(seconds), prints: { grantor } };
  }
  const secret = read.machineSecret(subject);
  if (secret === undefined) throw new TypeError(`No machine ${subject}`);
  const lifetime = kind === 'infinite' ? INFINITE_SECONDS : timeout(read, 'knownTokenTimeout', 3600);
  const prints = { machine: keys.print('machine', subject, secret), grantor };
  return { ...base, kind: 'operations', subject, expires: issuedAt + lifetime, prints };
}
