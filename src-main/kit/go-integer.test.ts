import { expect, test } from 'vitest';
import { parseMagnitude } from './go-integer.ts';

test.each([
  ['0', 0n],
  ['00', 0n],
  ['0x00', 0n],
  ['42', 42n],
  ['0x1F', 31n],
  ['0o17', 15n],
  ['017', 15n],
  ['00017', 15n],
  ['0b101', 5n],
  [`0x${'0'.repeat(100)}1`, 1n],
  ['18446744073709551615', 18446744073709551615n],
  [`0b${'1'.repeat(64)}`, 18446744073709551615n],
  ['18446744073709551616', undefined],
  [`0b1${'0'.repeat(64)}`, undefined],
  ['08', undefined],
  ['0x', undefined],
  ['0b2', undefined],
  ['1e3', undefined],
  ['a', undefined],
  ['', undefined],
  ['1_0', undefined],
])('%s', (text, value) => {
  expect(parseMagnitude(text)).toBe(value);
});

test('a million digits are refused without converting them', () => {
  expect(parseMagnitude('1'.repeat(1_000_000))).toBeUndefined();
  expect(parseMagnitude(`${'0'.repeat(1_000_000)}7`)).toBe(7n);
});
