/** What every driver must do with what it is given: writing, and sharing one database. Run by `conformance.ts`. */
import { expect, it } from 'vitest';
import { commit, cursor, everyRecord, NO_CURSORS, note, type Stage } from './conformance-support.ts';
import { compareKeys } from './key-order.ts';

export function describeWriting({ open }: Stage): void {
  it('opens empty: sequence 0, no objects, no cursors', async () => {
    const { seq, oldestSeq, objects, cursors, indexDefinition } = await open();
    expect({ seq, oldestSeq, objects, cursors: [...cursors], indexDefinition }).toEqual({
      seq: 0,
      oldestSeq: 1,
      objects: [],
      cursors: [],
      indexDefinition: '',
    });
  });

  it('gives back after reopening what was appended: last revision, index values, cursors', async () => {
    const { driver } = await open();
    await driver.append(0, {
      commits: [
        commit(1, [
          { id: 1, key: 'b', value: { n: 1 }, indexed: '["one"]' },
          { id: 2, key: 'a', value: { n: 2 } },
        ]),
        commit(2, [{ id: 1, key: 'b', value: { n: 3 }, indexed: '["three"]' }]),
      ],
      cursors: [cursor('outbox', 1)],
    });
    await driver.append(2, { commits: [commit(3, [{ id: 2, key: 'a' }])], cursors: [cursor('outbox', 3)] });
    await driver.close();
    const again = await open();
    expect(again.seq).toBe(3);
    expect(again.objects).toEqual([
      { id: 1, prefix: 'things', key: 'b', revision: 2, indexed: '["three"]', text: '{"n":3}' },
    ]);
    expect([...again.cursors]).toEqual([['outbox', 3]]);
  });

  it('keeps values that the log shows masked, and overwrites them with plain ones and back', async () => {
    const { driver } = await open();
    const secret = { id: 1, key: 'user', shown: '{"password":"***"}' };
    await driver.append(0, { commits: [commit(1, [{ ...secret, value: { password: 'first' } }])], ...NO_CURSORS });
    await driver.append(1, { commits: [commit(2, [{ id: 1, key: 'user', value: { n: 2 } }])], ...NO_CURSORS });
    await driver.append(2, { commits: [commit(3, [{ ...secret, value: { password: 'third' } }])], ...NO_CURSORS });
    await driver.close();
    const again = await open();
    expect(again.objects.map((o) => o.text)).toEqual(['{"password":"third"}']);
    expect(JSON.stringify(await again.driver.records(everyRecord()))).not.toMatch(/first|third/);
  });

  it('hands out objects in ascending byte order of prefix and key', async () => {
    const keys = ['b', 'a', 'ü', '\u{1f600}', '\uff5e', 'a/b', 'a\u0000b', 'a b', 'Z', 'e\u0301', 'é', 'a"b\\', '日本'];
    const { driver } = await open();
    const changes = keys.map((key, i) => ({ id: i + 1, key, value: { key } }));
    await driver.append(0, { commits: [commit(1, changes)], ...NO_CURSORS });
    await driver.close();
    const { objects } = await open();
    expect(objects.map((o) => o.key)).toEqual(keys.toSorted(compareKeys));
    expect(objects.map((o) => JSON.parse(o.text))).toEqual(keys.toSorted(compareKeys).map((key) => ({ key })));
  });

  it('takes a value of 8 MB, and text that only looks like the end of one', async () => {
    const big = { filler: 'ä"\\\u0000\u{1f600}'.repeat(800_000), tail: ']}\n{"changes":[]}' };
    const { driver } = await open();
    await driver.append(0, { commits: [commit(1, [{ id: 1, key: 'big', value: big }])], ...NO_CURSORS });
    const [record] = await driver.records(everyRecord());
    expect(record?.body.length).toBeGreaterThan(8_000_000);
    await driver.close();
    const { objects } = await open();
    expect(objects[0]?.text === JSON.stringify(big)).toBe(true);
  });

  it('replaces the index values of all objects when their definition changes', async () => {
    const { driver } = await open();
    const changes = [
      { id: 1, key: 'a', value: { n: 1 }, indexed: '["old"]' },
      { id: 2, key: 'b', value: { n: 2 } },
    ];
    await driver.append(0, { commits: [commit(1, changes)], ...NO_CURSORS });
    await driver.close();
    const second = await open();
    await second.driver.setIndexDefinition(
      'v2',
      new Map([
        [1, ''],
        [2, '["new"]'],
      ]),
    );
    await second.driver.close();
    const third = await open();
    expect(third.indexDefinition).toBe('v2');
    expect(third.objects.map((o) => o.indexed)).toEqual(['', '["new"]']);
  });

  it('never moves a cursor backwards, and forgets it when told to', async () => {
    const { driver } = await open();
    await driver.append(0, { commits: [note(1), note(2)], cursors: [cursor('c', 2), cursor('d', 1)] });
    await driver.append(2, { commits: [], cursors: [cursor('c', 1), cursor('d', undefined)] });
    await driver.close();
    expect([...(await open()).cursors]).toEqual([['c', 2]]);
  });
}

export function describeSharing({ open }: Stage): void {
  it('rejects a stale expected sequence with a conflict and writes nothing of the batch', async () => {
    const { driver } = await open();
    await driver.append(0, { commits: [commit(1, [{ id: 1, key: 'a', value: { n: 1 } }])], ...NO_CURSORS });
    const stale = driver.append(0, {
      commits: [commit(1, [{ id: 2, key: 'b', value: { n: 2 } }])],
      cursors: [cursor('c', 1)],
    });
    await expect(stale).rejects.toMatchObject({
      name: 'StoreError',
      code: 'conflict',
      conflict: { kind: 'sequence', expected: 0, actual: 1 },
    });
    await expect(driver.append(5, { commits: [note(6)], ...NO_CURSORS })).rejects.toMatchObject({
      code: 'conflict',
    });
    await driver.close();
    const { seq, objects, cursors } = await open();
    expect({ seq, keys: objects.map((o) => o.key), cursors: [...cursors] }).toEqual({
      seq: 1,
      keys: ['a'],
      cursors: [],
    });
  });

  it.each([
    ['twice the same', [1, 1]],
    ['one left out', [1, 3]],
    ['one too far', [2]],
    ['one too low', [0]],
  ])('refuses numbers that do not follow: %s', async (_how, seqs) => {
    const { driver } = await open();
    await expect(driver.append(0, { commits: seqs.map((seq) => note(seq)), ...NO_CURSORS })).rejects.toMatchObject({
      code: 'validation',
    });
    await driver.append(0, { commits: [note(1), note(2)], ...NO_CURSORS });
    expect(await driver.verify()).toMatchObject({ ok: true, records: 2 });
  });

  it('tells a second driver over the same database that another came first, and what it wrote', async () => {
    const { driver: first } = await open();
    const { driver: second } = await open();
    const secret = { id: 2, key: 'b', value: { pin: '1234' }, shown: '{"pin":"***"}' };
    await first.append(0, { commits: [commit(1, [{ id: 1, key: 'a', value: { n: 1 } }, secret])], ...NO_CURSORS });
    await expect(second.append(0, { commits: [note(1)], ...NO_CURSORS })).rejects.toMatchObject({
      code: 'conflict',
    });
    const tail = await second.tail(0);
    expect(tail.seq).toBe(1);
    expect(tail.changes).toEqual([
      { id: 1, prefix: 'things', key: 'a', revision: 1, text: '{"n":1}', indexed: '' },
      { id: 2, prefix: 'things', key: 'b', revision: 1, text: '{"pin":"1234"}', indexed: '' },
    ]);
    await second.append(1, { commits: [commit(2, [{ id: 1, key: 'a', value: { n: 2 } }])], ...NO_CURSORS });
    await expect(first.append(1, { commits: [note(2)], ...NO_CURSORS })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect((await first.tail(1)).changes.map((c) => c.text)).toEqual(['{"n":2}']);
  });

  it('answers in the tail each object once, as it is now, removed ones without a text', async () => {
    const { driver } = await open();
    await driver.append(0, {
      commits: [
        commit(1, [
          { id: 1, key: 'a', value: { n: 1 } },
          { id: 2, key: 'b', value: { n: 1 } },
        ]),
        commit(2, [{ id: 1, key: 'a', value: { n: 2 }, indexed: '["x"]' }]),
        commit(3, [{ id: 2, key: 'b' }]),
      ],
      ...NO_CURSORS,
    });
    expect(await driver.tail(1)).toEqual({
      seq: 3,
      changes: [
        { id: 1, prefix: 'things', key: 'a', revision: 2, text: '{"n":2}', indexed: '["x"]' },
        { id: 2, prefix: 'things', key: 'b', revision: 3, text: undefined, indexed: '' },
      ],
    });
    expect(await driver.tail(3)).toEqual({ seq: 3, changes: [] });
  });
}
