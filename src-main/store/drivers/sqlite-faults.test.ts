/** What a disk, a file system, a clock or a wrong version can do to the embedded database. */
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryDirectory } from '../conformance-support.ts';
import { StoreError } from '../errors.ts';
import { compareKeys } from '../key-order.ts';
import { openStore } from '../store.ts';
import type { Store } from '../types.ts';
import { createSqliteDriver, type SqliteOptions, verifySqliteFile } from './sqlite.ts';

const ANN = { actor: 'ann', requestId: 'r1' };

async function open(path: string, options: Partial<SqliteOptions> = {}): Promise<Store> {
  const store = await openStore({ driver: createSqliteDriver({ path, ...options }) });
  onTestFinished(() => store.close());
  return store;
}

const put = (store: Store, key: string, text: string) => store.transact(ANN, (tx) => tx.put('things', key, { text }));

/** As root a file system of its own, since root may write anywhere else. Undefined when mounting is not allowed. */
function mountTmpfs(options: string): string | undefined {
  const dir = temporaryDirectory();
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'none', dir], { timeout: 5000 }).status !== 0) return undefined;
  onTestFinished(() => void spawnSync('umount', ['-l', dir], { timeout: 5000 }));
  return dir;
}

const isRoot = process.getuid?.() === 0;

describe('a full disk', () => {
  /** Fills the disk, then checks that everybody knows where they are, and that life goes on once there is room. */
  async function fill(store: Store, makeRoom: () => Promise<unknown>): Promise<void> {
    const safe = new Set<string>();
    let refused: unknown;
    for (let round = 0; refused === undefined && round < 200; round++) {
      const names = Array.from({ length: 8 }, (_, i) => `${round}-${i}`);
      const outcomes = await Promise.allSettled(names.map((name) => put(store, name, 'x'.repeat(20_000))));
      for (const [i, outcome] of outcomes.entries()) {
        if (outcome.status === 'fulfilled') safe.add(names[i] ?? '');
        else refused = outcome.reason;
      }
    }
    expect(refused).toBeInstanceOf(StoreError);
    expect(refused).toMatchObject({
      code: 'disk-full',
      message: expect.stringMatching(/Commit \d+ of things\/\d+-\d .*disk is full/),
    });
    expect(new Set([...store.entries('things')].map((o) => o.key))).toEqual(safe);
    await makeRoom();
    const { seq } = await put(store, 'after', 'there is room again');
    expect(seq).toBe(store.seq);
    expect(await store.verify()).toMatchObject({ ok: true, objects: safe.size + 1 });
  }

  it('refuses the write with the reason, keeps what was acknowledged, and goes on when there is room (file size limit)', async () => {
    const path = join(temporaryDirectory(), 'proviso.db');
    const store = await open(path, { maxBytes: 2_000_000 });
    await fill(store, () => store.compact({ maxBytes: 0 }));
    const keys = [...store.entries('things')].map((o) => o.key);
    await store.close();
    const again = await open(path);
    expect([...again.entries('things')].map((o) => o.key)).toEqual(keys);
  });

  it('does the same when the file system itself is full', async () => {
    // Without the right to mount, a limit on the size of files is the next best full disk; the case above has it.
    const dir = isRoot ? mountTmpfs('size=4m') : undefined;
    const at = dir ?? temporaryDirectory();
    const store = await open(join(at, 'proviso.db'), dir ? {} : { maxBytes: 3_000_000 });
    await fill(store, async () => {
      if (dir) expect(spawnSync('mount', ['-o', 'remount,size=64m', dir], { timeout: 5000 }).status).toBe(0);
      else await store.compact({ maxBytes: 0 });
    });
  });

  /** One small commit after the other until the disk is full: the log alone fills it, the objects are still behind. */
  async function fillLog(store: Store): Promise<string[]> {
    const acknowledged: string[] = [];
    for (;;) {
      const key = `k${acknowledged.length}`.padEnd(10, '.');
      const refused = await put(store, key, 'x'.repeat(5000)).then(
        () => undefined,
        (error: StoreError) => error.code,
      );
      if (refused !== undefined) {
        expect(refused).toBe('disk-full');
        return acknowledged.sort(compareKeys);
      }
      acknowledged.push(key);
    }
  }

  const keysOf = (store: Store) => [...store.entries('things')].map((o) => o.key);

  it('that is full of log alone can still be compacted when it is a size limit', async () => {
    const path = join(temporaryDirectory(), 'proviso.db');
    const store = await open(path, { maxBytes: 1_000_000 });
    const acknowledged = await fillLog(store);
    expect((await store.compact({ maxBytes: 0 })).removed).toBe(acknowledged.length);
    expect((await put(store, 'after', 'x')).seq).toBe(acknowledged.length + 1);
    expect(await store.verify()).toMatchObject({ ok: true, objects: acknowledged.length + 1 });
    await store.close();
    expect(keysOf(await open(path, { maxBytes: 1_000_000 }))).toEqual(['after', ...acknowledged]);
  });

  it('cannot be compacted while not a page is free: that is said, nothing changes, and works once there is room', async ({
    skip,
  }) => {
    const dir = isRoot ? mountTmpfs('size=3m') : undefined;
    if (dir === undefined) return skip('no file system can be mounted here');
    const store = await open(join(dir, 'proviso.db'));
    const acknowledged = await fillLog(store);
    writeFileSync(join(dir, 'ballast'), '');
    for (let size = 65_536; size >= 1; size >>= 1)
      try {
        for (;;) appendFileSync(join(dir, 'ballast'), 'x'.repeat(size));
      } catch {
        // Not this much is left.
      }
    await expect(store.compact({ maxBytes: 0 })).rejects.toMatchObject({
      code: 'disk-full',
      message: expect.stringMatching(/^The change log cannot be shortened: the disk is full/),
    });
    expect((await store.history({ limit: 1 })).map((r) => r.seq)).toEqual([1]);
    await store.close();
    await expect(open(join(dir, 'proviso.db'))).rejects.toMatchObject({ code: 'disk-full' });
    expect(spawnSync('mount', ['-o', 'remount,size=64m', dir], { timeout: 5000 }).status).toBe(0);
    const again = await open(join(dir, 'proviso.db'));
    expect(keysOf(again)).toEqual(acknowledged);
    expect((await again.compact({ maxBytes: 0 })).removed).toBe(acknowledged.length);
    expect(await again.verify()).toMatchObject({ ok: true, objects: acknowledged.length });
  });
});

describe('a place that cannot be written', () => {
  it('is refused with a sentence that names the file', async () => {
    let dir = temporaryDirectory();
    if (!isRoot) {
      chmodSync(dir, 0o555);
      onTestFinished(() => chmodSync(dir, 0o755));
    } else dir = mountTmpfs('size=1m,ro') ?? '/proc';
    const path = join(dir, 'proviso.db');
    const error = await open(path).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(StoreError);
    expect((error as StoreError).message).toContain(path);
    expect((error as StoreError).code).toBe(dir === '/proc' ? 'io' : 'read-only');
  });

  it('can still be verified where it lies', async ({ skip }) => {
    const dir = (isRoot ? mountTmpfs('size=8m') : undefined) ?? temporaryDirectory();
    const path = join(dir, 'proviso.db');
    const store = await open(path);
    await put(store, 'a', 'x');
    await store.close();
    if (isRoot) {
      const { status } = spawnSync('mount', ['-o', 'remount,ro', dir], { timeout: 5000 });
      if (status !== 0) skip('no file system can be made read-only here');
    } else {
      chmodSync(dir, 0o555);
      onTestFinished(() => chmodSync(dir, 0o755));
    }
    expect(await verifySqliteFile(path)).toMatchObject({ ok: true, records: 1, objects: 1 });
  });

  it.each([
    ['a directory that does not exist', (dir: string) => join(dir, 'missing/proviso.db'), 'does not exist'],
    ['a directory instead of a file', (dir: string) => dir, 'must be a file'],
    [
      'a file instead of a directory',
      (dir: string) => {
        writeFileSync(join(dir, 'file'), '');
        return join(dir, 'file/proviso.db');
      },
      'file',
    ],
  ])('%s is told apart', async (_what, pathIn, sentence) => {
    await expect(open(pathIn(temporaryDirectory()))).rejects.toMatchObject({
      code: 'io',
      message: expect.stringContaining(sentence),
    });
  });
});

describe('a backup', () => {
  const filled = async (path: string): Promise<Store> => {
    const store = await open(path);
    await put(store, 'a', 'x');
    return store;
  };

  it('of a file that somebody edited is no backup, and says so', async () => {
    const path = join(temporaryDirectory(), 'proviso.db');
    await (await filled(path)).close();
    const db = new DatabaseSync(path);
    db.exec("UPDATE log SET actor = 'bob'");
    db.close();
    const target = join(temporaryDirectory(), 'copy');
    await expect((await open(path)).backupTo(target)).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringContaining('is not good'),
    });
    expect(readdirSync(target)).not.toContain('manifest.json');
  });

  it('is one once it was flushed: its files, their list, and both directories', async () => {
    const store = await filled(join(temporaryDirectory(), 'proviso.db'));
    const handle = await openFile(import.meta.filename);
    const flush = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'sync');
    await handle.close();
    onTestFinished(() => flush.mockRestore());
    await store.backupTo(join(temporaryDirectory(), 'copy'));
    expect(flush).toHaveBeenCalledTimes(4);

    const target = join(temporaryDirectory(), 'copy');
    flush.mockRejectedValueOnce(Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' }));
    await expect(store.backupTo(target)).rejects.toMatchObject({ code: 'io' });
    expect(readdirSync(target)).not.toContain('manifest.json');
  });
});

describe('a file that is not what it should be', () => {
  it('written by a newer version is refused with a sentence that says what to do, and is left alone', async () => {
    const path = join(temporaryDirectory(), 'proviso.db');
    await (await open(path)).close();
    const db = new DatabaseSync(path);
    db.exec('PRAGMA user_version = 7');
    db.close();
    const before = readFileSync(path);
    await expect(open(path)).rejects.toMatchObject({
      code: 'newer-schema',
      message: expect.stringMatching(
        /format 7, written by a newer version of Proviso.*up to format 1\. Start the newer version, or restore/,
      ),
    });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('of another program, or no database at all, is refused and left alone', async () => {
    const other = join(temporaryDirectory(), 'other.db');
    const db = new DatabaseSync(other);
    db.exec('CREATE TABLE theirs (x)');
    db.close();
    const text = join(temporaryDirectory(), 'notes.txt');
    writeFileSync(text, 'not a database at all, '.repeat(100));
    for (const path of [other, text]) {
      const before = readFileSync(path);
      await expect(open(path)).rejects.toMatchObject({ code: 'corrupt' });
      expect(readFileSync(path).equals(before)).toBe(true);
    }
  });

  it.each([
    ['index values', "UPDATE object SET indexed = '[secret' WHERE id = 3", 'index values'],
    [
      'a record that has yet to be applied',
      "UPDATE log SET body = '{secret' WHERE seq = 5; UPDATE meta SET value = 2 WHERE name = 'applied'",
      'change log',
    ],
  ])('damaged in %s is refused as damaged, without repeating what it holds', async (_what, sql, sentence) => {
    const path = join(temporaryDirectory(), 'proviso.db');
    const store = await open(path);
    for (let i = 0; i < 5; i++) await put(store, `k${i}`, 'x');
    await store.close();
    const db = new DatabaseSync(path);
    db.exec(sql);
    db.close();
    const error = await open(path).catch((e: unknown) => e);
    expect(error).toMatchObject({ code: 'corrupt', message: expect.stringContaining(sentence) });
    expect(String(error)).not.toContain('secret');
  });

  it('damaged in the middle is found by verification', async () => {
    const path = join(temporaryDirectory(), 'proviso.db');
    const store = await open(path);
    for (let i = 0; i < 100; i++) await put(store, `k${i}`, 'x'.repeat(1000));
    await store.close();
    const bytes = readFileSync(path);
    bytes.fill(0x5a, bytes.length >> 1, (bytes.length >> 1) + 8192);
    writeFileSync(path, bytes);
    const found = await open(path)
      .then(
        async (damaged) => (await damaged.verify()).ok,
        (error: StoreError) => error.code,
      )
      .catch((error: StoreError) => error.code);
    expect(['corrupt', false]).toContain(found);
  });
});

describe('a write-ahead log that was cut off or damaged', () => {
  /** A copy of database and WAL as a crash would leave them, 20 commits of which most are in the WAL only. */
  async function crashedCopy(): Promise<{ path: string; wal: string }> {
    const [copy] = await crashedCopies(1);
    if (!copy) throw new Error('no copy was made');
    return copy;
  }

  async function crashedCopies(count: number): Promise<{ path: string; wal: string }[]> {
    const source = join(temporaryDirectory(), 'proviso.db');
    const store = await open(source);
    for (let i = 1; i <= 20; i++) await put(store, `k${i % 7}`, `${i}`.repeat(300));
    const copies = Array.from({ length: count }, () => {
      const path = join(temporaryDirectory(), 'proviso.db');
      for (const end of ['', '-wal']) copyFileSync(`${source}${end}`, `${path}${end}`);
      return { path, wal: `${path}-wal` };
    });
    await store.close();
    return copies;
  }

  async function checkPrefix(path: string, full: number): Promise<number> {
    const store = await open(path);
    const { seq } = store;
    expect(seq).toBeLessThanOrEqual(full);
    const records = await store.history({ limit: 1000 });
    expect(records.map((r) => r.seq)).toEqual(Array.from({ length: seq }, (_, i) => i + 1));
    // Every object is as its last surviving record says: nothing half, nothing from later.
    for (let k = 0; k < 7; k++) {
      const last = records.findLast((r) => r.changes[0]?.key === `k${k}`);
      expect(store.get('things', `k${k}`)?.value).toEqual(last?.changes[0]?.after);
    }
    expect((await put(store, 'new', 'x')).seq).toBe(seq + 1);
    expect((await store.verify()).ok).toBe(true);
    await store.close();
    return seq;
  }

  it('whole: everything is there', async () => {
    const { path } = await crashedCopy();
    expect(await checkPrefix(path, 20)).toBe(20);
  });

  it('cut off anywhere: a whole number of commits from the start is there, and writing goes on', async () => {
    const seen: number[] = [];
    for (const [i, { path, wal }] of (await crashedCopies(3)).entries()) {
      truncateSync(wal, Math.floor(statSync(wal).size * ([0.9, 0.5, 0.1][i] ?? 0)) - 1);
      seen.push(await checkPrefix(path, 20));
    }
    expect(seen).toEqual(seen.toSorted((a, b) => b - a));
    expect(seen[0]).toBeGreaterThan(0);
    expect(seen[2]).toBeLessThan(20);
  });

  it('with a torn page in it: what comes before it is there', async () => {
    const { path, wal } = await crashedCopy();
    const bytes = readFileSync(wal);
    bytes.fill(0, bytes.length >> 1, (bytes.length >> 1) + 512);
    writeFileSync(wal, bytes);
    expect(await checkPrefix(path, 20)).toBeGreaterThan(0);
  });
});

it('100,000 keys with Unicode and separators come back in order after a restart', async () => {
  const path = join(temporaryDirectory(), 'proviso.db');
  const store = await open(path);
  const parts = ['/', '\\', '\u0000', '|', '.', 'ü', '日本', '\u{1f600}', '\uff5e', '"', "'", '%', ' ', '\u202e'];
  const keyOf = (i: number) => `${parts[i % parts.length]}${i}${parts[(i * 7) % parts.length]}`;
  for (let start = 0; start < 100_000; start += 10_000)
    await store.transact(ANN, (tx) => {
      for (let i = start; i < start + 10_000; i++) tx.put('things', keyOf(i), { i });
    });
  const before = [...store.entries('things')].map((o) => o.key);
  await store.close();
  const again = await open(path);
  expect(again.count('things')).toBe(100_000);
  const after = [...again.entries('things')].map((o) => o.key);
  expect(after.length === before.length && after.every((key, i) => key === before[i])).toBe(true);
  // SQLite compares bytes: an independent opinion on the order.
  const db = new DatabaseSync(path, { readOnly: true });
  const rows = db.prepare('SELECT key FROM object ORDER BY CAST(key AS BLOB)').all() as { key: string }[];
  db.close();
  expect(rows.every(({ key }, i) => key === after[i])).toBe(true);
  expect(again.get('things', keyOf(77_777))?.value).toEqual({ i: 77_777 });
}, 30_000);
