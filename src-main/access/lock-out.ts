/**
 * The lock-out guard (ux.md 3): no change may leave the system without a user who can undo it. Two rungs, each kept
 * once it was reached: somebody holds the superuser claim, and one of them is outside every restricting tenant. On both
 * only users with a password count, as long as there is one: nobody else can come back once the tokens have ended.
 */
import { claimCovers, SUPERUSER_CLAIM } from '../contract/claims/index.ts';
import type { JsonObject } from '../kit/json.ts';
import { isPasswordHash } from './passwords.ts';
import { claimsOf, membersOf, nameOf, passwordHashOf, rolesOf, usersOf } from './reader.ts';

/** All users, roles and tenants at one moment, as stored. */
export interface AccessState {
  readonly users: readonly JsonObject[];
  readonly roles: readonly JsonObject[];
  readonly tenants: readonly JsonObject[];
}

interface Superusers {
  /** Names of all users who hold the superuser claim. */
  readonly all: readonly string[];
  /** Those of them whom no tenant restricts. */
  readonly unrestricted: readonly string[];
  /** Those of `all` who have a password that can be checked. */
  readonly signingIn: ReadonlySet<string>;
}

export function superusers({ users, roles, tenants }: AccessState): Superusers {
  const granting = new Set(
    roles.filter((role) => claimsOf(role).some((claim) => claimCovers(claim, SUPERUSER_CLAIM))).map(nameOf),
  );
  const restricted = new Set(
    tenants.filter((tenant) => Object.keys(membersOf(tenant)).length > 0).flatMap((tenant) => usersOf(tenant)),
  );
  const holders = users.filter((user) => rolesOf(user).some((role) => granting.has(role)));
  const all = holders.map(nameOf);
  return {
    all,
    unrestricted: all.filter((name) => !restricted.has(name)),
    signingIn: new Set(holders.filter((user) => isPasswordHash(passwordHashOf(user))).map(nameOf)),
  };
}

function named(names: readonly string[]): string {
  return names.length === 1 ? `user ${names[0]}` : `users ${names.join(', ')}`;
}

/** What the change costs on one rung, as a sentence; undefined when the rung is kept or was never reached. */
function loss(was: Superusers, is: Superusers, rung: 'all' | 'unrestricted', where: string): string | undefined {
  const could = was[rung].filter((name) => was.signingIn.has(name));
  if (is[rung].length === 0 && was[rung].length > 0)
    return `After this nobody${where} would hold the superuser claim; ${named(was[rung])} would be the last to lose it`;
  if (could.length === 0 || is[rung].some((name) => is.signingIn.has(name))) return undefined;
  return `After this nobody${where} who has a password would hold the superuser claim; ${named(could)} would be the last to lose it`;
}

/**
 * Why a change must be refused, as a sentence; undefined when it may go ahead. A system that has no superuser already
 * is not locked out by the change, so nothing is refused then.
 */
export function lockOutProblem(before: AccessState, after: AccessState): string | undefined {
  const was = superusers(before);
  const is = superusers(after);
  return loss(was, is, 'all', '') ?? loss(was, is, 'unrestricted', ' outside a restricting tenant');
}
