/**
 * What a change of roles or tenants would do, before anybody makes it: who gains and loses what, and which requests of
 * the past would be answered otherwise. Pure: two states in, the difference out.
 */
import {
  type Claim,
  type ClaimGroup,
  claimCovers,
  claimText,
  compileGrants,
  type RequiredClaim,
  requiredFeature,
  type TouchedObject,
} from '../contract/claims/index.ts';
import type { Members } from '../contract/tenants.ts';
import type { JsonObject } from '../kit/json.ts';
import { subjectSees } from './explain.ts';
import { type AccessState, lockOutProblem, superusers } from './lock-out.ts';
import { claimsOf, membersOf, nameOf, rolesOf, usersOf } from './reader.ts';
import { type CompiledSubject, type Subject, subjectAllows } from './subject.ts';

/** The state after an object was written or (value undefined) removed. */
export function withDraft(
  state: AccessState,
  kind: keyof AccessState,
  name: string,
  draft: JsonObject | undefined,
): AccessState {
  const others = state[kind].filter((record) => nameOf(record) !== name);
  return { ...state, [kind]: draft === undefined ? others : [...others, draft] };
}

/** A request of the audit, with what it needed. */
export interface PastRequest {
  readonly Time: string;
  readonly User: string;
  readonly Method: string;
  readonly Path: string;
  readonly claims: readonly RequiredClaim[];
  readonly touches: readonly TouchedObject[];
}

type PastVerdict = 'allowed' | 'tenant' | 'claim' | 'license' | 'no such user';

interface FlippedRequest {
  readonly Time: string;
  readonly User: string;
  readonly Method: string;
  readonly Path: string;
  readonly Before: PastVerdict;
  readonly After: PastVerdict;
}

/** How much of one type a user sees; null: all of it. */
interface SightChange {
  readonly Scope: string;
  readonly Before: number | null;
  readonly After: number | null;
  /** Keys listed after and not before, and the other way round; empty where one side is not restricted. */
  readonly Gained: readonly string[];
  readonly Lost: readonly string[];
}

interface UserChange {
  readonly User: string;
  /** Claims in force after that no claim before covers. */
  readonly Gained: readonly Claim[];
  readonly Lost: readonly Claim[];
  readonly Sight: readonly SightChange[];
  /** Holds the superuser claim. */
  readonly Superuser: { readonly Before: boolean; readonly After: boolean };
}

interface Simulation {
  /** Users for whom something changes, by name. */
  readonly Users: readonly UserChange[];
  readonly UsersCompared: number;
  readonly Flipped: readonly FlippedRequest[];
  readonly RequestsCompared: number;
  /** Why the change would be refused, or null. */
  readonly LockOut: string | null;
}

/** One state with its look-ups. */
class World {
  readonly state: AccessState;
  readonly users: ReadonlyMap<string, JsonObject>;
  readonly #roles: ReadonlyMap<string, ClaimGroup>;
  readonly #tenants = new Map<string, JsonObject>();
  readonly #subjects = new Map<string, { readonly subject: Subject; readonly compiled: CompiledSubject }>();

  constructor(state: AccessState) {
    this.state = state;
    this.users = new Map(state.users.map((user) => [nameOf(user), user]));
    this.#roles = new Map(state.roles.map((role) => [nameOf(role), { role: nameOf(role), claims: claimsOf(role) }]));
    for (const tenant of state.tenants) for (const user of usersOf(tenant)) this.#tenants.set(user, tenant);
  }

  groups(name: string): readonly ClaimGroup[] {
    const user = this.users.get(name);
    return user ? rolesOf(user).flatMap((role) => this.#roles.get(role) ?? []) : [];
  }

  members(name: string): Members {
    const tenant = this.#tenants.get(name);
    return tenant ? membersOf(tenant) : {};
  }

  resolved(name: string): { readonly subject: Subject; readonly compiled: CompiledSubject } {
    const kept = this.#subjects.get(name);
    if (kept) return kept;
    const groups = this.groups(name);
    const tenant = this.#tenants.get(name);
    const subject: Subject = {
      kind: 'user',
      name,
      tenant: tenant && { name: nameOf(tenant), members: membersOf(tenant) },
      ownUser: true,
      groups,
      layers: [],
      missingRoles: [],
    };
    const made = { subject, compiled: { rights: compileGrants(groups), layers: [] } };
    this.#subjects.set(name, made);
    return made;
  }

  verdict({ User, claims, touches }: PastRequest, licensed: (feature: string) => boolean): PastVerdict {
    if (!this.users.has(User)) return 'no such user';
    const { subject, compiled } = this.resolved(User);
    if (!touches.every((touched) => subjectSees(subject, touched))) return 'tenant';
    const features = claims.flatMap(({ scope, action }) => requiredFeature(scope, action) ?? []);
    if (!features.every(licensed)) return 'license';
    const granted = claims.every(({ scope, action, specific }) =>
      subjectAllows(subject, compiled, scope, action, specific),
    );
    return granted ? 'allowed' : 'claim';
  }
}

function uncovered(claims: readonly Claim[], by: readonly Claim[]): readonly Claim[] {
  const seen = new Set<string>();
  return claims.filter((claim) => {
    const text = claimText(claim);
    if (seen.has(text) || by.some((other) => claimCovers(other, claim))) return false;
    seen.add(text);
    return true;
  });
}

function sightChanges(before: Members, after: Members): readonly SightChange[] {
  const scopes = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return scopes.flatMap((scope): SightChange[] => {
    const was = Object.hasOwn(before, scope) ? before[scope] : undefined;
    const is = Object.hasOwn(after, scope) ? after[scope] : undefined;
    const held = new Set(was);
    const shown = new Set(is);
    const both = was !== undefined && is !== undefined;
    const gained = both ? [...shown].filter((key) => !held.has(key)) : [];
    const lost = both ? [...held].filter((key) => !shown.has(key)) : [];
    if (both && gained.length === 0 && lost.length === 0) return [];
    return [
      { Scope: scope, Before: was ? held.size : null, After: is ? shown.size : null, Gained: gained, Lost: lost },
    ];
  });
}

/** Users with the same roles before and after share one comparison. */
function claimChanges(before: World, after: World) {
  const kept = new Map<string, { gained: readonly Claim[]; lost: readonly Claim[] }>();
  return (name: string): { gained: readonly Claim[]; lost: readonly Claim[] } => {
    const was = before.groups(name);
    const is = after.groups(name);
    const key = JSON.stringify([was.map((group) => group.role), is.map((group) => group.role)]);
    const known = kept.get(key);
    if (known) return known;
    const claimsBefore = was.flatMap((group) => group.claims);
    const claimsAfter = is.flatMap((group) => group.claims);
    const made = { gained: uncovered(claimsAfter, claimsBefore), lost: uncovered(claimsBefore, claimsAfter) };
    kept.set(key, made);
    return made;
  };
}

/** Compares two states over all their users and over requests of the past. */
export function simulate(
  before: AccessState,
  after: AccessState,
  requests: readonly PastRequest[],
  licensed: (feature: string) => boolean,
): Simulation {
  const was = new World(before);
  const is = new World(after);
  const changesOf = claimChanges(was, is);
  const supersBefore = new Set(superusers(before).all);
  const supersAfter = new Set(superusers(after).all);
  const names = [...new Set([...was.users.keys(), ...is.users.keys()])].sort();
  const users = names.flatMap((name): UserChange[] => {
    const { gained, lost } = changesOf(name);
    const sight = sightChanges(was.members(name), is.members(name));
    const superuser = { Before: supersBefore.has(name), After: supersAfter.has(name) };
    const same = gained.length + lost.length + sight.length === 0 && superuser.Before === superuser.After;
    return same ? [] : [{ User: name, Gained: gained, Lost: lost, Sight: sight, Superuser: superuser }];
  });
  const flipped = requests.flatMap((request): FlippedRequest[] => {
    const Before = was.verdict(request, licensed);
    const After = is.verdict(request, licensed);
    const { Time, User, Method, Path } = request;
    return Before === After ? [] : [{ Time, User, Method, Path, Before, After }];
  });
  return {
    Users: users,
    UsersCompared: names.length,
    Flipped: flipped,
    RequestsCompared: requests.length,
    LockOut: lockOutProblem(before, after) ?? null,
  };
}
