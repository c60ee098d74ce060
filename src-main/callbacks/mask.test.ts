import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../kit/json.ts';
import { createMasker, MASK, secretsIn } from './mask.ts';

const plain = createMasker([]);

describe('values under telling names', () => {
  test.each([
    ['{"Password":"x y","a":1}', '{"Password":"***","a":1}'],
    ['{"user_token": 12345}', '{"user_token": "***"}'],
    ['{"client_secret":"a\\"b"}', '{"client_secret":"***"}'],
    ['{"password":"cut off in the mid', '{"password":"***"'],
    ['"{\\"password\\":\\"x\\",\\"b\\":1}"', '"{\\"password\\":\\"***\\",\\"b\\":1}"'],
    ['a=1&api_key=x&b=2', 'a=1&api_key=***&b=2'],
    ['http://u:p@h/?access_token=x', 'http://***@h/?access_token=***'],
    ['{"monkey":"banana"}', '{"monkey":"banana"}'],
  ])('%s', (text, expected) => {
    expect(plain.text(text)).toBe(expected);
  });

  test('of headers', () => {
    expect(
      ['Authorization', 'X-Api-Key', 'Cookie', 'X-Session-Id', 'Accept'].map((name) => plain.header(name, 'v')),
    ).toEqual([MASK, MASK, MASK, MASK, 'v']);
  });

  test('of structures', () => {
    expect(plain.json({ a: { secret: 's', list: ['token=x', 1] }, n: null })).toEqual({
      a: { secret: MASK, list: ['token=***', 1] },
      n: null,
    });
  });
});

test('a known secret is found in every form in which it may come back', () => {
  const secret = 'p&s "w\\ü';
  const masker = createMasker([secret]);
  const forms = [
    secret,
    JSON.stringify(secret),
    encodeURIComponent(secret),
    `${new URLSearchParams({ v: secret })}`,
    Buffer.from(secret).toString('base64'),
  ];
  for (const form of forms) expect(masker.text(`<${form}>`)).not.toContain(form.replace(/^v=|"/g, ''));
});

test('many secrets are found as few are', () => {
  const secrets = Array.from({ length: 200 }, (_, i) => `secret ${i}/é`);
  const masker = createMasker(secrets);
  for (const secret of secrets.slice(0, 5))
    for (const form of [secret, JSON.stringify(secret), encodeURIComponent(secret)])
      expect(masker.text(`<${form}>${form}`)).toBe(
        `<${MASK}>${MASK}`.replaceAll(MASK, form.startsWith('"') ? `"${MASK}"` : MASK),
      );
  expect(masker.text('secret of nobody')).toBe('secret of nobody');
});

test('a secret of many lines costs little', () => {
  const secret = Array.from({ length: 5_000 }, (_, i) => `line ${i} of "it"`).join('\n');
  const body = JSON.stringify({ a: secret, b: secret.replaceAll('\n', '\n  ') });
  const start = performance.now();
  const masker = createMasker([secret]);
  expect(masker.excerpt(body, 4096)).not.toContain('of');
  expect(performance.now() - start).toBeLessThan(2_000);
});

test.each<[Json, string[]]>([
  [48151623, ['48151623', '4.8151623e+07']],
  [123, []],
  [{ a: ['x', { b: -1234.5 }], c: true, d: null }, ['x', '-1234.5', '-1234.5']],
])('the secrets in %j', (value, expected) => {
  expect(secretsIn(value)).toEqual(expected);
});

test('no secret shows in an excerpt, wherever it is cut', () => {
  const secret = fc.string({ minLength: 3, maxLength: 20, unit: fc.constantFrom('a', 'b', 'S', '1') });
  fc.assert(
    fc.property(
      secret,
      fc.array(fc.constantFrom('x', 'yy', '\n')),
      fc.array(fc.string()),
      fc.nat(60),
      (s, before, rest, limit) => {
        const body = before.join('') + s + rest.join(s);
        const shown = createMasker([s]).excerpt(body, limit);
        expect(shown.length).toBeLessThanOrEqual(limit);
        expect(shown.replaceAll(MASK, '')).not.toContain(s);
        // Not even its beginning at the edge.
        const edge = shown.slice(before.join('').length).replaceAll('*', '');
        if (rest.length === 0) expect(edge).toBe('');
        expect(createMasker([s]).excerpt(Buffer.from(body), limit)).not.toContain(s);
      },
    ),
    { seed: 11, numRuns: 500 },
  );
});

test('hostile text costs little', () => {
  const texts = [
    '"'.repeat(16_384),
    'token'.repeat(3_276),
    '"token'.repeat(2_730),
    '\\"secret'.repeat(2_000),
    '?'.repeat(16_384),
  ];
  const start = performance.now();
  for (const text of texts) plain.text(text);
  expect(performance.now() - start).toBeLessThan(1_000);
});

test('the beginning of a body in UTF-8 does not end with half of a character', () => {
  const masker = createMasker([]);
  for (const limit of [4, 5, 6, 7]) expect(masker.excerpt(Buffer.from('äöüäöü'), limit)).not.toContain('\uFFFD');
  expect(masker.excerpt(Buffer.from('äöüäöü'), 5)).toBe('äö');
});
