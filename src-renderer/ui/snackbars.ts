/** Short confirmations with an optional Undo; view state, newest last. */
import { create } from 'zustand';

export interface Snackbar {
  readonly id: number;
  readonly text: string;
  readonly tone: 'ok' | 'danger';
  /** Absent when the act cannot be undone. */
  readonly undo: (() => void) | undefined;
}

interface Snackbars {
  readonly items: readonly Snackbar[];
  show(text: string, options?: { tone?: Snackbar['tone']; undo?: (() => void) | undefined }): void;
  dismiss(id: number): void;
  clear(): void;
}

let nextId = 1;

export const useSnackbars = create<Snackbars>((set) => ({
  items: [],
  show: (text, options = {}) =>
    set(({ items }) => ({
      items: [...items.slice(-2), { id: nextId++, text, tone: options.tone ?? 'ok', undo: options.undo }],
    })),
  dismiss: (id) => set(({ items }) => ({ items: items.filter((item) => item.id !== id) })),
  clear: () => set({ items: [] }),
}));

export const notify = (...args: Parameters<Snackbars['show']>) => useSnackbars.getState().show(...args);
