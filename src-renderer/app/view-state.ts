/** State of the window frame that is not worth an address: the rail's width, the shortcut sheet. */
import { create } from 'zustand';

const RAIL_KEY = 'proviso-rail';

interface ViewState {
  readonly railCollapsed: boolean;
  readonly shortcutsOpen: boolean;
  toggleRail(): void;
  showShortcuts(open: boolean): void;
}

export const useViewState = create<ViewState>((set, get) => ({
  railCollapsed: readRail(),
  shortcutsOpen: false,
  toggleRail: () => {
    const railCollapsed = !get().railCollapsed;
    set({ railCollapsed });
    try {
      localStorage.setItem(RAIL_KEY, railCollapsed ? 'collapsed' : 'open');
    } catch {
      // Storage is switched off: the choice lasts as long as the page.
    }
  },
  showShortcuts: (shortcutsOpen) => set({ shortcutsOpen }),
}));

function readRail(): boolean {
  try {
    return localStorage.getItem(RAIL_KEY) === 'collapsed';
  } catch {
    return false;
  }
}
