/**
 * Files and isos (wire-format.md 12.2): plain files below one directory each. An upload is written beside the others and renamed
 * into place once it is whole and on disk, so that a reader sees the old file or the new one. Nothing outside the directory is
 * ever touched: paths are checked as text, and links that lead out count as absent.
 */
import { createHash } from 'node:crypto';
import { constants, createWriteStream, mkdirSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  statfs,
  unlink,
} from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Problem } from '../contract/errors.ts';
import { newUuid } from '../kit/ids.ts';
import { readBlobPath, UPLOAD_PREFIX } from './blob-path.ts';
import type { Guard } from './guard.ts';
import type { Call } from './types.ts';

interface BlobKind {
  /** Claim scope and route word. */
  readonly scope: 'files' | 'isos';
  /** What a DELETE of something absent says. */
  readonly absent: string;
  /** Answers to uploads show the path with a leading slash. */
  readonly leadingSlash: boolean;
}

export const FILES: BlobKind = { scope: 'files', absent: 'Unable to delete', leadingSlash: true };
export const ISOS: BlobKind = { scope: 'isos', absent: 'no such iso', leadingSlash: false };

interface BlobDeps {
  readonly guard: Guard;
  readonly kind: BlobKind;
  /** Directory of the blobs; made when it is not there. */
  readonly root: string;
  /** Told of every change, for the audit and for who needs the file; the answer waits for it. */
  readonly onChange: (
    call: Call,
    change: { scope: string; action: 'post' | 'delete'; path: string; size: number },
  ) => void | Promise<void>;
  /** Largest upload in bytes. */
  readonly maxBytes?: number;
}

/** An open file: whoever asked for it reads it or closes it. */
interface OpenBlob {
  readonly size: number;
  /** Hex, when it is known already. */
  readonly sha256: string | undefined;
  /** Bytes `start` to `end`, both included. */
  read(start: number, end: number): Readable;
  close(): Promise<void>;
}

export type Blobs = ReturnType<typeof createBlobs>;

const DEFAULT_MAX_BYTES = 64 * 1024 ** 3;
/** Left free on the disk for the database, whatever is uploaded. */
const RESERVED_BYTES = 256 * 1024 * 1024;
const MOST_HASHES = 10_000;

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';
const isAbsent = (error: unknown): boolean => ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(codeOf(error));

export function createBlobs({ guard, kind, root, onChange, maxBytes = DEFAULT_MAX_BYTES }: BlobDeps) {
  const { scope } = kind;
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const home = realpathSync(root);
  // What a crash left half written.
  for (const name of readdirSync(home)) if (name.startsWith(UPLOAD_PREFIX)) rmSync(join(home, name), { force: true });

  const hashing = new Map<string, Promise<string>>();
  const known = new Map<string, string>();
  const demand = (call: Call, action: string, specific: string): void =>
    guard.demand(call, [{ scope, action, specific }]);
  const problem = (code: ConstructorParameters<typeof Problem>[0], message: string, path: string): Problem =>
    new Problem(code, message, { model: scope, key: path, type: 'METHOD' });
  const isInside = (real: string): boolean => real === home || real.startsWith(home + sep);
  const shown = (path: string): string => path.replace(/^\/+/, '');

  /** Where a path really is; undefined when it is not there, or not in here. */
  const locate = async (path: string): Promise<string | undefined> => {
    const parsed = readBlobPath(path);
    if (!parsed.ok) return undefined;
    try {
      const real = await realpath(join(home, ...parsed.segments));
      return isInside(real) ? real : undefined;
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  };

  const remember = (identity: string, hash: string): void => {
    known.set(identity, hash);
    if (known.size > MOST_HASHES) known.delete(known.keys().next().value as string);
  };

  const openFile = async (path: string): Promise<{ handle: FileHandle; size: number; identity: string }> => {
    const notThere = (): Problem => problem('not-found', 'Not a regular file', shown(path));
    const real = await locate(path);
    if (real === undefined) throw notThere();
    let handle: FileHandle;
    try {
      handle = await open(real, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    } catch (error) {
      if (isAbsent(error) || codeOf(error) === 'EISDIR') throw notThere();
      throw error;
    }
    const status = await handle.stat({ bigint: true });
    if (!status.isFile()) {
      await handle.close();
      throw notThere();
    }
    return {
      handle,
      size: Number(status.size),
      identity: `${status.dev}:${status.ino}:${status.size}:${status.mtimeNs}`,
    };
  };

  /** Hash of a file by its identity; many askers share one pass. */
  const hashOf = (handle: FileHandle, identity: string): Promise<string> => {
    const running = hashing.get(identity);
    if (running !== undefined) return running;
    const made = (async () => {
      const hash = createHash('sha256');
      for await (const chunk of handle.createReadStream({ start: 0, autoClose: false })) hash.update(chunk as Buffer);
      const hex = hash.digest('hex');
      remember(identity, hex);
      return hex;
    })().finally(() => hashing.delete(identity));
    hashing.set(identity, made);
    return made;
  };

  /** Makes the directory of an upload; refuses when a file is in the way. */
  const parentOf = async (path: string, segments: readonly string[]): Promise<string> => {
    const parents = segments.slice(0, -1);
    const refusal = (): Problem => problem('conflict', `Cannot create directory /${parents.join('/')}`, shown(path));
    let at = home;
    for (const segment of parents) {
      at = join(at, segment);
      try {
        await mkdir(at, { mode: 0o700 });
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error;
      }
      // A link in the way is followed only while it stays in here.
      const real = await realpath(at).catch(() => undefined);
      if (real === undefined || !isInside(real) || !(await stat(real)).isDirectory()) throw refusal();
      at = real;
    }
    return at;
  };

  const refuseTooLarge = async (path: string, announced: number | undefined): Promise<number> => {
    const { bavail, bsize } = await statfs(home);
    const room = Math.max(0, bavail * bsize - RESERVED_BYTES);
    if (announced !== undefined && announced > maxBytes)
      throw problem('too-large', `The upload has ${announced} bytes; at most ${maxBytes} are taken`, shown(path));
    if (announced !== undefined && announced > room)
      throw problem('too-large', `The upload has ${announced} bytes; the disk has room for ${room}`, shown(path));
    return Math.min(maxBytes, room);
  };

  return {
    kind,

    /** Names in a directory, sorted; those of directories end in `/`. `path` empty: the top. */
    async list(call: Call, path: string): Promise<string[]> {
      demand(call, 'list', '*');
      const trimmed = path.replace(/^\/+|\/+$/g, '');
      const dir = trimmed === '' ? home : await locate(trimmed);
      const absent = (): Problem => problem('not-found', 'Not a directory', trimmed);
      if (dir === undefined) throw absent();
      let entries: string[] = [];
      try {
        entries = await readdir(dir);
      } catch (error) {
        if (isAbsent(error)) throw absent();
        throw error;
      }
      const names: string[] = [];
      for (const name of entries) {
        if (dir === home && name.startsWith(UPLOAD_PREFIX)) continue;
        const real = await realpath(join(dir, name)).catch(() => undefined);
        if (real === undefined || !isInside(real)) continue;
        const status = await stat(real).catch(() => undefined);
        if (status?.isDirectory()) names.push(`${name}/`);
        else if (status?.isFile()) names.push(name);
      }
      return names.sort((a, b) => (a < b ? -1 : 1));
    },

    /** Opens a file for reading. Throws `not-found`. */
    async open(call: Call, path: string): Promise<OpenBlob> {
      demand(call, 'get', shown(path));
      const { handle, size, identity } = await openFile(path);
      return {
        size,
        sha256: known.get(identity),
        read: (start, end) => handle.createReadStream({ start, end }),
        close: () => handle.close(),
      };
    },

    /** Size and SHA-256 (hex) of a file; the first asker after a start waits for the file to be read. */
    async describe(call: Call, path: string): Promise<{ readonly size: number; readonly sha256: string }> {
      demand(call, 'get', shown(path));
      const { handle, size, identity } = await openFile(path);
      try {
        return { size, sha256: known.get(identity) ?? (await hashOf(handle, identity)) };
      } finally {
        await handle.close();
      }
    },

    /**
     * Stores an upload; resolves once it is on disk. `announced` is its Content-Length.
     * Throws `bad-request` (path), `too-large`, `conflict` (a file or directory in the way); nothing is kept then.
     */
    async store(
      call: Call,
      path: string,
      body: Readable | undefined,
      announced: number | undefined,
    ): Promise<{ readonly Path: string; readonly Size: number }> {
      demand(call, 'post', shown(path));
      const parsed = readBlobPath(path);
      if (!parsed.ok) throw problem('bad-request', `The path ${parsed.reason}`, shown(path));
      const limit = await refuseTooLarge(path, announced);
      const parent = await parentOf(path, parsed.segments);
      const target = join(parent, parsed.segments.at(-1) ?? '');
      const temporary = join(home, `${UPLOAD_PREFIX}${newUuid()}`);
      const hash = createHash('sha256');
      let size = 0;
      const counted = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          size += chunk.length;
          if (size > limit) {
            done(problem('too-large', `The upload is larger than the ${limit} bytes there is room for`, shown(path)));
            return;
          }
          hash.update(chunk);
          done(null, chunk);
        },
      });
      try {
        await pipeline(
          body ?? Readable.from([]),
          counted,
          createWriteStream(temporary, { flags: 'wx', mode: 0o600, flush: true }),
        );
        const there = await lstat(target).catch(() => undefined);
        if (there?.isDirectory()) throw problem('conflict', `${shown(path)} is a directory`, shown(path));
        await rename(temporary, target);
        const status = await stat(target, { bigint: true });
        remember(`${status.dev}:${status.ino}:${status.size}:${status.mtimeNs}`, hash.digest('hex'));
        await syncDirectory(dirname(target));
      } catch (error) {
        await rm(temporary, { force: true });
        if (error instanceof Problem) throw error;
        if (codeOf(error) === 'ENOSPC') throw problem('too-large', 'The disk is full', shown(path));
        if (['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'ABORT_ERR'].includes(codeOf(error)))
          throw problem('bad-request', 'The upload ended before it was whole', shown(path));
        throw error;
      }
      const clean = parsed.segments.join('/');
      await onChange(call, { scope, action: 'post', path: clean, size });
      return { Path: kind.leadingSlash ? `/${clean}` : clean, Size: size };
    },

    /** Removes a file or an empty directory. Throws `not-found` in the words of the kind. */
    async remove(call: Call, path: string): Promise<void> {
      demand(call, 'delete', shown(path));
      const absent = (): Problem => problem('not-found', kind.absent, shown(path));
      const parsed = readBlobPath(path);
      if (!parsed.ok) throw absent();
      const parent = parsed.segments.length === 1 ? home : await locate(parsed.segments.slice(0, -1).join('/'));
      if (parent === undefined) throw absent();
      const target = join(parent, parsed.segments.at(-1) ?? '');
      try {
        // Not followed: a link is removed, never what it leads to.
        if ((await lstat(target)).isDirectory()) await rmdir(target);
        else await unlink(target);
      } catch (error) {
        if (isAbsent(error)) throw absent();
        if (codeOf(error) === 'ENOTEMPTY') throw problem('conflict', `${shown(path)} is not empty`, shown(path));
        throw error;
      }
      await onChange(call, { scope, action: 'delete', path: parsed.segments.join('/'), size: 0 });
    },
  };
}

/** Whether there is a regular file of that path below `root`; nothing that leads out of it counts. */
export function hasBlob(root: string, path: string): boolean {
  const parsed = readBlobPath(path);
  if (!parsed.ok) return false;
  try {
    const real = realpathSync(join(root, ...parsed.segments));
    return real.startsWith(realpathSync(root) + sep) && statSync(real).isFile();
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

/** Makes a rename last; not every system can. */
async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
