/**
 * Claims out of JSON that somebody else wrote. Field names are accepted in any letter case, the exact one first;
 * an absent or null field is empty (wire-format.md 0.2).
 */
import { isJsonObject, type Json } from '../../kit/json.ts';
import type { Claim } from './parse.ts';

type ReadResult<T> =
  | { readonly ok: true; readonly value: T }
  /** `where` is a path such as `[3].b[0].scope`, empty for the value itself; `message` says what was expected. */
  | { readonly ok: false; readonly where: string; readonly message: string };

const FIELDS = ['scope', 'action', 'specific'] as const;

function kind(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** A member by name, whatever its letter case; the exact spelling wins where both are there. */
export function memberOf(object: { readonly [k: string]: Json }, name: string): Json | undefined {
  if (Object.hasOwn(object, name)) return object[name];
  const folded = name.toLowerCase();
  const found = Object.keys(object).find((key) => key.toLowerCase() === folded);
  return found === undefined ? undefined : object[found];
}

/**
 * One claim. `unknown: 'refuse'` also refuses members that no claim has, for input typed by hand, where a misspelt
 * name would silently become an empty field.
 */
export function readClaim(
  value: Json | undefined,
  where = '',
  unknown: 'ignore' | 'refuse' = 'ignore',
): ReadResult<Claim> {
  if (!isJsonObject(value)) {
    return { ok: false, where, message: `expected a claim {scope, action, specific}, found ${kind(value)}` };
  }
  if (unknown === 'refuse') {
    const odd = Object.keys(value).find((key) => !FIELDS.some((field) => field === key.toLowerCase()));
    if (odd !== undefined)
      return { ok: false, where, message: `a claim has scope, action and specific, but no '${odd}'` };
  }
  const claim = { scope: '', action: '', specific: '' };
  for (const field of FIELDS) {
    const member = memberOf(value, field) ?? null;
    if (member === null) continue;
    if (typeof member !== 'string') {
      return { ok: false, where: `${where}.${field}`, message: `expected a string, found ${kind(member)}` };
    }
    claim[field] = member;
  }
  return { ok: true, value: claim };
}

/** A list of claims. */
function readClaims(
  value: Json | undefined,
  where = '',
  unknown: 'ignore' | 'refuse' = 'ignore',
): ReadResult<readonly Claim[]> {
  if (!Array.isArray(value)) {
    return { ok: false, where, message: `expected a list of claims, found ${kind(value)}` };
  }
  const claims: Claim[] = [];
  for (const [i, item] of (value as readonly Json[]).entries()) {
    const claim = readClaim(item, `${where}[${i}]`, unknown);
    if (!claim.ok) return claim;
    claims.push(claim.value);
  }
  return { ok: true, value: claims };
}

/**
 * What a person may hand over for comparison: one claim, a list of claims, or a role `{Name, Claims}`. The answer
 * says which: one claim compares as a claim, the others as roles.
 */
export function readClaimOrRole(value: Json | undefined, where = ''): ReadResult<Claim | readonly Claim[]> {
  if (Array.isArray(value)) return readClaims(value, where, 'refuse');
  const held = isJsonObject(value) ? memberOf(value, 'Claims') : undefined;
  if (held !== undefined) return readClaims(held ?? [], `${where}.Claims`, 'refuse');
  return readClaim(value, where, 'refuse');
}
