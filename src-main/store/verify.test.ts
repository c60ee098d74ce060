import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from './conformance-support.ts';
import type { VerifyReport } from './driver.ts';
import { createSqliteDriver, verifySqliteFile } from './drivers/sqlite.ts';
import { openStore } from './store.ts';
import type { Store } from './types.ts';

const ANN = { actor: 'ann', requestId: 'r1' };

describe('verification of a file that somebody else edited', () => {
  let path: string;

  const open = (version = 1): Promise<Store> =>
    openStore({
      driver: createSqliteDriver({ path }),
      secretFields: { users: ['/PasswordHash'] },
      uniqueIndexes: { machines: { twice: { version, value: ({ n }) => `${Number(n) * 2 * version}` } } },
    });

  beforeEach(async () => {
    path = join(temporaryDirectory(), 'proviso.db');
    const store = await open();
    for (let n = 1; n <= 9; n++) await store.transact(ANN, (tx) => tx.put('machines', `m${n % 3}`, { n }));
    await store.transact(ANN, (tx) => tx.put('users', 'u', { PasswordHash: 'secret', Name: 'u' }));
    await store.close();
  });

  async function tamper(sql: string): Promise<VerifyReport> {
    const db = new DatabaseSync(path);
    for (const statement of sql.split(';')) expect(db.prepare(statement).run().changes).toBeGreaterThan(0);
    db.close();
    return verifySqliteFile(path);
  }

  it('finds nothing wrong in a file nobody edited', async () => {
    expect(await verifySqliteFile(path)).toMatchObject({ ok: true, records: 10, objects: 4, problems: [] });
  });

  it.each([
    ['its time', 'UPDATE log SET time = time + 1 WHERE seq = 4'],
    ['its actor', "UPDATE log SET actor = 'bob' WHERE seq = 4"],
    ['its request', "UPDATE log SET request = '' WHERE seq = 4"],
    ['its content', `UPDATE log SET body = replace(body, '"n":4', '"n":5') WHERE seq = 4`],
    ['its hash', "UPDATE log SET hash = replace(hash, substr(hash, 1, 1), 'x') WHERE seq = 4"],
  ])('finds a record by %s', async (_what, sql) => {
    const { ok, problems } = await tamper(sql);
    expect(ok).toBe(false);
    expect(problems[0]).toMatchObject({ kind: 'changed-record', seq: 4 });
  });

  it.each([
    ['from the middle', 'DELETE FROM log WHERE seq = 4', 4],
    ['from the start', 'DELETE FROM log WHERE seq <= 2', 1],
    ['from the end', 'DELETE FROM log WHERE seq >= 9', 9],
    ['altogether', 'DELETE FROM log', 1],
  ])('finds records taken out %s', async (_where, sql, seq) => {
    const { ok, problems } = await tamper(sql);
    expect(ok).toBe(false);
    expect(problems[0]).toMatchObject({ kind: 'missing-record', seq });
  });

  it.each([
    ['changed', `UPDATE object SET value = '{"n":70}' WHERE key = 'm1'`, 'm1'],
    ['taken out', "DELETE FROM object WHERE key = 'm1'", 'm1'],
    ['renamed', "UPDATE object SET key = 'm4' WHERE key = 'm1'", 'm4'],
    [
      'changed beside its secret',
      `UPDATE object SET value = replace(value, '"Name":"u"', '"Name":"v"') WHERE key = 'u'`,
      'u',
    ],
    ['set back to an older revision', `UPDATE object SET value = '{"n":4}', revision = 4 WHERE key = 'm1'`, 'm1'],
    [
      'put in without a record',
      `INSERT INTO object SELECT 999, prefix, 'evil', 0, '', json_set(value, '$.Name', 'evil') FROM object WHERE key = 'u'`,
      'evil',
    ],
    [
      'with a secret changed and marked as not yet up to the log',
      `UPDATE object SET value = json_set(value, '$.Name', 'evil') WHERE key = 'u'; UPDATE meta SET value = 0 WHERE name = 'applied'`,
      'u',
    ],
    [
      'changed and marked as not yet up to the log',
      `UPDATE object SET value = '{"n":70}' WHERE key = 'm1'; UPDATE meta SET value = 6 WHERE name = 'applied'`,
      'm1',
    ],
    ['with the index values of another', `UPDATE object SET indexed = '["16"]' WHERE key = 'm1'`, 'm1'],
    ['under another number', "UPDATE object SET id = 999 WHERE key = 'm1'", 'm1'],
    ['that is no JSON', "UPDATE object SET value = '{secret' WHERE key = 'm1'", 'm1'],
    [
      'beside another of its name',
      `INSERT INTO object SELECT 999, prefix, key, revision, indexed, value FROM object WHERE key = 'm1'`,
      'm1',
    ],
  ])('finds an object %s', async (_how, sql, key) => {
    const { ok, problems } = await tamper(sql);
    expect(ok).toBe(false);
    expect(problems).toContainEqual(expect.objectContaining({ kind: 'changed-object', key }));
    expect(JSON.stringify(problems)).not.toContain('{secret');
  });

  it('lets an object be older than the log, when the beginning of the log was dropped', async () => {
    const store = await open();
    await store.compact({ maxBytes: 0 });
    await store.transact(ANN, (tx) => tx.put('machines', 'm1', { n: 10 }));
    await store.close();
    expect(await verifySqliteFile(path)).toMatchObject({ ok: true, records: 1, firstSeq: 11, objects: 4 });
    const { ok } = await tamper("UPDATE object SET revision = 0 WHERE key = 'm2'");
    expect(ok).toBe(false);
  });

  it('lets index values differ from the log where their definition was changed later', async () => {
    await (await open(2)).close();
    expect(await verifySqliteFile(path)).toMatchObject({ ok: true });
    const store = await open(2);
    await store.transact(ANN, (tx) => tx.put('machines', 'm1', { n: 10 }));
    await store.close();
    expect(await verifySqliteFile(path)).toMatchObject({ ok: true });
    expect((await tamper(`UPDATE object SET indexed = '["7"]' WHERE key = 'm1'`)).ok).toBe(false);
  });

  it('an object that is no JSON is named to who reads it, not shown', async () => {
    await tamper("UPDATE object SET value = '{secret' WHERE key = 'm1'");
    const store = await open();
    expect(() => store.get('machines', 'm1')?.value).toThrow(/^machines\/m1 is not readable/);
    await store.close();
  });

  it('will not go on writing over a log whose end was cut off', async () => {
    await tamper('DELETE FROM log WHERE seq >= 9');
    await expect(open()).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringContaining('its end is missing'),
    });
    expect((await verifySqliteFile(path)).ok).toBe(false);
  });

  it('reads what a crash left, without repairing it first', async () => {
    const store = await open();
    const others = [1, 2, 3].map((n) =>
      store.transact(ANN, (tx) => {
        tx.put('users', 'u', { PasswordHash: `secret-${n}`, Name: `u${n}` });
        tx.put('machines', `late${n}`, { n: 100 + n });
      }),
    );
    // A new object takes a name that the table has yet to give up.
    const again = [
      store.transact(ANN, (tx) => tx.remove('users', 'u')),
      store.transact(ANN, (tx) => tx.put('users', 'u', { PasswordHash: 'secret-4', Name: 'u4' })),
    ];
    await Promise.all([...others, ...again]);
    await store.transact(ANN, (tx) => tx.put('machines', 'm1', { n: 10 }));
    const copy = join(temporaryDirectory(), 'proviso.db');
    for (const end of ['', '-wal']) copyFileSync(`${path}${end}`, `${copy}${end}`);
    await store.close();
    expect(await verifySqliteFile(copy)).toMatchObject({ ok: true, records: 16, lastSeq: 16, problems: [] });
  });

  it('can be asked for while the store is in use', async () => {
    const store = await open();
    await store.transact(ANN, (tx) => tx.put('machines', 'm1', { n: 10 }));
    expect((await verifySqliteFile(path)).ok).toBe(true);
    expect(await store.verify()).toMatchObject({ ok: true, records: 11 });
    await store.close();
  });
});
