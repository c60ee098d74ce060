/** What every driver must do with the log: queries, the hash chain, compaction. Run by `conformance.ts`. */
import { expect, it } from 'vitest';
import { commit, cursor, everyRecord, NO_CURSORS, note, type Stage } from './conformance-support.ts';
import { chainHash, GENESIS_HASH } from './log-record.ts';

export function describeRecords({ open }: Stage): void {
  it('answers records that meet every condition, in either order, up to the limit', async () => {
    const { driver } = await open();
    await driver.append(0, {
      commits: [
        commit(1, [{ id: 1, key: 'a', value: { n: 1 } }], { time: 1000, actor: 'ann', requestId: 'r1' }),
        commit(2, [{ id: 2, key: 'b', value: { key: 'a' } }], { time: 2000, actor: 'bob', requestId: 'r2' }),
        note(3, { time: 3000, actor: 'ann', requestId: 'r3' }),
        commit(4, [{ id: 1, key: 'a' }], { time: 4000, actor: 'bob', requestId: 'r4' }),
      ],
      ...NO_CURSORS,
    });
    const seqs = async (query: Parameters<typeof everyRecord>[0]) =>
      (await driver.records(everyRecord(query))).map((r) => r.seq);
    expect(await seqs({})).toEqual([1, 2, 3, 4]);
    expect(await seqs({ newestFirst: true, limit: 2 })).toEqual([4, 3]);
    expect(await seqs({ from: 2, to: 3 })).toEqual([2, 3]);
    expect(await seqs({ sinceMs: 2000, untilMs: 3000 })).toEqual([2, 3]);
    expect(await seqs({ actor: 'bob' })).toEqual([2, 4]);
    expect(await seqs({ requestId: 'r3' })).toEqual([3]);
    expect(await seqs({ prefix: 'things', key: 'a' })).toEqual([1, 4]);
    expect(await seqs({ prefix: 'other' })).toEqual([]);
    expect(await seqs({ noteKind: 'denied' })).toEqual([3]);
    expect(await seqs({ limit: 0 })).toEqual([]);
  });

  it('ends an answer once it has text enough, however long the record it begins with', async () => {
    const { driver } = await open();
    const commits = [1, 2, 3, 4].map((n) =>
      commit(n, [{ id: n, key: `k${n}`, value: { filler: 'x'.repeat(n === 4 ? 5000 : 1000) } }]),
    );
    await driver.append(0, { commits, ...NO_CURSORS });
    const seqs = async (query: Parameters<typeof everyRecord>[0]) =>
      (await driver.records(everyRecord(query))).map((r) => r.seq);
    expect(await seqs({ maxText: 2000 })).toEqual([1, 2]);
    expect(await seqs({ maxText: 2000, from: 3 })).toEqual([3, 4]);
    expect(await seqs({ maxText: 2000, newestFirst: true })).toEqual([4]);
    expect(await seqs({ maxText: 1 })).toEqual([1]);
  });

  it('chains records: each hash covers the content and the hash before', async () => {
    const { driver } = await open();
    await driver.append(0, { commits: [note(1), commit(2, [{ id: 1, key: 'ü', value: {} }])], ...NO_CURSORS });
    await driver.append(2, { commits: [note(3)], ...NO_CURSORS });
    let previous = GENESIS_HASH;
    const records = await driver.records(everyRecord());
    for (const record of records) {
      expect(record.hash).toBe(chainHash(previous, record));
      previous = record.hash;
    }
    expect(await driver.verify()).toEqual({
      ok: true,
      records: 3,
      firstSeq: 1,
      lastSeq: 3,
      head: previous,
      objects: 1,
      problems: [],
    });
  });
}

export function describeCompaction({ open }: Stage): void {
  const filled = async () => {
    const { driver } = await open();
    const commits = Array.from({ length: 500 }, (_, i) =>
      commit(i + 1, [{ id: (i % 50) + 1, key: `k${i % 50}`, value: { n: i, filler: 'x'.repeat(200) } }], {
        time: i,
      }),
    );
    await driver.append(0, { commits, ...NO_CURSORS });
    return driver;
  };

  it('drops the oldest records by age, keeps the objects, and the rest still verifies', async () => {
    const driver = await filled();
    expect(await driver.compact({ maxAgeMs: 1000 }, 1300)).toEqual({ removed: 300, oldestSeq: 301 });
    expect(await driver.verify()).toMatchObject({
      ok: true,
      records: 200,
      firstSeq: 301,
      lastSeq: 500,
      objects: 50,
    });
    await driver.append(500, { commits: [note(501)], ...NO_CURSORS });
    await driver.close();
    const again = await open();
    expect(again.seq).toBe(501);
    expect(again.oldestSeq).toBe(301);
    expect(again.objects).toHaveLength(50);
    expect(await again.driver.verify()).toMatchObject({ ok: true, records: 201, firstSeq: 301 });
  });

  it('drops a record from the future with the one after it, and none for one from long ago', async () => {
    const { driver } = await open();
    const [now, future] = [10_000, 1e12];
    const times = [...Array.from({ length: 150 }, () => future), 1000, future, 9000, 0, 9500];
    await driver.append(0, { commits: times.map((time, i) => note(i + 1, { time })), ...NO_CURSORS });
    expect(await driver.compact({ maxAgeMs: 5000 }, now)).toEqual({ removed: 151, oldestSeq: 152 });
    expect(await driver.compact({ maxAgeMs: 500 }, now)).toEqual({ removed: 3, oldestSeq: 155 });
    expect((await driver.verify()).ok).toBe(true);
  });

  it('drops the oldest records by size', async () => {
    const driver = await filled();
    const { removed, oldestSeq } = await driver.compact({ maxBytes: 30_000 }, 0);
    expect(oldestSeq).toBe(removed + 1);
    const left = await driver.records(everyRecord());
    const bytes = left.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
    expect(bytes).toBeLessThanOrEqual(30_000);
    expect(bytes).toBeGreaterThan(29_000);
  });

  it('keeps what a consumer has not handled, and goes on numbering after dropping everything', async () => {
    const driver = await filled();
    await driver.append(500, { commits: [], cursors: [cursor('slow', 10), cursor('fast', 500)] });
    expect(await driver.compact({ maxBytes: 0 }, 0)).toEqual({ removed: 10, oldestSeq: 11 });
    await driver.append(500, { commits: [], cursors: [cursor('slow', undefined)] });
    expect(await driver.compact({ maxBytes: 0 }, 0)).toEqual({ removed: 490, oldestSeq: 501 });
    await driver.append(500, { commits: [note(501)], ...NO_CURSORS });
    await driver.close();
    const again = await open();
    expect(again.seq).toBe(501);
    expect(await again.driver.verify()).toMatchObject({ ok: true, records: 1, objects: 50 });
  });

  it('drops nothing without a policy', async () => {
    const driver = await filled();
    expect(await driver.compact({}, 1e12)).toEqual({ removed: 0, oldestSeq: 1 });
  });
}
