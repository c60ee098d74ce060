/**
 * The data directory (architecture.md 2): `proviso.db`, `tls/`, `service.json`, `logs/`, `backups/` and a lock file. One process
 * per directory: the lock holds a process id and the start time of that process, so that an id used again is not mistaken for
 * the holder.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { newUuid } from '../kit/ids.ts';
import { dataDirectoryError, StartError } from './errors.ts';

export interface DataDirectory {
  readonly path: string;
  readonly database: string;
  readonly tls: string;
  readonly logs: string;
  readonly backups: string;
  readonly files: string;
  /** Identifier of this endpoint, made once. */
  readonly endpointId: string;
  /** Gives the lock back. */
  release(): void;
}

interface LockHolder {
  readonly pid: number;
  /** Start time of the process as the system counts it; empty where it cannot be had. */
  readonly started: string;
}

/** Field 22 of /proc/PID/stat: start time in clock ticks since boot. Only Linux has it. */
function processStart(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

function isAlive(holder: LockHolder): boolean {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  const started = processStart(holder.pid);
  return started === '' || holder.started === '' || started === holder.started;
}

function readHolder(file: string): LockHolder | undefined {
  try {
    const { pid, started } = JSON.parse(readFileSync(file, 'utf8')) as Partial<LockHolder>;
    return typeof pid === 'number' ? { pid, started: String(started ?? '') } : undefined;
  } catch {
    return undefined;
  }
}

/** Starters that meet at one door wait this long for each other, altogether about a second. */
const ATTEMPTS = 200;
const PAUSE_MS = 5;

const pause = (): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);

/** Links a finished file into place, so that its content is never seen half written. False when the name is taken. */
function claim(own: string, file: string): boolean {
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes the lock of a dead holder. Of several starters one does it, and looks again before: what the others found dead may be the
 * fresh lock of the one that was faster.
 */
function evict(own: string, file: string): void {
  const right = `${file}.evicting`;
  if (!claim(own, right)) {
    // Left behind by one that was killed in this very moment.
    if (isLeft(right)) rmSync(right, { force: true });
    return;
  }
  try {
    if (isLeft(file)) rmSync(file, { force: true });
  } finally {
    rmSync(right, { force: true });
  }
}

const isHeld = (holder: LockHolder): boolean => holder.pid !== process.pid && isAlive(holder);

/** A lock that is there and nobody's. One that is not there may be somebody's in the next moment. */
function isLeft(file: string): boolean {
  const holder = readHolder(file);
  return holder === undefined ? existsSync(file) && readHolder(file) === undefined : !isHeld(holder);
}

/** Takes the lock of a directory; the lock of a process that is gone does not count. Answers how to give it back. */
function lock(dir: string): () => void {
  const file = join(dir, 'lock');
  const own = join(dir, `lock.${process.pid}`);
  const mine = JSON.stringify({ pid: process.pid, started: processStart(process.pid) });
  const descriptor = openSync(own, 'w', 0o600);
  writeSync(descriptor, mine);
  fsyncSync(descriptor);
  closeSync(descriptor);
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (claim(own, file)) {
        return () => {
          if (readHolder(file)?.pid === process.pid) rmSync(file, { force: true });
        };
      }
      const holder = readHolder(file);
      if (holder && isHeld(holder)) {
        throw new StartError(
          `The data directory ${dir} is in use by process ${holder.pid}.`,
          'Stop that process first, or choose another directory with --data.',
        );
      }
      evict(own, file);
      if (attempt > 0) pause();
    }
    throw new StartError(`The lock of the data directory ${dir} could not be taken.`, 'Start again.');
  } finally {
    rmSync(own, { force: true });
  }
}

/** What `service.json` records of a directory. */
export interface ServiceRecord {
  readonly product: 'Proviso';
  readonly version: string;
  readonly mode: 'isolated' | 'production';
  readonly created: string;
  readonly endpointId: string;
}

function readRecord(file: string): ServiceRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ServiceRecord;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StartError(`${file} cannot be read: it is damaged.`, 'Restore it from a backup of the directory.', error);
  }
}

function writeRecord(file: string, record: ServiceRecord): void {
  const temporary = `${file}.new`;
  writeFileSync(temporary, `${JSON.stringify(record, null, 2)}\n`, { flush: true, mode: 0o600 });
  renameSync(temporary, file);
}

/**
 * Makes a directory and its parents, one by one: the recursive call of the runtime never ends on file systems that answer ENOENT
 * to every attempt, such as /proc.
 */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeDirectory(parent);
  mkdirSync(path, { mode: 0o700 });
}

/**
 * Opens (or makes) a data directory and locks it. Throws StartError with one sentence: not writable, full, in use by a process
 * (with its id), or written by a newer release.
 */
export function openDataDirectory(
  path: string,
  version: string,
  now: Date,
): DataDirectory & { readonly record: ServiceRecord } {
  const sub = (name: string): string => join(path, name);
  let release: (() => void) | undefined;
  try {
    makeDirectory(path);
    release = lock(path);
    for (const name of ['tls', 'logs', 'backups', 'files']) mkdirSync(sub(name), { recursive: true, mode: 0o700 });
    const known = readRecord(sub('service.json'));
    const record: ServiceRecord = {
      product: 'Proviso',
      mode: 'isolated',
      created: now.toISOString(),
      endpointId: newUuid(),
      ...known,
      version,
    };
    if (known?.version !== version || !known.endpointId) writeRecord(sub('service.json'), record);
    return {
      path,
      record,
      database: sub('proviso.db'),
      tls: sub('tls'),
      logs: sub('logs'),
      backups: sub('backups'),
      files: sub('files'),
      endpointId: record.endpointId,
      release,
    };
  } catch (error) {
    release?.();
    throw error instanceof StartError ? error : dataDirectoryError(path, error);
  }
}
