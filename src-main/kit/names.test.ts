import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isName, MACHINE_NAME, type NameRule, PARAM_NAME, PLAIN_NAME, USER_NAME } from './names.ts';

test.each<readonly [string, NameRule, boolean]>([
  ['ab', PLAIN_NAME, true],
  ['a', PLAIN_NAME, false],
  ['', PLAIN_NAME, false],
  ['a b-c_d.e1', PLAIN_NAME, true],
  ['1ab', PLAIN_NAME, false],
  ['1ab', MACHINE_NAME, true],
  ['-ab', MACHINE_NAME, false],
  ['a/b', PLAIN_NAME, false],
  ['a/b', PARAM_NAME, true],
  ['a@b', PLAIN_NAME, false],
  ['a@b', USER_NAME, true],
  ['größe', PLAIN_NAME, true],
  ['日本', PLAIN_NAME, true],
  ['a٣', PLAIN_NAME, true],
  ['𝒜b', PLAIN_NAME, true],
  ['a\n', PLAIN_NAME, false],
  ['{asdgasdg', PLAIN_NAME, false],
  ['a\u0000', PLAIN_NAME, false],
])('%j is judged by its rule', (text, rule, expected) => {
  expect(isName(text, rule)).toBe(expected);
});

test('the walk agrees with the published expressions on short texts', () => {
  const published: readonly (readonly [NameRule, RegExp])[] = [
    [PLAIN_NAME, /^\p{L}+([- _.]+|\p{N}+|\p{L}+)+$/u],
    [MACHINE_NAME, /^(\p{L}|\p{N})+([- _.]+|\p{N}+|\p{L}+)+$/u],
    [PARAM_NAME, /^\p{L}+([- _./]+|\p{N}+|\p{L}+)+$/u],
    [USER_NAME, /^\p{L}+([- @_.]+|\p{N}+|\p{L}+)+$/u],
  ];
  const text = fc.string({
    unit: fc.constantFrom('a', 'Z', 'é', '1', '٣', '-', ' ', '_', '.', '/', '@', '!', '\n'),
    maxLength: 7,
  });
  fc.assert(
    fc.property(text, (name) => {
      for (const [rule, shape] of published) expect(isName(name, rule)).toBe(shape.test(name));
    }),
    { seed: 7, numRuns: 500 },
  );
});
