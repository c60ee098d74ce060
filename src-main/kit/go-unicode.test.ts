import { expect, test } from 'vitest';
import { isLetterOrDigit, isPrint } from './go-unicode.ts';

function count(holds: (code: number) => boolean): number {
  let found = 0;
  for (let code = 0; code <= 0x10ffff; code++) if (holds(code)) found++;
  return found;
}

test('there are as many printable characters, letters and digits as in Unicode 13, whatever the engine knows', () => {
  expect(count(isPrint)).toBe(143_680);
  expect(count(isLetterOrDigit)).toBe(131_891);
});

test.each([
  ['\t', false],
  [' ', true],
  ['~', true],
  ['\x7f', false],
  ['\u00a0', false],
  ['\u00a1', true],
  ['\u00ad', false],
  ['\u2028', false],
  ['\u{1f600}', true],
  ['\ue000', false],
  ['\u{30000}', true],
  // Assigned by Unicode 14, 15 and 16.
  ['\u20c0', false],
  ['\u{1f6dc}', false],
  ['\u{1c89}', false],
])('%j is printable: %s', (character, printable) => {
  expect(isPrint(character.codePointAt(0) ?? 0)).toBe(printable);
});

test('letters and digits are those of every script, without marks and other numbers', () => {
  const accepted = ['a', 'é', '世', '٣', 'ʰ', 'ǅ'].map((character) => isLetterOrDigit(character.codePointAt(0) ?? 0));
  expect(accepted).toEqual(Array(6).fill(true));
  const refused = ['_', '²', 'Ⅷ', '\u0301', '€', '\u1c89'].map((character) =>
    isLetterOrDigit(character.codePointAt(0) ?? 0),
  );
  expect(refused).toEqual(Array(6).fill(false));
});
