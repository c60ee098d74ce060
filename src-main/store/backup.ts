import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, open, readdir, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BackupManifest } from './driver.ts';
import { StoreError } from './errors.ts';
import { fromSystemError } from './system-errors.ts';

const MANIFEST_FILE = 'manifest.json';

/** What opening the copy showed. */
export type CopyFacts = Pick<BackupManifest, 'schema' | 'seq' | 'head' | 'objects'>;

/** Makes `dir`, or accepts it when it is empty: a backup never mixes with what is there. */
export async function prepareBackupDirectory(dir: string): Promise<void> {
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    if ((await readdir(dir)).length === 0) return;
  } catch (cause) {
    throw fromSystemError(cause, `The backup directory ${dir} cannot be used`);
  }
  throw new StoreError('validation', `The backup directory ${dir} is not empty; choose a new one.`);
}

/**
 * Checksums the copied files, flushes everything and writes the manifest last: a directory with a manifest is a
 * complete backup. `facts` must come from the opened copy, not from the source.
 */
export async function writeManifest(
  dir: string,
  driver: string,
  nowMs: number,
  fileNames: readonly string[],
  facts: CopyFacts,
): Promise<BackupManifest> {
  try {
    const files = [];
    for (const name of fileNames) {
      const path = join(dir, name);
      // As private as what it is a copy of.
      await chmod(path, 0o600);
      await flush(path);
      files.push({ name, bytes: (await stat(path)).size, sha256: await sha256OfFile(path) });
    }
    const time = new Date(nowMs).toISOString();
    const manifest = { format: 'proviso-store-backup', version: 1, driver, time, ...facts, files } as const;
    const temporary = join(dir, `${MANIFEST_FILE}.partial`);
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(`${JSON.stringify(manifest, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, join(dir, MANIFEST_FILE));
    await flush(dir);
    await flush(dirname(dir));
    return manifest;
  } catch (cause) {
    throw fromSystemError(cause, `The backup in ${dir} cannot be completed`);
  }
}

/** Hex SHA-256, streamed. */
export async function sha256OfFile(path: string): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), digest);
  return digest.digest('hex');
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
