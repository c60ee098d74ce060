/**
 * Why a control is disabled, said before the server has to refuse. Runs the same claim code as the server;
 * where the renderer cannot know (a narrowed token), it allows and lets the server decide. Pure
 * but for the hook at the end.
 */

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { OwnRights } from '../../src-main/contract/access-answers.ts';
import { compileGrants, type Grants, ownUserClaims, requiredFeature } from '../../src-main/contract/claims/index.ts';
import type { HostState } from '../../src-main/contract/host.ts';
import { hostQuery, ownQuery } from './queries.ts';
import { session } from './session.ts';

/** What the renderer knows about the caller's rights. */
export interface Standing {
  readonly host: HostState | undefined;
  /** Undefined until they are read, and for a narrowed token: then only the server knows. */
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

/** What the caller may do; undefined for a narrowed token, which is worth less than its roles. */
export function grantsOf(own: OwnRights | undefined): Grants | undefined {
  if (!own || own.Narrowed) return undefined;
  return compileGrants([
    ...(own.OwnUser ? [{ claims: ownUserClaims(own.Name) }] : []),
    { claims: own.Claims },
    ...own.RoleClaims.map(({ Role, Claims }) => ({ role: Role, claims: Claims })),
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
  return useMemo(() => {
    const standing = { host, grants: grantsOf(own) };
    return {
      standing,
      user: name,
      locked: (scope, action, specific) => lockedFor(standing, scope, action, specific),
    };
  }, [host, own, name]);
}
