import { expect, it } from 'vitest';
import { actionsOf, fieldPointers, lastOf, withItem, withLast } from './claim-suggestions.ts';

it('offers the actions of the scopes named', () => {
  expect(actionsOf('info')).toEqual(['*', 'get']);
  expect(actionsOf('users')).toContain('password');
  expect(actionsOf('machines')).toContain('action:callbackDo');
});

it('offers everything while the scope is unknown', () => {
  expect(actionsOf('').length).toBeGreaterThan(actionsOf('users').length);
});

it('completes the last item of a list and adds one only once', () => {
  expect(withLast('get,li', 'list')).toBe('get,list');
  expect(withLast('', 'uuid-1')).toBe('uuid-1');
  expect(lastOf('a, b')).toBe('b');
  expect(withItem('get', 'update:/A')).toBe('get,update:/A');
  expect(withItem('get,update:/A', 'update:/A')).toBe('get,update:/A');
  expect(withItem('*', 'update:/A')).toBe('*');
  expect(withItem('', 'update:/A')).toBe('update:/A');
});

it('lists the fields of objects as pointers, escaped, with how many each covers', () => {
  const objects = [{ Params: { 'callback/action': 1, 'a~b': [{ c: 1 }] } }, { Params: { rack: 2 }, Meta: {} }];
  expect(fieldPointers(objects)).toEqual([
    { pointer: '/Meta', below: 0 },
    { pointer: '/Params', below: 3 },
    { pointer: '/Params/a~0b', below: 0 },
    { pointer: '/Params/callback~1action', below: 0 },
    { pointer: '/Params/rack', below: 0 },
  ]);
});
