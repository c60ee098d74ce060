import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from './conformance-support.ts';
import type { RecordQuery } from './driver.ts';
import { ANN, describeStore } from './store-fixture.ts';
import type { Note, Store } from './types.ts';

describeStore('log, consumers and backup', (on) => {
  describe('the log', () => {
    it('keeps notes beside changes and answers both', async () => {
      await on.put('a', {});
      expect(await on.store.appendNote({ actor: 'bob', requestId: 'r2' }, { kind: 'denied', claim: 'x' })).toBe(2);
      const [note] = await on.store.history({ noteKind: 'denied' });
      expect(note).toMatchObject({ seq: 2, actor: 'bob', changes: [], note: { kind: 'denied', claim: 'x' } });
      expect((await on.store.history({ prefix: 'machines', key: 'a' })).map((r) => r.seq)).toEqual([1]);
      await expect(on.store.history({ since: 'yesterday' })).rejects.toMatchObject({ code: 'validation' });
    });

    it('is read on in both orders past what one answer of the driver holds', async () => {
      const filler = 'x'.repeat(700_000);
      for (let n = 1; n <= 300; n++) await on.put('a', { n, ...(n % 100 === 0 ? { filler } : {}) });
      const seqs = async (query: Parameters<Store['records']>[0]) => {
        const found: number[] = [];
        for await (const { seq } of on.store.records(query)) found.push(seq);
        return found;
      };
      const all = Array.from({ length: 300 }, (_, i) => i + 1);
      expect(await seqs({})).toEqual(all);
      expect(await seqs({ newestFirst: true, limit: 1 })).toEqual(all.toReversed());
      expect(await seqs({ from: 200, to: 202 })).toEqual([200, 201, 202]);
      expect(await seqs({ from: 301 })).toEqual([]);
      expect((await on.store.history({ limit: 299 })).map((r) => r.seq)).toEqual(all.slice(0, 299));
      expect(await on.store.history({ limit: 0 })).toEqual([]);
    });

    const secrets = ['hunter2-first', 'hunter2-second', 'token-secret-1', `long-secret-${'s'.repeat(40_000)}`] as const;
    const [first, second, token, long] = secrets;
    const tokens = { t: { Secret: token, Name: 'visible' }, u: { Secret: long } };

    it('never shows a secret', async () => {
      await on.put('u', { PasswordHash: first, Tokens: tokens }, 'users');
      await on.put('u', { PasswordHash: second, Tokens: tokens }, 'users');
      const records = await on.store.history({});
      for (const secret of secrets) expect(JSON.stringify(records)).not.toContain(secret);
      expect(records[1]?.changes[0]).toMatchObject({
        before: { PasswordHash: '***', Tokens: { t: { Secret: '***', Name: 'visible' } } },
        after: { PasswordHash: '*** (changed)', Tokens: { t: { Secret: '***', Name: 'visible' } } },
      });
      expect((await on.store.verify()).ok).toBe(true);
    });

    if (on.kind === 'sqlite')
      it('leaves no secret that was removed to whoever opens the files', async () => {
        await on.put('u', { PasswordHash: first, Tokens: tokens }, 'users');
        await on.put('u', { PasswordHash: second, Tokens: tokens }, 'users');
        await on.put('v', { PasswordHash: long, Tokens: tokens }, 'users');
        await on.put('v', { PasswordHash: second }, 'users');
        const filesHold = (text: string): boolean =>
          ['proviso.db', 'proviso.db-wal']
            .map((name) => join(on.dir, name))
            .some((path) => existsSync(path) && readFileSync(path).includes(text));
        expect(filesHold(second)).toBe(true);
        await on.store.transact(ANN, (tx) => {
          tx.remove('users', 'u');
          tx.remove('users', 'v');
        });
        expect((await on.store.verify()).ok).toBe(true);
        await on.store.close();
        for (const secret of secrets) expect(filesHold(secret.slice(0, 2000))).toBe(false);
        expect(filesHold('s'.repeat(1000))).toBe(false);
      });

    it.each([undefined, null, 'text', ['kind'], { kind: 1n }] as unknown as Note[])(
      'takes no note that is no object: %s',
      async (note) => {
        await expect(on.store.appendNote(ANN, note)).rejects.toMatchObject({ code: 'validation' });
        await on.put('a', {});
        expect(await on.store.verify()).toMatchObject({ ok: true, records: 1 });
      },
    );

    it('takes origins that are no valid Unicode and still verifies', async () => {
      await on.store.transact({ actor: '\ud83d', requestId: '\ude00\u0000' }, (tx) => tx.put('machines', 'a', {}));
      expect(await on.store.verify()).toMatchObject({ ok: true, records: 1, objects: 1 });
    });

    it('keeps the order of commits when the clock goes backwards', async () => {
      await on.store.close();
      let now = Date.UTC(2026, 0, 2);
      on.store = await on.open({ clock: () => now });
      await on.put('a', { n: 1 });
      now -= 86_400_000;
      await on.put('a', { n: 2 });
      const records = await on.store.history({});
      expect(records.map((r) => [r.seq, r.time])).toEqual([
        [1, '2026-01-02T00:00:00.000Z'],
        [2, '2026-01-01T00:00:00.000Z'],
      ]);
      expect((await on.store.verify()).ok).toBe(true);
      // By age record 2 would go first; the log only ever loses its oldest end.
      now = Date.UTC(2026, 0, 2, 12);
      expect(await on.store.compact({ maxAgeMs: 86_400_000 })).toEqual({ removed: 0, oldestSeq: 1 });
      await on.store.close();
      on.store = await on.open();
      expect(on.store.get('machines', 'a')?.value.n).toBe(2);
    });
  });

  describe('consumers', () => {
    it('move their cursor in the commit of what they write, and go on there after a restart', async () => {
      for (const n of [1, 2, 3]) await on.put(`m${n}`, { n });
      const consumer = on.store.consumer('outbox');
      const records = await consumer.read(2);
      expect(records.map((r) => r.seq)).toEqual([1, 2]);
      const failing = consumer.advance(2, (tx) => {
        tx.put('outbox', 'x', {});
        throw new Error('handler');
      });
      await expect(failing).rejects.toThrow('handler');
      expect(consumer.cursor).toBe(0);
      await consumer.advance(2, (tx) => tx.put('outbox', '1', { of: 2 }));
      await on.store.close();
      on.store = await on.open();
      const again = on.store.consumer('outbox');
      expect(again.cursor).toBe(2);
      expect(on.store.count('outbox')).toBe(1);
      expect((await again.read()).map((r) => r.seq)).toEqual([3, 4]);
      await expect(again.advance(1, () => undefined)).rejects.toMatchObject({ code: 'validation' });
    });

    it('handle every record in order, again after a failure, without losing or doubling what they write', async () => {
      const consumer = on.store.consumer('copy');
      const errors: string[] = [];
      let attempts = 0;
      const reached = new Promise<void>((resolve) => {
        const unwatch = on.store.watch(({ changes }) => {
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
      for (let n = 0; n < 30; n++) await on.put(`m${n}`, { n });
      await reached;
      await running.stop();
      expect(errors).toEqual(['once']);
      expect(on.store.count('copies')).toBe(30);
    });

    it('hold back retention until they are forgotten, and may start at the newest record', async () => {
      await on.put('a', { n: 1 });
      const slow = on.store.consumer('slow');
      const late = on.store.consumer('late', { from: 'newest' });
      expect(late.cursor).toBe(1);
      await on.put('a', { n: 2 });
      expect((await on.store.compact({ maxBytes: 0 })).removed).toBe(0);
      await slow.advance(2, () => undefined);
      await slow.forget();
      expect((await on.store.compact({ maxBytes: 0 })).removed).toBe(1);
      expect(on.store.consumer('slow').cursor).toBe(1);
      expect((await on.store.consumer('slow').read()).map((r) => r.seq)).toEqual([2]);
    });

    it('sleep when the records before the newest are gone', async () => {
      for (let n = 0; n < 20; n++) await on.put('a', { n });
      const driver = on.createDriver();
      let reads = 0;
      const records = (query: RecordQuery) => {
        reads++;
        return driver.records(query);
      };
      const counting = { ...driver, records };
      const other = await on.open({ driver: counting });
      // What another server drops is dropped unheard.
      expect((await on.store.compact({ maxBytes: 0 })).removed).toBe(20);
      const late = other.consumer('late');
      const handled: number[] = [];
      const running = late.run((_tx, records) => handled.push(...records.map((r) => r.seq)));
      // Each goes the way the consumer's reads go, so one of those would come between any two.
      for (let n = 0; n < 20; n++) await other.history({ limit: 1 });
      await other.transact(ANN, (tx) => tx.put('machines', 'b', {}));
      await expect.poll(() => late.cursor).toBe(21);
      await running.stop();
      expect(handled).toEqual([21]);
      expect(reads).toBeLessThan(25);
    });

    it('start at the oldest record left, and stay forgotten while they run', async () => {
      for (let n = 0; n < 5; n++) await on.put('a', { n });
      await on.store.compact({ maxBytes: 0 });
      const consumer = on.store.consumer('late');
      expect(consumer.cursor).toBe(5);
      const handled: number[] = [];
      const running = consumer.run((_tx, records) => handled.push(...records.map((r) => r.seq)));
      await on.put('a', { n: 5 });
      await expect.poll(() => consumer.cursor).toBe(6);
      const forgotten = consumer.forget();
      await on.put('a', { n: 6 });
      await forgotten;
      await running.stop();
      expect(handled).toEqual([6]);
      await expect(consumer.advance(7, () => undefined)).rejects.toMatchObject({ code: 'validation' });
      expect((await on.store.compact({ maxBytes: 0 })).removed).toBe(2);
      expect(on.store.consumer('late').cursor).toBe(7);
    });

    it.each([Number.NaN, 0.5, -1, Number.POSITIVE_INFINITY])('do not move to %d', async (through) => {
      await on.put('a', {});
      await expect(on.store.consumer('c').advance(through, () => undefined)).rejects.toMatchObject({
        code: 'validation',
      });
    });
  });

  describe('several servers over one database', () => {
    it('apply what others wrote and validate again: no increment is lost, no unique value given twice', async () => {
      const other = await on.open();
      await on.put('counter', { n: 0 });
      const add = (on: Store) =>
        on.transact(ANN, (tx) => {
          const n = Number(tx.get('machines', 'counter')?.value.n ?? 0);
          tx.put('machines', 'counter', { n: n + 1 });
        });
      const claim = (on: Store, key: string) =>
        on.transact(ANN, (tx) => tx.put('machines', key, { Address: 'the one' }));
      const claims: Promise<PromiseSettledResult<unknown>[]>[] = [];
      for (let i = 0; i < 10; i++) {
        if (i === 5) claims.push(Promise.allSettled([claim(on.store, 'a'), claim(other, 'b')]));
        await Promise.all([add(on.store), add(other), add(other)]);
      }
      const outcomes = (await Promise.all(claims)).flat().map((o) => o.status);
      expect(outcomes.toSorted()).toEqual(['fulfilled', 'rejected']);
      await add(on.store);
      expect(on.store.get('machines', 'counter')?.value.n).toBe(31);
      expect((await on.store.verify()).ok).toBe(true);
    });
  });

  it('closes after writing what was accepted, and refuses everything afterwards', async () => {
    const accepted = Array.from({ length: 50 }, (_, n) => on.put(`k${n}`, { n }));
    await on.store.close();
    expect((await Promise.all(accepted)).map((a) => a.seq)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
    await expect(on.put('late', {})).rejects.toMatchObject({ code: 'closed' });
    await expect(on.store.history({})).rejects.toMatchObject({ code: 'closed' });
    await on.store.close();
    on.store = await on.open();
    expect(on.store.count('machines')).toBe(50);
  });

  it('backs up while writing goes on', async () => {
    for (let n = 0; n < 20; n++) await on.put(`k${n}`, { n });
    const target = join(temporaryDirectory(), 'copy');
    const [manifest] = await Promise.all([
      on.store.backupTo(target),
      ...Array.from({ length: 50 }, (_, n) => on.put(`l${n}`, { n })),
    ]);
    expect(manifest.seq).toBeGreaterThanOrEqual(20);
    expect(manifest.objects.machines).toBe(manifest.seq);
  });
});
