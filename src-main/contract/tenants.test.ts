import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinsOnCreate, leavesOnDelete, sharedUserProblems, userLeaves, visibility } from './tenants.ts';

const members = { machines: ['m1'], profiles: [] };

describe('visibility', () => {
  test('is restricted for the types that are members only; an empty list hides all', () => {
    const seen = visibility({ Members: members });
    expect([seen.sees('machines', 'm1'), seen.sees('machines', 'm2')]).toEqual([true, false]);
    expect([seen.restricts('profiles'), seen.sees('profiles', 'p')]).toEqual([true, false]);
    expect([seen.restricts('users'), seen.sees('users', 'u')]).toEqual([false, true]);
    expect([seen.restricts('constructor'), seen.sees('constructor', 'x')]).toEqual([false, true]);
  });

  test('is not restricted without a tenant', () => {
    expect(visibility(undefined).restricts('machines')).toBe(false);
    expect(visibility(undefined).sees('machines', 'any')).toBe(true);
  });
});

describe('membership', () => {
  test('follows what is created and deleted where the type is listed, and leaves its input alone', () => {
    expect(joinsOnCreate(members, 'machines', 'm2')).toEqual({ machines: ['m1', 'm2'], profiles: [] });
    expect(joinsOnCreate(members, 'profiles', 'p')).toEqual({ machines: ['m1'], profiles: ['p'] });
    expect(joinsOnCreate(members, 'machines', 'm1')).toBeUndefined();
    expect(joinsOnCreate(members, 'users', 'u')).toBeUndefined();
    expect(joinsOnCreate(members, 'toString', 'u')).toBeUndefined();
    expect(leavesOnDelete(members, 'machines', 'm1')).toEqual({ machines: [], profiles: [] });
    expect(leavesOnDelete(members, 'machines', 'm2')).toBeUndefined();
    expect(leavesOnDelete(members, 'users', 'u')).toBeUndefined();
    expect(members).toEqual({ machines: ['m1'], profiles: [] });
  });

  test('makes what its maker created visible, and ends with the object', () => {
    const scope = fc.constantFrom('machines', 'profiles', 'users', '__proto__', 'constructor');
    const keys = fc.uniqueArray(fc.string({ maxLength: 3 }), { maxLength: 4 });
    const anyMembers = fc.array(fc.tuple(scope, keys)).map((entries) => Object.fromEntries(entries));
    fc.assert(
      fc.property(anyMembers, scope, fc.string({ maxLength: 3 }), (before, type, key) => {
        const created = joinsOnCreate(before, type, key) ?? before;
        expect(visibility({ Members: created }).sees(type, key)).toBe(true);
        const deleted = leavesOnDelete(created, type, key) ?? created;
        const restricted = visibility({ Members: before }).restricts(type);
        expect(visibility({ Members: deleted }).sees(type, key)).toBe(!restricted);
        expect(Object.keys(deleted)).toEqual(Object.keys(before));
      }),
      { seed: 57, numRuns: 300 },
    );
  });
});

test('a user leaves its tenant, and may not be in two', () => {
  const one = { Name: 'one', Users: ['ann', 'bob'], Members: {} };
  const two = { Name: 'two', Users: ['bob', 'eve'], Members: {} };
  expect(userLeaves(one.Users, 'ann')).toEqual(['bob']);
  expect(userLeaves(one.Users, 'eve')).toBeUndefined();
  expect(sharedUserProblems(two, [one, two])).toEqual(['User bob already in tenant one']);
  expect(sharedUserProblems(one, [one])).toEqual([]);
  expect(sharedUserProblems({ Name: 'new', Users: ['eve', 'joe', 'bob'] }, [one, two])).toEqual([
    'User eve already in tenant two',
    'User bob already in tenant one',
    'User bob already in tenant two',
  ]);
});
