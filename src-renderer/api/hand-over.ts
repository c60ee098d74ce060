/**
 * What one screen hands to the next and no address may hold: a token, the body of a request. In memory, taken once.
 */
import { create } from 'zustand';
import type { Json } from '../../src-main/kit/json.ts';

export interface HandedOver {
  readonly token?: string;
  readonly body?: Json;
}

interface HandOver {
  readonly held: HandedOver;
  give(held: HandedOver): void;
  clear(): void;
}

export const useHandOver = create<HandOver>((set) => ({
  held: {},
  give: (held) => set({ held }),
  clear: () => set({ held: {} }),
}));
