import { expect, it } from 'vitest';
import { membersText, withMembers, withoutScope, withScope } from './members.ts';

it('says what is restricted, or that nothing is', () => {
  expect(membersText({})).toBe('nothing: all objects visible');
  expect(membersText({ profiles: [], machines: ['a', 'b'] })).toBe('machines 2, profiles 0');
});

it('tells an empty list from no list', () => {
  expect(withScope({}, 'machines')).toEqual({ machines: [] });
  expect(withoutScope({ machines: [] }, 'machines')).toEqual({});
  expect(withMembers({ machines: ['a'] }, 'machines', ['b'])).toEqual({ machines: ['b'] });
});
