import { expect, it } from 'vitest';
import { formatSort, parseSort } from './sorting.ts';

it('goes from address to order and back', () => {
  const sorting = parseSort('Name.desc,Stage.asc', ['Name', 'Stage']);
  expect(sorting).toEqual([
    { id: 'Name', desc: true },
    { id: 'Stage', desc: false },
  ]);
  expect(formatSort(sorting)).toBe('Name.desc,Stage.asc');
});

it('starts with the first column', () => {
  expect(parseSort(undefined, ['Name', 'Stage'])).toEqual([{ id: 'Name', desc: false }]);
});

it('ignores columns that are not there and an empty order', () => {
  expect(parseSort('Bogus.asc,,x', ['Name'])).toEqual([]);
  expect(formatSort([])).toBeUndefined();
});
