/**
 * Answers of recent list queries, kept up to date instead of being computed anew: a commit only marks the keys it changed, and the
 * next use of a query tests those again. Holds references to stored objects, never copies. Queries that look at aggregated params
 * depend on other objects too and are dropped when any of those changes.
 */
import type { ListQuery } from '../contract/list-query.ts';
import type { Commit, Stored } from '../store/index.ts';
import { startSlice } from './slices.ts';
import type { View } from './types.ts';

/** Queries kept, and the most references they hold together. */
const KEPT_QUERIES = 64;
const KEPT_ITEMS = 400_000;
/** So many changes since the last use: computing anew is cheaper. */
const MOST_DIRTY = 2_000;
const CHECK_EVERY = 16;

/** Whose changes change aggregated params. */
const PARAM_SOURCES = new Set(['profiles', 'stages', 'params', 'contents']);

interface Entry {
  readonly prefix: string;
  readonly needsParams: boolean;
  /** Matching objects, ascending by key. */
  items: Stored[];
  readonly dirty: Set<string>;
}

export interface ListCache {
  /** Objects of the prefix that match, ascending by key, whatever any tenant shows. The array is shared: do not change it. */
  find(
    prefix: string,
    query: Pick<ListQuery, 'filters'>,
    test: (stored: Stored) => boolean,
  ): Promise<readonly Stored[]>;
  changed(commit: Commit): void;
  /** Forgets everything: objects changed without a commit of their own. */
  clear(): void;
}

const byteOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Position of a key in a sorted list, or where it belongs. */
function position(items: readonly Stored[], key: string): { readonly at: number; readonly found: boolean } {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = byteOrder((items[middle] as Stored).key, key);
    if (order === 0) return { at: middle, found: true };
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return { at: low, found: false };
}

function keyOf(prefix: string, query: Pick<ListQuery, 'filters'>): string {
  return JSON.stringify([prefix, query.filters.map(({ name, texts }) => [name, texts])]);
}

/** `isLive`: types whose objects nobody stores, so that no commit tells of their changes. */
export function createListCache(view: View, isLive: (prefix: string) => boolean): ListCache {
  const entries = new Map<string, Entry>();
  /** Being computed: commits mark what they change meanwhile. */
  const pending = new Set<Entry>();
  let held = 0;
  let generation = 0;

  const drop = (key: string): void => {
    held -= entries.get(key)?.items.length ?? 0;
    entries.delete(key);
  };

  /** Brings an entry up to date. Synchronous: no commit can come in between. */
  const refresh = (entry: Entry, test: (stored: Stored) => boolean): void => {
    if (entry.dirty.size === 0) return;
    // Who is iterating the old array goes on with it.
    const items = [...entry.items];
    for (const key of entry.dirty) {
      const { at, found } = position(items, key);
      const stored = view.get(entry.prefix, key);
      const keeps = stored !== undefined && test(stored);
      if (found && keeps) items[at] = stored;
      else if (found) items.splice(at, 1);
      else if (keeps) items.splice(at, 0, stored);
    }
    held += items.length - entry.items.length;
    entry.items = items;
    entry.dirty.clear();
  };

  const compute = async (prefix: string, filtered: boolean, test: (stored: Stored) => boolean): Promise<Stored[]> => {
    const items: Stored[] = [];
    let seen = 0;
    const slice = startSlice();
    for (const stored of view.entries(prefix)) {
      if (++seen % CHECK_EVERY === 0 && slice.isOver()) await slice.next();
      if (!filtered || test(stored)) items.push(stored);
    }
    return items;
  };

  return {
    async find(prefix, query, test) {
      if (isLive(prefix)) return compute(prefix, query.filters.length > 0, test);
      const key = keyOf(prefix, query);
      const known = entries.get(key);
      if (known) {
        refresh(known, test);
        // The most recently used stand last.
        entries.delete(key);
        entries.set(key, known);
        return known.items;
      }
      const entry: Entry = {
        prefix,
        needsParams: query.filters.some((filter) => filter.needsParams),
        items: [],
        dirty: new Set(),
      };
      const startedIn = generation;
      pending.add(entry);
      try {
        entry.items = await compute(prefix, query.filters.length > 0, test);
      } finally {
        pending.delete(entry);
      }
      if (startedIn !== generation || entry.dirty.size > MOST_DIRTY) return entry.items;
      held += entry.items.length;
      entries.set(key, entry);
      while (entries.size > KEPT_QUERIES || (held > KEPT_ITEMS && entries.size > 1))
        drop(entries.keys().next().value as string);
      return entry.items;
    },
    changed(commit) {
      const sources = commit.changes.some((change) => PARAM_SOURCES.has(change.prefix));
      const mark = (entry: Entry): boolean => {
        if (entry.needsParams && sources) return false;
        for (const { prefix, key } of commit.changes) if (prefix === entry.prefix) entry.dirty.add(key);
        return entry.dirty.size <= MOST_DIRTY;
      };
      for (const [key, entry] of entries) if (!mark(entry)) drop(key);
      for (const entry of pending) if (!mark(entry)) generation++;
    },
    clear() {
      generation++;
      entries.clear();
      held = 0;
    },
  };
}
