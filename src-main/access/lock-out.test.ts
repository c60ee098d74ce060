import { describe, expect, test } from 'vitest';
import { type AccessState, lockOutProblem, superusers } from './lock-out.ts';

const SUPER = { Name: 'superuser', Claims: [{ scope: '*', action: '*', specific: '*' }] };
const user = (name: string, ...roles: string[]) => ({ Name: name, Roles: roles });
const tenant = (name: string, users: string[], members = {}) => ({ Name: name, Users: users, Members: members });
const state = (
  users: AccessState['users'],
  roles = [SUPER] as AccessState['roles'],
  tenants = [] as AccessState['tenants'],
) => ({
  users,
  roles,
  tenants,
});

const two = state([user('root', 'superuser'), user('ana', 'superuser'), user('bo')]);
const one = state([user('root', 'superuser'), user('bo')]);

describe('the last superuser', () => {
  test('cannot be removed, and the sentence names it', () => {
    expect(lockOutProblem(two, one)).toBeUndefined();
    expect(lockOutProblem(one, state([user('bo')]))).toBe(
      'After this nobody would hold the superuser claim; user root would be the last to lose it',
    );
  });

  test('cannot lose its role', () => {
    expect(lockOutProblem(one, state([user('root'), user('bo')]))).toContain('user root');
  });

  test('cannot lose it by its role being emptied, narrowed or removed', () => {
    for (const claims of [[], [{ scope: '*', action: '*', specific: 'm1' }]]) {
      expect(lockOutProblem(one, state(one.users, [{ Name: 'superuser', Claims: claims }]))).toContain('user root');
    }
    expect(lockOutProblem(one, state(one.users, []))).toContain('user root');
  });

  test('may hand over in one change', () => {
    expect(lockOutProblem(one, state([user('bo', 'superuser')]))).toBeUndefined();
  });

  test('counts whatever its role is called, and only with one claim that is everything', () => {
    const gods = {
      Name: 'gods',
      Claims: [
        { scope: 'x', action: 'y', specific: 'z' },
        { scope: '*', action: '*', specific: '*' },
      ],
    };
    expect(superusers(state([user('ana', 'gods')], [gods])).all).toEqual(['ana']);
    const parts = {
      Name: 'parts',
      Claims: [
        { scope: '*', action: 'get', specific: '*' },
        { scope: 'machines', action: '*', specific: '*' },
      ],
    };
    expect(superusers(state([user('ana', 'parts')], [parts])).all).toEqual([]);
    expect(superusers(state([user('ana', 'gone')], [])).all).toEqual([]);
  });
});

describe('a tenant', () => {
  test('cannot restrict the last superuser nobody restricts', () => {
    const after = state(one.users, [SUPER], [tenant('lab', ['root'], { machines: [] })]);
    expect(lockOutProblem(one, after)).toBe(
      'After this nobody outside a restricting tenant would hold the superuser claim; user root would be the last to lose it',
    );
    const other = state(two.users, [SUPER], [tenant('lab', ['root'], { machines: [] })]);
    expect(lockOutProblem(two, other)).toBeUndefined();
  });

  test('that restricts nothing counts for nothing', () => {
    expect(lockOutProblem(one, state(one.users, [SUPER], [tenant('lab', ['root'])]))).toBeUndefined();
  });

  test('that restricts all superusers already does not stand in the way of other changes', () => {
    const before = state(two.users, [SUPER], [tenant('lab', ['root', 'ana'], { machines: [] })]);
    const after = state(one.users, [SUPER], before.tenants);
    expect(lockOutProblem(before, after)).toBeUndefined();
    expect(lockOutProblem(after, state([user('bo')], [SUPER], before.tenants))).toContain('nobody would hold');
  });
});

describe('a superuser without a password', () => {
  const hash = Buffer.from(`2$1$1$${'00'.repeat(16)}$${'00'.repeat(32)}`).toString('base64');
  const root = { ...user('root', 'superuser'), PasswordHash: hash };
  const ghost = user('ghost', 'superuser');
  const sentence =
    'After this nobody who has a password would hold the superuser claim; user root would be the last to lose it';

  test('is not the one who can undo a change', () => {
    for (const odd of [ghost, { ...ghost, PasswordHash: 'odd' }]) {
      const before = state([root, odd]);
      expect(lockOutProblem(before, state([odd]))).toBe(sentence);
      expect(lockOutProblem(before, state([user('root'), odd]))).toBe(sentence);
      expect(lockOutProblem(before, state([user('root', 'superuser'), odd]))).toBe(sentence);
      expect(lockOutProblem(before, state([root]))).toBeUndefined();
      expect(lockOutProblem(before, state([{ ...odd, PasswordHash: hash }]))).toBeUndefined();
    }
  });

  test('nor the one outside a restricting tenant', () => {
    const walled = [tenant('lab', ['root'], { machines: [] })];
    expect(lockOutProblem(state([root, ghost]), state([root, ghost], [SUPER], walled))).toContain(
      'nobody outside a restricting tenant who has a password',
    );
  });

  test('counts where none had one before', () => {
    expect(lockOutProblem(state([ghost, user('other', 'superuser')]), state([ghost]))).toBeUndefined();
  });
});

test('a system without a superuser is not locked out any further', () => {
  expect(lockOutProblem(state([user('bo')]), state([]))).toBeUndefined();
});
