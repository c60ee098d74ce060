/**
 * What every driver must do, whatever it keeps its data in. A driver runs it from its own test file:
 *
 *   describeDriver('sqlite', () => ({ driver: () => createSqliteDriver({ path }), restored: ..., dispose: ... }))
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256OfFile } from './backup.ts';
import {
  commit,
  cursor,
  type DriverSite,
  everyRecord,
  note,
  readAll,
  temporaryDirectory,
} from './conformance-support.ts';
import type { Driver } from './driver.ts';
import { compareKeys } from './key-order.ts';
import { chainHash, GENESIS_HASH } from './log-record.ts';

export type { DriverSite } from './conformance-support.ts';

const NO_CURSORS = { cursors: [] };

export function describeDriver(name: string, createSite: () => DriverSite): void {
  describe(`${name} driver`, () => {
    let site: DriverSite;
    let opened: Driver[];
    const open = async (driver = site.driver()) => {
      opened.push(driver);
      return { driver, ...(await readAll(await driver.open())) };
    };

    beforeEach(() => {
      site = createSite();
      opened = [];
    });

    afterEach(async () => {
      for (const driver of opened) await driver.close();
      site.dispose();
    });

    describeWriting();
    describeSharing();
    describeRecords();
    describeCompaction();
    describeBackup();
    describeClosing();

    function describeWriting(): void {
      it('opens empty: sequence 0, no objects, no cursors', async () => {
        const { seq, objects, cursors, indexDefinition } = await open();
        expect({ seq, objects, cursors: [...cursors], indexDefinition }).toEqual({
          seq: 0,
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
        const keys = [
          'b',
          'a',
          'ü',
          '\u{1f600}',
          '\uff5e',
          'a/b',
          'a\u0000b',
          'a b',
          'Z',
          'e\u0301',
          'é',
          'a"b\\',
          '日本',
        ];
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

    function describeSharing(): void {
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

    function describeRecords(): void {
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

    function describeCompaction(): void {
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
        expect(again.objects).toHaveLength(50);
        expect(await again.driver.verify()).toMatchObject({ ok: true, records: 201, firstSeq: 301 });
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

    function describeBackup(): void {
      it('copies while appends go on; the copy opens, verifies, and is what the manifest says', async () => {
        const { driver } = await open();
        await driver.append(0, {
          commits: [
            commit(1, [
              { id: 1, key: 'a', value: { n: 1 } },
              { id: 2, key: 'b', value: { n: 2 } },
            ]),
          ],
          cursors: [cursor('c', 1)],
        });
        const dir = join(temporaryDirectory(), 'backup');
        const copying = driver.backupTo(dir, 0);
        for (let seq = 1; seq < 40; seq++)
          await driver.append(seq, {
            commits: [commit(seq + 1, [{ id: 1, key: 'a', value: { seq } }])],
            ...NO_CURSORS,
          });
        const manifest = await copying;
        expect(manifest).toMatchObject({
          format: 'proviso-store-backup',
          version: 1,
          driver: name,
          time: '1970-01-01T00:00:00.000Z',
          objects: { things: 2 },
        });
        expect(JSON.parse(await readFile(join(dir, 'manifest.json'), 'utf8'))).toEqual(manifest);
        for (const file of manifest.files) expect(await sha256OfFile(join(dir, file.name))).toBe(file.sha256);
        const copy = await open(site.restored(dir));
        expect(copy.seq).toBe(manifest.seq);
        expect([...copy.cursors]).toEqual([['c', 1]]);
        expect(await copy.driver.verify()).toMatchObject({ ok: true, head: manifest.head, lastSeq: manifest.seq });
        await copy.driver.append(copy.seq, { commits: [note(copy.seq + 1)], ...NO_CURSORS });
        expect((await driver.verify()).ok).toBe(true);
      });

      it('refuses a directory that holds something', async () => {
        const { driver } = await open();
        const dir = temporaryDirectory();
        await writeFile(join(dir, 'precious'), 'x');
        await expect(driver.backupTo(dir, 0)).rejects.toMatchObject({ code: 'validation' });
      });
    }

    function describeClosing(): void {
      it('closes twice without complaint and refuses everything afterwards', async () => {
        const { driver } = await open();
        await driver.close();
        await driver.close();
        await expect(driver.append(0, { commits: [note(1)], ...NO_CURSORS })).rejects.toMatchObject({ code: 'closed' });
        await expect(driver.tail(0)).rejects.toMatchObject({ code: 'closed' });
        await expect(driver.verify()).rejects.toMatchObject({ code: 'closed' });
        await expect(driver.compact({}, 0)).rejects.toMatchObject({ code: 'closed' });
        await expect(driver.records(everyRecord())).rejects.toMatchObject({ code: 'closed' });
        await expect(driver.backupTo(join(temporaryDirectory(), 'b'), 0)).rejects.toMatchObject({ code: 'closed' });
      });

      it('closes without having been opened', async () => {
        await site.driver().close();
      });
    }
  });
}
