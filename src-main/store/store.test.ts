import { describe, expect, it } from 'vitest';
import { StoreError } from './errors.ts';
import { ANN, describeStore } from './store-fixture.ts';
import type { Commit, JsonObject, Store } from './types.ts';

describeStore('store', (on) => {
  describe('transactions', () => {
    it('read their own writes, while everybody else sees the committed state until it is durable', async () => {
      await on.put('a', { n: 1, Address: '10.0.0.1' });
      const done = on.store.transact(ANN, (tx) => {
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
      expect(on.store.get('machines', 'a')?.value.n).toBe(1);
      expect(on.keys()).toEqual(['a']);
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
      expect(on.keys()).toEqual(['a', 'b']);
      expect(on.store.find('machines', 'address', '10.0.0.1')).toBeUndefined();
    });

    it('happen one after the other: 200 concurrent increments count to 200', async () => {
      await on.put('counter', { n: 0 });
      const seen = await Promise.all(
        Array.from({ length: 200 }, () =>
          on.store.transact(ANN, (tx) => {
            const n = Number(tx.get('machines', 'counter')?.value.n);
            tx.put('machines', 'counter', { n: n + 1 });
            return n;
          }),
        ),
      );
      expect(seen.map((s) => s.result)).toEqual(Array.from({ length: 200 }, (_, i) => i));
      expect(seen.map((s) => s.seq)).toEqual(Array.from({ length: 200 }, (_, i) => i + 2));
      expect(on.store.get('machines', 'counter')).toMatchObject({ value: { n: 200 }, revision: 201 });
    });

    it('leave nothing behind when they throw, and the caller gets the very error', async () => {
      await on.put('a', { n: 1 });
      const reason = new Error('no');
      const failed = on.store.transact(ANN, (tx) => {
        tx.put('machines', 'a', { n: 2 });
        tx.remove('machines', 'a');
        tx.put('machines', 'b', { n: 2 });
        throw reason;
      });
      const after = on.put('c', { n: 3 });
      await expect(failed).rejects.toBe(reason);
      expect((await after).seq).toBe(2);
      expect(on.keys()).toEqual(['a', 'c']);
      expect(await on.store.history({})).toHaveLength(2);
    });

    it('must be synchronous, and cannot be written to afterwards', async () => {
      let kept: Parameters<Parameters<Store['transact']>[1]>[0] | undefined;
      await expect(
        on.store.transact(ANN, async (tx) => {
          tx.put('machines', 'a', {});
        }),
      ).rejects.toMatchObject({ code: 'validation' });
      await on.store.transact(ANN, (tx) => {
        kept = tx;
      });
      expect(() => kept?.put('machines', 'a', {})).toThrow('has ended');
      expect(on.store.count('machines')).toBe(0);
    });

    it('cannot be begun by another, which then fails alone', async () => {
      const before = on.put('a', { n: 1 });
      const outer = on.store.transact(ANN, (tx) => {
        tx.put('machines', 'outer', {});
        void on.store.transact(ANN, (inner) => inner.put('machines', 'inner', {}));
      });
      const after = on.put('b', { n: 2 });
      await expect(outer).rejects.toMatchObject({ code: 'validation', message: expect.stringContaining('begun') });
      expect([(await before).seq, (await after).seq]).toEqual([1, 2]);
      expect(on.keys()).toEqual(['a', 'b']);
      expect((await on.store.verify()).ok).toBe(true);
    });

    it('may make notes, which come after them, whether they succeed or fail', async () => {
      const notes: Promise<number>[] = [];
      const noting = (key: string) =>
        on.store.transact(ANN, (tx) => {
          notes.push(on.store.appendNote(ANN, { kind: 'denied', key }));
          tx.put('machines', key, {});
          if (key === 'b') throw new Error('no');
        });
      const [a, b, c] = await Promise.allSettled([noting('a'), noting('b'), on.put('c', {})]);
      expect([a, b, c].map((outcome) => outcome?.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(await Promise.all(notes)).toEqual([2, 3]);
      expect((await on.store.history({})).map((r) => r.note?.key ?? r.changes[0]?.key)).toEqual(['a', 'a', 'b', 'c']);
      expect((await on.store.verify()).ok).toBe(true);
    });

    it('are said to be uncertain, not refused, when the disk cannot tell', async () => {
      const driver = on.createDriver();
      const failure = new StoreError('io', 'The flush failed.', { isUncertain: true });
      const store = await on.open({ driver: { ...driver, append: () => Promise.reject(failure) } });
      await expect(store.transact(ANN, (tx) => tx.put('machines', 'a', {}))).rejects.toMatchObject({
        code: 'io',
        isUncertain: true,
        message: 'Commit 1 of machines/a (actor "ann", request "r1") may or may not be on disk: The flush failed.',
      });
      expect(store.count('machines')).toBe(0);
    });

    it('copy what they are given: later edits change nothing', async () => {
      const value = { list: [1] };
      const done = on.put('a', value);
      value.list.push(2);
      await done;
      expect(on.store.get('machines', 'a')?.value).toEqual({ list: [1] });
      expect(on.store.get('machines', 'a')?.bytes.toString()).toBe('{"list":[1]}');
    });

    it('that change nothing use no number, yet are answered after what they saw is durable', async () => {
      const writing = on.put('a', { n: 1 });
      const reading = on.store.transact(ANN, (tx) => tx.get('machines', 'a')?.value.n);
      const nothing = on.store.transact(ANN, (tx) => {
        tx.put('machines', 'x', {});
        tx.remove('machines', 'x');
      });
      expect(await reading).toEqual({ result: 1, seq: 1 });
      expect(on.store.get('machines', 'a')?.value.n).toBe(1);
      expect((await nothing).seq).toBe(1);
      expect(on.store.seq).toBe((await writing).seq);
    });

    it('may remove an object and put it back: one change, and one object after a restart', async () => {
      await on.put('a', { n: 1, Address: 'x' });
      await on.store.transact(ANN, (tx) => {
        tx.remove('machines', 'a');
        tx.put('machines', 'a', { n: 2, Address: 'x' });
      });
      await on.store.close();
      on.store = await on.open();
      expect([...on.store.entries('machines')].map((o) => o.value)).toEqual([{ n: 2, Address: 'x' }]);
      const [last] = await on.store.history({ newestFirst: true, limit: 1 });
      expect(last?.changes).toEqual([
        { prefix: 'machines', key: 'a', before: { n: 1, Address: 'x' }, after: { n: 2, Address: 'x' } },
      ]);
      expect((await on.store.verify()).ok).toBe(true);
    });

    it('refuse names and values that would not survive', async () => {
      for (const key of ['', '\ud800', 'x'.repeat(4097)])
        await expect(on.put(key, {})).rejects.toMatchObject({ code: 'validation' });
      for (const value of [[], null, 'text', undefined, { n: 1n }] as unknown as JsonObject[])
        await expect(on.put('a', value)).rejects.toMatchObject({ code: 'validation' });
      expect(on.store.seq).toBe(0);
    });
  });

  describe('expectations', () => {
    it('compare and set: of two writers with the same revision one wins, the other hears of it', async () => {
      const { seq } = await on.put('a', { n: 1 });
      const set = (n: number) => on.store.transact(ANN, (tx) => tx.put('machines', 'a', { n }, { revision: seq }));
      const [first, second] = await Promise.allSettled([set(2), set(3)]);
      expect(first.status).toBe('fulfilled');
      expect((second as PromiseRejectedResult).reason).toMatchObject({
        code: 'conflict',
        conflict: { kind: 'revision', prefix: 'machines', key: 'a', expected: 1, actual: 2 },
      });
      expect(on.store.get('machines', 'a')?.value.n).toBe(2);
    });

    it('absent, present and remove say which object was in the way', async () => {
      await on.put('a', {});
      const refused = (work: Parameters<Store['transact']>[1]) =>
        on.store.transact(ANN, work).then(
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
      const first = on.put('a', { Address: '10.0.0.1' });
      await expect(on.put('b', { Address: '10.0.0.1' })).rejects.toMatchObject({
        code: 'conflict',
        conflict: { kind: 'unique', index: 'address', value: '10.0.0.1', key: 'b', holder: 'a' },
      });
      await first;
      await expect(on.put('c', { Address: '10.0.0.1' })).rejects.toMatchObject({ code: 'conflict' });
      await on.store.transact(ANN, (tx) => tx.remove('machines', 'a'));
      await on.put('c', { Address: '10.0.0.1' });
      expect(on.store.find('machines', 'address', '10.0.0.1')?.key).toBe('c');
    });

    it('let objects trade values inside a transaction', async () => {
      await on.put('a', { Address: '1' });
      await on.put('b', { Address: '2' });
      await on.store.transact(ANN, (tx) => {
        tx.put('machines', 'a', {});
        tx.put('machines', 'b', { Address: '1' });
        tx.put('machines', 'a', { Address: '2' });
      });
      expect([on.store.find('machines', 'address', '1')?.key, on.store.find('machines', 'address', '2')?.key]).toEqual([
        'b',
        'a',
      ]);
    });

    it('survive a restart, are made for objects that are older than them, and must be declared', async () => {
      await on.put('a', { Address: '1', Name: 'one' });
      await on.store.close();
      on.store = await on.open({
        uniqueIndexes: { machines: { name: { version: 1, value: (value) => String(value.Name) } } },
      });
      expect(on.store.find('machines', 'name', 'one')?.key).toBe('a');
      expect(() => on.store.find('machines', 'address', '1')).toThrow('No unique index');
      await on.store.close();
      on.store = await on.open();
      expect(on.store.find('machines', 'address', '1')?.key).toBe('a');
    });

    it('are made anew when the version of a definition goes up, and kept while it does not', async () => {
      const rules = { field: 'Name' };
      const index = (version: number) => ({
        uniqueIndexes: { machines: { by: { version, value: (value: JsonObject) => String(value[rules.field]) } } },
      });
      await on.store.close();
      on.store = await on.open(index(1));
      await on.put('a', { Name: 'name', Serial: 'serial' });
      await on.store.close();
      rules.field = 'Serial';
      on.store = await on.open(index(1));
      expect(on.store.find('machines', 'by', 'name')?.key).toBe('a');
      await on.store.close();
      on.store = await on.open(index(2));
      expect(on.store.find('machines', 'by', 'name')).toBeUndefined();
      expect(on.store.find('machines', 'by', 'serial')?.key).toBe('a');
      await expect(on.put('b', { Serial: 'serial' })).rejects.toMatchObject({
        conflict: { kind: 'unique', index: 'by' },
      });
    });
  });

  describe('reading', () => {
    it('lists in byte order of the keys, from a snapshot that later commits do not disturb', async () => {
      for (const key of ['b', 'a', '\u{1f600}', '\uff5e']) await on.put(key, {});
      const seen: string[] = [];
      for (const { key } of on.store.entries('machines')) {
        seen.push(key);
        if (key === 'a') {
          await on.store.transact(ANN, (tx) => {
            tx.remove('machines', 'b');
            tx.put('machines', 'c', {});
          });
        }
      }
      expect(seen).toEqual(['a', 'b', '\uff5e', '\u{1f600}']);
      expect(on.keys()).toEqual(['a', 'c', '\uff5e', '\u{1f600}']);
      expect(on.store.prefixes()).toEqual(['machines']);
    });
  });

  describe('watching', () => {
    it('tells listeners of a commit, in order, before its caller is answered', async () => {
      const order: string[] = [];
      const unwatch = on.store.watch((commit) => order.push(`heard ${commit.seq}`));
      await Promise.all([1, 2].map((n) => on.put(`k${n}`, { n }).then(({ seq }) => order.push(`answered ${seq}`))));
      expect(order.indexOf('heard 1')).toBeLessThan(order.indexOf('answered 1'));
      expect(order.indexOf('heard 2')).toBeLessThan(order.indexOf('answered 2'));
      expect(order.filter((o) => o.startsWith('heard'))).toEqual(['heard 1', 'heard 2']);
      unwatch();
      await on.put('k3', {});
      expect(order).toHaveLength(4);
    });

    it('shows before and after, unmasked, with who did it and when', async () => {
      const commits: Commit[] = [];
      await on.put('u', { PasswordHash: 'one' }, 'users');
      on.store.watch((commit) => commits.push(commit));
      await on.put('u', { PasswordHash: 'two' }, 'users');
      await on.store.transact(ANN, (tx) => tx.remove('users', 'u'));
      expect(commits.map((c) => c.changes)).toEqual([
        [{ prefix: 'users', key: 'u', before: { PasswordHash: 'one' }, after: { PasswordHash: 'two' } }],
        [{ prefix: 'users', key: 'u', before: { PasswordHash: 'two' } }],
      ]);
      expect(commits[0]).toMatchObject({ seq: 2, ...ANN, time: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) });
    });
  });
});
