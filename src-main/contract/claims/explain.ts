/**
 * Why a request is granted or not: the claim that grants, or the claim that came closest, what it lacks, and the
 * smallest claim that would do. For people who may see roles; a plain 403 says none of this.
 */
import { fits, type RequiredClaim } from './allows.ts';
import { type ClaimGroup, type Grants, parseGroup } from './compile.ts';
import { type Claim, grantsNothing, type Items, type ParsedClaim } from './parse.ts';
import { baseAction } from './registry.ts';

/** A claim and where it stands. No `role` means a direct claim. */
export interface ClaimPlace {
  readonly role?: string;
  readonly claim: Claim;
  readonly claimIndex: number;
}

export interface NearestMiss extends ClaimPlace {
  /** Fields that do not fit, each with its sentence. */
  readonly lacks: readonly { readonly field: 'scope' | 'action' | 'specific'; readonly sentence: string }[];
}

export type Verdict =
  | { readonly required: RequiredClaim; readonly granted: true; readonly by: ClaimPlace }
  | {
      readonly required: RequiredClaim;
      readonly granted: false;
      /** Left out when there is no claim at all that grants anything. */
      readonly nearest?: NearestMiss;
      /** Grants this and as little else as a claim can say. */
      readonly smallest: Claim;
    };

const SHOWN = 5;

function listed(found: Items): string {
  if (found === 'all') return '*';
  const items = [...found].map((item) => item || '""');
  const rest = items.length - SHOWN;
  return items.slice(0, SHOWN).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

function sentence(name: string, held: Items, asked: string): string {
  const items = listed(held);
  return `${name} lists ${items || 'nothing'}; asked ${asked === '' ? '""' : asked}`;
}

/**
 * How far a claim is from granting: a wrong scope weighs more than a wrong action, that more than a wrong identifier;
 * the right kind of action (`update` of another field, another plugin action) is half way there.
 */
function distance(claim: ParsedClaim, required: RequiredClaim): number {
  const fit = fits(claim, required);
  const base = baseAction(required.action);
  const sameKind = claim.actions !== 'all' && [...claim.actions].some((action) => baseAction(action) === base);
  return (fit.scope ? 0 : 8) + (fit.action ? 0 : sameKind ? 2 : 4) + (fit.specific ? 0 : 1);
}

function lacksOf(claim: ParsedClaim, required: RequiredClaim): NearestMiss['lacks'] {
  const fit = fits(claim, required);
  return [
    ...(fit.scope ? [] : [{ field: 'scope', sentence: sentence('Scope', claim.scopes, required.scope) } as const]),
    ...(fit.action ? [] : [{ field: 'action', sentence: sentence('Action', claim.actions, required.action) } as const]),
    ...(fit.specific
      ? []
      : [{ field: 'specific', sentence: sentence('Specific', claim.ids, required.specific) } as const]),
  ];
}

function nearestMiss(groups: readonly ClaimGroup[], required: RequiredClaim): NearestMiss | undefined {
  let best: { place: ClaimPlace; parsed: ParsedClaim; distance: number } | undefined;
  for (const group of groups) {
    const { role, claims, parsed } = parseGroup(group);
    for (const [claimIndex, claim] of claims.entries()) {
      const taken = parsed[claimIndex];
      if (taken === undefined || grantsNothing(claim)) continue;
      const far = distance(taken, required);
      if (best !== undefined && best.distance <= far) continue;
      best = { place: { ...(role === undefined ? {} : { role }), claim, claimIndex }, parsed: taken, distance: far };
    }
  }
  return best && { ...best.place, lacks: lacksOf(best.parsed, required) };
}

// A list cannot hold a comma or blanks around an item, so such an identifier is out of reach of all but `*`.
function field(item: string): string {
  return item.includes(',') || item.trim() !== item ? '*' : item;
}

/** The smallest claim that grants a request. */
export function smallestClaim({ scope, action, specific }: RequiredClaim): Claim {
  return { scope: field(scope), action: field(action), specific: field(specific) };
}

/** Explains one required claim. */
export function explainClaim(grants: Grants, required: RequiredClaim): Verdict {
  const by = grants.whichGrants(required.scope, required.action, required.specific);
  if (by) return { required, granted: true, by };
  const nearest = nearestMiss(grants.groups, required);
  return { required, granted: false, ...(nearest ? { nearest } : {}), smallest: smallestClaim(required) };
}

/** Explains every required claim of a request; the request is allowed when all are granted. */
export function explain(grants: Grants, required: readonly RequiredClaim[]): { allowed: boolean; verdicts: Verdict[] } {
  const verdicts = required.map((claim) => explainClaim(grants, claim));
  return { allowed: verdicts.every((verdict) => verdict.granted), verdicts };
}
