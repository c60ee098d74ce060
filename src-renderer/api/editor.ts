/**
 * Editing one object: opened value, draft, guarded save, merge, undo. The draft lives in `drafts`, so it
 * survives navigation and a dead session; the stored value lives in the query cache.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Json, JsonObject } from '../../src-main/kit/json.ts';
import { jsonEquals } from '../../src-main/kit/json-patch.ts';
import { api } from './client.ts';
import { type Draft, draftId, typedSince, useDrafts } from './drafts.ts';
import { ApiError } from './errors.ts';
import { type Merge, mergeThreeWay, resolve } from './merge.ts';
import { buildPatch, changedFields, invertPatch, type PatchOp } from './patch.ts';
import { itemQuery, keys } from './queries.ts';
import type { ObjectOf, Prefix } from './types.ts';

export type SaveOutcome =
  | { readonly kind: 'unchanged' }
  /** `undo` sends the inverse patch, guarded by what was saved; it throws ApiError when the object moved on. */
  | { readonly kind: 'saved'; readonly undo: () => Promise<void> }
  | { readonly kind: 'clash' }
  | { readonly kind: 'failed' };

/** Two people changed the same fields: `merge` waits for the user's choices. */
export interface Clashing {
  readonly merge: Merge;
  readonly theirs: JsonObject;
  readonly etag: string | undefined;
}

export interface ReadyEditor<P extends Prefix> {
  readonly kind: 'ready';
  readonly value: ObjectOf<P>;
  readonly stored: ObjectOf<P>;
  /** Top-level names of changed fields. */
  readonly changed: readonly string[];
  /** The patch Save would send now. */
  readonly patch: readonly PatchOp[];
  /** Changed elsewhere since the draft was opened. */
  readonly stale: boolean;
  /** Deleted elsewhere, or no longer to be seen, since it was opened. */
  readonly gone: boolean;
  readonly saving: boolean;
  readonly failure: ApiError | undefined;
  readonly clash: Clashing | undefined;
  set<K extends keyof ObjectOf<P>>(field: K, value: ObjectOf<P>[K]): void;
  replace(value: JsonObject): void;
  discard(): void;
  save(): Promise<SaveOutcome>;
  /** Saves a clash with the stored value at the given pointers. */
  saveMerged(takeTheirs: ReadonlySet<string>): Promise<SaveOutcome>;
  closeClash(): void;
  /** Creates it anew as the form shows it. Answers whether it worked; `failure` says why not. */
  recreate(): Promise<boolean>;
}

type Editor<P extends Prefix> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: unknown; readonly retry: () => void }
  | ReadyEditor<P>;

/** How often a save whose changes merge cleanly is repeated when others keep writing. */
const ATTEMPTS = 4;

export function useEditor<P extends Prefix>(prefix: P, key: string): Editor<P> {
  const cache = useQueryClient();
  const query = useQuery(itemQuery(prefix, key));
  const id = draftId(prefix, key);
  const draft = useDrafts((state) => state.byObject[id]);
  const { put, drop, settle } = useDrafts.getState();
  const [saving, setSaving] = useState(false);
  const [failure, setFailure] = useState<ApiError>();
  const [clash, setClash] = useState<Clashing>();

  if (!query.data) {
    if (query.error) return { kind: 'failed', error: query.error, retry: () => void query.refetch() };
    return { kind: 'loading' };
  }
  const stored = query.data.value as JsonObject & ObjectOf<P>;
  const base: Draft = draft ?? { opened: stored, etag: query.data.etag, value: stored };

  const replace = (value: JsonObject) => {
    setFailure(undefined);
    // Under way, what was opened is about to be replaced: typing it again is a change as well.
    if (!saving && jsonEquals(value, base.opened)) drop(id);
    else put(id, { ...base, value });
  };
  const discard = () => {
    drop(id);
    setFailure(undefined);
    setClash(undefined);
  };
  const store = (answer: { value: ObjectOf<P>; etag: string | undefined }) => {
    cache.setQueryData(keys.item(prefix, key), { value: answer.value, etag: answer.etag });
    void cache.invalidateQueries({ queryKey: keys.list(prefix) });
  };
  const undo = async (ops: readonly PatchOp[]) => {
    store(await api.patch(prefix, key, invertPatch(ops)));
  };

  const save = async (start: Draft): Promise<SaveOutcome> => {
    setSaving(true);
    setFailure(undefined);
    setClash(undefined);
    try {
      const result = await saveGuarded(prefix, key, start);
      if (result.kind === 'clash') {
        const typed = useDrafts.getState().byObject[id]?.value ?? start.value;
        const mine = typedSince(start.value, result.mine, typed);
        setClash({
          merge: mergeThreeWay(result.opened, result.theirs, mine),
          theirs: result.theirs,
          etag: result.etag,
        });
        return { kind: 'clash' };
      }
      settle(id, start.value, result.stored);
      if (result.kind === 'unchanged') return { kind: 'unchanged' };
      store(result.stored);
      return { kind: 'saved', undo: () => undo(result.ops) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFailure(error);
      return { kind: 'failed' };
    } finally {
      setSaving(false);
    }
  };

  const recreate = async (): Promise<boolean> => {
    setSaving(true);
    setFailure(undefined);
    try {
      const { value, etag } = await api.create(prefix, base.value);
      settle(id, base.value, { value: value as JsonObject & ObjectOf<P>, etag });
      await query.refetch();
      void cache.invalidateQueries({ queryKey: keys.list(prefix) });
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFailure(error);
      return false;
    } finally {
      setSaving(false);
    }
  };

  return {
    kind: 'ready',
    value: base.value as JsonObject & ObjectOf<P>,
    stored,
    changed: changedFields(base.opened, base.value),
    patch: buildPatch(base.opened, base.value),
    stale: draft !== undefined && changedFields(draft.opened, stored).length > 0,
    gone: query.error instanceof ApiError && query.error.failure.kind === 'not-found',
    saving,
    failure,
    clash,
    recreate,
    set: (field, value) => replace({ ...base.value, [field as string]: value as Json }),
    replace,
    discard,
    save: () => save(base),
    saveMerged: (takeTheirs) => {
      if (!clash) return Promise.resolve({ kind: 'unchanged' });
      const merged = resolve(clash.merge, takeTheirs);
      const next = { opened: clash.theirs, etag: clash.etag, value: merged };
      put(id, next);
      return save(next);
    },
    closeClash: () => setClash(undefined),
  };
}

/** An object as the server has it, with its version. */
interface Stored<P extends Prefix> {
  readonly value: JsonObject & ObjectOf<P>;
  readonly etag: string | undefined;
}

type Guarded<P extends Prefix> =
  | { readonly kind: 'unchanged'; readonly stored: Pick<Draft, 'value' | 'etag'> }
  | { readonly kind: 'saved'; readonly ops: readonly PatchOp[]; readonly stored: Stored<P> }
  | {
      readonly kind: 'clash';
      readonly opened: JsonObject;
      readonly theirs: JsonObject;
      readonly mine: JsonObject;
      readonly etag: string | undefined;
    };

/** Sends the patch; when somebody was faster, merges with what is stored and repeats, unless fields clash. */
async function saveGuarded<P extends Prefix>(prefix: P, key: string, start: Draft): Promise<Guarded<P>> {
  let { opened, etag, value } = start;
  for (let attempt = 1; ; attempt++) {
    const ops = buildPatch(opened, value);
    if (ops.length === 0) return { kind: 'unchanged', stored: { value: opened, etag } };
    try {
      const answer = await api.patch(prefix, key, ops, etag);
      const stored = { value: answer.value as JsonObject & ObjectOf<P>, etag: answer.etag };
      return { kind: 'saved', ops, stored };
    } catch (error) {
      const retry = error instanceof ApiError && error.failure.kind === 'conflict' && attempt < ATTEMPTS;
      if (!retry) throw error;
    }
    const fresh = await api.get(prefix, key);
    const theirs = fresh.value as JsonObject & ObjectOf<P>;
    const merge = mergeThreeWay(opened, theirs, value);
    if (merge.clashes.length > 0) return { kind: 'clash', opened, theirs, mine: value, etag: fresh.etag };
    opened = theirs;
    etag = fresh.etag;
    value = merge.merged;
  }
}
