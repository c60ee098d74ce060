import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withLock } from './lock.mjs';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
  path = join(folder, 'deeper', 'ensure.lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

const deadProcess = (): number => spawnSync(process.execPath, ['--version']).pid;
const leaveLock = (...pids: number[]): void => {
  mkdirSync(join(folder, 'deeper'), { recursive: true });
  writeFileSync(path, `${pids.join('\n')}\n`);
};

test('works that want the lock at the same time run one after the other, and nothing is left', async () => {
  const events: string[] = [];
  const work = (name: string) =>
    withLock(
      path,
      async () => {
        events.push(`${name} begins`);
        await new Promise(setImmediate);
        events.push(`${name} ends`);
        return name;
      },
      () => undefined,
    );
  expect(await Promise.all(['a', 'b', 'c'].map(work))).toEqual(['a', 'b', 'c']);
  for (let i = 0; i < events.length; i += 2) expect(events[i + 1]).toBe(events[i]?.replace('begins', 'ends'));
  expect(readdirSync(join(folder, 'deeper'))).toEqual([]);
});

test('a failing work gives the lock back', async () => {
  const failing = withLock(path, () => Promise.reject(new Error('no network')), vi.fn());
  await expect(failing).rejects.toThrow('no network');
  expect(existsSync(path)).toBe(false);
});

test('the lock of a holder that is gone is taken over', async () => {
  leaveLock(deadProcess());
  expect(await withLock(path, async () => readFileSync(path, 'utf8'), vi.fn())).toBe(`${process.pid}\n`);
});

test('the lock holds while the program of a killed holder goes on', async () => {
  leaveLock(deadProcess(), process.pid);
  const onWait = vi.fn(() => {
    // The program ends a moment later.
    setImmediate(() => rmSync(path));
  });
  await withLock(path, async () => undefined, onWait);
  expect(onWait).toHaveBeenCalledTimes(1);
});

test('a lock that nobody has touched for long is from another machine, whoever has its process id here', async () => {
  leaveLock(process.pid);
  utimesSync(path, 1, 1);
  await expect(withLock(path, async () => 'taken', vi.fn())).resolves.toBe('taken');
});

test('the lock names the program that runs under it', async () => {
  const seen = await withLock(
    path,
    async (setWorker) => {
      setWorker(4711);
      const during = readFileSync(path, 'utf8');
      setWorker(undefined);
      return [during, readFileSync(path, 'utf8')];
    },
    vi.fn(),
  );
  expect(seen).toEqual([`${process.pid}\n4711\n`, `${process.pid}\n`]);
});
