/**
 * Claims that no role gives: what every user holds on itself, and what machine tokens carry (service.md User and
 * Machine tokens, wire-format.md 5.6 and 5.8); and the license feature that a claim needs.
 */
import type { Claim } from './parse.ts';

const claim = (scope: string, action: string, specific: string): Claim => ({ scope, action, specific });

/**
 * Held by every user through every token that was not narrowed. `info get` is not in service.md; without it a user
 * without roles could not even probe a token, which existing clients do first.
 */
export function ownUserClaims(user: string): readonly Claim[] {
  return [claim('users', 'get,password,token', user), claim('info', 'get', '*')];
}

/** Lets the discovery image register a machine. */
export const discoveryClaims: readonly Claim[] = [claim('machines', 'create,get', '*')];

/**
 * For a machine working on itself. `addressHex`: its IPv4 address as eight upper-case hex digits, the key of its
 * reservation; undefined while it has no address. Beyond service.md it may read params and info and decode its own
 * params, which existing agents do.
 */
export function operationsClaims(uuid: string, addressHex: string | undefined): readonly Claim[] {
  return [
    claim('machines', 'get,actions,update,action,getSecure,updateSecure', uuid),
    claim('stages,tasks', 'get', '*'),
    claim('events', 'post', '*'),
    claim('jobs', 'create,get,update,actions,log', uuid),
    ...(addressHex === undefined ? [] : [claim('reservations', 'create,get,update', addressHex)]),
    claim('params,info', 'get', '*'),
  ];
}

/** The license feature that this scope and action need, whoever asks (service.md Role and Tenant). */
export function requiredFeature(scope: string, action: string): 'rbac' | undefined {
  if (scope !== 'roles' && scope !== 'tenants') return undefined;
  return action === 'list' || action === 'get' ? undefined : 'rbac';
}

/** Types of objects whose change may change what somebody may do or see; packs bring roles, users and tenants. */
export const RIGHTS_TYPES: ReadonlySet<string> = new Set(['users', 'roles', 'tenants', 'preferences', 'contents']);
