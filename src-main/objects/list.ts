/**
 * Lists (wire-format.md 3.4): tenant first, then filters, sort, reverse, offset, limit. Work is cut into slices, so that a
 * list of any length leaves the event loop free in between.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ListQuery, matches, sortComparator } from '../contract/list-query.ts';
import type { ModelDefinition } from '../contract/models/index.ts';
import type { Json } from '../kit/json.ts';
import type { Stored } from '../store/index.ts';
import type { Guard } from './guard.ts';
import type { Call, View } from './types.ts';

/** Longest stretch of uninterrupted work, in milliseconds. */
const SLICE_MS = 8;
const CHECK_EVERY = 16;

export interface ListResult {
  readonly items: readonly Stored[];
  /** Visible to the tenant, before filters. */
  readonly total: number;
  /** After filters, before offset and limit. */
  readonly filtered: number;
}

const DENIED: ListResult = { items: [], total: 0, filtered: 0 };

export interface ListDeps {
  readonly view: View;
  readonly guard: Guard;
}

/** Hands the loop back when the slice is used up; resolves to the start of the next one. */
async function breathe(since: number): Promise<number> {
  if (performance.now() - since < SLICE_MS) return since;
  await nextTurn();
  return performance.now();
}

export async function listObjects(
  deps: ListDeps,
  call: Call,
  definition: ModelDefinition,
  query: ListQuery,
  paramOf: (stored: Stored, name: string) => Json | undefined,
): Promise<ListResult> {
  const { view, guard } = deps;
  const demands = [{ scope: definition.prefix, action: 'list', specific: '*' }];
  if (query.decode) demands.push({ scope: definition.prefix, action: 'getSecure', specific: '*' });
  if (guard.conceals() && !guard.allows(call, demands.slice(0, 1))) return DENIED;
  guard.demand(call, demands);

  const restricted = call.actor.restricts(definition.prefix);
  const filtering = query.filters.length > 0;
  const items: Stored[] = [];
  let total = 0;
  let seen = 0;
  let slice = performance.now();
  for (const stored of view.entries(definition.prefix)) {
    if (++seen % CHECK_EVERY === 0) slice = await breathe(slice);
    if (restricted && !guard.visible(call, definition, stored, view)) continue;
    total++;
    if (filtering && !matches(query, stored.value, (name) => paramOf(stored, name))) continue;
    items.push(stored);
  }
  if (query.sort.length > 0) {
    const compare = sortComparator(query);
    items.sort((a, b) => compare(a.value, b.value));
  }
  if (query.reverse) items.reverse();
  const from = query.offset ?? 0;
  const to = query.limit === undefined ? items.length : from + query.limit;
  const page = from === 0 && to >= items.length ? items : items.slice(from, to);
  return { items: page, total, filtered: items.length };
}
