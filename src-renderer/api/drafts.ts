/**
 * What the user has typed and not saved, by object. View state: it outlives navigation and a dead session,
 * is never persisted (a draft may hold secret params) and keeps the version it started from.
 */
import { create } from 'zustand';
import type { JsonObject } from '../../src-main/kit/json.ts';
import { jsonEquals } from '../../src-main/kit/json-patch.ts';
import { mergeThreeWay } from './merge.ts';
import { NOUN, type Prefix } from './types.ts';

export interface Draft {
  readonly opened: JsonObject;
  readonly etag: string | undefined;
  readonly value: JsonObject;
}

interface Drafts {
  readonly byObject: Readonly<Record<string, Draft>>;
  put(id: string, draft: Draft): void;
  drop(id: string): void;
  /** `sent` is saved, as `stored`: the draft ends, unless more was typed meanwhile, which then stands on `stored`. */
  settle(id: string, sent: JsonObject, stored: Pick<Draft, 'value' | 'etag'>): void;
}

export const useDrafts = create<Drafts>((set, get) => ({
  byObject: {},
  put: (id, draft) => set((state) => ({ byObject: { ...state.byObject, [id]: draft } })),
  drop: (id) =>
    set((state) => {
      const { [id]: _, ...others } = state.byObject;
      return { byObject: others };
    }),
  settle: (id, sent, stored) => {
    const now = get().byObject[id];
    // Gone already: whoever signed out meanwhile leaves nothing behind.
    if (!now) return;
    const value = typedSince(sent, stored.value, now.value);
    if (jsonEquals(value, stored.value)) get().drop(id);
    else get().put(id, { opened: stored.value, etag: stored.etag, value });
  },
}));

/** What was typed on top of `sent`, on top of `next` instead. Where both changed the same, what was typed holds. */
export function typedSince(sent: JsonObject, next: JsonObject, typed: JsonObject): JsonObject {
  return mergeThreeWay(sent, next, typed).merged;
}

/** Whether anything typed is not saved. */
export const hasDrafts = (): boolean => Object.keys(useDrafts.getState().byObject).length > 0;

/** The drafts in words: `machine web01.example.com`. */
export function draftNames(byObject: Drafts['byObject']): string[] {
  return Object.entries(byObject).map(([id, { opened }]) => {
    const prefix = id.slice(0, id.indexOf('/')) as Prefix;
    return `${NOUN[prefix].one} ${String(opened['Name'])}`;
  });
}

export const draftId = (prefix: Prefix, key: string) => `${prefix}/${key}`;
