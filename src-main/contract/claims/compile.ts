/**
 * All claims of a user or token as one structure that answers a request with two Map look-ups.
 *
 * Claims are only parsed and filed when compiled; the decision for a (scope, action) is put together from the claims
 * that bear on it when it is first asked for, and kept. Each required claim may be satisfied by any role or direct
 * claim (service.md Authentication 5), which is why merging over groups is right.
 *
 * INVARIANT: answers equal those of `parsedAllows` over every claim (compile.test.ts).
 */
import { lookupAction, parsedAllows, type RequiredClaim } from './allows.ts';
import { widerAction } from './contains.ts';
import { type Claim, type Items, type ParsedClaim, parseClaim } from './parse.ts';

/** Claims with where they come from: a role, or (no role) the direct claims of a user or token. */
export interface ClaimGroup {
  readonly role?: string;
  readonly claims: readonly Claim[];
}

/** A group taken apart once, to be compiled into the grants of many users. */
export interface ParsedGroup extends ClaimGroup {
  readonly parsed: readonly ParsedClaim[];
}

/** Which claim granted a request. No `role` means a direct claim. */
export interface GrantSource {
  readonly role?: string;
  readonly claimIndex: number;
  readonly claim: Claim;
}

/** What somebody may do. */
export interface Grants {
  readonly groups: readonly ClaimGroup[];
  allows(scope: string, action: string, specific: string): boolean;
  /** The first claim that grants the request, in the order given; undefined when none does. For explanations. */
  whichGrants(scope: string, action: string, specific: string): GrantSource | undefined;
}

/** Enough for every field path a user's requests name in practice; past it, answers are right but not kept. */
const KEPT_PER_SCOPE = 1024;

interface Decision {
  readonly all: boolean;
  readonly ids: ReadonlySet<string>;
}

const NO_IDS: ReadonlySet<string> = new Set();
const NOTHING: Decision = { all: false, ids: NO_IDS };
const EVERYTHING: Decision = { all: true, ids: NO_IDS };

/** Identifiers granted for one action of one scope, as filed: `'all'`, or the sets of the claims that name it. */
type Filed = 'all' | ReadonlySet<string>[];

/** Claims filed under one scope (or under Scope `*`). */
interface Shelf {
  readonly byAction: Map<string, Filed>;
  anyAction: Filed;
}

function newShelf(): Shelf {
  return { byAction: new Map(), anyAction: [] };
}

function filed(before: Filed, ids: Items): Filed {
  if (before === 'all' || ids === 'all') return 'all';
  before.push(ids);
  return before;
}

function file(shelf: Shelf, actions: Items, ids: Items): void {
  if (actions === 'all') {
    shelf.anyAction = filed(shelf.anyAction, ids);
    return;
  }
  for (const action of actions) {
    if (action !== '*') shelf.byAction.set(action, filed(shelf.byAction.get(action) ?? [], ids));
  }
}

function merged(sets: readonly ReadonlySet<string>[]): Decision {
  const [first] = sets;
  if (first === undefined) return NOTHING;
  if (sets.length === 1) return { all: false, ids: first };
  const ids = new Set<string>();
  for (const set of sets) for (const id of set) ids.add(id);
  return { all: false, ids };
}

/** The decisions of one scope: its own shelf and that of Scope `*`. */
class ScopeTable {
  readonly #shelves: readonly Shelf[];
  /** For the texts of actions that claims name; as many as the claims have. */
  readonly #named = new Map<string, Decision>();
  readonly decisions = new Map<string, Decision>();

  constructor(shelves: readonly Shelf[]) {
    this.#shelves = shelves;
  }

  decide(asked: string): Decision {
    let nearest: string | undefined = lookupAction(asked);
    while (nearest !== undefined && !this.#shelves.some(({ byAction }) => byAction.has(nearest as string))) {
      nearest = widerAction(nearest);
    }
    const key = nearest ?? '';
    const decision = this.#named.get(key) ?? this.#put(key, nearest);
    if (this.decisions.size < KEPT_PER_SCOPE) this.decisions.set(asked, decision);
    return decision;
  }

  #put(key: string, nearest: string | undefined): Decision {
    const decision = this.#together(nearest);
    this.#named.set(key, decision);
    return decision;
  }

  #together(nearest: string | undefined): Decision {
    const sets: ReadonlySet<string>[] = [];
    for (const shelf of this.#shelves) {
      if (shelf.anyAction === 'all') return EVERYTHING;
      sets.push(...shelf.anyAction);
      for (let step = nearest; step !== undefined; step = widerAction(step)) {
        const found = shelf.byAction.get(step);
        if (found === 'all') return EVERYTHING;
        if (found) sets.push(...found);
      }
    }
    return merged(sets);
  }
}

class CompiledGrants implements Grants {
  readonly groups: readonly ParsedGroup[];
  readonly #tables = new Map<string, ScopeTable>();
  /** For every scope that no claim names. */
  readonly #others: ScopeTable;

  constructor(groups: readonly ParsedGroup[]) {
    this.groups = groups;
    const anyScope = newShelf();
    const shelves = new Map<string, Shelf>();
    for (const group of groups) {
      for (const { scopes, actions, ids: listed } of group.parsed) {
        const ids = withoutStar(listed);
        if (scopes === 'all') file(anyScope, actions, ids);
        else {
          for (const scope of scopes) {
            if (scope === '*') continue;
            let shelf = shelves.get(scope);
            if (shelf === undefined) {
              shelf = newShelf();
              shelves.set(scope, shelf);
            }
            file(shelf, actions, ids);
          }
        }
      }
    }
    for (const [scope, shelf] of shelves) this.#tables.set(scope, new ScopeTable([shelf, anyScope]));
    this.#others = new ScopeTable([anyScope]);
  }

  allows(scope: string, action: string, specific: string): boolean {
    const table = this.#tables.get(scope) ?? this.#others;
    const decision = table.decisions.get(action) ?? table.decide(action);
    return decision.all || decision.ids.has(specific);
  }

  whichGrants(scope: string, action: string, specific: string): GrantSource | undefined {
    const wanted: RequiredClaim = { scope, action, specific };
    for (const { role, claims, parsed } of this.groups) {
      const claimIndex = parsed.findIndex((claim) => parsedAllows(claim, wanted));
      const claim = claims[claimIndex];
      if (claim) return { ...(role === undefined ? {} : { role }), claimIndex, claim };
    }
    return undefined;
  }
}

// `*` inside a list must not answer for the `*` of a request, which means everything.
function withoutStar(ids: Items): Items {
  if (ids === 'all' || !ids.has('*')) return ids;
  const kept = new Set(ids);
  kept.delete('*');
  return kept;
}

/** Takes the claims of a role apart once, so that the grants of all its users share them. */
export function parseGroup(group: ClaimGroup): ParsedGroup {
  return { ...group, parsed: group.claims.map(parseClaim) };
}

/** One decision structure over all groups. Pass the result of `parseGroup` where a role serves many users. */
export function compileGrants(groups: readonly (ClaimGroup | ParsedGroup)[]): Grants {
  return new CompiledGrants(groups.map((group) => ('parsed' in group ? group : parseGroup(group))));
}
