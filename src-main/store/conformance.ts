/**
 * What every driver must do, whatever it keeps its data in. A driver runs it from its own test file:
 *
 *   describeDriver('sqlite', () => ({ driver: () => createSqliteDriver({ path }), restored: ..., dispose: ... }))
 *
 *   conformance-writing.ts   appends, conflicts, tails       conformance-log.ts       records, compaction
 *   conformance-support.ts   batches made by hand            this file                backups, closing
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256OfFile } from './backup.ts';
import { describeCompaction, describeRecords } from './conformance-log.ts';
import {
  commit,
  cursor,
  type DriverSite,
  everyRecord,
  NO_CURSORS,
  note,
  readAll,
  type Stage,
  temporaryDirectory,
} from './conformance-support.ts';
import { describeSharing, describeWriting } from './conformance-writing.ts';
import type { Driver } from './driver.ts';

export function describeDriver(name: string, createSite: () => DriverSite): void {
  describe(`${name} driver`, () => {
    let site: DriverSite;
    let opened: Driver[];
    const stage: Stage = {
      name,
      restored: (dir) => site.restored(dir),
      unopened: () => site.driver(),
      async open(driver = site.driver()) {
        opened.push(driver);
        return { driver, ...(await readAll(await driver.open())) };
      },
    };

    beforeEach(() => {
      site = createSite();
      opened = [];
    });

    afterEach(async () => {
      for (const driver of opened) await driver.close();
      site.dispose();
    });

    describeWriting(stage);
    describeSharing(stage);
    describeRecords(stage);
    describeCompaction(stage);
    describeBackup(stage);
    describeClosing(stage);
  });
}

function describeBackup({ open, name, restored }: Stage): void {
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
    const copy = await open(restored(dir));
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

function describeClosing({ open, unopened }: Stage): void {
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
    await unopened().close();
  });
}
