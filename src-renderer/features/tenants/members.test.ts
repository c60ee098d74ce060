import { expect, it } from 'vitest';
import { matchMembers, membersText, restrictedText, withMembers, withoutScope, withScope } from './members.ts';

it('says what is restricted, or that nothing is', () => {
  expect(membersText({})).toBe('nothing: all objects visible');
  expect(membersText({ profiles: [], machines: ['a', 'b'] })).toBe('machines 2, profiles 0');
});

it('tells an empty list from no list', () => {
  expect(withScope({}, 'machines')).toEqual({ machines: [] });
  expect(withoutScope({ machines: [] }, 'machines')).toEqual({});
  expect(withMembers({ machines: ['a'] }, 'machines', ['b'])).toEqual({ machines: ['b'] });
});

it('finds identifiers by name or as they are, and reports what it does not find', () => {
  const known = new Map([
    ['srv-1', 'uuid-1'],
    ['srv-2', 'uuid-2'],
  ]);
  expect(matchMembers('srv-2, uuid-1\nsrv-9 srv-2', known)).toEqual({ ids: ['uuid-2', 'uuid-1'], unknown: ['srv-9'] });
  expect(matchMembers('a b,a', undefined)).toEqual({ ids: ['a', 'b'], unknown: [] });
});

it('counts as visible only what exists, and names the rest', () => {
  const all = new Map([
    ['u1', 'srv-1'],
    ['u2', 'srv-2'],
  ]);
  expect(restrictedText(['u1'], all, true)).toBe('Restricted: 1 of 2 visible');
  expect(restrictedText(['u1', 'u2', 'x', 'y', 'z'], all, true)).toBe('Restricted: 2 of 2 visible, 3 do not exist');
  expect(restrictedText(['x'], all, true)).toBe('Restricted: 0 of 2 visible, 1 does not exist');
  expect(restrictedText(['u1', 'x'], all, false)).toBe('Restricted: 1 of 2 visible, 1 not visible to you');
});
