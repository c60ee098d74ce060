import { scryptSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hashPassword, newSecret, verifyPassword } from './passwords.ts';

const COST = { N: 16, r: 1, p: 1 };
const stored = (text: string): string => Buffer.from(text).toString('base64');

describe('a password hash', () => {
  test('is base64 of N$r$p$salt$hash and fits its password alone', async () => {
    const hash = await hashPassword('r0cketsk8ts', COST);
    expect(Buffer.from(hash, 'base64').toString()).toMatch(/^16\$1\$1\$[0-9a-f]{32}\$[0-9a-f]{64}$/);
    expect(await verifyPassword('r0cketsk8ts', hash, COST)).toEqual({ ok: true, upgrade: false });
    expect(await verifyPassword('r0cketsk8tz', hash, COST)).toEqual({ ok: false, upgrade: false });
    expect(await verifyPassword('', hash, COST)).toEqual({ ok: false, upgrade: false });
  });

  test('does not fit its password with NUL characters behind it, which scrypt takes for the same', async () => {
    const hash = await hashPassword('r0cketsk8ts', COST);
    for (const text of ['r0cketsk8ts\0', 'r0cketsk8ts\0\0\0', '\0r0cketsk8ts'])
      expect(await verifyPassword(text, hash, COST)).toEqual({ ok: false, upgrade: false });
  });

  test('has a fresh salt each time', async () => {
    expect(await hashPassword('same', COST)).not.toBe(await hashPassword('same', COST));
  });

  test.each(['hex', 'base64', 'base64url'] as const)(
    'made elsewhere with salt and hash in %s is verified',
    async (encoding) => {
      const salt = Buffer.from('9f8e7d6c5b4a39281706f5e4d3c2b1a0', 'hex');
      const hash = scryptSync('elsewhere', salt, 32, { N: 32, r: 2, p: 3 });
      const text = stored(`32$2$3$${salt.toString(encoding)}$${hash.toString(encoding)}`);
      expect(await verifyPassword('elsewhere', text, COST)).toEqual({ ok: true, upgrade: true });
      expect(await verifyPassword('Elsewhere', text, COST)).toEqual({ ok: false, upgrade: false });
    },
  );

  test.each([
    ['nothing', ''],
    ['no hash at all', stored('hello')],
    ['five empty parts', stored('$$$$')],
    ['an N that is no power of two', stored(`15$1$1$00$${'00'.repeat(32)}`)],
    ['an N of one', stored(`1$1$1$00$${'00'.repeat(32)}`)],
    ['a negative parameter', stored(`16$-1$1$00$${'00'.repeat(32)}`)],
    ['parameters that ask for gigabytes', stored(`1073741824$8$1$00$${'00'.repeat(32)}`)],
    ['parameters that would run for hours', stored(`16$1$1073741824$00$${'00'.repeat(32)}`)],
    ['a hash too short to mean anything', stored('16$1$1$00$00')],
    ['a salt that is neither hex nor base64', stored(`16$1$1$!!$${'00'.repeat(32)}`)],
  ])('that holds %s fits no password', async (_, text) => {
    expect(await verifyPassword('', text, COST)).toEqual({ ok: false, upgrade: false });
    expect(await verifyPassword('hello', text, COST)).toEqual({ ok: false, upgrade: false });
  });

  test('that is absent fits no password', async () => {
    expect(await verifyPassword('', undefined, COST)).toEqual({ ok: false, upgrade: false });
  });
});

test('a new Secret is 16 characters and never the same', () => {
  const secrets = new Set(Array.from({ length: 100 }, newSecret));
  expect(secrets.size).toBe(100);
  for (const secret of secrets) expect(secret).toMatch(/^[A-Za-z0-9_-]{16}$/);
});
