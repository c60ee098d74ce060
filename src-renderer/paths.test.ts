import { expect, it } from 'vitest';
import { formatQuery, linkTo, parseQuery, readSearch } from './paths.ts';

it('keeps text as text: a filter 42 stays the text 42', () => {
  expect(readSearch(parseQuery('?q=42&sel=a%2Fb&bogus=1'))).toEqual({ q: '42', sel: 'a/b' });
});

it('leaves out what is not set', () => {
  expect(formatQuery({ q: '', sel: undefined, tab: 'json' })).toBe('?tab=json');
  expect(formatQuery({})).toBe('');
});

it('brings every key back as it was', () => {
  for (const key of ['a b', 'ä/ö?', 'x&y=z', '#', '100%']) {
    expect(parseQuery(formatQuery(linkTo('users', key).search))).toEqual({ sel: key });
  }
});
