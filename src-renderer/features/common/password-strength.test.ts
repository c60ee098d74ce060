import { expect, it } from 'vitest';
import { passwordFault, strengthText } from './password-strength.ts';

it('wants eight characters, another password than before, and the same one twice', () => {
  expect(passwordFault('short', 'short')).toBe('too-short');
  expect(passwordFault('r0cketsk8ts', 'r0cketsk8ts', 'r0cketsk8ts')).toBe('unchanged');
  expect(passwordFault('long enough', 'long enouhg')).toBe('differs');
  expect(passwordFault('long enough', 'long enough', 'r0cketsk8ts')).toBeUndefined();
});

it('says strength in words', () => {
  expect(strengthText('')).toBe('');
  expect(strengthText('abc')).toBe('Too short: 3 of 8 characters');
  expect(strengthText('aaaaaaaaaaaaaaaaaaaa')).toBe('Weak: few different characters');
  expect(strengthText('correct horse battery')).toBe('Strong');
});
