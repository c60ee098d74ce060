/**
 * The data directory (architecture.md 2): `proviso.db`, `tls/`, `service.json`, `logs/`, `backups/` and a lock. One process per
 * directory. Nobody but its owner reads what lies in it: the database holds the secrets tokens are made with.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newUuid } from '../kit/ids.ts';
import { lockDirectory } from './directory-lock.ts';
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
  /** Records that the database holds something; from then on a missing or empty one is a loss, and refused. */
  markUsed(): void;
  /** Gives the lock back. */
  release(): void;
}

/** What `service.json` records of a directory. */
export interface ServiceRecord {
  readonly product: 'Proviso';
  readonly version: string;
  readonly mode: 'isolated' | 'production';
  readonly created: string;
  readonly endpointId: string;
  /** The database held something once. */
  readonly used?: boolean;
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

const numbersOf = (version: string): number[] => (/^\d+(\.\d+)*/.exec(version)?.[0] ?? '0').split('.').map(Number);

/** Whether release `a` came after `b`: the first number that differs decides. */
function isNewer(a: string, b: string): boolean {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  const at = left.findIndex((number, i) => number !== (right[i] ?? 0));
  return at >= 0 && (left[at] ?? 0) > (right[at] ?? 0);
}

function refuseNewer(path: string, known: ServiceRecord | undefined, version: string): void {
  if (typeof known?.version !== 'string' || !isNewer(known.version, version)) return;
  throw new StartError(
    `The data directory ${path} was last used by release ${known.version}; this is ${version}, which is older.`,
    'Start that release or a newer one, or restore a backup that was made before its upgrade.',
  );
}

/** A server that lost its data must not begin anew as if nothing had been: with the default password at that. */
function refuseLoss(path: string, database: string, known: ServiceRecord | undefined): void {
  if (!known?.used || (statSync(database, { throwIfNoEntry: false })?.size ?? 0) > 0) return;
  throw new StartError(
    `The database ${database} is ${existsSync(database) ? 'empty' : 'missing'}, but this directory was in use since ${known.created}.`,
    `Put it back from a backup. To begin anew, remove service.json in ${path} as well.`,
  );
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

function makeEntry(dir: string, entry: string): void {
  try {
    mkdirSync(entry, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw dataDirectoryError(dir, error, entry);
  }
}

/**
 * Opens (or makes) a data directory and locks it. Throws StartError with one sentence: not writable, full, in use by a process
 * (with its id), used by a newer release, or without the database it had.
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
    release = lockDirectory(path);
    for (const name of ['tls', 'logs', 'backups', 'files']) makeEntry(path, sub(name));
    const known = readRecord(sub('service.json'));
    refuseNewer(path, known, version);
    refuseLoss(path, sub('proviso.db'), known);
    let record: ServiceRecord = {
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
      markUsed() {
        if (record.used) return;
        record = { ...record, used: true };
        writeRecord(sub('service.json'), record);
      },
      release,
    };
  } catch (error) {
    release?.();
    throw error instanceof StartError ? error : dataDirectoryError(path, error);
  }
}
