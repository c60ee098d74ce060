import { expect, test } from 'vitest';
import { Problem } from '../contract/errors.ts';
import { readTtl } from './ttl.ts';

test.each([
  [undefined, 3600],
  ['', 3600],
  ['330', 330],
  ['+5', 5],
  ['1', 1],
  ['0007', 7],
  ['94608000', 94_608_000],
])('ttl %j is %i seconds', (ttl, seconds) => {
  expect(readTtl(ttl, 'ana')).toBe(seconds);
});

test.each([
  ['cow', 'strconv.ParseInt: parsing "cow": invalid syntax'],
  ['1h', 'strconv.ParseInt: parsing "1h": invalid syntax'],
  ['1.5', 'strconv.ParseInt: parsing "1.5": invalid syntax'],
  [' 1', 'strconv.ParseInt: parsing " 1": invalid syntax'],
  ['"\n', 'strconv.ParseInt: parsing "\\"\\n": invalid syntax'],
  ['9223372036854775808', 'strconv.ParseInt: parsing "9223372036854775808": value out of range'],
  ['9'.repeat(5000), `strconv.ParseInt: parsing "${'9'.repeat(5000)}": value out of range`],
  ['0', 'ttl must be at least 1 second, not 0'],
  ['-0', 'ttl must be at least 1 second, not -0'],
  ['-1', 'ttl must be at least 1 second, not -1'],
  ['9223372036854775807', 'ttl must be at most 3153600000 seconds (100 years), not 9223372036854775807'],
])('ttl %j is refused', (ttl, message) => {
  const attempt = (): number => readTtl(ttl, 'ana');
  expect(attempt).toThrow(Problem);
  expect(attempt).toThrow(expect.objectContaining({ status: 400, model: 'users', key: 'ana', messages: [message] }));
});
