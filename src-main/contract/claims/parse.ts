/**
 * Claims as they are written (three comma lists) and as they are read (sets), service.md Claim, wire-format.md 5.2.
 */
import { isPointer } from '../../kit/json-pointer.ts';

/** A claim as stored and sent. Each field is `*`, one item or a comma list. Treated as immutable everywhere. */
export type Claim = {
  readonly scope: string;
  readonly action: string;
  readonly specific: string;
};

export const SUPERUSER_CLAIM: Claim = { scope: '*', action: '*', specific: '*' };

/** `all` is a field that is exactly `*`. A `*` between other items of a list is an ordinary item of that name. */
export type Items = 'all' | ReadonlySet<string>;

/** A claim taken apart. Empty scope and action items are gone (they name nothing); empty identifiers stay. */
export interface ParsedClaim {
  readonly scopes: Items;
  /** `update:` (the empty pointer, the whole document) is written `update` here; the two mean the same. */
  readonly actions: Items;
  /** Items `update:TEXT` whose TEXT is no JSON Pointer. They name no field, so they grant nothing. */
  readonly malformed: ReadonlySet<string>;
  readonly ids: Items;
}

export const UPDATE_PREFIX = 'update:';
export const ACTION_PREFIX = 'action:';
const NONE: ReadonlySet<string> = new Set();

function items(field: string): Items {
  if (field === '*') return 'all';
  if (!field.includes(',')) return new Set([field.trim()]);
  const set = new Set<string>();
  for (const item of field.split(',')) set.add(item.trim());
  return set;
}

function withoutEmpty(found: Items): Items {
  if (found === 'all' || !found.has('')) return found;
  const kept = new Set(found);
  kept.delete('');
  return kept;
}

function sortedOut(found: Items): { actions: Items; malformed: ReadonlySet<string> } {
  if (found === 'all') return { actions: 'all', malformed: NONE };
  const actions = new Set<string>();
  const malformed = new Set<string>();
  for (const item of found) {
    if (!item.startsWith(UPDATE_PREFIX)) {
      if (item !== '') actions.add(item);
    } else if (item === UPDATE_PREFIX) actions.add('update');
    else if (isPointer(item.slice(UPDATE_PREFIX.length))) actions.add(item);
    else malformed.add(item);
  }
  return { actions, malformed };
}

/** Takes a claim apart. Any text is accepted: what cannot mean anything grants nothing. */
export function parseClaim(claim: Claim): ParsedClaim {
  return {
    scopes: withoutEmpty(items(claim.scope)),
    ...sortedOut(items(claim.action)),
    ids: items(claim.specific),
  };
}

/** True for Scope `*`, Action `*`, Specific `*`, which grants everything. */
export function isSuperuser(claim: Claim): boolean {
  return claim.scope === '*' && claim.action === '*' && claim.specific === '*';
}

/** True when no request whatever is granted: the empty claim, and any whose scope or action names nothing. */
export function grantsNothing(claim: Claim): boolean {
  const { scopes, actions } = parseClaim(claim);
  return names(scopes) === 0 || names(actions) === 0;
}

// A literal `*` inside a list names nothing either: no scope and no action is called so.
function names(found: Items): number {
  return found === 'all' ? 1 : found.size - (found.has('*') ? 1 : 0);
}

/** A claim on one line, as messages show it; an empty field is shown as `""`. */
export function claimText(claim: Claim): string {
  return [claim.scope, claim.action, claim.specific].map((field) => field || '""').join(' ');
}
