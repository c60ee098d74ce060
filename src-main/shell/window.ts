/** The one window: sandboxed, isolated, showing pages of our own host only. It is made when first shown and kept while hidden. */
import { join } from 'node:path';
import type { BrowserWindow, BrowserWindowConstructorOptions, Dialog, Rectangle, Screen } from 'electron';
import type { Log } from '../kit/log.ts';
import type { SettingsFile, WindowPlace } from './settings.ts';

export interface WindowParts {
  readonly BrowserWindow: typeof BrowserWindow;
  readonly screen: Pick<Screen, 'getDisplayMatching'>;
  readonly dialog: Pick<Dialog, 'showMessageBox' | 'showMessageBoxSync'>;
  readonly url: string;
  readonly settings: SettingsFile;
  readonly dark: boolean;
  readonly log: Log;
  readonly onClose: (event: { preventDefault(): void }, window: BrowserWindow) => void;
  /** True once the app is ending whatever the page says: a signal, or the end of a session. */
  readonly quitting: () => boolean;
  /** The user keeps the window because of what is unsaved in it. */
  readonly onKept: () => void;
  readonly onUnusable: () => void;
}

const USUAL_SIZE = { width: 1280, height: 800 };

export function windowOptions(place: WindowPlace | undefined, dark: boolean): BrowserWindowConstructorOptions {
  return {
    ...USUAL_SIZE,
    ...(place === undefined ? {} : { x: place.x, y: place.y, width: place.width, height: place.height }),
    minWidth: 400,
    minHeight: 320,
    show: false,
    title: 'Proviso',
    // The colour before the first paint, so that a dark screen does not flash white.
    backgroundColor: dark ? '#1a1b1e' : '#ffffff',
    webPreferences: {
      preload: join(import.meta.dirname, '../preload/preload.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
      // Chromium would fetch dictionaries from the network.
      spellcheck: false,
      navigateOnDragDrop: false,
    },
  };
}

/** A remembered place counts only while some of it, including where the title bar is, lies on a display. */
export function isReachable(place: WindowPlace, workArea: Rectangle): boolean {
  const right = Math.min(place.x + place.width, workArea.x + workArea.width);
  const left = Math.max(place.x, workArea.x);
  return right - left >= 100 && place.y >= workArea.y - 10 && place.y <= workArea.y + workArea.height - 50;
}

export function openWindow(parts: WindowParts): BrowserWindow {
  const remembered = parts.settings.current().window;
  const place =
    remembered && isReachable(remembered, parts.screen.getDisplayMatching(remembered).workArea)
      ? remembered
      : undefined;
  const window = new parts.BrowserWindow(windowOptions(place, parts.dark));
  if (place?.maximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  window.on('close', (event) => {
    rememberPlace(window, parts);
    parts.onClose(event, window);
  });
  askAboutUnsaved(window, parts);
  recoverFromCrashes(window, parts);
  void load(window, parts);
  return window;
}

async function load(window: BrowserWindow, parts: WindowParts): Promise<void> {
  try {
    await window.loadURL(parts.url);
  } catch (error) {
    if (window.isDestroyed()) return;
    parts.log.error({ err: error, url: parts.url }, 'the window cannot load its page');
    const { response } = await parts.dialog.showMessageBox({
      type: 'error',
      title: 'Proviso',
      message: 'The window cannot load its page.',
      detail: error instanceof Error ? error.message : String(error),
      buttons: ['Try again', 'Quit'],
      defaultId: 0,
      cancelId: 1,
    });
    if (response === 0 && !window.isDestroyed()) await load(window, parts);
    else parts.onUnusable();
  }
}

/** `cancelId` is what Escape answers: nothing is lost. */
export const UNSAVED_QUESTION = {
  type: 'warning',
  title: 'Proviso',
  message: 'You have unsaved changes.',
  detail: 'They exist in this window only and cannot be brought back once discarded.',
  buttons: ['Keep editing', 'Discard'],
  defaultId: 0,
  cancelId: 0,
  noLink: true,
} as const;
const DISCARD = 1;

/**
 * The page refuses to be unloaded while it holds drafts. Electron would keep the window without a word, so the question is ours;
 * it has to be answered before the event returns, hence the dialog that blocks.
 */
export function askAboutUnsaved(
  window: BrowserWindow,
  { dialog, quitting, onKept }: Pick<WindowParts, 'dialog' | 'quitting' | 'onKept'>,
): void {
  window.webContents.on('will-prevent-unload', (event) => {
    // Preventing the default of this event lets the page go.
    if (quitting()) {
      event.preventDefault();
      return;
    }
    window.show();
    const answer = dialog.showMessageBoxSync(window, { ...UNSAVED_QUESTION, buttons: [...UNSAVED_QUESTION.buttons] });
    if (answer === DISCARD) event.preventDefault();
    else onKept();
  });
}

const CRASHES = { limit: 3, withinMs: 60_000 };

/** A crashed page is loaded again; one that keeps crashing would only burn the processor. */
function recoverFromCrashes(window: BrowserWindow, parts: WindowParts): void {
  let crashes: number[] = [];
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    const now = Date.now();
    crashes = [...crashes.filter((at) => now - at < CRASHES.withinMs), now];
    parts.log.error({ reason, exitCode, crashes: crashes.length }, 'the page of the window crashed');
    if (crashes.length < CRASHES.limit) window.webContents.reload();
  });
}

function rememberPlace(window: BrowserWindow, { settings, log }: WindowParts): void {
  const place = { ...window.getNormalBounds(), maximized: window.isMaximized() };
  settings.change({ window: place }).catch((error: unknown) => {
    log.warn({ err: error }, 'the place of the window was not remembered');
  });
}
