import { expect, it } from 'vitest';
import { formatQuery, hrefTo, linkTo, parseQuery, readSearch } from './paths.ts';

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

it('links to a question about a request', () => {
  const href = hrefTo('simulator', { user: 'ana', method: 'GET', path: '/api/v3/users?slim=Meta', tab: undefined });
  expect(href.startsWith('#/simulator?')).toBe(true);
  expect(readSearch(parseQuery(href.slice(href.indexOf('?'))))).toEqual({
    user: 'ana',
    method: 'GET',
    path: '/api/v3/users?slim=Meta',
  });
});
