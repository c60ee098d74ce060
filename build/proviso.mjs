#!/usr/bin/env node
// The `proviso` command of the repository: makes sure the bundles are there, then becomes the headless entry.
// Everything it has to say itself goes to stderr; stdout belongs to the command.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { EnsureError, ensureBuilt, headlessEntry, nodeBinary, root } from './ensure.mjs';

const WATCH = 'PROVISO_ENDS_WITH_PARENT';
const startedByNpm = process.env.npm_command !== undefined;

if (startedByNpm || process.env[WATCH] === '1') endWithParent();
try {
  await ensureBuilt((line) => process.stderr.write(`${line}\n`));
  const node = nodeBinary();
  // npm run changes into the repository; a path on the command line means the caller's folder.
  if (startedByNpm && process.cwd() === root && process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);
  if (node === process.execPath) {
    process.argv[1] = headlessEntry;
    await import(pathToFileURL(headlessEntry).href);
  } else {
    hand(node);
  }
} catch (error) {
  if (!(error instanceof EnsureError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

/** Runs this same file in a newer Node, passes signals on and ends as it ended. */
function hand(node) {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, [WATCH]: '1', INIT_CWD: process.cwd() },
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.on(signal, () => {
      // Ctrl+C at a terminal reaches the child by itself.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on('error', (error) => {
    process.stderr.write(`${node} could not be started: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    if (signal === null) {
      process.exitCode = code ?? 1;
      return;
    }
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/**
 * Ends this process cleanly when the one that started it is gone, however that happened (SIGKILL included):
 * nobody would be left to stop it. A shell between npm and us is not the one that counts.
 */
function endWithParent() {
  const parents = [process.ppid];
  const parent = processOnLinux(process.ppid);
  if (parent !== undefined && /^(sh|dash|bash|ash|busybox)$/.test(parent.name)) parents.push(parent.ppid);
  const timer = setInterval(() => {
    if (process.ppid === parents[0] && parents.every(isAlive)) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  timer.unref();
}

function processOnLinux(pid) {
  try {
    const [, name, state, ppid] = /^\d+ \((.*)\) (\S) (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return name === undefined ? undefined : { name, state, ppid: Number(ppid) };
  } catch {
    return undefined;
  }
}

function isAlive(pid) {
  const state = processOnLinux(pid)?.state;
  if (state !== undefined) return state !== 'Z';
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
