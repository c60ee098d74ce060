/**
 * Why a control is disabled, said before the server has to refuse. Runs the same claim code as the server;
 * where the renderer cannot know (it may not read the roles), it allows and lets the server decide. Pure
 * but for the hook at the end.
 */

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { ActorDescription } from '../../src-main/contract/access-answers.ts';
import { compileGrants, type Grants, ownUserClaims, requiredFeature } from '../../src-main/contract/claims/index.ts';
import type { HostState } from '../../src-main/contract/host.ts';
import { hostQuery, listQuery, ownQuery } from './queries.ts';
import { session } from './session.ts';
import type { Role } from './types.ts';

/** What the renderer knows about the caller's rights. */
export interface Standing {
  readonly host: HostState | undefined;
  /** Undefined when they cannot be read in full: then only the server knows. */
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

/**
 * What the caller may do, or undefined when the claims of one of its roles cannot be read: a tenant may hide a role that is in
 * force, and a narrowed token is worth less than its roles. A name that points to no role grants nothing.
 */
export function grantsOf(own: ActorDescription | undefined, roles: readonly Role[] | undefined): Grants | undefined {
  if (!own || own.Narrowed) return undefined;
  const groups = [];
  for (const name of own.Roles) {
    const role = roles?.find((known) => known.Name === name);
    if (!role) return undefined;
    groups.push({ role: name, claims: role.Claims });
  }
  return compileGrants([
    ...(own.OwnUser ? [{ claims: ownUserClaims(own.Name) }] : []),
    { claims: own.Claims },
    ...groups,
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
  const own = useQuery({ ...ownQuery, enabled: name !== '' }).data;
  const roles = useQuery({ ...listQuery('roles'), enabled: name !== '' }).data?.rows;
  return useMemo(() => {
    const standing = { host, grants: grantsOf(own, roles) };
    return {
      standing,
      user: name,
      locked: (scope, action, specific) => lockedFor(standing, scope, action, specific),
    };
  }, [host, own, roles, name]);
}
