import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadCertificate } from './certificate.ts';

const NOW = Date.UTC(2026, 0, 2);
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'proviso-tls-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const load = () => loadCertificate(dir, '127.0.0.1', NOW);
const key = () => readFileSync(join(dir, 'server.key'), 'utf8');

it('makes a pair once and reads it from then on', async () => {
  const made = await load();
  expect(await load()).toEqual(made);
});

it.each(['server.key', 'server.crt'])('does not replace the other half of a pair whose %s is missing', async (name) => {
  await load();
  const other = name === 'server.key' ? 'server.crt' : 'server.key';
  const before = readFileSync(join(dir, other), 'utf8');
  rmSync(join(dir, name));
  await expect(load()).rejects.toMatchObject({ message: `${join(dir, name)} is missing, its other half is there.` });
  expect(readFileSync(join(dir, other), 'utf8')).toBe(before);
});

it('goes on where it was killed while it made the pair', async () => {
  const made = await load();
  renameSync(join(dir, 'server.crt'), join(dir, 'server.crt.new'));
  expect(await load()).toEqual(made);
  // Before the first rename there is no pair yet.
  renameSync(join(dir, 'server.key'), join(dir, 'server.key.new'));
  renameSync(join(dir, 'server.crt'), join(dir, 'server.crt.new'));
  const fresh = await load();
  expect(fresh.fingerprint).not.toBe(made.fingerprint);
  expect(existsSync(join(dir, 'server.key.new'))).toBe(false);
});

it('says when key and certificate do not belong together', async () => {
  await load();
  const first = key();
  rmSync(join(dir, 'server.key'));
  rmSync(join(dir, 'server.crt'));
  await load();
  writeFileSync(join(dir, 'server.key'), first);
  await expect(load()).rejects.toMatchObject({ message: expect.stringContaining('do not belong together') });
});
