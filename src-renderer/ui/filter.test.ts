import { expect, it } from 'vitest';
import { matchesFilter, parseFilter } from './filter.ts';

const fields = new Map([
  ['name', 'srv-0001.lab'],
  ['roles', 'lab-ops readers'],
  ['mac', '52:54:00:aa'],
]);
const row = { fields, all: [...fields.values()].join('\n') };
const matches = (filter: string) => matchesFilter(parseFilter(filter), row);

it('wants every word, wherever it stands', () => {
  expect(matches('0001 readers')).toBe(true);
  expect(matches('0001 writers')).toBe(false);
  expect(matches('')).toBe(true);
});

it('limits a typed term to its column, in any letter case', () => {
  expect(matches('Role:LAB-OPS')).toBe(true);
  expect(matches('name:lab-ops')).toBe(false);
});

it('takes a quoted text as one term, also while the quote is still open', () => {
  expect(matches('"ops readers"')).toBe(true);
  expect(matches('role:"readers lab')).toBe(false);
});

it('reads a prefix that is no column as plain text', () => {
  expect(matches('52:54:00')).toBe(true);
});

it('finds nothing that runs over the edge of two columns', () => {
  expect(matches('lablab-ops')).toBe(false);
  expect(matches('roles:readers role:readers')).toBe(true);
});
