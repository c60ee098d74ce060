#!/usr/bin/env node
// The `proviso` command of the repository: makes sure the bundles are there, then becomes the headless entry.
// Everything it has to say itself goes to stderr; stdout belongs to the command.
import { spawn } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { endWithParent } from './end-with-parent.mjs';
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
