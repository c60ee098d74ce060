/**
 * Brings what is on screen up to date with the change stream. A few updated objects of a long list are read one by one and put in
 * their rows; anything else reads the list anew. One refresh per type at a time: changes that come meanwhile wait for the next,
 * so that steady change can neither start a reading over for ever nor let an older answer overwrite a newer one.
 */
import type { QueryClient } from '@tanstack/react-query';
import { RIGHTS_TYPES } from '../../src-main/contract/claims/index.ts';
import { api } from './client.ts';
import type { ChangeEvent } from './live.ts';
import { keys, type Listed } from './queries.ts';
import { keyOf, NOUN, type ObjectOf, type Prefix } from './types.ts';

/** What has changed of one type since it was last refreshed: these objects, or more than is worth telling apart. */
export type Pending = ReadonlySet<string> | 'everything';

/** More changed rows than this cost more requests than the list is worth. */
const ROWS_AT_ONCE = 16;
/** A bulk change is many events and one refresh. */
const GATHER_MS = 150;
/** Their change decides which objects can be seen at all. */
const BEHIND_VISIBILITY: ReadonlySet<string> = new Set(['roles', 'tenants', 'contents']);

/** What is pending after one more change. */
export function withChange(
  pending: Pending | undefined,
  { Action, Key }: Pick<ChangeEvent, 'Action' | 'Key'>,
): Pending {
  const known = Action === 'update' || Action === 'save';
  if (!known || pending === 'everything') return 'everything';
  const next = new Set(pending).add(Key);
  return next.size > ROWS_AT_ONCE ? 'everything' : next;
}

/** The list with these objects in the place of their older selves; undefined when one of them has no row. */
export function withRows<P extends Prefix>(
  prefix: P,
  list: Listed<P>,
  fresh: readonly ObjectOf<P>[],
): Listed<P> | undefined {
  const rows = [...list.rows];
  for (const object of fresh) {
    const at = rows.findIndex((row) => keyOf(prefix, row) === keyOf(prefix, object));
    if (at < 0) return undefined;
    rows[at] = object;
  }
  return { ...list, rows };
}

export interface Refresh {
  changed(event: ChangeEvent): void;
  /** Everything may have changed. */
  everything(): void;
  stop(): void;
}

type ReadRow = <P extends Prefix>(prefix: P, key: string) => Promise<ObjectOf<P>>;

const readRow: ReadRow = async (prefix, key) => (await api.get(prefix, key)).value;

/** Starts with nothing pending; `read` fetches one object. */
export function createRefresh(cache: QueryClient, read: ReadRow = readRow): Refresh {
  const pending = new Map<string, Pending>();
  const running = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const everything = () => {
    pending.clear();
    void cache.invalidateQueries({ predicate: (q) => q.queryKey[0] !== keys.host[0] });
  };
  const flush = () => {
    timer = undefined;
    const types = [...pending.keys()];
    if (types.some((type) => BEHIND_VISIBILITY.has(type))) return everything();
    if (types.some((type) => RIGHTS_TYPES.has(type))) void cache.invalidateQueries({ queryKey: keys.own });
    for (const type of types) void refresh(type);
  };
  const gather = () => {
    timer ??= setTimeout(flush, GATHER_MS);
  };
  const refresh = async (type: string) => {
    const what = pending.get(type);
    if (what === undefined || running.has(type)) return;
    pending.delete(type);
    running.add(type);
    try {
      if (what === 'everything' || !(await refreshRows(cache, read, type, what)))
        await cache.invalidateQueries({ queryKey: keys.all(type) });
    } finally {
      running.delete(type);
      if (pending.has(type)) gather();
    }
  };
  return {
    changed(event) {
      pending.set(event.Type, withChange(pending.get(event.Type), event));
      if (!running.has(event.Type)) gather();
    },
    everything,
    stop: () => clearTimeout(timer),
  };
}

const isPrefix = (type: string): type is Prefix => Object.hasOwn(NOUN, type);

/** False: it could not be done row by row. */
async function refreshRows(cache: QueryClient, read: ReadRow, type: string, changed: ReadonlySet<string>) {
  if (!isPrefix(type)) return false;
  const find = () => cache.getQueryCache().find({ queryKey: keys.list(type), exact: true });
  const list = find();
  // Nobody looks at it, or it is being read: an answer that is under way may be older than the rows.
  if (!list?.isActive() || list.state.data === undefined || list.state.fetchStatus !== 'idle') return false;
  const items = [...changed].map((key) => cache.invalidateQueries({ queryKey: keys.item(type, key) }));
  try {
    const fresh = await Promise.all([...changed].map((key) => read(type, key)));
    // Read anew meanwhile, or forgotten: whoever has signed in since must not see what the last one read.
    if (find() !== list || list.state.fetchStatus !== 'idle') return false;
    const next = withRows(type, list.state.data as Listed<typeof type>, fresh);
    if (!next) return false;
    cache.setQueryData(keys.list(type), next);
    await Promise.all(items);
    return true;
  } catch {
    // Gone, or out of sight: the list tells.
    return false;
  }
}
