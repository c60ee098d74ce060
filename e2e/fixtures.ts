/**
 * What the end-to-end tests stand on:
 *
 *   desktop, ui   the real desktop bundles, in Electron where a binary and a display are, else on the stand-in
 *   server, page  the real headless bundle as its own process, and a browser page that accepts its certificate
 *   receiver      a separate process that takes callbacks
 *
 * One Chromium per worker. Helpers: axeCheck, shots, launchDesktop (for tests that need two, or another app folder).
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';
import { EnsureError, ensureBuilt, root } from '../build/ensure.mjs';
import { getChromium } from '../build/find-chromium.mjs';
import { type Desktop, launchDesktop } from './desktop.ts';
import { Receiver } from './receiver-client.ts';
import { ServerProcess } from './server-process.ts';

interface Fixtures {
  desktop: Desktop;
  ui: Page;
  server: ServerProcess;
  receiver: Receiver;
}

export const CHROMIUM_ARGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'];
const say = (line: string): void => void process.stderr.write(`${line}\n`);

export const test = base.extend<Fixtures, { bundles: undefined }>({
  // Tests started one by one run the sources as they are now, as `npm test` does.
  bundles: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern
    async ({}, use) => {
      await ensureBuilt(say).catch((error: unknown) => {
        throw error instanceof EnsureError ? new Error(error.message) : error;
      });
      await use(undefined);
    },
    { scope: 'worker', auto: true, timeout: 300_000 },
  ],
  launchOptions: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const headless = process.env['E2E_HEADED'] !== '1';
      await use({ executablePath: getChromium(say), args: CHROMIUM_ARGS, headless });
    },
    { scope: 'worker' },
  ],
  ignoreHTTPSErrors: true,

  desktop: async ({ browser }, use, info) => {
    const desktop = await launchDesktop({ browser });
    await use(desktop);
    await desktop.close();
    if (info.status !== info.expectedStatus) await info.attach('main process', { body: desktop.output() });
    rmSync(desktop.userData, { recursive: true, force: true });
  },
  ui: async ({ desktop }, use) => {
    await use(await desktop.firstWindow());
  },

  // biome-ignore lint/correctness/noEmptyPattern: as above
  server: async ({}, use, info) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'proviso-e2e-'));
    const server = await ServerProcess.start(dataDir);
    await use(server);
    await server.kill('SIGTERM');
    if (info.status !== info.expectedStatus) await info.attach('server', { body: server.output() });
    rmSync(dataDir, { recursive: true, force: true });
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above
  receiver: async ({}, use) => {
    const receiver = await Receiver.start();
    await use(receiver);
    await receiver.stop();
  },
});

export { type Desktop, expect, launchDesktop, type Receiver, ServerProcess };

/** Fails on every serious or critical accessibility problem of what the page shows now. */
export async function axeCheck(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const told = grave.map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ target }) => target).join(', ')})`);
  expect(told).toEqual([]);
}

const SIZES = [
  { width: 1024, height: 640 },
  { width: 1440, height: 900 },
];

/** Saves what the page shows as test-results/shots/NAME-THEME-WIDTH.png, light and dark, small and large. */
export async function shots(page: Page, name: string): Promise<void> {
  const folder = join(root, 'test-results/shots');
  mkdirSync(folder, { recursive: true });
  const before = page.viewportSize();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${size.width}.png`), animations: 'disabled' });
    }
  }
  await page.emulateMedia({ colorScheme: null });
  if (before) await page.setViewportSize(before);
}
