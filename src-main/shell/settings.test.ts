import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DEFAULT_SETTINGS, openSettings, parseSettings } from './settings.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'settings-'));
});
afterEach(() => rm(folder, { recursive: true }));

test.each(['', 'null', '[]', '{"closeChoice":1,"theme":"pink","window":{"x":"0"}}', '{'])(
  '%j means defaults',
  (text) => {
    expect(parseSettings(text)).toEqual(DEFAULT_SETTINGS);
  },
);

test('a broken part does not spoil the rest', () => {
  const window = { x: 1, y: 2, width: 800, height: 600, maximized: false };
  expect(parseSettings(JSON.stringify({ closeChoice: 'never', theme: 'dark', window }))).toEqual({
    closeChoice: 'ask',
    theme: 'dark',
    window,
  });
});

test('changes made in the same moment are all kept, and only the file itself is left', async () => {
  const path = join(folder, 'deeper', 'desktop.json');
  const settings = await openSettings(path);
  await Promise.all([settings.change({ closeChoice: 'quit' }), settings.change({ theme: 'dark' })]);
  expect((await openSettings(path)).current()).toEqual({ closeChoice: 'quit', theme: 'dark' });
  expect(await readdir(join(folder, 'deeper'))).toEqual(['desktop.json']);
});

test('a failing write is told to its caller and does not block the next one', async () => {
  await writeFile(join(folder, 'in-the-way'), '');
  const settings = await openSettings(join(folder, 'in-the-way', 'desktop.json'));
  await expect(settings.change({ theme: 'dark' })).rejects.toThrow(/ENOTDIR|EEXIST/);
  await rm(join(folder, 'in-the-way'));
  await settings.change({ closeChoice: 'quit' });
  expect(JSON.parse(await readFile(join(folder, 'in-the-way', 'desktop.json'), 'utf8'))).toEqual({
    closeChoice: 'quit',
    theme: 'dark',
  });
});
