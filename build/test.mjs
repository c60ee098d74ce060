// `npm test`: everything that has to hold, on a machine with only Node and npm. Ends with one line `N passed, N failed`.
//
//   install -> chromium -> build -> types -> lint -> packaging config -> unit and integration -> end to end
//
// A failing phase does not stop the ones that can still tell something. Checks without cases of their own count as one.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { ensureBuilt, ensureInstalled, nodeBinary, root } from './ensure.mjs';
import { getChromium } from './find-chromium.mjs';
import { findElectron, hasDisplay } from './find-electron.mjs';
import { readPlaywright, readVitest } from './test-reports.mjs';

const MINUTE = 60_000;
const reports = join(root, '.cache/reports');
const total = { passed: 0, failed: 0, skipped: [] };
const say = (line) => process.stdout.write(`${line}\n`);
let running;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    stop('SIGKILL');
    process.exit(1);
  });
}

const started = Date.now();
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
if (await check('install', () => ensureInstalled(say))) await everythingElse();
say(`\nTook ${seconds(started)}.`);
for (const name of total.skipped) say(`skipped: ${name}`);
const skipped = total.skipped.length > 0 ? `, ${total.skipped.length} skipped` : '';
say(`${total.passed} passed, ${total.failed} failed${skipped}`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;

async function everythingElse() {
  let chromium;
  const browserReady = await check('chromium', () => {
    chromium = getChromium(say);
    say(chromium);
  });
  const built = await check('build', () => ensureBuilt(say));
  await check('types', () => program(['node_modules/typescript/bin/tsc', '--noEmit'], 3 * MINUTE));
  await check('lint', () => program(['node_modules/@biomejs/biome/bin/biome', 'ci', '--colors=off', '.'], 3 * MINUTE));
  await check('packaging config', () => program(['build/check-config.mjs'], MINUTE));
  await cases('unit and integration', readVitest, (report) =>
    program(
      ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
      4 * MINUTE,
    ),
  );
  if (!browserReady || !built) {
    await check('end to end', () => {
      throw new Error(`not run, because ${browserReady ? 'the build' : 'the search for Chromium'} failed`);
    });
    return;
  }
  await cases('end to end', readPlaywright, (report) =>
    program(['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json'], 9 * MINUTE, {
      wrap: virtualDisplay(),
      env: { PROVISO_CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    }),
  );
}

/** A phase that counts as one. */
async function check(name, work) {
  const since = begin(name);
  try {
    await work();
    total.passed += 1;
    end(name, since, 'passed');
    return true;
  } catch (error) {
    total.failed += 1;
    say(error.message);
    end(name, since, 'FAILED');
    return false;
  }
}

/** A phase that counts its cases from a report. A runner that fails for another reason than a case is one failure more. */
async function cases(name, read, work) {
  const since = begin(name);
  const report = join(reports, `${name.replaceAll(' ', '-')}.json`);
  let trouble;
  await work(report).catch((error) => {
    trouble = error.message;
  });
  const result = existsSync(report) ? read(JSON.parse(readFileSync(report, 'utf8'))) : undefined;
  const { passed, failed, skipped } = result ?? { passed: 0, failed: 0, skipped: [] };
  const unexplained = failed === 0 && (trouble !== undefined || passed === 0);
  if (unexplained) say(trouble ?? 'no test ran');
  total.passed += passed;
  total.failed += failed + (unexplained ? 1 : 0);
  total.skipped.push(...skipped);
  end(name, since, `${passed} passed, ${failed + (unexplained ? 1 : 0)} failed`);
}

function begin(name) {
  say(`\n== ${name}`);
  return Date.now();
}

function end(name, since, result) {
  say(`-- ${name}: ${result} (${seconds(since)})`);
}

function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}

/**
 * Runs a Node program, shows what it prints, and fails when it does. It gets a process group of its own, so that what it
 * started ends with it.
 */
function program(args, timeLimit, { wrap = [], env = {} } = {}) {
  const node = nodeBinary();
  const [file, ...rest] = [...wrap, node, ...args];
  // Without a terminal colours are only noise, whatever CI makes the tools believe.
  const colours = process.stdout.isTTY ? {} : { NO_COLOR: '1', FORCE_COLOR: undefined };
  // Programs that start `node` themselves have to get the same one.
  const path = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`;
  return new Promise((done, fail) => {
    const child = spawn(file, rest, {
      cwd: root,
      env: { ...process.env, ...colours, PATH: path, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: process.platform !== 'win32',
    });
    running = child;
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      stop('SIGKILL');
    }, timeLimit);
    const finish = (problem) => {
      clearTimeout(timer);
      stop('SIGKILL');
      running = undefined;
      if (problem === undefined) done();
      else fail(new Error(problem));
    };
    child.on('error', (error) => finish(`${file} could not be started: ${error.message}`));
    child.on('exit', (code, signal) => {
      if (late) finish(`stopped after ${timeLimit / MINUTE} minutes`);
      else finish(code === 0 ? undefined : `${args[0]} ended with ${signal ?? `exit code ${code}`}`);
    });
  });
}

function stop(signal) {
  if (running?.pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? running.pid : -running.pid, signal);
  } catch {
    // Nothing of the group is left.
  }
}

/** A real Electron needs a display; a virtual one does where there is none. */
function virtualDisplay() {
  if (findElectron() === undefined || hasDisplay() || !existsSync('/usr/bin/xvfb-run')) return [];
  return ['/usr/bin/xvfb-run', '-a', '-s', '-screen 0 1440x900x24'];
}
