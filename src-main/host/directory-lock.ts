/**
 * The lock of a data directory. What counts is a lock of the operating system on `lock.db`: it ends with its process, however that
 * ends, has no race between starters, and holds across process id namespaces. The file `lock` beside it names the holder.
 */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from './errors.ts';

const SQLITE_BUSY = 5;
/** Of two starters at one moment the slower one may find a holder that has not written its name yet. */
const NAMELESS_MS = 500;
const PAUSE_MS = 5;

const pause = (): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);

/** The process id in the file; undefined when there is none, or its process is gone. */
function readHolder(file: string): number | undefined {
  let pid: unknown;
  try {
    ({ pid } = JSON.parse(readFileSync(file, 'utf8')) as { pid?: unknown });
    if (typeof pid !== 'number') return undefined;
    process.kill(pid, 0);
    return pid;
  } catch (error) {
    // Somebody else's process, but one that is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? (pid as number) : undefined;
  }
}

/** A transaction nobody else can begin while this one stands; undefined when somebody else has it. */
function take(file: string): DatabaseSync | undefined {
  // For the error of the file system, which says more than SQLite's. A file that is there is not opened: closing it would give
  // back a lock this process has on it.
  if (existsSync(file)) accessSync(file, constants.W_OK);
  else closeSync(openSync(file, 'a', 0o600));
  const held = new DatabaseSync(file);
  try {
    held.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return held;
  } catch (error) {
    held.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
}

function refusal(dir: string, holder: number | undefined): StartError {
  return new StartError(
    holder === undefined
      ? `The data directory ${dir} is in use by another process, perhaps in another container.`
      : `The data directory ${dir} is in use by process ${holder}.`,
    'Stop that process first, or choose another directory with --data.',
  );
}

/** Kept from the garbage collector: it would close what nobody refers to any more, and so give the lock back. */
const locks = new Set<DatabaseSync>();

/** Who has the directory; undefined where that process cannot be named. */
function holderOf(file: string): number | undefined {
  const until = performance.now() + NAMELESS_MS;
  for (;;) {
    const holder = readHolder(file);
    if (holder !== undefined || performance.now() > until) return holder;
    pause();
  }
}

/**
 * Locks a directory for this process and answers how to give it back. Throws StartError that names the holder, or the error of the
 * file system.
 */
export function lockDirectory(dir: string): () => void {
  const name = join(dir, 'lock');
  const held = take(join(dir, 'lock.db'));
  if (!held) throw refusal(dir, holderOf(name));
  try {
    // Renamed into place: a name is never seen half written.
    writeFileSync(`${name}.new`, JSON.stringify({ pid: process.pid }), { mode: 0o600, flush: true });
    renameSync(`${name}.new`, name);
  } catch (error) {
    rmSync(`${name}.new`, { force: true });
    held.close();
    throw error;
  }
  locks.add(held);
  return () => {
    if (!locks.delete(held)) return;
    // The name goes first: while the lock stands nobody else can have written one.
    rmSync(name, { force: true });
    held.close();
  };
}
