// A server that npm or a wrapper started must not outlive it.
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';

/**
 * Ends this process cleanly when the one that started it is gone, however that happened (SIGKILL included):
 * nobody would be left to stop it. A shell between npm and us is not the one that counts.
 */
export function endWithParent() {
  let ending = false;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.on(signal, () => {
      ending = true;
      // Until the command itself listens, a signal keeps its usual meaning.
      if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
    });
  }
  const parents = [process.ppid];
  const parent = processOnLinux(process.ppid);
  if (parent !== undefined && /^(sh|dash|bash|ash|busybox)$/.test(parent.name)) parents.push(parent.ppid);
  const timer = setInterval(() => {
    if (process.ppid === parents[0] && parents.every(isAlive)) return;
    clearInterval(timer);
    if (!ending) process.kill(process.pid, 'SIGTERM');
  }, 250);
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
