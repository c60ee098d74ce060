import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepSession } from './key-store.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'key-store-'));
});
afterEach(() => rm(folder, { recursive: true }));

type Backend = 'basic_text' | 'gnome_libsecret' | 'unknown';

/** Seals by reversing: enough to see what reaches the disk and what comes back. */
const storeWith = (backend: Backend, works = true) => ({
  getSelectedStorageBackend: () => backend,
  isAsyncEncryptionAvailable: async () => works,
  encryptStringAsync: async (text: string) => Buffer.from(`sealed:${[...text].reverse().join('')}`),
  decryptStringAsync: async (sealed: Buffer) => {
    const text = sealed.toString();
    if (!text.startsWith('sealed:')) throw new Error('cannot decrypt');
    return { result: [...text.slice(7)].reverse().join(''), shouldReEncrypt: false };
  },
});
const keeper = (backend: Backend, works = true) =>
  keepSession(storeWith(backend, works), join(folder, 'session.sealed'), 'linux');

test('a remembered session comes back, sealed on disk and readable by its owner only', async () => {
  const sessions = keeper('gnome_libsecret');
  await sessions.remember('token-1');
  expect(await sessions.recall()).toBe('token-1');
  expect(await readFile(join(folder, 'session.sealed'), 'utf8')).not.toContain('token-1');
  expect((await stat(join(folder, 'session.sealed'))).mode & 0o777).toBe(0o600);
  await sessions.forget();
  expect(await sessions.recall()).toBeUndefined();
});

test.each([
  ['basic_text', true],
  ['unknown', true],
  ['gnome_libsecret', false],
] as const)('with %s (works: %s) nothing is stored', async (backend, works) => {
  const sessions = keeper(backend, works);
  expect(await sessions.available()).toBe(false);
  await sessions.remember('token-1');
  await expect(stat(join(folder, 'session.sealed'))).rejects.toThrow('ENOENT');
});

test('a session sealed by another key store means signing in again, not a failure', async () => {
  await writeFile(join(folder, 'session.sealed'), 'who knows');
  expect(await keeper('gnome_libsecret').recall()).toBeUndefined();
});
