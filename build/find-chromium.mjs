// Finds a Chromium for the end-to-end tests, or gets one: from Debian as root, else through Playwright.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const FIXED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  join(process.env.PROGRAMFILES ?? 'C:\\Program Files', 'Google\\Chrome\\Application\\chrome.exe'),
];

/**
 * The first Chromium that really starts, asked for by PROVISO_CHROMIUM or CHROME_BIN first.
 * @returns {string | undefined}
 */
export function findChromium() {
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap((dir) => NAMES.map((name) => join(dir, name)));
  const candidates = [process.env.PROVISO_CHROMIUM, process.env.CHROME_BIN, ...FIXED, ...onPath, playwrightsOwn()];
  return candidates.find((path) => path && existsSync(path) && starts(path));
}

/** Distributions ship launchers that only say "install me from elsewhere": the version has to come out. */
function starts(path) {
  if (process.platform === 'win32') return true; // chrome.exe --version opens a window there
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 30_000 });
  return status === 0 && /\d+\.\d+/.test(stdout);
}

function playwrightsOwn() {
  try {
    return createRequire(import.meta.url)('playwright-core').chromium.executablePath();
  } catch {
    return undefined; // not installed yet
  }
}

/**
 * @param {(line: string) => void} say progress, one line each
 * @returns {string} path of the executable
 * @throws {Error} one sentence that says what to do
 */
export function getChromium(say) {
  const found = findChromium();
  if (found !== undefined) return found;
  const tried = [];
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const apt = ['-o', 'DPkg::Lock::Timeout=400', '-o', 'Acquire::Retries=3', '-qq'];
    tried.push('apt-get install chromium');
    say('Installing Chromium (apt-get).');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    attempt('apt-get', [...apt, 'update'], env);
    attempt('apt-get', [...apt, 'install', '-y', '--no-install-recommends', 'chromium', 'fonts-liberation'], env);
  }
  const installed = findChromium();
  if (installed !== undefined) return installed;
  tried.push('playwright install chromium');
  say('Installing Chromium (playwright).');
  const cli = createRequire(import.meta.url).resolve('playwright-core/cli.js');
  attempt(process.execPath, [cli, 'install', 'chromium'], process.env);
  const own = findChromium();
  if (own !== undefined) return own;
  throw new Error(
    `No Chromium was found and none could be had (tried: ${tried.join(', ')}). Install Chromium or Chrome, or set ` +
      'PROVISO_CHROMIUM to its executable.',
  );
}

/** What a failing installer prints is shown; whether it helped is decided by looking again. */
function attempt(file, args, env) {
  const { status, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8', env, timeout: 600_000 });
  if (status !== 0) process.stdout.write(`${stdout ?? ''}${stderr ?? ''}`);
}
