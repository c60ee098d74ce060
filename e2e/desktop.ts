/** Starts the desktop application for a test: in real Electron where that can run, else on the stand-in, with one face. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type Browser, type Page } from '@playwright/test';
import { root } from '../build/ensure.mjs';
import { findElectron, hasDisplay } from '../build/find-electron.mjs';
import { StandInHost } from './standin/host.ts';

type ElectronModule = typeof import('electron');

export interface Desktop {
  readonly standIn: boolean;
  readonly userData: string;
  /** Where the server of this desktop keeps its data. */
  readonly dataDir: string;
  readonly process: ChildProcess;
  /** Exit code of the main process; a signal counts as null. */
  readonly exited: Promise<number | null>;
  /** What the main process has printed so far. */
  output(): string;
  firstWindow(): Promise<Page>;
  /** Runs a function in the main process. It is sent as text: nothing around it is in reach. */
  evaluate<R, A = undefined>(fn: (electron: ElectronModule, arg: A) => R | Promise<R>, arg?: A): Promise<R>;
  /** Quits as a user would. */
  close(): Promise<void>;
}

export interface LaunchOptions {
  /** The worker's browser, used by the stand-in. */
  readonly browser: Browser;
  readonly userData?: string;
  /** Folder with package.json and out/; default: the repository. */
  readonly appDir?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export async function launchDesktop({
  browser,
  userData = mkdtempSync(join(tmpdir(), 'proviso-user-')),
  appDir = root,
  args: more = [],
  env = {},
}: LaunchOptions): Promise<Desktop> {
  const args = [`--user-data-dir=${userData}`, '--port=0', ...more];
  const place = { userData, dataDir: join(userData, 'data') };
  const binary = process.env['E2E_STANDIN'] === '1' || !hasDisplay() ? undefined : findElectron();
  if (binary === undefined) return await onStandIn(browser, appDir, args, env, place);

  const asRoot = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const app = await _electron.launch({
    executablePath: binary,
    args: [...asRoot, ...args, appDir],
    env: { ...(process.env as Record<string, string>), ...env },
  });
  const child = app.process();
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += String(chunk);
    });
  }
  return {
    ...place,
    standIn: false,
    process: child,
    exited: new Promise((resolve) => child.once('exit', (code) => resolve(code))),
    output: () => output,
    firstWindow: () => app.firstWindow(),
    evaluate: (fn, arg) => app.evaluate(fn as never, arg as never) as never,
    close: () => app.close(),
  };
}

async function onStandIn(
  browser: Browser,
  appDir: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  place: { userData: string; dataDir: string },
): Promise<Desktop> {
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as { version: string; main: string };
  const host = await StandInHost.start({
    browser,
    appDir,
    main: join(appDir, read(join(appDir, 'package.json')).main),
    args,
    env,
    electronVersion: read(join(root, 'node_modules/electron/package.json')).version,
  });
  return {
    ...place,
    standIn: true,
    process: host.child,
    exited: host.exited,
    output: () => host.output(),
    firstWindow: () => host.firstWindow(),
    evaluate: (fn, arg) => host.evaluate(String(fn), arg) as never,
    close: () => host.close(),
  };
}
