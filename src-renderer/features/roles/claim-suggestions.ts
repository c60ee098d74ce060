/** What the action field of a claim offers, from the scopes typed beside it. Pure. */
import { knownHere } from '../../../src-main/contract/claims/index.ts';

/** Actions of the scopes named (of all, for `*` or an unknown scope), with the qualified forms worth knowing. */
export function actionsOf(scope: string): string[] {
  const named = scope.split(',').map((item) => item.trim());
  const known = named.filter((item) => knownHere.has(item));
  const scopes = known.length === 0 ? [...knownHere.keys()] : known;
  const actions = new Set(scopes.flatMap((item) => [...(knownHere.get(item) ?? [])]));
  const qualified = [
    ...(actions.has('update') ? ['update:/Description', 'update:/Params', 'update:/Meta'] : []),
    ...(known.includes('machines') ? ['action:callbackDo'] : []),
  ];
  return ['*', ...[...actions].sort(), ...qualified];
}
