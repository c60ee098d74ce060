/**
 * The desktop application. Its main process is the server; the window is one of the server's clients.
 *
 *   arguments ─► single instance? ─no─► wake the first, end
 *        │yes
 *   server starts ─failed─► one sentence in a box, exit code 1
 *        │
 *   fence, bridge, menu ─► window ─► close: hide, quit or ask once (close.ts)
 *        │
 *   quit ─► server drains and flushes (5 s) ─► exit code 0
 *
 * Doors of this room: none. `electron` is imported here, in tray.ts and in preload.ts; the other files take what they use.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  Notification,
  nativeTheme,
  safeStorage,
  screen,
  session,
  shell,
} from 'electron';
import { type RunningServer, startServer } from '../assemble.ts';
import { openLog } from '../log-file.ts';
import { type DesktopArguments, readDesktopArguments } from './arguments.ts';
import { serveBridge } from './bridge.ts';
import { CLOSE_QUESTION, choiceOfButton, whatCloseMeans } from './close.ts';
import { guardContents, guardSession, refusalLog } from './guards.ts';
import { keepSession } from './key-store.ts';
import { menuTemplate, trayTemplate } from './menu.ts';
import { openSettings, type SettingsFile } from './settings.ts';
import { keepTray } from './tray.ts';
import { openWindow } from './window.ts';

/** The server promises 5 s; past this the process ends whatever it is doing. */
const LAST_RESORT_MS = 6_000;

function main(): void {
  let options: DesktopArguments;
  try {
    options = readDesktopArguments(process.argv.slice(1), process.cwd());
  } catch (error) {
    refuseStart(error);
    return;
  }
  // One instance per data directory: the lock of Electron lives in its own folder, so each directory gets one.
  if (options.dataDir !== undefined && !app.commandLine.hasSwitch('user-data-dir')) {
    const mark = createHash('sha256').update(options.dataDir).digest('hex').slice(0, 12);
    app.setPath('userData', join(app.getPath('appData'), app.getName(), `window-${mark}`));
  }
  if (app.requestSingleInstanceLock()) void run(options).catch(refuseStart);
  else app.quit();
}

/** Nothing of ours runs yet or any more: say why in one box and end. */
function refuseStart(error: unknown): void {
  const hint = (error as { hint?: unknown } | undefined)?.hint;
  const sentence = error instanceof Error ? error.message : String(error);
  dialog.showErrorBox('Proviso cannot start', typeof hint === 'string' ? `${sentence}\n\n${hint}` : sentence);
  app.exit(1);
}

async function run({ dataDir = join(app.getPath('userData'), 'data'), port }: DesktopArguments): Promise<void> {
  let window: BrowserWindow | undefined;
  let show = (): void => undefined; // until there is a server to show
  let leave = (): void => app.quit(); // a window may have something to say to it
  // Listeners first: a second start or a signal may come while the server is still starting.
  app.on('second-instance', () => show());
  app.on('activate', () => show());
  const starting = startServer({
    dataDir,
    ...(port === undefined ? {} : { port }),
    mode: 'desktop',
    uiDir: join(import.meta.dirname, '../renderer'),
  });
  const quit = stopBeforeQuit(starting, () => window?.hide());
  const [server] = await Promise.all([starting, app.whenReady()]);
  const settings = await openSettings(join(app.getPath('userData'), 'desktop.json'));
  if (quit.begun()) return;

  const { log } = openLog(app.getPath('logs'), 'shell.log');
  const refused = refusalLog(log);
  const { origin, hostname } = new URL(server.url);
  guardSession(session.defaultSession, origin, { hostname, fingerprint: server.fingerprint }, refused);
  app.on('web-contents-created', (_event, contents) => guardContents(contents, origin, refused));

  nativeTheme.themeSource = settings.current().theme;
  const actions = {
    openDataFolder: () => void shell.openPath(dataDir),
    showWindow: () => show(),
    quit: () => leave(),
    // A choice that cannot be written still counts now.
    keepRunning: (on: boolean) =>
      void settings
        .change({ closeChoice: on ? 'keep-running' : 'quit' })
        .catch(() => undefined)
        .then(followChoice),
  };
  const tray = keepTray(() => Menu.buildFromTemplate(trayTemplate(actions)), actions.showWindow, log);
  const followChoice = (): void => {
    const keepsRunning = settings.current().closeChoice === 'keep-running';
    if (!keepsRunning) tray.remove();
    const menu = menuTemplate(process.platform, !app.isPackaged, keepsRunning, actions);
    Menu.setApplicationMenu(Menu.buildFromTemplate(menu));
  };
  followChoice();
  serveBridge(
    ipcMain,
    origin,
    {
      app,
      dialog,
      shell,
      nativeTheme,
      Notification,
      window: () => window,
      dataDir,
      settings,
      sessions: keepSession(safeStorage, join(app.getPath('userData'), 'session.sealed'), process.platform),
      closeChoiceChanged: followChoice,
    },
    refused,
  );

  const closing = closeHandler(settings, quit.begun, () => tray.show(), followChoice);
  show = () => {
    if (quit.begun()) return;
    if (window === undefined || window.isDestroyed()) {
      window = openWindow({
        BrowserWindow,
        screen,
        dialog,
        url: `${origin}/ui/`,
        settings,
        dark: nativeTheme.shouldUseDarkColors,
        log,
        onClose: closing.act,
        quitting: quit.begun,
        onKept: closing.stay,
        onUnusable: () => app.quit(),
      });
      return;
    }
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  };
  leave = () => {
    if (window === undefined || window.isDestroyed()) app.quit();
    else closing.leave(window);
  };
  app.on('window-all-closed', () => {
    if (closing.leaving() || settings.current().closeChoice !== 'keep-running') app.quit();
  });
  show();
}

/**
 * Acts on the closing of the window. While the question stands, closing again does not ask a second time. To quit, the window
 * is closed first and the app follows, so that a page with unsaved changes is asked while everything still runs.
 */
function closeHandler(settings: SettingsFile, quitting: () => boolean, hidden: () => void, chosen: () => void) {
  let asking = false;
  let leaving = false;
  const leave = (window: BrowserWindow): void => {
    leaving = true;
    window.close();
  };
  const act = (event: { preventDefault(): void } | undefined, window: BrowserWindow): void => {
    const meaning = whatCloseMeans(settings.current().closeChoice, quitting());
    if (meaning === 'let-go' || leaving) return;
    if (meaning === 'quit') {
      leaving = true;
      if (event === undefined) window.close();
      return;
    }
    event?.preventDefault();
    if (meaning === 'hide') {
      window.hide();
      hidden();
    } else if (!asking) {
      asking = true;
      void ask(window).finally(() => {
        asking = false;
      });
    }
  };
  const ask = async (window: BrowserWindow): Promise<void> => {
    const { response } = await dialog.showMessageBox(window, {
      ...CLOSE_QUESTION,
      buttons: [...CLOSE_QUESTION.buttons],
    });
    const closeChoice = choiceOfButton(response);
    if (closeChoice === undefined) return;
    // A choice that cannot be written still counts now; it will be asked again next time.
    await settings.change({ closeChoice }).catch(() => undefined);
    chosen();
    act(undefined, window);
  };
  return {
    act,
    leave,
    leaving: () => leaving,
    stay: () => {
      leaving = false;
    },
  };
}

/**
 * Holds every quit, also one by signal, until the server has drained and flushed. `begun` turns true with the first one
 * and never back.
 */
function stopBeforeQuit(starting: Promise<RunningServer>, began: () => void): { begun(): boolean } {
  let life: 'running' | 'stopping' | 'stopped' = 'running';
  const stop = async (): Promise<void> => {
    const server = await starting.catch(() => undefined); // a failed start has its own way out
    await server?.stop();
  };
  app.on('before-quit', (event) => {
    if (life === 'stopped') return;
    event.preventDefault();
    if (life === 'stopping') return;
    life = 'stopping';
    began();
    const lastResort = setTimeout(() => app.exit(1), LAST_RESORT_MS);
    void stop()
      .then(
        () => 0,
        () => 1,
      )
      .then((code) => {
        clearTimeout(lastResort);
        life = 'stopped';
        if (code === 0) app.quit();
        else app.exit(code);
      });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit());
  return { begun: () => life !== 'running' };
}

main();
