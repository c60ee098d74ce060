import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { root } from '../build/ensure.mjs';
import type { DesktopBridge } from '../src-main/contract/desktop-bridge.ts';
import { BRIDGE_CHANNELS } from '../src-main/contract/desktop-bridge.ts';
import { type Desktop, expect, launchDesktop, ServerProcess, test } from './fixtures.ts';

declare global {
  interface Window {
    readonly proviso?: DesktopBridge;
  }
}

const bridgeOf = <R>(page: Page, use: (bridge: DesktopBridge) => Promise<R>): Promise<R> =>
  page.evaluate(`(${use})(window.proviso)`);

/** Replaces the question about closing by an answer, and counts how often it is asked. */
const answerCloseQuestion = (desktop: Desktop, button: number): Promise<void> =>
  desktop.evaluate(({ dialog }, response) => {
    const counter = globalThis as { asked?: number };
    counter.asked = 0;
    dialog.showMessageBox = async () => {
      counter.asked = (counter.asked ?? 0) + 1;
      return { response, checkboxChecked: false };
    };
  }, button);
const timesAsked = (desktop: Desktop): Promise<number> =>
  desktop.evaluate(() => (globalThis as { asked?: number }).asked ?? 0);
const closeWindow = (desktop: Desktop): Promise<void> =>
  desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
const windowVisible = (desktop: Desktop): Promise<boolean> =>
  desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() ?? false);

const isListening = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => resolve(true));
    socket.on('connect', () => socket.destroy()).on('error', () => resolve(false));
  });

test('the window shows the sign-in page of our own host', async ({ ui }) => {
  expect(new URL(ui.url()).hostname).toBe('127.0.0.1');
  expect(new URL(ui.url()).pathname).toMatch(/^\/ui\//);
  await expect(ui.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  expect(await ui.evaluate(() => isSecureContext)).toBe(true);
});

test('a certificate other than the pinned one shows nothing', async ({ browser }) => {
  // The same application, with one letter more in front of what it compares.
  const appDir = mkdtempSync(join(tmpdir(), 'proviso-other-pin-'));
  cpSync(join(root, 'out'), join(appDir, 'out'), { recursive: true });
  cpSync(join(root, 'package.json'), join(appDir, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(appDir, 'node_modules'), 'junction');
  const main = join(appDir, 'out/main/index.js');
  const bundle = readFileSync(main, 'utf8');
  expect(bundle.split('sha256/$' + '{')).toHaveLength(2);
  writeFileSync(main, bundle.replace('sha256/$' + '{', 'sha256/x$' + '{'));

  const desktop = await launchDesktop({ browser, appDir });
  const page = await desktop.firstWindow().catch(() => undefined);
  const fetchState = (): Promise<boolean> => fetch('/host/state').then(Boolean, () => false);
  const reached = await page?.evaluate(fetchState).catch(() => false); // it may be closing already
  expect(reached ?? false).toBe(false);
  await expect
    .poll(() => readFileSync(join(desktop.userData, 'logs/shell.log'), 'utf8'))
    .toContain('"kind":"certificate"');
  await desktop.close();
  rmSync(appDir, { recursive: true, force: true });
  rmSync(desktop.userData, { recursive: true, force: true });
});

test('the page has the bridge and nothing else of the desktop', async ({ ui }) => {
  const seen = await ui.evaluate(() => {
    const page = globalThis as unknown as Record<string, unknown>;
    return {
      node: ['require', 'process', 'module', 'Buffer', 'global', 'ipcRenderer', 'electron'].filter(
        (name) => name in page,
      ),
      frozen: Object.isFrozen(page['proviso']),
      methods: Object.entries(page['proviso'] as object).map(([name, value]) => `${name}:${typeof value}`),
    };
  });
  expect(seen).toEqual({
    node: [],
    frozen: true,
    methods: Object.keys(BRIDGE_CHANNELS).map((name) => `${name}:function`),
  });
  const replaced = await ui.evaluate(() => {
    try {
      Object.assign(window, { proviso: {} });
    } catch {
      // Strict code is told, sloppy code is ignored.
    }
    return Object.keys(window.proviso ?? {}).length;
  });
  expect(replaced).toBe(Object.keys(BRIDGE_CHANNELS).length);
});

test('the bridge answers across the worlds, and its errors are plain sentences', async ({ ui, desktop }) => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  expect(await bridgeOf(ui, (bridge) => bridge.about())).toMatchObject({
    version,
    node: expect.stringMatching(/^24\./),
  });
  expect(await bridgeOf(ui, (bridge) => bridge.chooseFile('license').then(String))).toBe('undefined');
  await expect(bridgeOf(ui, (bridge) => bridge.setTheme('pink' as 'dark'))).rejects.toThrow(
    /Error: The desktop was called with a wrong "theme"\.$/m,
  );
  await bridgeOf(ui, (bridge) => bridge.setTheme('dark'));
  expect(await ui.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(true);

  const target = join(desktop.userData, 'saved.txt');
  await desktop.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath });
  }, target);
  expect(await bridgeOf(ui, (bridge) => bridge.saveFile('../../etc/x.txt', 'grün'))).toBe(target);
  expect(readFileSync(target, 'utf8')).toBe('grün');
});

test('a remembered session lies sealed on disk, or nowhere', async ({ ui, desktop }) => {
  const kept = await bridgeOf(ui, (bridge) => bridge.keyStoreAvailable());
  const sealed = join(desktop.userData, 'session.sealed');
  await bridgeOf(ui, (bridge) => bridge.rememberSession('token-of-ana'));
  const recalled = await bridgeOf(ui, (bridge) => bridge.recallSession());
  expect(recalled).toBe(kept ? 'token-of-ana' : undefined);
  expect(readdirSync(desktop.userData).filter((name) => name.startsWith('session.'))).toEqual(
    kept ? ['session.sealed'] : [],
  );
  if (kept) expect(readFileSync(sealed).includes('token-of-ana')).toBe(false);
  await bridgeOf(ui, (bridge) => bridge.forgetSession());
  expect(existsSync(sealed)).toBe(false);
});

test('new windows, other places and other servers are out of reach', async ({ ui, desktop, receiver }) => {
  const home = ui.url();
  await ui.evaluate(() => void open('https://example.invalid/a'));
  // The log is written by the main process as it refuses. One place after the other: a page that is on its way gives up the one before.
  const refused = (): string => readFileSync(join(desktop.userData, 'logs/shell.log'), 'utf8');
  await expect.poll(refused).toContain('"kind":"window","target":"https://example.invalid/a"');
  await ui.evaluate(() => location.assign('https://example.invalid/b'));
  await expect.poll(refused).toContain('"kind":"navigation","target":"https://example.invalid/b"');
  await ui.evaluate(() => location.assign('/host/state'));
  await expect.poll(refused).toContain('/host/state"');
  await ui.evaluate((url) => fetch(url, { mode: 'no-cors' }).catch(() => undefined), receiver.url);
  expect(receiver.requests).toEqual([]);
  expect(ui.url()).toBe(home);
  expect(await desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  expect(desktop.output()).not.toContain('the app allowed a window');
});

test('permissions are denied', async ({ ui }) => {
  const states = await ui.evaluate(async () => {
    const geolocation = await new Promise<string>((resolve) => {
      navigator.geolocation.getCurrentPosition(
        () => resolve('granted'),
        ({ code }) => resolve(code === 1 ? 'denied' : `error ${code}`),
      );
    });
    return { geolocation, notifications: await Notification.requestPermission() };
  });
  expect(states).toEqual({ geolocation: 'denied', notifications: 'denied' });
});

test('a second start ends and brings the window of the first back', async ({ ui, desktop, browser }) => {
  await expect(ui.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await answerCloseQuestion(desktop, 0);
  await closeWindow(desktop);
  await expect.poll(() => windowVisible(desktop)).toBe(false);

  const second = await launchDesktop({ browser, userData: desktop.userData });
  expect(await second.exited).toBe(0);
  await second.close();
  await expect.poll(() => windowVisible(desktop)).toBe(true);
});

test('closing the window asks once, and the answer is remembered over a restart', async ({ ui, desktop, browser }) => {
  const url = new URL(ui.url()).origin;
  await answerCloseQuestion(desktop, 2);
  await closeWindow(desktop);
  await expect.poll(() => timesAsked(desktop)).toBe(1);
  expect(await windowVisible(desktop)).toBe(true);

  await answerCloseQuestion(desktop, 0);
  await closeWindow(desktop);
  await expect.poll(() => windowVisible(desktop)).toBe(false);
  expect(await isListening(url)).toBe(true);
  expect(await bridgeOf(ui, (bridge) => bridge.closeChoice())).toBe('keep-running');
  await desktop.close();

  const again = await launchDesktop({ browser, userData: desktop.userData });
  await again.firstWindow();
  await answerCloseQuestion(again, 1);
  await closeWindow(again);
  await expect.poll(() => windowVisible(again)).toBe(false);
  expect(await timesAsked(again)).toBe(0);
  await again.close();
});

test('choosing to quit stops the server and gives the data directory back', async ({ ui, desktop }) => {
  const url = new URL(ui.url()).origin;
  expect(await isListening(url)).toBe(true);
  await answerCloseQuestion(desktop, 1);
  await closeWindow(desktop).catch(() => undefined); // the answer may be lost with the process
  expect(await desktop.exited).toBe(0);
  expect(await isListening(url)).toBe(false);
  // Not only abandoned: stopping gave the lock back, and another server can take the directory.
  expect(existsSync(join(desktop.dataDir, 'lock'))).toBe(false);
  const next = await ServerProcess.start(desktop.dataDir);
  expect(await next.kill('SIGTERM')).toBe(0);
});

test('SIGTERM ends the desktop cleanly within five seconds', async ({ ui, desktop }) => {
  const url = new URL(ui.url()).origin;
  const since = Date.now();
  desktop.process.kill('SIGTERM');
  expect(await desktop.exited).toBe(0);
  expect(Date.now() - since).toBeLessThan(5_000);
  expect(await isListening(url)).toBe(false);
});

test('a start that cannot work says why in one sentence and ends', async ({ browser, server }) => {
  const desktop = await launchDesktop({ browser, args: [`--data=${server.dataDir}`] });
  expect(await desktop.exited).toBe(1);
  expect(desktop.output()).toContain(String(server.pid));
  await desktop.close();
  expect(existsSync(join(desktop.userData, 'data'))).toBe(false);
});
