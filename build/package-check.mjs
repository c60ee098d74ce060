// `npm run package:check`: a whole packaging run without a network, on an imitation of Electron, and a look at the result:
// does the archive hold what it should and nothing else, and are the fuses in the executable as the configuration says?
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, nodeBinary, root } from './ensure.mjs';
import { makeFakeElectron } from './fake-electron.mjs';

const require = createRequire(import.meta.url);
const say = (line) => process.stdout.write(`${line}\n`);
const work = mkdtempSync(join(tmpdir(), 'proviso-package-'));
const problems = [];

try {
  await ensureBuilt(say);
  const { version } = require('electron/package.json');
  makeFakeElectron(join(work, 'electron'), version);
  say('Packaging (electron-builder --linux --dir).');
  const built = node(require.resolve('electron-builder/out/cli/cli.js'), [
    '--linux',
    '--dir',
    '--publish',
    'never',
    '--config',
    'build/electron-builder.yml',
    `-c.electronDist=${join(work, 'electron')}`,
    `-c.directories.output=${join(work, 'dist')}`,
  ]);
  if (built.status !== 0) throw new Error(`electron-builder failed\n${built.stdout}${built.stderr}`);
  const unpacked = join(work, 'dist/linux-unpacked');
  checkArchive(join(unpacked, 'resources/app.asar'));
  await checkFuses(join(unpacked, 'proviso'));
} catch (error) {
  problems.push(error.message);
} finally {
  rmSync(work, { recursive: true, force: true });
}
for (const problem of problems.slice(0, 20)) process.stderr.write(`${problem}\n`);
if (problems.length > 20) process.stderr.write(`and ${problems.length - 20} more\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

function node(file, args) {
  const env = { ...process.env, CI: '1', USE_HARD_LINKS: 'false' };
  return spawnSync(nodeBinary(), [file, ...args], { cwd: root, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}

function checkArchive(archive) {
  const files = require('@electron/asar').listPackage(archive, { isPack: false });
  const needed = ['/package.json', '/LICENSE', '/out/preload/preload.cjs', '/out/renderer/index.html'];
  for (const name of readdirSync(join(root, 'out/main'))) if (name.endsWith('.js')) needed.push(`/out/main/${name}`);
  for (const path of needed) if (!files.includes(path)) problems.push(`the archive lacks ${path}`);
  const dependencies = Object.keys(require('../package.json').dependencies);
  for (const name of dependencies) {
    if (!files.includes(`/node_modules/${name}/package.json`)) problems.push(`the archive lacks the package ${name}`);
  }
  const allowed = /^\/(package\.json|LICENSE|out|node_modules)(\/|$)/;
  for (const path of files) {
    if (!allowed.test(path) || /\.map$|^\/node_modules\/(node-|electron\b|react\b)/.test(path)) {
      problems.push(`the archive holds ${path}`);
    }
  }
  say(`Archive: ${files.length} entries.`);
}

/** Reads the fuses back from the packaged executable. */
async function checkFuses(executable) {
  if (!existsSync(executable)) throw new Error(`${executable} was not made`);
  const { FuseState, FuseV1Options, getCurrentFuseWire } = await import('@electron/fuses');
  const { parse } = await import('yaml');
  const { readFileSync } = await import('node:fs');
  const { electronFuses } = parse(readFileSync(join(root, 'build/electron-builder.yml'), 'utf8'));
  const wire = await getCurrentFuseWire(executable);
  for (const [name, wanted] of Object.entries(electronFuses)) {
    const slot = FuseV1Options[name[0].toUpperCase() + name.slice(1)];
    const enabled = wire[slot] === FuseState.ENABLE;
    if (enabled !== wanted) problems.push(`fuse ${name} is ${enabled ? 'on' : 'off'} in the executable`);
  }
  say(`Fuses: ${Object.keys(electronFuses).length} read back.`);
}
