/** The commands as a person types them: through npm, with a shell and whatever else stands between them and the server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../build/ensure.mjs';
import { expect, test } from './fixtures.ts';

let dataDir: string;
let child: ChildProcess | undefined;
test.beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'proviso-command-'));
});
test.afterEach(async () => {
  child?.kill('SIGTERM');
  await expect.poll(() => existsSync(join(dataDir, 'lock'))).toBe(false);
  rmSync(dataDir, { recursive: true, force: true });
});

/** Starts an npm command and waits for the line with the address. */
async function npm(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ exited: Promise<unknown>; output: string }> {
  const started = spawn('npm', args, {
    cwd: root,
    env: { ...process.env, CI: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a process group of its own, as a terminal gives it
  });
  child = started;
  let output = '';
  const exited = new Promise((resolve) => started.once('exit', resolve));
  await new Promise<void>((resolve, reject) => {
    for (const stream of [started.stdout, started.stderr]) {
      stream?.on('data', (chunk) => {
        output += String(chunk);
        if (/https:\/\/127\.0\.0\.1:\d+\s/.test(output)) resolve();
      });
    }
    started.once('exit', (code) => reject(new Error(`npm ended with ${code}\n${output}`)));
  });
  return { exited, output };
}

const isServed = (): boolean => existsSync(join(dataDir, 'lock'));
const FIVE_SECONDS = { timeout: 5_000 };

test('SIGTERM to npm ends the server behind it cleanly', async () => {
  const { exited } = await npm(['run', '-s', 'proviso', '--', 'serve', '--data', dataDir, '--port', '0']);
  expect(isServed()).toBe(true);
  child?.kill('SIGTERM');
  await exited;
  await expect.poll(isServed, FIVE_SECONDS).toBe(false);
});

test('a server does not outlive an npm that was killed', async () => {
  const { exited } = await npm(['run', '-s', 'proviso', '--', 'serve', '--data', dataDir, '--port', '0']);
  child?.kill('SIGKILL');
  await exited;
  await expect.poll(isServed, FIVE_SECONDS).toBe(false);
});

test('npm start without an Electron binary says so in one line and serves the screens all the same', async () => {
  const nowhere = { ELECTRON_OVERRIDE_DIST_PATH: join(dataDir, 'no-electron'), DISPLAY: '', WAYLAND_DISPLAY: '' };
  const { exited, output } = await npm(['start', '--', '--data', dataDir, '--port', '0'], nowhere);
  expect(output.match(/^No window: .*$/gm)).toHaveLength(1);
  // Ctrl+C: the terminal signals the whole group, and npm passes it on once more.
  process.kill(-(child?.pid ?? 0), 'SIGINT');
  await exited;
  await expect.poll(isServed, FIVE_SECONDS).toBe(false);
});
