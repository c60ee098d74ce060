/** The `app` of the stand-in: life cycle, paths, and a real single-instance lock over a socket. */
import { EventEmitter } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { App } from 'electron';
import type { Like } from './wire.ts';

/** An event a listener can refuse. */
export class Preventable {
  defaultPrevented = false;
  preventDefault(): void {
    this.defaultPrevented = true;
  }
}

/** Set by window.ts: closes every window, answers false when one of them refuses. */
export const windows: { closeAll: () => boolean } = { closeAll: () => true };

const pkg = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string; productName: string };
const switchValue = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
const appData = process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config');
const paths = new Map<string, string>([
  ['appData', appData],
  ['userData', switchValue('user-data-dir') ?? join(appData, pkg.productName)],
  ['downloads', join(homedir(), 'Downloads')],
]);

const ready = new Promise<void>((resolve) => {
  setImmediate(() => {
    app.emit('ready', new Preventable());
    resolve();
  });
});
let quitting = false;
let lock: Server | undefined;
/** A second instance ends only after the first has heard of it. */
let woken: Promise<void> = Promise.resolve();

const members = {
  isPackaged: false,
  commandLine: { hasSwitch: (name: string) => switchValue(name) !== undefined },
  whenReady: () => ready,
  getName: () => pkg.productName,
  getVersion: () => pkg.version,
  getPath: (name: string): string => {
    const path = name === 'logs' ? join(members.getPath('userData'), 'logs') : paths.get(name);
    if (path === undefined) throw new Error(`stand-in: no path for ${name}`);
    return path;
  },
  setPath: (name: string, path: string) => {
    paths.set(name, path);
  },
  exit: (code = 0) => {
    void woken.finally(() => {
      lock?.close();
      process.exit(code);
    });
  },
  /** before-quit, the windows, will-quit, quit: each may be refused, as in Electron. */
  quit: () => {
    if (quitting) return;
    quitting = true;
    const may = (event: string): boolean => {
      const asked = new Preventable();
      app.emit(event, asked);
      return !asked.defaultPrevented;
    };
    quitting = may('before-quit') && windows.closeAll() && may('will-quit');
    if (quitting) members.exit(0);
  },
  requestSingleInstanceLock: (): boolean => {
    const folder = members.getPath('userData');
    mkdirSync(folder, { recursive: true });
    const socket = join(folder, 'SingletonSocket');
    const holder = join(folder, 'SingletonLock');
    if (isHeld(holder)) {
      woken = wake(socket);
      return false;
    }
    rmSync(socket, { force: true });
    lock = createServer((peer) => {
      peer.resume().end();
      app.emit('second-instance', new Preventable(), [], '');
    });
    lock.listen(socket).unref();
    writeFileSync(holder, String(process.pid));
    return true;
  },
} satisfies Like<App>;

export const app = Object.assign(new EventEmitter(), members);
export const isQuitting = (): boolean => quitting;

function isHeld(file: string): boolean {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0);
    return true;
  } catch {
    return false;
  }
}

function wake(socket: string): Promise<void> {
  return new Promise((resolve) => {
    connect(socket)
      .on('error', () => resolve())
      .on('close', () => resolve())
      .resume();
  });
}
