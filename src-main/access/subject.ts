/**
 * Who acts and what that rests on, spelled out: the uncompiled form behind an `Actor`. Deciding compiles it, the token
 * inspector describes it, the explanation walks it, the simulator and the lock-out guard compare it. All pure.
 *
 *   allowed  =  (own-user claim  or  any group)  and  every layer
 */
import type { ActorKind } from '../contract/access-answers.ts';
import type { Claim, ClaimGroup, Grants } from '../contract/claims/index.ts';
import type { Members } from '../contract/tenants.ts';

/** The tenant of a user, as far as visibility goes. */
export interface SubjectTenant {
  readonly name: string;
  readonly members: Members;
}

export interface Subject {
  readonly kind: ActorKind;
  readonly name: string;
  readonly tenant: SubjectTenant | undefined;
  /** True when the own-user claim holds: a user acting without a narrowed token. */
  readonly ownUser: boolean;
  /** Rights: one group per role, one without a role for direct claims. */
  readonly groups: readonly ClaimGroup[];
  /** Narrowings of a token. */
  readonly layers: readonly (readonly ClaimGroup[])[];
  /** Roles assigned to the user, or named by the token, that do not exist. */
  readonly missingRoles: readonly string[];
}

/** A subject ready to decide. */
export interface CompiledSubject {
  readonly rights: Grants;
  readonly layers: readonly Grants[];
}

const OWN_ACTIONS: ReadonlySet<string> = new Set(['get', 'password', 'token']);

/** What every user may do on itself (service.md User): get itself, change its password, get a token for itself. */
export function isOwnUserAction(name: string, scope: string, action: string, specific: string): boolean {
  return scope === 'users' && specific === name && OWN_ACTIONS.has(action);
}

/**
 * Whether the implicit claims of a user grant it: those on itself, and `info get` (wire-format.md 5.6). Decided by
 * comparison and not by claims made from the name: a name with a comma would come apart in a claim.
 */
export function ownAllows(name: string, scope: string, action: string, specific: string): boolean {
  return isOwnUserAction(name, scope, action, specific) || (scope === 'info' && action === 'get');
}

/** The decision, by claims alone. */
export function subjectAllows(
  subject: Pick<Subject, 'ownUser' | 'name'>,
  { rights, layers }: CompiledSubject,
  scope: string,
  action: string,
  specific: string,
): boolean {
  if (!rights.allows(scope, action, specific)) {
    if (!subject.ownUser || !ownAllows(subject.name, scope, action, specific)) return false;
  }
  for (const layer of layers) if (!layer.allows(scope, action, specific)) return false;
  return true;
}

/** Claims of the group without a role. */
export function directClaims(groups: readonly ClaimGroup[]): readonly Claim[] {
  return groups.flatMap((group) => (group.role === undefined ? group.claims : []));
}

/** Names of the roles of the groups. */
export function roleNames(groups: readonly ClaimGroup[]): readonly string[] {
  return groups.flatMap((group) => (group.role === undefined ? [] : [group.role]));
}
