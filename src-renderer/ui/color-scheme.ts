/**
 * The theme choice (System, Light, Dark) under the key that public/theme.js reads before the first frame.
 * Mantine calls "System" `auto`; the stored words are ours, so the blocking script stays readable.
 */
import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';

const KEY = 'proviso-theme';

export const COLOR_SCHEMES = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const satisfies readonly { value: MantineColorScheme; label: string }[];

export const colorSchemeManager: MantineColorSchemeManager = {
  get: (fallback) => {
    try {
      const stored = localStorage.getItem(KEY);
      return stored === 'light' || stored === 'dark' ? stored : fallback;
    } catch {
      return fallback;
    }
  },
  set: (value) => {
    try {
      if (value === 'auto') localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, value);
    } catch {
      // Storage is switched off: the choice lasts as long as the page.
    }
  },
  subscribe: () => {},
  unsubscribe: () => {},
  clear: () => colorSchemeManager.set('auto'),
};
