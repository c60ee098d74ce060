// `npm start`: the desktop window where this machine can show one, otherwise the same server headless and a browser.
//
//   npm start -- [--data DIR] [--port N] [--address A]
//
// install, build -> Electron binary and a display? -> window. Anything missing is said in one line, then headless.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { endWithParent } from './end-with-parent.mjs';
import { EnsureError, ensureBuilt, nodeBinary, root } from './ensure.mjs';
import { findElectron, hasDisplay } from './find-electron.mjs';

const USAGE = 'Usage: npm start -- [--data DIR] [--port N] [--address A]';
const say = (line) => process.stdout.write(`${line}\n`);

if (process.env.npm_command !== undefined) endWithParent();
try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof EnsureError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function main() {
  const options = readOptions();
  if (options === undefined) return 2;
  if (options.help) {
    say(USAGE);
    return 0;
  }
  await ensureBuilt(say);
  const why = whyNoWindow(options);
  if (why === undefined) {
    const ended = await openWindow(options);
    if (ended !== 'cannot-run') return ended;
    say('No window: the Electron binary does not run on this machine. Starting the server without one.');
  } else {
    say(`No window: ${why}. Starting the server without one.`);
  }
  return await serve(options);
}

function readOptions() {
  const spec = { data: { type: 'string' }, port: { type: 'string' }, address: { type: 'string' } };
  try {
    const { values } = parseArgs({ options: { ...spec, help: { type: 'boolean', short: 'h' } } });
    const base = process.env.INIT_CWD ?? process.cwd();
    return { ...values, data: values.data === undefined ? defaultDataFolder() : resolve(base, values.data) };
  } catch (error) {
    process.stderr.write(`${error.message}\n${USAGE}\n`);
    return undefined;
  }
}

/** One per user and the same for window and server, so that both show the same data. */
function defaultDataFolder() {
  if (process.platform === 'darwin') return join(homedir(), 'Library/Application Support/Proviso/data');
  if (process.platform === 'win32') {
    return join(process.env.LOCALAPPDATA ?? join(homedir(), 'AppData/Local'), 'Proviso', 'data');
  }
  const xdg = process.env.XDG_DATA_HOME;
  return join(xdg && isAbsolute(xdg) ? xdg : join(homedir(), '.local/share'), 'proviso');
}

function whyNoWindow({ address }) {
  if (address !== undefined) return '--address asks for a server on the network';
  if (findElectron() === undefined) return 'no Electron binary is installed (npx install-electron gets one)';
  if (!hasDisplay()) return 'there is no display';
  return undefined;
}

/** Arguments that are set, as `--name value` pairs. */
function pairs(options, names) {
  return names.flatMap((name) => (options[name] === undefined ? [] : [`--${name}`, options[name]]));
}

/** @returns {Promise<number | 'cannot-run'>} */
async function openWindow(options) {
  // Chromium refuses its sandbox to root; the window still has its own renderer isolation.
  const asRoot = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const child = spawn(findElectron(), [...asRoot, root, ...pairs(options, ['data', 'port'])], { stdio: 'inherit' });
  const code = await follow(child);
  // 126, 127: the loader found a library missing. Proviso itself ends with 0 or 1.
  return code === 126 || code === 127 ? 'cannot-run' : code;
}

async function serve(options) {
  const args = [join(root, 'build/proviso.mjs'), 'serve', ...pairs(options, ['data', 'port', 'address'])];
  const child = spawn(nodeBinary(), args, {
    stdio: ['inherit', 'pipe', 'inherit'],
    env: { ...process.env, PROVISO_ENDS_WITH_PARENT: '1' },
  });
  let line = '';
  let opened = false;
  child.stdout.on('data', (chunk) => {
    process.stdout.write(chunk);
    if (opened) return;
    line += chunk;
    const url = /https:\/\/\S+(?=\s)/.exec(line)?.[0];
    if (url === undefined) return;
    opened = true;
    openBrowser(`${url.replace(/\/(ui\/?)?$/, '')}/ui/`);
  });
  return await follow(child);
}

function openBrowser(url) {
  if (process.env.CI || !hasDisplay()) return;
  const opener = {
    darwin: ['open', [url]],
    win32: ['cmd', ['/c', 'start', '', url]],
  }[process.platform] ?? ['xdg-open', [url]];
  const [file, args] = opener;
  if (file === 'xdg-open' && !(process.env.PATH ?? '').split(delimiter).some((dir) => existsSync(join(dir, file))))
    return;
  say(`Opening ${url} in the browser. It will ask about the certificate, which this server has made itself.`);
  spawn(file, args, { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}

/** Passes signals on and waits; a stop that was asked for counts as success. */
function follow(child) {
  let asked = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      asked = true;
      // Ctrl+C at a terminal reaches the child by itself.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  return new Promise((done) => {
    child.on('error', () => done(127));
    child.on('exit', (code, signal) => done(asked && (code === null || code > 128) ? 0 : (code ?? (signal ? 1 : 0))));
  });
}
