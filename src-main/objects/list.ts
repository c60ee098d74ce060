/**
 * Lists (wire-format.md 3.4): tenant first, then filters, sort, reverse, offset, limit. What matches is kept by the
 * cache; work on long lists is cut into slices.
 */
import { type ListQuery, matches, sortComparator } from '../contract/list-query.ts';
import type { ModelDefinition } from '../contract/models/index.ts';
import type { Json } from '../kit/json.ts';
import type { Stored } from '../store/index.ts';
import type { Guard } from './guard.ts';
import type { ListCache } from './list-cache.ts';
import type { Call, View } from './types.ts';

export interface ListResult {
  readonly items: readonly Stored[];
  /** Visible to the tenant, before filters. */
  readonly total: number;
  /** After filters, before offset and limit. */
  readonly filtered: number;
}

const DENIED: ListResult = { items: [], total: 0, filtered: 0 };

interface ListDeps {
  readonly view: View;
  readonly guard: Guard;
  readonly cache: ListCache;
}

/** The query is read once the caller may list: what is wrong with it tells which params there are. */
export async function listObjects(
  deps: ListDeps,
  call: Call,
  definition: ModelDefinition,
  readQuery: () => ListQuery,
  paramOf: (stored: Stored, name: string) => Json | undefined,
): Promise<ListResult> {
  const { view, guard, cache } = deps;
  const listing = [{ scope: definition.prefix, action: 'list', specific: '*' }];
  if (guard.conceals() && !guard.allows(call, listing)) return DENIED;
  guard.demand(call, listing);
  const query = readQuery();
  if (query.decode) guard.demand(call, [{ scope: definition.prefix, action: 'getSecure', specific: '' }]);

  const test = (stored: Stored): boolean => matches(query, stored.value, (name) => paramOf(stored, name));
  const found = await cache.find(definition.prefix, query, test);
  const restricted = call.actor.restricts(definition.prefix);
  const shown = (items: readonly Stored[]): readonly Stored[] =>
    restricted ? items.filter((stored) => guard.visible(call, definition, stored, view)) : items;
  const visible = shown(found);
  const total = !restricted
    ? view.count(definition.prefix)
    : query.filters.length === 0
      ? visible.length
      : shown(await cache.find(definition.prefix, { filters: [] }, () => true)).length;
  const ordered = query.sort.length > 0 || query.reverse ? [...visible] : visible;
  if (query.sort.length > 0) {
    const compare = sortComparator(query);
    (ordered as Stored[]).sort((a, b) => compare(a.value, b.value));
  }
  if (query.reverse) (ordered as Stored[]).reverse();
  const from = query.offset ?? 0;
  const to = query.limit === undefined ? ordered.length : from + query.limit;
  const page = from === 0 && to >= ordered.length ? ordered : ordered.slice(from, to);
  return { items: page, total, filtered: ordered.length };
}
