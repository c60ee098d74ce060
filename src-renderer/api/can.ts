/**
 * Why a control is disabled, said before the server has to refuse. Runs the same claim code as the server;
 * where the renderer cannot know (it may not read the roles), it allows and lets the server decide. Pure
 * but for the hook at the end.
 */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { compileGrants, type Grants, ownUserClaims, requiredFeature } from '../../src-main/contract/claims/index.ts';
import type { HostState } from '../../src-main/contract/host.ts';
import { hostQuery, itemQuery, listQuery } from './queries.ts';
import { session } from './session.ts';
import type { Role, User } from './types.ts';

/** What the renderer knows about the caller's rights. */
export interface Standing {
  readonly host: HostState | undefined;
  /** Undefined when the user or one of its roles cannot be read: then only the server knows. */
  readonly grants: Grants | undefined;
}

/** Undefined means allowed; otherwise the reason, as the description of the disabled control. */
export type Locked = string | undefined;

/** Lists and creates name no object: the document says `*`, older clients and answers say the empty text. */
const WHOLE_COLLECTION = ['*', ''];

/** Checks one claim. `specific` undefined asks for the collection. */
export function lockedFor(standing: Standing, scope: string, action: string, specific?: string): Locked {
  const service = standing.host?.service;
  if (service && service.state !== 'running') return `The service is ${service.state}.`;
  const feature = requiredFeature(scope, action);
  if (feature && standing.host && !standing.host.features.includes(feature)) return `needs license feature ${feature}`;
  if (!standing.grants) return undefined;
  const wanted = specific === undefined ? WHOLE_COLLECTION : [specific];
  const allowed = wanted.some((id) => standing.grants?.allows(scope, action, id));
  return allowed ? undefined : `Requires: ${scope} ${action} ${specific ?? '*'}`;
}

/** Which changed fields the caller may not update; empty when the save would pass. */
export function lockedFields(standing: Standing, scope: string, key: string, pointers: readonly string[]): string[] {
  return [...new Set(pointers)].filter((pointer) => lockedFor(standing, scope, `update:${pointer}`, key) !== undefined);
}

/** Every user's own rights, and those of its roles. Undefined when a role is missing from what could be read. */
export function grantsOf(user: User | undefined, roles: readonly Role[] | undefined): Grants | undefined {
  if (!user) return undefined;
  const held = user.Roles.map((name) => roles?.find((role) => role.Name === name));
  // A role name that points nowhere grants nothing; one that could not be read might grant anything.
  if (roles === undefined && user.Roles.length > 0) return undefined;
  return compileGrants([
    { claims: ownUserClaims(user.Name) },
    ...held.flatMap((role) => (role ? [{ role: role.Name, claims: role.Claims }] : [])),
  ]);
}

export interface Can {
  readonly standing: Standing;
  /** Name of the signed-in user. */
  readonly user: string;
  locked(scope: string, action: string, specific?: string): Locked;
}

/** The caller's rights, kept current by the queries they rest on. */
export function useCan(): Can {
  const name = useStore(session, (s) => (s.kind === 'signed-in' || s.kind === 'expired' ? s.user : ''));
  const host = useQuery(hostQuery).data;
  const user = useQuery({ ...itemQuery('users', name), enabled: name !== '' }).data?.value;
  const roles = useQuery({ ...listQuery('roles'), enabled: name !== '' }).data?.rows;
  return useMemo(() => {
    const standing = { host, grants: grantsOf(user, roles) };
    return {
      standing,
      user: name,
      locked: (scope, action, specific) => lockedFor(standing, scope, action, specific),
    };
  }, [host, user, roles, name]);
}
