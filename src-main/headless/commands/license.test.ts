import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { licenseCommand } from './license.ts';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'proviso-license-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Runs the command; answers what it printed, or throws what it refused. */
async function run(...args: string[]): Promise<string> {
  let out = '';
  const settings = { writeOut: (text: string) => (out += text), writeErr: (text: string) => (out += text) };
  const program = new Command('proviso').exitOverride().configureOutput(settings);
  licenseCommand(program);
  await program.parseAsync(['license', ...args], { from: 'user' });
  return out;
}

async function show(): Promise<{ Features: string[]; Lab: boolean; Licenses: { HardExpireDate: string }[] }> {
  return JSON.parse(await run('show', '--data', dir, '--json'));
}

test('show without a license says that there is none', async () => {
  expect(await run('show', '--data', dir)).toBe('features in force: none\n');
  expect(await show()).toEqual({ Features: [], Lab: false, Licenses: [], Sources: [], ClockProblem: '' });
});

test('issue --lab makes a license for rbac and installs it', async () => {
  expect(await run('issue', '--lab', '--data', dir)).toContain('features in force: rbac (lab license)');
  expect(await show()).toMatchObject({ Features: ['rbac'], Lab: true });
});

test('issue takes features and days', async () => {
  const before = Date.now();
  await run('issue', '--lab', '--data', dir, '--feature', 'rbac', '--feature', 'extra', 'more', '--days', '0.5');
  const { Features, Licenses } = await show();
  expect(Features).toEqual(['extra', 'more', 'rbac']);
  const lasts = Date.parse(Licenses[0]?.HardExpireDate ?? '') - before;
  expect(lasts).toBeGreaterThanOrEqual(43_200_000);
  expect(lasts).toBeLessThan(43_200_000 + 60_000);
});

test('a license written to a file can be installed', async () => {
  const file = join(dir, 'lab-license.json');
  expect(JSON.parse(await run('issue', '--lab', '--data', dir, '--out', file, '--json'))).toEqual({ File: file });
  expect((await show()).Features).toEqual([]);
  expect(JSON.parse(await run('install', file, '--data', dir, '--json'))).toMatchObject({ Features: ['rbac'] });
  expect(readFileSync(join(dir, 'license', 'license.json'), 'utf8')).toBe(readFileSync(file, 'utf8'));
});

test('a bad file is refused and leaves the installed license alone', async () => {
  await run('issue', '--lab', '--data', dir);
  const file = join(dir, 'bad.json');
  writeFileSync(file, readFileSync(join(dir, 'license', 'license.json'), 'utf8').replace('"rbac"', '"rback"'));
  await expect(run('install', file, '--data', dir)).rejects.toThrow('It was changed after it was signed');
  await expect(run('install', join(dir, 'none'), '--data', dir)).rejects.toThrow('cannot be read (ENOENT)');
  expect((await show()).Features).toEqual(['rbac']);
});

test.each([
  [['issue'], '--data'],
  [['issue', '--data', 'DIR'], 'Only lab licenses'],
  [['issue', '--lab', '--data', 'DIR', '--days', 'soon'], 'number of days'],
  [['issue', '--lab', '--data', 'DIR', '--days', ''], 'number of days'],
  [['issue', '--lab', '--data', 'DIR', '--days', '0'], 'cannot last 0 days'],
  [['issue', '--lab', '--data', 'DIR', '--feature', 'R B'], 'not the name of a feature'],
  [['install', '--data', 'DIR'], 'missing required argument'],
])('license %j is refused: %s', async (args, message) => {
  await expect(run(...args.map((arg) => arg.replace('DIR', dir)))).rejects.toThrow(message);
});
