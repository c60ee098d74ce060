/**
 * The check of one request against one claim, written the plain way. `compile.ts` answers the same for many claims at
 * once, and its tests hold the two together.
 *
 * Unlike containment by a registry, nothing is granted here because it is unknown: a scope or an action must be named
 * or be covered by `*`. service.md Authentication 5.
 */
import { impliesAction } from './contains.ts';
import { type Claim, type Items, type ParsedClaim, parseClaim, UPDATE_PREFIX } from './parse.ts';

/**
 * One claim that a request needs: exactly one scope, action and identifier, none of them split at commas.
 * Specific `*` is the whole collection and is granted by `*` alone, never by a list of identifiers.
 */
export type RequiredClaim = {
  readonly scope: string;
  readonly action: string;
  readonly specific: string;
};

// `*` inside a list is an ordinary text, so it must not answer for the `*` of a request, which means everything.
function holds(found: Items, item: string): boolean {
  return found === 'all' || (item !== '*' && found.has(item));
}

/** The action as claims are looked up by it: the empty pointer is the whole document, so `update:` is `update`. */
export function lookupAction(action: string): string {
  return action === UPDATE_PREFIX ? 'update' : action;
}

function actionHeld(found: Items, action: string): boolean {
  if (found === 'all') return true;
  return action !== '*' && impliesAction(found, lookupAction(action));
}

/** Which fields of a claim fit the request; all three must. */
export function fits(
  claim: ParsedClaim,
  wanted: RequiredClaim,
): { scope: boolean; action: boolean; specific: boolean } {
  return {
    scope: holds(claim.scopes, wanted.scope),
    action: actionHeld(claim.actions, wanted.action),
    specific: holds(claim.ids, wanted.specific),
  };
}

/** True when this one claim grants the request. */
export function parsedAllows(claim: ParsedClaim, wanted: RequiredClaim): boolean {
  return (
    holds(claim.scopes, wanted.scope) && holds(claim.ids, wanted.specific) && actionHeld(claim.actions, wanted.action)
  );
}

/** True when this one claim grants the request. */
export function claimAllows(claim: Claim, wanted: RequiredClaim): boolean {
  return parsedAllows(parseClaim(claim), wanted);
}
