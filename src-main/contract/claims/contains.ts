/**
 * Does one claim, or one role, contain another? service.md Claim and Role; wire-format.md 5.4.
 *
 * Two readings, because the question is asked for two purposes:
 *
 *   contains   with a registry of scopes and actions, as clients of this API know it: `*` stands for what the
 *              registry lists, and what it does not list grants nothing and is contained in anything of its scope.
 *              For showing and comparing roles.
 *   covers     with no registry: any scope and action may exist, `*` covers only by `*`. This is the reading under
 *              which requests are decided, so it alone may decide what a narrowed token keeps.
 *
 * Where the two documents disagree service.md wins: `*` as Action contains every action however qualified, the
 * empty pointer is the whole document, and an item that names nothing is contained in everything.
 */
import { parentPointer } from '../../kit/json-pointer.ts';
import { ACTION_PREFIX, type Claim, type Items, type ParsedClaim, parseClaim, UPDATE_PREFIX } from './parse.ts';
import { baseAction, type Registry, registryV4 } from './registry.ts';

/** A set of action items holds `action` itself or one that implies it: `action`, or a pointer above, or `update`. */
export function impliesAction(held: ReadonlySet<string>, action: string): boolean {
  for (let step: string | undefined = action; step !== undefined; step = widerAction(step)) {
    if (held.has(step)) return true;
  }
  return false;
}

/** The next wider action: `update:/A/B`, `update:/A`, `update`; `action:x`, `action`. Undefined at the top. */
export function widerAction(action: string): string | undefined {
  if (action.startsWith(ACTION_PREFIX)) return 'action';
  if (!action.startsWith(UPDATE_PREFIX)) return undefined;
  const up = parentPointer(action.slice(UPDATE_PREFIX.length));
  return up ? UPDATE_PREFIX + up : 'update';
}

function within(inner: ReadonlySet<string>, outer: ReadonlySet<string>): boolean {
  if (inner.size > outer.size) return false;
  for (const item of inner) if (!outer.has(item)) return false;
  return true;
}

function includes(a: Items, b: Items): boolean {
  return a === 'all' || (b !== 'all' && within(b, a));
}

function parsedContains(a: ParsedClaim, b: ParsedClaim, registry: Registry): boolean {
  const ids = includes(a.ids, b.ids);
  // By its text only where both sides hold one: alone, it names no field and so grants nothing.
  const malformed = a.malformed.size > 0 ? b.malformed : [];
  for (const scope of b.scopes === 'all' ? registry.keys() : b.scopes) {
    const known = registry.get(scope);
    if (known === undefined) continue;
    const wanted = b.actions === 'all' ? known : [...b.actions, ...malformed];
    // Listing every action of a scope is the same as `*`.
    const held = a.actions === 'all' || within(known, a.actions) ? 'all' : a.actions;
    const inScope = a.scopes === 'all' || a.scopes.has(scope);
    for (const action of wanted) {
      // An unknown action grants nothing, yet the scope must be there: a quirk that clients compare by.
      if (!inScope) return false;
      if (!known.has(baseAction(action))) continue;
      if (!ids) return false;
      if (held !== 'all' && !a.malformed.has(action) && !impliesAction(held, action)) return false;
    }
  }
  return true;
}

function parsedCovers(a: ParsedClaim, b: ParsedClaim): boolean {
  const nothing = (found: Items): boolean => found !== 'all' && found.size === 0;
  if (nothing(b.scopes) || nothing(b.actions)) return true;
  if (!includes(a.ids, b.ids) || !includes(a.scopes, b.scopes)) return false;
  if (a.actions === 'all') return true;
  if (b.actions === 'all') return false;
  for (const action of b.actions) if (!impliesAction(a.actions, action)) return false;
  return true;
}

/** True when `a` contains `b` by the registry (release 4.8 unless another is given). */
export function claimContains(a: Claim, b: Claim, registry: Registry = registryV4): boolean {
  return parsedContains(parseClaim(a), parseClaim(b), registry);
}

/** True when `a` grants every request that `b` grants, whatever scopes and actions may exist. */
export function claimCovers(a: Claim, b: Claim): boolean {
  return parsedCovers(parseClaim(a), parseClaim(b));
}

/** Every claim of `b` is contained in one single claim of `a`; nothing is added up. */
export function roleContains(a: readonly Claim[], b: readonly Claim[], registry: Registry = registryV4): boolean {
  const holders = a.map(parseClaim);
  return b.every((claim) => {
    const wanted = parseClaim(claim);
    return holders.some((holder) => parsedContains(holder, wanted, registry));
  });
}

/** As `roleContains`, in the reading that decides requests. */
export function roleCovers(a: readonly Claim[], b: readonly Claim[]): boolean {
  const holders = a.map(parseClaim);
  return b.every((claim) => {
    const wanted = parseClaim(claim);
    return holders.some((holder) => parsedCovers(holder, wanted));
  });
}
