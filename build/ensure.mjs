// Brings a checkout to the state in which Proviso runs: dependencies as in the lockfile, bundles as in the sources.
// Runs on bare Node >= 20.19 with nothing installed, so it imports only Node itself and its neighbours here.
//
//   lockfile == installed?  no -> npm ci            (content is compared: a copied or touched tree is not reinstalled)
//   sources  == out/?       no -> electron-vite build into .cache/, then moved to out/ in one go
//
// Both steps run under one lock; a command that finds everything in order takes no lock at all.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
export const headlessEntry = join(root, 'out/main/headless.js');
const cache = join(root, '.cache');
const lockPath = join(cache, 'ensure.lock');
const stampPath = join(root, 'out/.built-from');
const products = ['out/main/index.js', 'out/main/headless.js', 'out/preload/preload.cjs', 'out/renderer/index.html'];
const NEEDED_MAJOR = 24;

/** A failure that is fully told by its sentence; entry points print it without a stack. */
export class EnsureError extends Error {}

/** @param {(line: string) => void} say progress, one line each */
export async function ensureInstalled(say) {
  if (isInstalled()) return;
  await withLock(lockPath, (setWorker) => install(say, setWorker), waiting(say));
}

/**
 * Installs and builds what is missing or out of date.
 * @param {(line: string) => void} say progress, one line each
 */
export async function ensureBuilt(say) {
  if (isInstalled() && isBuilt()) return;
  await withLock(
    lockPath,
    async (setWorker) => {
      await install(say, setWorker);
      await build(say, setWorker);
    },
    waiting(say),
  );
}

const waiting = (say) => (pid) => say(`Waiting for the install or build of process ${pid}.`);

/** True when every package that the lockfile demands is installed in exactly that version. */
export function isInstalled() {
  const wanted = readJson('package-lock.json')?.packages;
  const present = readJson('node_modules/.package-lock.json')?.packages;
  if (wanted === undefined || present === undefined) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    const found = present[path];
    return found === undefined ? entry.optional === true : found.version === entry.version;
  });
}

async function install(say, setWorker) {
  if (isInstalled()) return;
  say('Installing the dependencies (npm ci).');
  const npm = npmCommand();
  const result = await run(npm.file, [...npm.args, 'ci', '--include=dev', '--include=optional'], {
    shell: npm.shell,
    setWorker,
  });
  if (result.code !== 0) {
    throw new EnsureError(
      `npm ci ended with exit code ${result.code}. Is the package registry reachable?\n${tail(result.output)}`,
    );
  }
  if (!isInstalled()) throw new EnsureError('npm ci reported success, but node_modules does not match the lockfile.');
}

/** The npm that started us if there is one, so that a machine with several keeps using the same. */
function npmCommand() {
  const own = process.env.npm_execpath;
  if (own !== undefined && /npm-cli\.[cm]?js$/.test(own) && existsSync(own)) {
    return { file: process.execPath, args: [own], shell: false };
  }
  return { file: process.platform === 'win32' ? 'npm.cmd' : 'npm', args: [], shell: process.platform === 'win32' };
}

/**
 * Path of a Node that can run the bundles: this one if it is new enough, else the one that came with the packages.
 * @returns {string}
 */
export function nodeBinary() {
  if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR) return process.execPath;
  const packaged = join(root, 'node_modules/.bin/node');
  if (existsSync(packaged) && spawnSync(packaged, ['--version']).status === 0) return packaged;
  throw new EnsureError(
    `Proviso runs on Node ${NEEDED_MAJOR} or newer. This is Node ${process.versions.node}, and no newer one comes with ` +
      `the packages for ${process.platform}-${process.arch}: install Node ${NEEDED_MAJOR} and start again.`,
  );
}

/** True when out/ was made from exactly the present sources. */
export function isBuilt() {
  if (!products.every((path) => existsSync(join(root, path)))) return false;
  try {
    return readFileSync(stampPath, 'utf8') === sourceHash();
  } catch {
    return false;
  }
}

async function build(say, setWorker) {
  if (isBuilt()) return;
  say('Building Proviso.');
  const hash = sourceHash();
  const cli = join(root, 'node_modules/electron-vite/bin/electron-vite.js');
  const result = await run(nodeBinary(), [cli, 'build', '--outDir', cache], { setWorker });
  if (result.code !== 0) throw new EnsureError(`The build failed.\n${tail(result.output, 60)}`);
  mkdirSync(join(root, 'out'), { recursive: true });
  rmSync(stampPath, { force: true });
  // The finished folders change places by rename: whoever reads out/ meanwhile sees the old or the new one, never a part.
  for (const part of ['main', 'preload', 'renderer']) {
    const old = join(cache, `old-${part}`);
    rmSync(old, { recursive: true, force: true });
    if (existsSync(join(root, 'out', part))) renameSync(join(root, 'out', part), old);
    renameSync(join(cache, part), join(root, 'out', part));
    rmSync(old, { recursive: true, force: true });
  }
  writeFileSync(stampPath, hash);
}

function sourceHash() {
  const hash = createHash('sha256');
  const files = ['electron.vite.config.ts', 'package.json', 'package-lock.json', 'tsconfig.json'].map((f) =>
    join(root, f),
  );
  for (const folder of ['src-main', 'src-renderer']) files.push(...sourceFiles(join(root, folder)));
  for (const file of files)
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex');
}

function sourceFiles(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

/**
 * Runs a program from the repository root and keeps its output. A signal to us ends the program first, then us: a
 * half-finished install must not go on behind the back of the next one.
 * @returns {Promise<{ code: number, output: string }>}
 */
function run(file, args, { shell = false, setWorker }) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd: root, shell, stdio: ['ignore', 'pipe', 'pipe'] });
    setWorker(child.pid);
    let output = '';
    let stoppedBy;
    const stop = (signal) => {
      stoppedBy = signal;
      child.kill(signal);
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, stop);
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    const end = (code, text) => {
      for (const signal of signals) process.removeListener(signal, stop);
      setWorker(undefined);
      if (stoppedBy !== undefined) process.exit(128 + constants.signals[stoppedBy]);
      resolve({ code, output: text });
    };
    child.on('error', (error) => end(127, String(error)));
    child.on('close', (code, signal) => end(code ?? 1, signal === null ? output : `${output}\nended by ${signal}`));
  });
}

/** The last lines of a program's output: where the reason stands. */
export const tail = (text, lines = 30) => text.trim().split('\n').slice(-lines).join('\n');

function readJson(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), 'utf8'));
  } catch {
    return undefined;
  }
}
