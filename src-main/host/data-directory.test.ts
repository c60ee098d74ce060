import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
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

/** Starters of `rounds` directories that meet at the door of each, in their own processes; they hold what they got. */
const started: ChildProcessByStdio<Writable, Readable, null>[] = [];
function start(rounds: number, apartMs: number): ChildProcessByStdio<Writable, Readable, null> {
  const script = join(import.meta.dirname, '../testing/lock-starter.ts');
  const first = Math.ceil(Date.now() / 1_000) * 1_000 + 1_000;
  const child = spawn(process.execPath, [script, base, String(rounds), String(first), String(apartMs)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  started.push(child);
  return child;
}
async function heldBy({ stdout }: { stdout: Readable }): Promise<number[]> {
  const [line] = (await once(stdout, 'data')) as [Buffer];
  return JSON.parse(line.toString()) as number[];
}
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

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

  it('refuses a directory that another process holds, with its id, and takes it when that one is killed', async () => {
    openDataDirectory(join(base, '0'), '1.0.0', NOW).release();
    const holder = start(1, 0);
    expect(await heldBy(holder)).toEqual([0]);
    expect(refused(join(base, '0')).message).toBe(
      `The data directory ${join(base, '0')} is in use by process ${holder.pid}.`,
    );
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    openDataDirectory(join(base, '0'), '1.0.0', NOW).release();
  });

  it('refuses a directory this process has open, and keeps it', () => {
    const path = join(base, 'data');
    const first = openDataDirectory(path, '1.0.0', NOW);
    expect(refused(path).message).toContain(`is in use by process ${process.pid}`);
    expect(refused(path).message).toContain('is in use');
    first.release();
    openDataDirectory(path, '1.0.0', NOW).release();
  });

  // The name of a holder is for people: what it says does not open or close the directory.
  it.each([
    ['a process that is gone', JSON.stringify({ pid: 2 ** 22 + 1 })],
    ['a process that does something else', JSON.stringify({ pid: process.ppid })],
    ['nobody', 'garbage'],
  ])('takes a directory nobody holds, whose name file says %s', (_, text) => {
    const path = join(base, 'data');
    openDataDirectory(path, '1.0.0', NOW).release();
    writeFileSync(join(path, 'lock'), text);
    openDataDirectory(path, '1.0.0', NOW).release();
  });

  it.each(['0.9.9', '1.0.0', '1.0.0-rc.1'])('opens a directory that release %s used', (version) => {
    const path = join(base, 'data');
    openDataDirectory(path, version, NOW).release();
    openDataDirectory(path, '1.0.0', NOW).release();
  });

  it.each(['1.0.1', '1.1', '9.0.0'])('refuses a directory that the newer release %s used, and leaves it', (version) => {
    const path = join(base, 'data');
    openDataDirectory(path, version, NOW).release();
    expect(refused(path).message).toBe(
      `The data directory ${path} was last used by release ${version}; this is 1.0.0, which is older.`,
    );
    expect(JSON.parse(readFileSync(join(path, 'service.json'), 'utf8'))).toMatchObject({ version });
  });

  it.each(['missing', 'empty'])('refuses to begin anew where a used database is %s', (what) => {
    const path = join(base, 'data');
    const opened = openDataDirectory(path, '1.0.0', NOW);
    opened.markUsed();
    opened.release();
    if (what === 'empty') writeFileSync(opened.database, '');
    expect(refused(path).message).toContain(`${opened.database} is ${what}, but this directory was in use`);
    writeFileSync(opened.database, 'something');
    openDataDirectory(path, '1.0.0', NOW).release();
  });

  it('lets exactly one of several starters into a directory whose holder is dead', { timeout: 30_000 }, async () => {
    const rounds = 40;
    for (let i = 0; i < rounds; i++) {
      openDataDirectory(join(base, String(i)), '1.0.0', NOW).release();
      // No process has this number: the largest one there can be is 2^22.
      writeFileSync(join(base, String(i), 'lock'), JSON.stringify({ pid: 2 ** 22 + 1, started: '1' }));
    }
    const starters = Array.from({ length: 3 }, () => start(rounds, 20));
    const held = await Promise.all(starters.map(heldBy));
    expect(held.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: rounds }, (_, i) => i));
  });

  it('says that the path is a file', () => {
    writeFileSync(join(base, 'file'), '');
    expect(refused(join(base, 'file')).message).toBe(`The data directory ${join(base, 'file')} is not a directory.`);
  });

  it('names the entry of the directory that is in the way', () => {
    const path = join(base, 'data');
    openDataDirectory(path, '1.0.0', NOW).release();
    rmSync(join(path, 'logs'), { recursive: true });
    writeFileSync(join(path, 'logs'), '');
    expect(refused(path).message).toBe(`${join(path, 'logs')} is not a directory.`);
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
