import { expect, it } from 'vitest';
import { createArranger, naturalKey } from './arrange.ts';

interface Row {
  readonly name: string;
  readonly size: number | '';
}
const rows: readonly Row[] = [
  { name: 'srv-10', size: 2 },
  { name: 'Srv-9', size: 10 },
  { name: 'ämter', size: '' },
  { name: 'zoo', size: 2 },
];
const columns = [
  { id: 'N', header: 'Name', value: (row: Row) => row.name },
  { id: 'S', header: 'Size', value: (row: Row) => row.size },
];
const names = (filter: string, ...sorting: { id: string; desc: boolean }[]) =>
  createArranger(columns)(rows, filter, sorting).map((row) => row.name);

it('sorts as people read: numbers inside of texts by value, letter case and accents aside', () => {
  expect(names('', { id: 'N', desc: false })).toEqual(['ämter', 'Srv-9', 'srv-10', 'zoo']);
  expect(naturalKey('10.0.0.9') < naturalKey('10.0.0.10')).toBe(true);
  expect(naturalKey('É')).toBe('e');
});

it('sorts numbers by value, empty cells last, equals by the next column, and then as they came', () => {
  expect(names('', { id: 'S', desc: false })).toEqual(['srv-10', 'zoo', 'Srv-9', 'ämter']);
  expect(names('', { id: 'S', desc: false }, { id: 'N', desc: true })).toEqual(['zoo', 'srv-10', 'Srv-9', 'ämter']);
});

it('filters without losing the order', () => {
  expect(names('srv', { id: 'N', desc: true })).toEqual(['srv-10', 'Srv-9']);
  expect(names('size:10')).toEqual(['Srv-9']);
});

it('asks each row once, however often the filter changes', () => {
  let asked = 0;
  const counting = [{ id: 'N', header: 'Name', value: (row: Row) => `${row.name}${++asked > 0 ? '' : '!'}` }];
  const arrange = createArranger(counting);
  for (const filter of ['s', 'sr', 'srv', '']) arrange(rows, filter, [{ id: 'N', desc: false }]);
  // Once for the text, once for the order.
  expect(asked).toBe(2 * rows.length);
});

it('sees a replaced row, and a new order', () => {
  const arrange = createArranger(columns);
  expect(arrange(rows, 'zoo', [])).toHaveLength(1);
  const next = rows.map((row) => (row.name === 'zoo' ? { ...row, name: 'ark' } : row));
  expect(arrange(next, 'zoo', [])).toHaveLength(0);
  expect(arrange(next, '', [{ id: 'N', desc: true }]).map((row) => row.name)).toEqual([
    'srv-10',
    'Srv-9',
    'ark',
    'ämter',
  ]);
});
