import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDataDirectory } from './data-directory.ts';
import { StartError } from './errors.ts';

const NOW = new Date('2026-01-02T03:04:05Z');
let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'proviso-dir-'));
});
afterEach(() => {
  chmodSync(base, 0o700);
  rmSync(base, { recursive: true, force: true });
});

const refused = (path: string): StartError => {
  try {
    openDataDirectory(path, '1.0.0', NOW).release();
  } catch (error) {
    if (error instanceof StartError) return error;
    throw error;
  }
  throw new Error(`${path} was opened`);
};

describe('openDataDirectory', () => {
  it('makes the directory, its folders and its record, and keeps what the record says', () => {
    const path = join(base, 'a/b');
    const first = openDataDirectory(path, '1.0.0', NOW);
    expect(first.record).toMatchObject({
      product: 'Proviso',
      version: '1.0.0',
      mode: 'isolated',
      created: NOW.toISOString(),
    });
    first.release();
    const second = openDataDirectory(path, '1.1.0', new Date());
    expect(second.record).toMatchObject({ version: '1.1.0', created: NOW.toISOString() });
    expect(second.endpointId).toBe(first.endpointId);
    second.release();
    expect(existsSync(join(path, 'lock'))).toBe(false);
  });

  it('refuses a directory that another process holds, with its id', async () => {
    const path = join(base, 'data');
    openDataDirectory(path, '1.0.0', NOW).release();
    const holder = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000); console.log("up")'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(holder.stdout, 'data');
    const started = readFileSync(`/proc/${holder.pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19];
    writeFileSync(join(path, 'lock'), JSON.stringify({ pid: holder.pid, started }));
    expect(refused(path).message).toBe(`The data directory ${path} is in use by process ${holder.pid}.`);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    openDataDirectory(path, '1.0.0', NOW).release();
  });

  it('takes the lock of a process whose id was given to another one since', () => {
    const path = join(base, 'data');
    openDataDirectory(path, '1.0.0', NOW).release();
    writeFileSync(join(path, 'lock'), JSON.stringify({ pid: process.ppid, started: '1' }));
    openDataDirectory(path, '1.0.0', NOW).release();
  });

  it('lets exactly one of several starters into a directory whose holder is dead', { timeout: 30_000 }, async () => {
    const rounds = 40;
    for (let i = 0; i < rounds; i++) {
      openDataDirectory(join(base, String(i)), '1.0.0', NOW).release();
      // No process has this number: the largest one there can be is 2^22.
      writeFileSync(join(base, String(i), 'lock'), JSON.stringify({ pid: 2 ** 22 + 1, started: '1' }));
    }
    const first = Date.now() + 1_500;
    const script = join(import.meta.dirname, '../testing/lock-starter.ts');
    const starters = Array.from({ length: 3 }, () =>
      spawn(process.execPath, [script, base, String(rounds), String(first), '20'], {
        stdio: ['pipe', 'pipe', 'inherit'],
      }),
    );
    try {
      const held = await Promise.all(
        starters.map(async ({ stdout }) => {
          const [line] = (await once(stdout, 'data')) as [Buffer];
          return JSON.parse(line.toString()) as number[];
        }),
      );
      expect(held.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: rounds }, (_, i) => i));
    } finally {
      for (const starter of starters) starter.kill('SIGKILL');
    }
  });

  it('takes over a lock that is garbage', () => {
    const path = join(base, 'data');
    openDataDirectory(path, '1.0.0', NOW).release();
    writeFileSync(join(path, 'lock'), 'garbage');
    openDataDirectory(path, '1.0.0', NOW).release();
  });

  it('says that the path is a file', () => {
    writeFileSync(join(base, 'file'), '');
    expect(refused(join(base, 'file')).message).toBe(`The data directory ${join(base, 'file')} is not a directory.`);
  });

  it('says that the record is damaged', () => {
    const path = join(base, 'data');
    openDataDirectory(path, '1.0.0', NOW).release();
    writeFileSync(join(path, 'service.json'), '{');
    expect(refused(path).message).toContain('service.json cannot be read');
    expect(existsSync(join(path, 'lock'))).toBe(false);
  });

  // Where the runtime's own recursive call never returns.
  it.runIf(existsSync('/proc/self'))('does not hang on a file system that makes no directories', () => {
    expect(refused('/proc/proviso/data').message).toContain('cannot be made there');
  });

  it.runIf(process.getuid?.() === 0)('says that the disk is full', () => {
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', base]);
    if (mounted.status !== 0) return expect(mounted.stderr.toString()).toMatch(/permission|not permitted|denied/i);
    try {
      writeFileSync(join(base, 'filler'), Buffer.alloc(12 * 1024));
      expect(refused(join(base, 'data')).message).toContain('is on a full disk');
    } finally {
      spawnSync('umount', [base]);
    }
  });
});
