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

  const open = (): Promise<Store> =>
    openStore({ driver: createSqliteDriver({ path }), secretFields: { users: ['/PasswordHash'] } });

  beforeEach(async () => {
    path = join(temporaryDirectory(), 'proviso.db');
    const store = await open();
    for (let n = 1; n <= 9; n++) await store.transact(ANN, (tx) => tx.put('machines', `m${n % 3}`, { n }));
    await store.transact(ANN, (tx) => tx.put('users', 'u', { PasswordHash: 'secret', Name: 'u' }));
    await store.close();
  });

  async function tamper(sql: string): Promise<VerifyReport> {
    const db = new DatabaseSync(path);
    expect(db.prepare(sql).run().changes).toBeGreaterThan(0);
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
  ])('finds an object %s', async (_how, sql, key) => {
    const { ok, problems } = await tamper(sql);
    expect(ok).toBe(false);
    expect(problems[0]).toMatchObject({ kind: 'changed-object', key });
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
    await store.transact(ANN, (tx) => tx.put('machines', 'm1', { n: 10 }));
    const copy = join(temporaryDirectory(), 'proviso.db');
    for (const end of ['', '-wal']) copyFileSync(`${path}${end}`, `${copy}${end}`);
    await store.close();
    expect(await verifySqliteFile(copy)).toMatchObject({ ok: true, records: 11, lastSeq: 11 });
  });

  it('can be asked for while the store is in use', async () => {
    const store = await open();
    await store.transact(ANN, (tx) => tx.put('machines', 'm1', { n: 10 }));
    expect((await verifySqliteFile(path)).ok).toBe(true);
    expect(await store.verify()).toMatchObject({ ok: true, records: 11 });
    await store.close();
  });
});
