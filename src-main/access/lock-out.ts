/**
 * The lock-out guard (ux.md 3): no change may leave the system without a user who can undo it. Two rungs, each kept
 * once it was reached: somebody holds the superuser claim, and one of them is outside every restricting tenant.
 */
import { claimCovers, SUPERUSER_CLAIM } from '../contract/claims/index.ts';
import type { JsonObject } from '../kit/json.ts';
import { claimsOf, membersOf, nameOf, rolesOf, usersOf } from './reader.ts';

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
}

export function superusers({ users, roles, tenants }: AccessState): Superusers {
  const granting = new Set(
    roles.filter((role) => claimsOf(role).some((claim) => claimCovers(claim, SUPERUSER_CLAIM))).map(nameOf),
  );
  const restricted = new Set(
    tenants.filter((tenant) => Object.keys(membersOf(tenant)).length > 0).flatMap((tenant) => usersOf(tenant)),
  );
  const all = users.filter((user) => rolesOf(user).some((role) => granting.has(role))).map(nameOf);
  return { all, unrestricted: all.filter((name) => !restricted.has(name)) };
}

function named(names: readonly string[]): string {
  return names.length === 1 ? `user ${names[0]}` : `users ${names.join(', ')}`;
}

/**
 * Why a change must be refused, as a sentence; undefined when it may go ahead. A system that has no superuser already
 * is not locked out by the change, so nothing is refused then.
 */
export function lockOutProblem(before: AccessState, after: AccessState): string | undefined {
  const was = superusers(before);
  const is = superusers(after);
  if (was.all.length > 0 && is.all.length === 0) {
    return `After this nobody would hold the superuser claim; ${named(was.all)} would be the last to lose it`;
  }
  if (was.unrestricted.length > 0 && is.unrestricted.length === 0) {
    return `After this nobody outside a restricting tenant would hold the superuser claim; ${named(was.unrestricted)} would be the last to lose it`;
  }
  return undefined;
}
