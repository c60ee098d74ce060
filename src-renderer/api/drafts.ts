/**
 * What the user has typed and not saved, by object. View state: it outlives navigation and a dead session,
 * is never persisted (a draft may hold secret params) and keeps the version it started from.
 */
import { create } from 'zustand';
import type { JsonObject } from '../../src-main/kit/json.ts';

export interface Draft {
  readonly opened: JsonObject;
  readonly etag: string | undefined;
  readonly value: JsonObject;
}

interface Drafts {
  readonly byObject: Readonly<Record<string, Draft>>;
  put(id: string, draft: Draft): void;
  drop(id: string): void;
}

export const useDrafts = create<Drafts>((set) => ({
  byObject: {},
  put: (id, draft) => set((state) => ({ byObject: { ...state.byObject, [id]: draft } })),
  drop: (id) =>
    set((state) => {
      const { [id]: _, ...others } = state.byObject;
      return { byObject: others };
    }),
}));

export const draftId = (prefix: string, key: string) => `${prefix}/${key}`;
