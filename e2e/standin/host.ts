/**
 * The host of the stand-in, in the Playwright worker. It runs the real main bundle in plain Node and gives each of its windows a
 * page of the worker's Chromium, fenced as the app decides: before a request leaves, before a page navigates, opens or downloads,
 * the app is asked what real Electron would have asked it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Browser, BrowserContext, CDPSession, Page, Route } from '@playwright/test';
import { pageHalf, preloadHalf } from './page.ts';
import { type Ask, connect, type Handlers } from './rpc.ts';
import type { AppSide, HostSide } from './wire.ts';

const WORLD = 'electron-preload';

interface Window {
  readonly id: number;
  readonly page: Page;
  /** The address the app itself is loading; anything else is the page's own idea. */
  expected: string | undefined;
  shown: boolean;
}

export interface StandInOptions {
  readonly browser: Browser;
  readonly appDir: string;
  readonly main: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly electronVersion: string;
}

export class StandInHost {
  readonly child: ChildProcess;
  /** Exit code of the main process; a signal counts as null. */
  readonly exited: Promise<number | null>;
  readonly #context: BrowserContext;
  readonly #app: {
    [M in keyof AppSide]: (...args: Parameters<AppSide[M]>) => Promise<Awaited<ReturnType<AppSide[M]>>>;
  };
  readonly #windows = new Map<number, Window>();
  readonly #connections = new Map<string, Promise<boolean>>();
  readonly #waiting: ((page: Page) => void)[] = [];
  #output = '';

  static async start(options: StandInOptions): Promise<StandInHost> {
    // Certificates are decided by the app (see #route), so Chromium itself must not get in the way.
    const context = await options.browser.newContext({ ignoreHTTPSErrors: true, acceptDownloads: true });
    const host = new StandInHost(context, options);
    await context.route('**/*', (route) => host.#route(route));
    return host;
  }

  private constructor(context: BrowserContext, { appDir, main, args, env, electronVersion }: StandInOptions) {
    this.#context = context;
    this.child = spawn(process.execPath, ['--import', join(import.meta.dirname, 'register.ts'), main, ...args], {
      cwd: appDir,
      env: { ...process.env, ...env, STANDIN_ELECTRON_VERSION: electronVersion, NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      serialization: 'advanced',
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (chunk) => {
        this.#output += String(chunk);
      });
    }
    this.exited = new Promise((resolve) => this.child.once('exit', (code) => resolve(code)));
    const ask: Ask = connect(this.child, this.#handlers() as unknown as Handlers);
    this.#app = new Proxy({} as never, {
      get:
        (_target, method) =>
        (...args: unknown[]) =>
          ask(String(method), ...args),
    });
  }

  output(): string {
    return this.#output;
  }

  /** The page of the first window that is shown; rejected with the output of the app when it ends before. */
  firstWindow(): Promise<Page> {
    const shown = [...this.#windows.values()].find((window) => window.shown);
    if (shown) return Promise.resolve(shown.page);
    return Promise.race([
      new Promise<Page>((resolve) => this.#waiting.push(resolve)),
      this.exited.then((code) => {
        throw new Error(`the app ended with ${code} before it showed a window\n${this.#output}`);
      }),
    ]);
  }

  evaluate(source: string, arg: unknown): Promise<unknown> {
    return this.#app.evaluate(source, arg);
  }

  /** Quits the app as its user would, or kills it when it does not end; then closes its pages. */
  async close(): Promise<void> {
    this.#app.quit().catch(() => undefined);
    const late = setTimeout(() => this.child.kill('SIGKILL'), 10_000);
    await this.exited;
    clearTimeout(late);
    await this.#context.close();
  }

  #handlers(): HostSide {
    return {
      create: (id, options) => this.#create(id, options),
      load: async (id, url) => {
        const window = this.#window(id);
        window.expected = url;
        await window.page.goto(url);
      },
      close: async (id) => {
        const page = this.#windows.get(id)?.page;
        this.#windows.delete(id);
        await page?.close();
      },
      // A page that has crashed or gone refuses nothing.
      keepsPage: async (id) =>
        (await this.#windows
          .get(id)
          ?.page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))
          .catch(() => false)) ?? false,
      reload: async (id) => {
        await this.#window(id).page.reload();
      },
      focus: (id) => this.#window(id).page.bringToFront(),
      theme: async (source) => {
        const colorScheme = source === 'dark' || source === 'light' ? source : null;
        for (const { page } of this.#windows.values()) await page.emulateMedia({ colorScheme });
      },
    };
  }

  #window(id: number): Window {
    const window = this.#windows.get(id);
    if (window === undefined) throw new Error(`stand-in: no window ${id}`);
    return window;
  }

  async #create(id: number, options: Parameters<HostSide['create']>[1]): Promise<void> {
    const page = await this.#context.newPage();
    const window: Window = { id, page, expected: undefined, shown: false };
    this.#windows.set(id, window);
    await this.#context.grantPermissions(options.granted);
    await page.setViewportSize({ width: options.width, height: options.height });
    page.on('load', () => {
      if (window.shown || !page.url().startsWith('https:')) return; // Chromium's own error page shows nothing of ours
      window.shown = true;
      void this.#app.shown(id).catch(() => undefined);
      for (const resolve of this.#waiting.splice(0)) resolve(page);
    });
    page.on('crash', () => void this.#app.gone(id, 'crashed').catch(() => undefined));
    page.on('popup', (popup) => void popup.close());
    page.on('download', async (download) => {
      if (!(await this.#app.mayDownload(download.url()))) await download.cancel();
    });
    await this.#injectPreload(window, options.preload);
  }

  /** The page's half goes in first: the preload announces its methods to it while the document is being created. */
  async #injectPreload({ id, page }: Window, preload: string): Promise<void> {
    const cdp: CDPSession = await this.#context.newCDPSession(page);
    const secret = randomBytes(8).toString('hex');
    const [toPreload, toPage, binding] = [`p${secret}`, `m${secret}`, `main${secret}`].map((name) =>
      JSON.stringify(name),
    );
    const name = `main${secret}`;
    cdp.on('Runtime.bindingCalled', async ({ name: called, executionContextId, payload }) => {
      if (called !== name) return;
      const {
        id: call,
        channel,
        args,
      } = JSON.parse(payload) as { id: number; channel: string; args: { value?: unknown }[] };
      const frame = { url: page.url(), top: true };
      const answer = await this.#app
        .invoke(
          id,
          frame,
          channel,
          args.map(({ value }) => value),
        )
        .then(
          (value) => ({ id: call, value }),
          // Electron's own words around what a handler throws.
          (error: unknown) => ({ id: call, error: `Error invoking remote method '${channel}': ${String(error)}` }),
        );
      const expression = `globalThis[${JSON.stringify(`${name}Answer`)}]?.(${JSON.stringify(JSON.stringify(answer))})`;
      await cdp.send('Runtime.evaluate', { contextId: executionContextId, expression }).catch(() => undefined);
    });
    await cdp.send('Page.enable');
    await cdp.send('Runtime.enable');
    await cdp.send('Runtime.addBinding', { name, executionContextName: WORLD });
    const top = (source: string): string => `if (top === self) { ${source} }`;
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: top(`(${pageHalf})(${toPreload}, ${toPage})`) });
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', {
      worldName: WORLD,
      source: top(
        `(${preloadHalf})(${toPreload}, ${toPage}, ${binding}, (require, module, exports, process) => {${preload}\n})`,
      ),
    });
  }

  /** The first request of a window that a page opens. Electron would ask the app about it; here it never gets one. */
  async #refuseWindow(route: Route): Promise<void> {
    const url = route.request().url();
    const opener = [...this.#windows.keys()].at(-1) ?? 0;
    if (route.request().isNavigationRequest() && (await this.#app.mayOpen(opener, url).catch(() => false))) {
      this.#output += `stand-in: the app allowed a window for ${url}, which is not supported\n`;
    }
    await route.abort('aborted');
  }

  async #route(route: Route): Promise<void> {
    const request = route.request();
    const url = request.url();
    const window = this.#windowOf(route);
    if (window === undefined) return await this.#refuseWindow(route);
    try {
      if (request.isNavigationRequest() && request.frame() === window.page.mainFrame()) {
        const byApp = window.expected === url || url === window.page.url();
        window.expected = undefined;
        if (!byApp && !(await this.#app.mayNavigate(window.id, url))) return await route.abort('aborted');
      }
      if (!(await this.#app.mayRequest(url))) return await route.abort('blockedbyclient');
      if (!(await this.#mayConnect(url))) return await route.abort('connectionfailed');
      return await route.continue();
    } catch {
      // The app ended while its page was still asking.
      return await route.abort('aborted').catch(() => undefined);
    }
  }

  #windowOf(route: Route): Window | undefined {
    try {
      const page = route.request().frame().page();
      return [...this.#windows.values()].find((window) => window.page === page);
    } catch {
      return undefined; // a popup asks before its frame exists
    }
  }

  #mayConnect(url: string): Promise<boolean> {
    const { protocol, host, hostname, port } = new URL(url);
    if (protocol !== 'https:') return Promise.resolve(true);
    const known = this.#connections.get(host) ?? this.#app.mayConnect(hostname, Number(port || 443));
    this.#connections.set(host, known);
    return known;
  }
}
