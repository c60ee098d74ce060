/**
 * The `electron` module of the stand-in, loaded in plain Node in place of the real one. It holds what src-main/shell uses and
 * nothing else: a name that is missing here fails loudly. `satisfies` keeps every member spelled as in Electron's own types.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { runInThisContext } from 'node:vm';
import type * as Electron from 'electron';
import { app, Preventable } from './app.ts';
import { connectHost, host } from './host-link.ts';
import { connect, type Handlers } from './rpc.ts';
import { defaultSession, mayConnect, mayDownload, mayRequest } from './session.ts';
import { BrowserWindow, mayNavigate, mayOpen } from './window.ts';
import type { AppSide, Like } from './wire.ts';

type Listener = (event: unknown, ...args: unknown[]) => unknown;
const listeners = new Map<string, Listener>();
export const ipcMain = {
  handle: (channel: string, listener: Listener) => {
    if (listeners.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    listeners.set(channel, listener);
  },
} satisfies Like<Electron.IpcMain>;

/** What the app asked the operating system for. Dialogs are answered as if the user had dismissed them. */
const asked: { what: string; args: unknown[] }[] = [];
const dismiss =
  <T>(what: string, answer: (...args: never[]) => T) =>
  async (...args: unknown[]): Promise<T> => {
    asked.push({ what, args });
    return answer(...(args as never[]));
  };

export const dialog = {
  showOpenDialog: dismiss('showOpenDialog', () => ({ canceled: true, filePaths: [] })),
  showSaveDialog: dismiss('showSaveDialog', () => ({ canceled: true, filePath: '' })),
  showMessageBox: dismiss('showMessageBox', (...args: unknown[]) => ({
    response: (args.at(-1) as Electron.MessageBoxOptions).cancelId ?? 0,
    checkboxChecked: false,
  })),
  showMessageBoxSync: (...args: unknown[]) => {
    asked.push({ what: 'showMessageBoxSync', args });
    return (args.at(-1) as Electron.MessageBoxOptions).cancelId ?? 0;
  },
  showErrorBox: (title: string, content: string) => {
    asked.push({ what: 'showErrorBox', args: [title, content] });
    process.stderr.write(`${title}: ${content}\n`);
  },
} satisfies Like<Electron.Dialog>;

export const shell = { openPath: dismiss('openPath', () => '') } satisfies Like<Electron.Shell>;

export class MenuItem {
  readonly id: string;
  readonly role: string | undefined;
  readonly submenu: Menu | undefined;
  readonly #click: (() => void) | undefined;
  constructor({ id, role, submenu, click }: Electron.MenuItemConstructorOptions) {
    this.id = id ?? '';
    this.role = role;
    this.submenu = Array.isArray(submenu) ? Menu.buildFromTemplate(submenu) : undefined;
    this.#click = click as (() => void) | undefined;
  }
  click(): void {
    this.#click?.();
  }
}

export class Menu {
  static #application: Menu | null = null;
  static buildFromTemplate(template: Electron.MenuItemConstructorOptions[]): Menu {
    const menu = new Menu();
    menu.items = template.map((item) => new MenuItem(item));
    return menu;
  }
  static setApplicationMenu(menu: Menu | null): void {
    Menu.#application = menu;
  }
  static getApplicationMenu(): Menu | null {
    return Menu.#application;
  }
  items: MenuItem[] = [];
  getMenuItemById(id: string): MenuItem | null {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu?.getMenuItemById(id);
      if (found) return found;
    }
    return null;
  }
}

export class Tray extends EventEmitter {
  static shown = 0;
  constructor() {
    super();
    Tray.shown += 1;
  }
  setToolTip(): void {}
  setContextMenu(): void {}
  destroy(): void {
    Tray.shown -= 1;
  }
}

export class Notification {
  static isSupported(): boolean {
    return true;
  }
  readonly #options: unknown;
  constructor(options: unknown) {
    this.#options = options;
  }
  show(): void {
    asked.push({ what: 'notification', args: [this.#options] });
  }
}

export const nativeImage = { createFromDataURL: () => ({}) as Electron.NativeImage } satisfies Like<
  typeof Electron.nativeImage
>;

let theme = 'system';
export const nativeTheme = {
  get themeSource(): string {
    return theme;
  },
  set themeSource(source: string) {
    theme = source;
    void host.theme(source).catch(() => undefined);
  },
  get shouldUseDarkColors(): boolean {
    return theme === 'dark';
  },
} satisfies Like<Electron.NativeTheme>;

const display = { x: 0, y: 0, width: 1920, height: 1080 };
export const screen = {
  getDisplayMatching: () => ({ workArea: display }) as Electron.Display,
} satisfies Like<Electron.Screen>;

/** A key that only this user's stand-in has, as a keyring would hold it. */
const key = (): Buffer =>
  createHash('sha256')
    .update(`stand-in:${app.getPath('userData')}`)
    .digest();
export const safeStorage = {
  isAsyncEncryptionAvailable: async () => true,
  getSelectedStorageBackend: () => 'gnome_libsecret',
  encryptStringAsync: async (text: string) => {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key(), iv);
    return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  },
  decryptStringAsync: async (sealed: Buffer) => {
    const decipher = createDecipheriv('aes-256-gcm', key(), sealed.subarray(0, 12));
    decipher.setAuthTag(sealed.subarray(-16));
    const result = decipher.update(sealed.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8');
    return { result, shouldReEncrypt: false };
  },
} satisfies Like<Electron.SafeStorage>;

export const session = { defaultSession } satisfies Like<typeof Electron.session>;

export { app, BrowserWindow };

const electron = {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  nativeTheme,
  Notification,
  safeStorage,
  screen,
  session,
  shell,
  Tray,
  standIn: { asked },
};

const appSide: AppSide = {
  invoke: async (window, { url, top }, channel, args) => {
    const listener = listeners.get(channel);
    if (listener === undefined) throw new Error(`No handler registered for '${channel}'`);
    const sender = BrowserWindow.fromId(window)?.webContents;
    return await listener({ sender, senderFrame: { url, parent: top ? null : {} } }, ...args);
  },
  mayRequest,
  mayConnect,
  mayNavigate,
  mayOpen,
  mayDownload,
  shown: (window) => {
    BrowserWindow.fromId(window)?.emit('ready-to-show');
  },
  gone: (window, reason) => {
    BrowserWindow.fromId(window)?.webContents.emit('render-process-gone', new Preventable(), { reason, exitCode: 1 });
  },
  // The tests' own code, run where Playwright would run it in Electron: in the main process, with the module at hand.
  evaluate: async (source, arg) => runInThisContext(`(${source})`)(electron, arg) as unknown,
  quit: () => app.quit(),
};
connectHost(connect(process, { ...appSide } as unknown as Handlers));
// A host that was killed leaves nobody who could close this app.
process.once('disconnect', () => app.quit());
