/** What the desktop remembers about itself on this computer: nothing of the server, nothing secret. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { CloseChoice } from '../contract/desktop-bridge.ts';

export type Theme = 'system' | 'light' | 'dark';

export interface WindowPlace {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly maximized: boolean;
}

export interface DesktopSettings {
  readonly closeChoice: CloseChoice;
  readonly theme: Theme;
  readonly window?: WindowPlace;
}

export const DEFAULT_SETTINGS: DesktopSettings = { closeChoice: 'ask', theme: 'system' };

export const isCloseChoice = (value: unknown): value is CloseChoice =>
  value === 'ask' || value === 'keep-running' || value === 'quit';

export const isTheme = (value: unknown): value is Theme => value === 'system' || value === 'light' || value === 'dark';

/** Reads settings from what the file holds. Whatever is missing or makes no sense falls back to its default. */
export function parseSettings(text: string): DesktopSettings {
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch {
    return DEFAULT_SETTINGS;
  }
  if (stored === null || typeof stored !== 'object') return DEFAULT_SETTINGS;
  const { closeChoice, theme, window } = stored as Record<string, unknown>;
  return {
    closeChoice: isCloseChoice(closeChoice) ? closeChoice : DEFAULT_SETTINGS.closeChoice,
    theme: isTheme(theme) ? theme : DEFAULT_SETTINGS.theme,
    ...(isWindowPlace(window) ? { window } : {}),
  };
}

function isWindowPlace(value: unknown): value is WindowPlace {
  if (value === null || typeof value !== 'object') return false;
  const { x, y, width, height, maximized } = value as Record<string, unknown>;
  return [x, y, width, height].every(Number.isSafeInteger) && typeof maximized === 'boolean';
}

export interface SettingsFile {
  current(): DesktopSettings;
  /** Takes effect at once and resolves when it is on disk. */
  change(part: Partial<DesktopSettings>): Promise<void>;
  /** Resolves when every change so far is on disk. */
  settled(): Promise<void>;
}

/** Opens the settings at `path`; a missing or broken file means defaults. */
export async function openSettings(path: string): Promise<SettingsFile> {
  let current = parseSettings(await readFile(path, 'utf8').catch(() => ''));
  let writes: Promise<void> = Promise.resolve();
  const save = async (text: string): Promise<void> => {
    await mkdir(dirname(path), { recursive: true });
    // A rename, so that a crash leaves the old settings or the new ones.
    await writeFile(`${path}.new`, text, { mode: 0o600 });
    await rename(`${path}.new`, path);
  };
  return {
    current: () => current,
    change: (part) => {
      current = { ...current, ...part };
      const text = `${JSON.stringify(current, undefined, 2)}\n`;
      const written = writes.then(() => save(text));
      // A full disk must not end the app over a window position; the caller of this change hears of it.
      writes = written.catch(() => undefined);
      return written;
    },
    settled: () => writes,
  };
}
