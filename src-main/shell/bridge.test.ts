import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BRIDGE_CHANNELS, type DesktopBridge } from '../contract/desktop-bridge.ts';
import { type BridgeParts, serveBridge } from './bridge.ts';
import type { BridgeAnswer } from './channel.ts';
import { openSettings } from './settings.ts';

const origin = 'https://127.0.0.1:8092';
const ourFrame = { url: `${origin}/ui/`, parent: null };
type Listener = (event: { senderFrame: unknown }, ...args: unknown[]) => Promise<BridgeAnswer>;

let folder: string;
let channels: Map<string, Listener>;
let parts: BridgeParts;
const refused = vi.fn();
const remember = vi.fn(async () => undefined);

beforeEach(async () => {
  refused.mockClear();
  remember.mockClear();
  folder = await mkdtemp(join(tmpdir(), 'bridge-'));
  channels = new Map();
  const fakes = {
    app: { getVersion: () => '0.1.0', getPath: () => folder },
    dialog: {
      showOpenDialog: vi.fn(async () => ({ canceled: false, filePaths: ['/picked'] })),
      showSaveDialog: vi.fn(async (options: { defaultPath: string }) => ({
        canceled: false,
        filePath: options.defaultPath,
      })),
    },
    shell: { openPath: async () => 'no file manager' },
    nativeTheme: { themeSource: 'system' },
    Notification: { isSupported: () => false },
    window: () => undefined,
    dataDir: '/data',
    settings: await openSettings(join(folder, 'desktop.json')),
    sessions: { available: async () => true, remember, recall: async () => undefined, forget: async () => undefined },
    closeChoiceChanged: vi.fn(),
  };
  parts = fakes as unknown as BridgeParts;
  const ipcMain = { handle: (channel: string, listener: Listener) => channels.set(channel, listener) };
  serveBridge(ipcMain as never, origin, parts, refused);
});
afterEach(() => rm(folder, { recursive: true }));

const call = (method: keyof DesktopBridge, ...args: unknown[]) => callFrom(ourFrame, method, ...args);
async function callFrom(senderFrame: unknown, method: keyof DesktopBridge, ...args: unknown[]): Promise<BridgeAnswer> {
  const listener = channels.get(`proviso:${method}`);
  if (listener === undefined) throw new Error(`nobody serves ${method}`);
  return await listener({ senderFrame }, ...args);
}

test('every method of the contract is served, and none beside', () => {
  const wanted = Object.keys(BRIDGE_CHANNELS).map((name) => `proviso:${name}`);
  expect(new Set(channels.keys())).toEqual(new Set(wanted));
});

test.each([
  ['another site', { url: 'https://example.invalid/ui/', parent: null }],
  ['a frame inside our page', { url: `${origin}/ui/`, parent: {} }],
  ['a page of ours that is not the user interface', { url: `${origin}/api/v3/info`, parent: null }],
  ['a frame that is gone', null],
])('%s is refused on every channel, before anything happens', async (_who, frame) => {
  for (const method of Object.keys(BRIDGE_CHANNELS) as (keyof DesktopBridge)[]) {
    expect(await callFrom(frame, method, 'x', 'y')).toEqual({ error: 'This page may not use the desktop.' });
  }
  expect(refused).toHaveBeenCalledTimes(Object.keys(BRIDGE_CHANNELS).length);
  expect(remember).not.toHaveBeenCalled();
});

test.each<[keyof DesktopBridge, unknown[], string]>([
  ['chooseFile', ['__proto__'], 'purpose'],
  ['chooseFile', [], 'purpose'],
  ['saveFile', [{}, 'x'], 'suggestedName'],
  ['saveFile', ['x', 7], 'text'],
  ['saveFile', ['x'.repeat(256), ''], 'suggestedName'],
  ['notify', ['x'.repeat(201), ''], 'title'],
  ['rememberSession', ['x'.repeat(17_000)], 'token'],
  ['setTheme', ['pink'], 'theme'],
  ['setCloseChoice', [null], 'choice'],
])('%s(%j) names the wrong argument', async (method, args, name) => {
  expect(await call(method, ...args)).toEqual({ error: `The desktop was called with a wrong "${name}".` });
});

test.each(['../../etc/passwd', '..\\..\\etc\\passwd', '/etc/passwd'])(
  '%s is suggested as a plain name',
  async (name) => {
    expect(await call('saveFile', name, 'text')).toEqual({ value: join(folder, 'passwd') });
    expect(await readFile(join(folder, 'passwd'), 'utf8')).toBe('text');
    expect(await readdir(folder)).toEqual(['passwd']);
  },
);

test('what the operating system refuses reaches the page as a sentence', async () => {
  expect(await call('openDataFolder')).toEqual({
    error: 'The data folder /data could not be opened: no file manager',
  });
});

test('the close choice is kept and told to the tray', async () => {
  expect(await call('closeChoice')).toEqual({ value: 'ask' });
  expect(await call('setCloseChoice', 'quit')).toEqual({ value: undefined });
  expect(await call('closeChoice')).toEqual({ value: 'quit' });
  expect(parts.closeChoiceChanged).toHaveBeenCalledTimes(1);
});
