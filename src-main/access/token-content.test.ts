import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTokenKeys, type TokenContent } from './token-content.ts';

const keys = createTokenKeys('s'.repeat(32));
const content: TokenContent = {
  kind: 'user',
  subject: 'ana',
  grantor: 'bo',
  issuedAt: 1,
  expires: 2,
  id: 'id',
  prints: { user: 'u', grantor: 'g' },
  narrowing: [{ roles: ['lab-ops'] }, { claims: [{ scope: 'machines', action: 'get', specific: 'm1' }] }],
  dropped: ['superuser'],
};

describe('a sealed token', () => {
  test('opens to what was sealed, also after a restart', () => {
    const token = keys.seal(content);
    expect(createTokenKeys('s'.repeat(32)).open(token)).toMatchObject(content);
    expect(token).toMatch(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}$/);
  });

  test('does not open with another system Secret', () => {
    expect(createTokenKeys('t'.repeat(32)).open(keys.seal(content))).toBeUndefined();
  });

  test('does not open with any one character changed', () => {
    const token = keys.seal(content);
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom('A', 'B', 'z', '0', '.', '-'), (at, char) => {
        fc.pre(token[at] !== char);
        expect(keys.open(token.slice(0, at) + char + token.slice(at + 1))).toBeUndefined();
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  test.each(['', '.', '..', 'a.b', `.${'A'.repeat(43)}`, 'x'.repeat(100_000), '\u0000', 'ä.ö'])('is not %j', (text) => {
    expect(keys.open(text)).toBeUndefined();
  });

  test('never opens for random text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect(keys.open(text)).toBeUndefined();
      }),
      { seed: 2 },
    );
  });
});

describe('a fingerprint', () => {
  test('changes with the secret, the name, the kind and the system Secret, and tells none of them', () => {
    const print = keys.print('user', 'ana', 'hush');
    const others = [
      keys.print('user', 'ana', 'hush!'),
      keys.print('user', 'bo', 'hush'),
      keys.print('machine', 'ana', 'hush'),
      keys.print('user', 'an', 'ahush'),
      createTokenKeys('t'.repeat(32)).print('user', 'ana', 'hush'),
    ];
    expect(others).not.toContain(print);
    expect(keys.print('user', 'ana', 'hush')).toBe(print);
    expect(print).toHaveLength(22);
  });
});

test('there are no keys without a system Secret', () => {
  expect(() => createTokenKeys('')).toThrow(TypeError);
});
