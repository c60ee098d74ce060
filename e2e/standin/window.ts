/** `BrowserWindow` of the stand-in: state here, the page in the host's Chromium. Only sandboxed, isolated windows exist. */
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type {
  BrowserWindowConstructorOptions,
  WebContents as RealContents,
  BrowserWindow as RealWindow,
  Rectangle,
} from 'electron';
import { app, isQuitting, Preventable, windows } from './app.ts';
import { host } from './host-link.ts';
import { grantedPermissions } from './session.ts';
import type { Like } from './wire.ts';

class WebContents extends EventEmitter implements Pick<Like<RealContents>, 'getURL' | 'reload'> {
  openHandler: Parameters<RealContents['setWindowOpenHandler']>[0] | undefined;
  url = '';
  readonly #window: number;
  constructor(window: number) {
    super();
    this.#window = window;
  }
  getURL(): string {
    return this.url;
  }
  reload(): void {
    void host.reload(this.#window).catch(() => undefined);
  }
  setWindowOpenHandler(handler: WebContents['openHandler']): void {
    this.openHandler = handler;
  }
}

const open = new Map<number, BrowserWindow>();

type Known =
  | 'loadURL'
  | 'close'
  | 'isDestroyed'
  | 'show'
  | 'hide'
  | 'isVisible'
  | 'focus'
  | 'minimize'
  | 'restore'
  | 'isMinimized'
  | 'maximize'
  | 'isMaximized'
  | 'getNormalBounds';

export class BrowserWindow extends EventEmitter implements Pick<Like<RealWindow>, Known> {
  static getAllWindows(): BrowserWindow[] {
    return [...open.values()];
  }
  static fromId(id: number): BrowserWindow | undefined {
    return open.get(id);
  }
  static #last = 0;
  readonly id: number;
  readonly webContents: WebContents;
  readonly #bounds: Rectangle;
  readonly #options: BrowserWindowConstructorOptions;
  #created: Promise<void> | undefined;
  #visible: boolean;
  #minimized = false;
  #maximized = false;

  constructor(options: BrowserWindowConstructorOptions) {
    super();
    const { contextIsolation, nodeIntegration, sandbox, webSecurity, preload } = options.webPreferences ?? {};
    if (contextIsolation === false || nodeIntegration === true || sandbox === false || webSecurity === false) {
      throw new Error('stand-in: only sandboxed, isolated windows are supported');
    }
    if (preload === undefined) throw new Error('stand-in: a window needs a preload');
    BrowserWindow.#last += 1;
    this.id = BrowserWindow.#last;
    this.webContents = new WebContents(this.id);
    this.#options = options;
    this.#bounds = { x: options.x ?? 0, y: options.y ?? 0, width: options.width ?? 800, height: options.height ?? 600 };
    this.#visible = options.show ?? true;
    open.set(this.id, this);
    app.emit('web-contents-created', new Preventable(), this.webContents);
  }

  async loadURL(url: string): Promise<void> {
    const { width, height } = this.#bounds;
    const preload = readFileSync(this.#options.webPreferences?.preload ?? '', 'utf8');
    this.#created ??= host.create(this.id, {
      preload,
      width,
      height,
      granted: grantedPermissions(new URL(url).origin),
    });
    await this.#created;
    await host.load(this.id, url);
    this.webContents.url = url;
  }

  close(): void {
    if (!open.has(this.id)) return;
    const event = new Preventable();
    this.emit('close', event);
    if (event.defaultPrevented) return;
    // The page is asked by message, which takes time; at the end of the app nobody waits for it.
    if (isQuitting()) this.#gone();
    else void this.#unload();
  }
  async #unload(): Promise<void> {
    const kept = await host.keepsPage(this.id).catch(() => false);
    if (!open.has(this.id)) return;
    if (kept) {
      const event = new Preventable();
      this.webContents.emit('will-prevent-unload', event);
      if (!event.defaultPrevented) return;
    }
    this.#gone();
  }
  #gone(): void {
    open.delete(this.id);
    void host.close(this.id).catch(() => undefined);
    this.emit('closed');
    if (open.size > 0 || isQuitting()) return;
    if (app.listenerCount('window-all-closed') > 0) app.emit('window-all-closed');
    else app.quit();
  }
  isDestroyed(): boolean {
    return !open.has(this.id);
  }
  show(): void {
    this.#visible = true;
    this.emit('show');
  }
  hide(): void {
    this.#visible = false;
    this.emit('hide');
  }
  isVisible(): boolean {
    return this.#visible;
  }
  focus(): void {
    void host.focus(this.id).catch(() => undefined);
    this.emit('focus');
  }
  minimize(): void {
    this.#minimized = true;
  }
  restore(): void {
    this.#minimized = false;
  }
  isMinimized(): boolean {
    return this.#minimized;
  }
  maximize(): void {
    this.#maximized = true;
  }
  isMaximized(): boolean {
    return this.#maximized;
  }
  getNormalBounds(): Rectangle {
    return { ...this.#bounds };
  }
}

windows.closeAll = () => {
  for (const window of open.values()) window.close();
  return open.size === 0;
};

export function mayNavigate(id: number, url: string): boolean {
  const event = Object.assign(new Preventable(), { url });
  open.get(id)?.webContents.emit('will-navigate', event, url);
  return !event.defaultPrevented;
}

/** Electron opens what no handler refuses. */
export function mayOpen(id: number, url: string): boolean {
  const handler = open.get(id)?.webContents.openHandler;
  return handler?.({ url, frameName: '', features: '', disposition: 'new-window' } as never).action !== 'deny';
}
