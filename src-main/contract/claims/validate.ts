/** What saving a role refuses (wire-format.md 5.2). Containment and requests just ignore such items. */
import type { Claim } from './parse.ts';
import { baseAction, knownHere, type Registry } from './registry.ts';

/** Items of a field; none for `*`. */
export const items = (field: string): string[] => (field === '*' ? [] : field.split(',').map((item) => item.trim()));

export function unknownScopes(claim: Claim, registry: Registry): string[] {
  return items(claim.scope).filter((scope) => !registry.has(scope));
}

/** Actions that a scope of the claim lacks, with those scopes. Under Scope `*` one scope that has it is enough. */
export function unknownActions(claim: Claim, registry: Registry): { action: string; missing: string[] }[] {
  const every = claim.scope === '*';
  const scopes = every ? [...registry.keys()] : items(claim.scope).filter((scope) => registry.has(scope));
  return items(claim.action)
    .map((action) => ({ action, missing: scopes.filter((scope) => !registry.get(scope)?.has(baseAction(action))) }))
    .filter(({ missing }) => missing.length > 0 && (!every || missing.length === scopes.length));
}

/** Sentences that existing clients know, each once, in the order of the claims. Empty when the role may be saved. */
export function claimProblems(claims: readonly Claim[], registry: Registry = knownHere): string[] {
  const problems = claims.flatMap((claim) => [
    ...unknownScopes(claim, registry).map((scope) => `No such scope '${scope}'`),
    ...unknownActions(claim, registry).map(({ action }) => `No such action '${action}'`),
  ]);
  return [...new Set(problems)];
}
