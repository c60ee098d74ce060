// A lock file for install and build, so that commands started at the same time wait for each other.
//
// It names the holder and, while one runs, the program the holder has started: when the holder is killed the program may
// live on, and until that ends too the lock stays in force. The holder touches the file every second: a lock left behind
// by another container, where a process id means nothing, is recognised by its age.
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const BEAT_MS = 1_000;
const STALE_MS = 20_000;
const POLL_MS = 150;

/**
 * Runs `work` while holding the lock at `path`; waits for the present holder first.
 * @template T
 * @param {string} path
 * @param {(setWorker: (pid: number | undefined) => void) => Promise<T>} work
 * @param {(holder: number) => void} onWait called once when somebody else holds the lock
 * @returns {Promise<T>}
 */
export async function withLock(path, work, onWait) {
  mkdirSync(dirname(path), { recursive: true });
  let told = false;
  while (!take(path)) {
    const lock = read(path);
    if (lock === undefined) continue;
    if (!told) {
      told = true;
      onWait(lock.pids[0]);
    }
    if (isStale(lock)) evict(path, lock);
    else await sleep(POLL_MS);
  }
  const isMine = () => read(path)?.pids[0] === process.pid;
  const release = () => {
    if (isMine()) rmSync(path, { force: true });
  };
  const beat = setInterval(() => touch(path), BEAT_MS);
  process.once('exit', release);
  try {
    return await work((worker) => {
      if (isMine()) replace(path, worker === undefined ? [process.pid] : [process.pid, worker]);
    });
  } finally {
    clearInterval(beat);
    process.removeListener('exit', release);
    release();
  }
}

/** The file appears together with its content (link of a finished one), so nobody ever reads half a lock. */
function take(path) {
  const mine = `${path}.${process.pid}`;
  writeFileSync(mine, `${process.pid}\n`);
  try {
    linkSync(mine, path);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(mine, { force: true });
  }
}

function replace(path, pids) {
  const next = `${path}.${process.pid}`;
  writeFileSync(next, `${pids.join('\n')}\n`);
  renameSync(next, path);
}

function read(path) {
  try {
    return { pids: readFileSync(path, 'utf8').trim().split('\n').map(Number), touchedAt: statSync(path).mtimeMs };
  } catch {
    return undefined; // released in this moment
  }
}

const isStale = ({ pids, touchedAt }) =>
  !pids.some(isRunning) || (Date.now() - touchedAt > STALE_MS && !isRunning(pids[1]));

function isRunning(pid) {
  if (pid === undefined) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Of several waiters one wins the rename. Should it have caught a fresh lock instead, it gives it back. */
function evict(path, dead) {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  try {
    if (read(aside)?.pids[0] !== dead.pids[0]) linkSync(aside, path);
  } catch {
    // Somebody holds it already.
  }
  rmSync(aside, { force: true });
}

function touch(path) {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // Evicted after a long suspend of the machine: the work itself is still right, only no longer alone.
  }
}
