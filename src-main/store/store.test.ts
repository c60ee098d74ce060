import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from './conformance-support.ts';
import type { Driver } from './driver.ts';
import { memoryDatabase, memoryDriver } from './drivers/memory.ts';
import { createSqliteDriver } from './drivers/sqlite.ts';
import type { StoreError } from './errors.ts';
import { openStore } from './store.ts';
import type { Commit, JsonObject, Store, StoreOptions } from './types.ts';

const ANN = { actor: 'ann', requestId: 'r1' };
const OPTIONS: Omit<StoreOptions, 'driver'> = {
  uniqueIndexes: {
    machines: {
      address: { version: 1, value: ({ Address }) => (typeof Address === 'string' ? Address : undefined) },
    },
  },
  secretFields: { users: ['/PasswordHash', '/Tokens/*/Secret'] },
};

for (const kind of ['memory', 'sqlite'] as const)
  describe(`store over ${kind}`, () => {
    let store: Store;
    let createDriver: () => Driver;
    let dir: string;
    const opened: Store[] = [];
    const open = async (options: Partial<StoreOptions> = {}): Promise<Store> => {
      const one = await openStore({ driver: createDriver(), ...OPTIONS, ...options });
      opened.push(one);
      return one;
    };
    const put = (key: string, value: JsonObject, prefix = 'machines') =>
      store.transact(ANN, (tx) => tx.put(prefix, key, value));
    const keys = (prefix = 'machines') => [...store.entries(prefix)].map((o) => o.key);

    beforeEach(async () => {
      const database = memoryDatabase();
      dir = mkdtempSync(join(tmpdir(), 'proviso-store-'));
      createDriver =
        kind === 'memory' ? () => memoryDriver(database) : () => createSqliteDriver({ path: join(dir, 'proviso.db') });
      store = await open();
    });

    afterEach(async () => {
      await Promise.all(opened.splice(0).map((one) => one.close()));
      rmSync(dir, { recursive: true, force: true });
    });

    describe('transactions', () => {
      it('read their own writes, while everybody else sees the committed state until it is durable', async () => {
        await put('a', { n: 1, Address: '10.0.0.1' });
        const done = store.transact(ANN, (tx) => {
          tx.put('machines', 'a', { n: 2, Address: '10.0.0.2' });
          tx.put('machines', 'b', { n: 3 });
          return {
            own: tx.get('machines', 'a')?.value,
            found: tx.find('machines', 'address', '10.0.0.2')?.key,
            gone: tx.find('machines', 'address', '10.0.0.1'),
            listed: [...tx.entries('machines')].map((o) => [o.key, o.value.n]),
            count: tx.count('machines'),
          };
        });
        expect(store.get('machines', 'a')?.value.n).toBe(1);
        expect(keys()).toEqual(['a']);
        expect((await done).result).toEqual({
          own: { n: 2, Address: '10.0.0.2' },
          found: 'a',
          gone: undefined,
          listed: [
            ['a', 2],
            ['b', 3],
          ],
          count: 2,
        });
        expect(keys()).toEqual(['a', 'b']);
        expect(store.find('machines', 'address', '10.0.0.1')).toBeUndefined();
      });

      it('happen one after the other: 200 concurrent increments count to 200', async () => {
        await put('counter', { n: 0 });
        const seen = await Promise.all(
          Array.from({ length: 200 }, () =>
            store.transact(ANN, (tx) => {
              const n = Number(tx.get('machines', 'counter')?.value.n);
              tx.put('machines', 'counter', { n: n + 1 });
              return n;
            }),
          ),
        );
        expect(seen.map((s) => s.result)).toEqual(Array.from({ length: 200 }, (_, i) => i));
        expect(seen.map((s) => s.seq)).toEqual(Array.from({ length: 200 }, (_, i) => i + 2));
        expect(store.get('machines', 'counter')).toMatchObject({ value: { n: 200 }, revision: 201 });
      });

      it('leave nothing behind when they throw, and the caller gets the very error', async () => {
        await put('a', { n: 1 });
        const reason = new Error('no');
        const failed = store.transact(ANN, (tx) => {
          tx.put('machines', 'a', { n: 2 });
          tx.remove('machines', 'a');
          tx.put('machines', 'b', { n: 2 });
          throw reason;
        });
        const after = put('c', { n: 3 });
        await expect(failed).rejects.toBe(reason);
        expect((await after).seq).toBe(2);
        expect(keys()).toEqual(['a', 'c']);
        expect(await store.history({})).toHaveLength(2);
      });

      it('must be synchronous, and cannot be written to afterwards', async () => {
        let kept: Parameters<Parameters<Store['transact']>[1]>[0] | undefined;
        await expect(
          store.transact(ANN, async (tx) => {
            tx.put('machines', 'a', {});
          }),
        ).rejects.toMatchObject({ code: 'validation' });
        await store.transact(ANN, (tx) => {
          kept = tx;
        });
        expect(() => kept?.put('machines', 'a', {})).toThrow('has ended');
        expect(store.count('machines')).toBe(0);
      });

      it('copy what they are given: later edits change nothing', async () => {
        const value = { list: [1] };
        const done = put('a', value);
        value.list.push(2);
        await done;
        expect(store.get('machines', 'a')?.value).toEqual({ list: [1] });
        expect(store.get('machines', 'a')?.bytes.toString()).toBe('{"list":[1]}');
      });

      it('that change nothing use no number, yet are answered after what they saw is durable', async () => {
        const writing = put('a', { n: 1 });
        const reading = store.transact(ANN, (tx) => tx.get('machines', 'a')?.value.n);
        const nothing = store.transact(ANN, (tx) => {
          tx.put('machines', 'x', {});
          tx.remove('machines', 'x');
        });
        expect(await reading).toEqual({ result: 1, seq: 1 });
        expect(store.get('machines', 'a')?.value.n).toBe(1);
        expect((await nothing).seq).toBe(1);
        expect(store.seq).toBe((await writing).seq);
      });

      it('may remove an object and put it back: one change, and one object after a restart', async () => {
        await put('a', { n: 1, Address: 'x' });
        await store.transact(ANN, (tx) => {
          tx.remove('machines', 'a');
          tx.put('machines', 'a', { n: 2, Address: 'x' });
        });
        await store.close();
        store = await open();
        expect([...store.entries('machines')].map((o) => o.value)).toEqual([{ n: 2, Address: 'x' }]);
        const [last] = await store.history({ newestFirst: true, limit: 1 });
        expect(last?.changes).toEqual([
          { prefix: 'machines', key: 'a', before: { n: 1, Address: 'x' }, after: { n: 2, Address: 'x' } },
        ]);
        expect((await store.verify()).ok).toBe(true);
      });

      it('refuse names and values that would not survive', async () => {
        for (const key of ['', '\ud800', 'x'.repeat(4097)])
          await expect(put(key, {})).rejects.toMatchObject({ code: 'validation' });
        for (const value of [[], null, 'text', undefined, { n: 1n }] as unknown as JsonObject[])
          await expect(put('a', value)).rejects.toMatchObject({ code: 'validation' });
        expect(store.seq).toBe(0);
      });
    });

    describe('expectations', () => {
      it('compare and set: of two writers with the same revision one wins, the other hears of it', async () => {
        const { seq } = await put('a', { n: 1 });
        const set = (n: number) => store.transact(ANN, (tx) => tx.put('machines', 'a', { n }, { revision: seq }));
        const [first, second] = await Promise.allSettled([set(2), set(3)]);
        expect(first.status).toBe('fulfilled');
        expect((second as PromiseRejectedResult).reason).toMatchObject({
          code: 'conflict',
          conflict: { kind: 'revision', prefix: 'machines', key: 'a', expected: 1, actual: 2 },
        });
        expect(store.get('machines', 'a')?.value.n).toBe(2);
      });

      it('absent, present and remove say which object was in the way', async () => {
        await put('a', {});
        const refused = (work: Parameters<Store['transact']>[1]) =>
          store.transact(ANN, work).then(
            () => 'accepted',
            (error: StoreError) => error.conflict?.kind,
          );
        expect(await refused((tx) => tx.put('machines', 'a', {}, 'absent'))).toBe('exists');
        expect(await refused((tx) => tx.put('machines', 'b', {}, 'present'))).toBe('missing');
        expect(await refused((tx) => tx.remove('machines', 'b'))).toBe('missing');
        expect(await refused((tx) => tx.remove('machines', 'a', { revision: 9 }))).toBe('revision');
      });
    });

    describe('unique indexes', () => {
      it('refuse a second holder, pending or committed, and free a value with its object', async () => {
        const first = put('a', { Address: '10.0.0.1' });
        await expect(put('b', { Address: '10.0.0.1' })).rejects.toMatchObject({
          code: 'conflict',
          conflict: { kind: 'unique', index: 'address', value: '10.0.0.1', key: 'b', holder: 'a' },
        });
        await first;
        await expect(put('c', { Address: '10.0.0.1' })).rejects.toMatchObject({ code: 'conflict' });
        await store.transact(ANN, (tx) => tx.remove('machines', 'a'));
        await put('c', { Address: '10.0.0.1' });
        expect(store.find('machines', 'address', '10.0.0.1')?.key).toBe('c');
      });

      it('let objects trade values inside a transaction', async () => {
        await put('a', { Address: '1' });
        await put('b', { Address: '2' });
        await store.transact(ANN, (tx) => {
          tx.put('machines', 'a', {});
          tx.put('machines', 'b', { Address: '1' });
          tx.put('machines', 'a', { Address: '2' });
        });
        expect([store.find('machines', 'address', '1')?.key, store.find('machines', 'address', '2')?.key]).toEqual([
          'b',
          'a',
        ]);
      });

      it('survive a restart, are made for objects that are older than them, and must be declared', async () => {
        await put('a', { Address: '1', Name: 'one' });
        await store.close();
        store = await open({
          uniqueIndexes: { machines: { name: { version: 1, value: (value) => String(value.Name) } } },
        });
        expect(store.find('machines', 'name', 'one')?.key).toBe('a');
        expect(() => store.find('machines', 'address', '1')).toThrow('No unique index');
        await store.close();
        store = await open();
        expect(store.find('machines', 'address', '1')?.key).toBe('a');
      });

      it('are made anew when the version of a definition goes up, and kept while it does not', async () => {
        const rules = { field: 'Name' };
        const index = (version: number) => ({
          uniqueIndexes: { machines: { by: { version, value: (value: JsonObject) => String(value[rules.field]) } } },
        });
        await store.close();
        store = await open(index(1));
        await put('a', { Name: 'name', Serial: 'serial' });
        await store.close();
        rules.field = 'Serial';
        store = await open(index(1));
        expect(store.find('machines', 'by', 'name')?.key).toBe('a');
        await store.close();
        store = await open(index(2));
        expect(store.find('machines', 'by', 'name')).toBeUndefined();
        expect(store.find('machines', 'by', 'serial')?.key).toBe('a');
        await expect(put('b', { Serial: 'serial' })).rejects.toMatchObject({
          conflict: { kind: 'unique', index: 'by' },
        });
      });
    });

    describe('reading', () => {
      it('lists in byte order of the keys, from a snapshot that later commits do not disturb', async () => {
        for (const key of ['b', 'a', '\u{1f600}', '\uff5e']) await put(key, {});
        const seen: string[] = [];
        for (const { key } of store.entries('machines')) {
          seen.push(key);
          if (key === 'a') {
            await store.transact(ANN, (tx) => {
              tx.remove('machines', 'b');
              tx.put('machines', 'c', {});
            });
          }
        }
        expect(seen).toEqual(['a', 'b', '\uff5e', '\u{1f600}']);
        expect(keys()).toEqual(['a', 'c', '\uff5e', '\u{1f600}']);
        expect(store.prefixes()).toEqual(['machines']);
      });
    });

    describe('watching', () => {
      it('tells listeners of a commit, in order, before its caller is answered', async () => {
        const order: string[] = [];
        const unwatch = store.watch((commit) => order.push(`heard ${commit.seq}`));
        await Promise.all([1, 2].map((n) => put(`k${n}`, { n }).then(({ seq }) => order.push(`answered ${seq}`))));
        expect(order.indexOf('heard 1')).toBeLessThan(order.indexOf('answered 1'));
        expect(order.indexOf('heard 2')).toBeLessThan(order.indexOf('answered 2'));
        expect(order.filter((o) => o.startsWith('heard'))).toEqual(['heard 1', 'heard 2']);
        unwatch();
        await put('k3', {});
        expect(order).toHaveLength(4);
      });

      it('shows before and after, unmasked, with who did it and when', async () => {
        const commits: Commit[] = [];
        await put('u', { PasswordHash: 'one' }, 'users');
        store.watch((commit) => commits.push(commit));
        await put('u', { PasswordHash: 'two' }, 'users');
        await store.transact(ANN, (tx) => tx.remove('users', 'u'));
        expect(commits.map((c) => c.changes)).toEqual([
          [{ prefix: 'users', key: 'u', before: { PasswordHash: 'one' }, after: { PasswordHash: 'two' } }],
          [{ prefix: 'users', key: 'u', before: { PasswordHash: 'two' } }],
        ]);
        expect(commits[0]).toMatchObject({ seq: 2, ...ANN, time: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) });
      });
    });

    describe('the log', () => {
      it('keeps notes beside changes and answers both', async () => {
        await put('a', {});
        expect(await store.appendNote({ actor: 'bob', requestId: 'r2' }, { kind: 'denied', claim: 'x' })).toBe(2);
        const [note] = await store.history({ noteKind: 'denied' });
        expect(note).toMatchObject({ seq: 2, actor: 'bob', changes: [], note: { kind: 'denied', claim: 'x' } });
        expect((await store.history({ prefix: 'machines', key: 'a' })).map((r) => r.seq)).toEqual([1]);
        await expect(store.history({ since: 'yesterday' })).rejects.toMatchObject({ code: 'validation' });
      });

      it('never shows a secret, neither to readers nor to whoever opens the files', async () => {
        const secrets = ['hunter2-first', 'hunter2-second', 'token-secret-1'];
        const tokens = { t: { Secret: secrets[2] ?? '', Name: 'visible' } };
        await put('u', { PasswordHash: secrets[0] ?? '', Tokens: tokens }, 'users');
        await put('u', { PasswordHash: secrets[1] ?? '', Tokens: tokens }, 'users');
        const text = JSON.stringify(await store.history({}));
        for (const secret of secrets) expect(text).not.toContain(secret);
        expect(text).toContain('visible');
        const [, second] = await store.history({});
        expect(second?.changes[0]).toMatchObject({
          before: { PasswordHash: '***', Tokens: { t: { Secret: '***' } } },
          after: { PasswordHash: '*** (changed)', Tokens: { t: { Secret: '***' } } },
        });
        await store.transact(ANN, (tx) => tx.remove('users', 'u'));
        expect((await store.verify()).ok).toBe(true);
        await store.close();
        const files = ['proviso.db', 'proviso.db-wal']
          .map((name) => join(dir, name))
          .filter((path) => existsSync(path));
        const onDisk = Buffer.concat(files.map((path) => readFileSync(path)));
        for (const secret of secrets) expect(onDisk.includes(secret)).toBe(false);
      });

      it('takes origins that are no valid Unicode and still verifies', async () => {
        await store.transact({ actor: '\ud83d', requestId: '\ude00\u0000' }, (tx) => tx.put('machines', 'a', {}));
        expect(await store.verify()).toMatchObject({ ok: true, records: 1, objects: 1 });
      });

      it('keeps the order of commits when the clock goes backwards', async () => {
        await store.close();
        let now = Date.UTC(2026, 0, 2);
        store = await open({ clock: () => now });
        await put('a', { n: 1 });
        now -= 86_400_000;
        await put('a', { n: 2 });
        const records = await store.history({});
        expect(records.map((r) => [r.seq, r.time])).toEqual([
          [1, '2026-01-02T00:00:00.000Z'],
          [2, '2026-01-01T00:00:00.000Z'],
        ]);
        expect((await store.verify()).ok).toBe(true);
        // By age record 2 would go first; the log only ever loses its oldest end.
        now = Date.UTC(2026, 0, 2, 12);
        expect(await store.compact({ maxAgeMs: 86_400_000 })).toEqual({ removed: 0, oldestSeq: 1 });
        await store.close();
        store = await open();
        expect(store.get('machines', 'a')?.value.n).toBe(2);
      });
    });

    describe('consumers', () => {
      it('move their cursor in the commit of what they write, and go on there after a restart', async () => {
        for (const n of [1, 2, 3]) await put(`m${n}`, { n });
        const consumer = store.consumer('outbox');
        const records = await consumer.read(2);
        expect(records.map((r) => r.seq)).toEqual([1, 2]);
        const failing = consumer.advance(2, (tx) => {
          tx.put('outbox', 'x', {});
          throw new Error('handler');
        });
        await expect(failing).rejects.toThrow('handler');
        expect(consumer.cursor).toBe(0);
        await consumer.advance(2, (tx) => tx.put('outbox', '1', { of: 2 }));
        await store.close();
        store = await open();
        const again = store.consumer('outbox');
        expect(again.cursor).toBe(2);
        expect(store.count('outbox')).toBe(1);
        expect((await again.read()).map((r) => r.seq)).toEqual([3, 4]);
        await expect(again.advance(1, () => undefined)).rejects.toMatchObject({ code: 'validation' });
      });

      it('handle every record in order, again after a failure, without losing or doubling what they write', async () => {
        const consumer = store.consumer('copy');
        const errors: string[] = [];
        let attempts = 0;
        const reached = new Promise<void>((resolve) => {
          const unwatch = store.watch(({ changes }) => {
            if (!changes.some((c) => c.prefix === 'copies' && c.key === 'm29')) return;
            unwatch();
            resolve();
          });
        });
        const running = consumer.run(
          (tx, records) => {
            attempts++;
            for (const record of records)
              for (const change of record.changes)
                if (change.prefix === 'machines') tx.put('copies', change.key, { n: attempts }, 'absent');
            if (attempts === 2) throw new Error('once');
          },
          { batch: 4, onError: (error) => errors.push(error.message) },
        );
        for (let n = 0; n < 30; n++) await put(`m${n}`, { n });
        await reached;
        await running.stop();
        expect(errors).toEqual(['once']);
        expect(store.count('copies')).toBe(30);
      });

      it('hold back retention until they are forgotten, and may start at the newest record', async () => {
        await put('a', { n: 1 });
        const slow = store.consumer('slow');
        const late = store.consumer('late', { from: 'newest' });
        expect(late.cursor).toBe(1);
        await put('a', { n: 2 });
        expect((await store.compact({ maxBytes: 0 })).removed).toBe(0);
        await slow.advance(2, () => undefined);
        await slow.forget();
        expect((await store.compact({ maxBytes: 0 })).removed).toBe(1);
        expect(store.consumer('slow').cursor).toBe(0);
        expect((await store.consumer('slow').read()).map((r) => r.seq)).toEqual([2]);
      });
    });

    describe('several servers over one database', () => {
      it('apply what others wrote and validate again: no increment is lost, no unique value given twice', async () => {
        const other = await open();
        await put('counter', { n: 0 });
        const add = (on: Store) =>
          on.transact(ANN, (tx) => {
            const n = Number(tx.get('machines', 'counter')?.value.n ?? 0);
            tx.put('machines', 'counter', { n: n + 1 });
          });
        const claim = (on: Store, key: string) =>
          on.transact(ANN, (tx) => tx.put('machines', key, { Address: 'the one' }));
        const claims: Promise<PromiseSettledResult<unknown>[]>[] = [];
        for (let i = 0; i < 10; i++) {
          if (i === 5) claims.push(Promise.allSettled([claim(store, 'a'), claim(other, 'b')]));
          await Promise.all([add(store), add(other), add(other)]);
        }
        const outcomes = (await Promise.all(claims)).flat().map((o) => o.status);
        expect(outcomes.toSorted()).toEqual(['fulfilled', 'rejected']);
        await add(store);
        expect(store.get('machines', 'counter')?.value.n).toBe(31);
        expect((await store.verify()).ok).toBe(true);
      });
    });

    it('closes after writing what was accepted, and refuses everything afterwards', async () => {
      const accepted = Array.from({ length: 50 }, (_, n) => put(`k${n}`, { n }));
      await store.close();
      expect((await Promise.all(accepted)).map((a) => a.seq)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
      await expect(put('late', {})).rejects.toMatchObject({ code: 'closed' });
      await expect(store.history({})).rejects.toMatchObject({ code: 'closed' });
      await store.close();
      store = await open();
      expect(store.count('machines')).toBe(50);
    });

    it('backs up while writing goes on', async () => {
      for (let n = 0; n < 20; n++) await put(`k${n}`, { n });
      const target = join(temporaryDirectory(), 'copy');
      const [manifest] = await Promise.all([
        store.backupTo(target),
        ...Array.from({ length: 50 }, (_, n) => put(`l${n}`, { n })),
      ]);
      expect(manifest.seq).toBeGreaterThanOrEqual(20);
      expect(manifest.objects.machines).toBe(manifest.seq);
    });
  });
