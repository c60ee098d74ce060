import { describe, expect, test } from 'vitest';
import type { AccessState } from './lock-out.ts';
import { type PastRequest, simulate, withDraft } from './simulate.ts';
import { claim } from './test-world.ts';

const before: AccessState = {
  users: [
    { Name: 'root', Roles: ['superuser'] },
    { Name: 'ana', Roles: ['lab-ops'] },
    { Name: 'bo', Roles: ['lab-ops', 'viewer'] },
    { Name: 'cy', Roles: [] },
  ],
  roles: [
    { Name: 'superuser', Claims: [{ ...claim('*', '*', '*') }] },
    { Name: 'lab-ops', Claims: [{ ...claim('machines', 'get,action', '*') }] },
    { Name: 'viewer', Claims: [{ ...claim('*', 'get,list', '*') }] },
  ],
  tenants: [{ Name: 'lab', Users: ['bo'], Members: { machines: ['m1'] } }],
};

const past = (User: string, scope: string, action: string, key: string): PastRequest => ({
  Time: '2030-01-01T00:00:00Z',
  User,
  Method: 'GET',
  Path: `/api/v3/${scope}/${key}`,
  claims: [{ scope, action, specific: key }],
  touches: [{ scope, key }],
});

const licensed = (): boolean => true;

describe('a changed role', () => {
  const draft = { Name: 'lab-ops', Claims: [{ ...claim('machines', 'get,update', '*') }] };
  const after = withDraft(before, 'roles', 'lab-ops', draft);

  test('shows who gains and who loses which claims', () => {
    const { Users, UsersCompared } = simulate(before, after, [], licensed);
    expect(UsersCompared).toBe(4);
    const gained = [claim('machines', 'get,update', '*')];
    const lost = [claim('machines', 'get,action', '*')];
    expect(Users.map(({ User, Gained, Lost }) => ({ User, Gained, Lost }))).toEqual([
      { User: 'ana', Gained: gained, Lost: lost },
      { User: 'bo', Gained: gained, Lost: lost },
    ]);
  });

  test('shows which requests of the past would be answered otherwise', () => {
    const requests = [
      past('ana', 'machines', 'action:powerOn', 'm1'),
      past('ana', 'machines', 'update:/Name', 'm1'),
      past('ana', 'machines', 'get', 'm1'),
      past('bo', 'machines', 'update', 'm2'),
      past('gone', 'machines', 'get', 'm1'),
      past('ana', 'users', 'get', 'ana'),
    ];
    const { Flipped, RequestsCompared } = simulate(before, after, requests, licensed);
    expect(RequestsCompared).toBe(6);
    expect(Flipped.map(({ User, Path, Before, After }) => [User, Path, Before, After])).toEqual([
      ['ana', '/api/v3/machines/m1', 'allowed', 'claim'],
      ['ana', '/api/v3/machines/m1', 'claim', 'allowed'],
    ]);
  });

  test('that says the same in other words changes nothing', () => {
    const same = { Name: 'lab-ops', Claims: [{ ...claim('machines', 'action, get', '*') }] };
    expect(simulate(before, withDraft(before, 'roles', 'lab-ops', same), [], licensed).Users).toEqual([]);
  });

  test('that is removed takes its claims from all who hold it', () => {
    const { Users } = simulate(before, withDraft(before, 'roles', 'superuser', undefined), [], licensed);
    expect(Users).toEqual([
      {
        User: 'root',
        Gained: [],
        Lost: [claim('*', '*', '*')],
        Sight: [],
        Superuser: { Before: true, After: false },
      },
    ]);
  });

  test('that would lock everybody out says so', () => {
    const { LockOut } = simulate(before, withDraft(before, 'roles', 'superuser', undefined), [], licensed);
    expect(LockOut).toContain('nobody would hold the superuser claim');
    expect(simulate(before, after, [], licensed).LockOut).toBeNull();
  });
});

describe('a changed tenant', () => {
  const change = (users: string[], members: Record<string, string[]>) =>
    withDraft(before, 'tenants', 'lab', { Name: 'lab', Users: users, Members: members });

  test('shows what its users gain and lose from sight', () => {
    const { Users } = simulate(before, change(['bo'], { machines: ['m2', 'm3'], stages: [] }), [], licensed);
    expect(Users).toHaveLength(1);
    expect(Users[0]?.Sight).toEqual([
      { Scope: 'machines', Before: 1, After: 2, Gained: ['m2', 'm3'], Lost: ['m1'] },
      { Scope: 'stages', Before: null, After: 0, Gained: [], Lost: [] },
    ]);
  });

  test('that no longer restricts a type shows all of it again', () => {
    const { Users } = simulate(before, change(['bo'], {}), [], licensed);
    expect(Users[0]?.Sight).toEqual([{ Scope: 'machines', Before: 1, After: null, Gained: [], Lost: [] }]);
  });

  test('moves users in and out, and flips what they asked for', () => {
    const requests = [past('bo', 'machines', 'get', 'm2'), past('ana', 'machines', 'get', 'm2')];
    const { Users, Flipped } = simulate(before, change(['ana'], { machines: ['m1'] }), requests, licensed);
    expect(Users.map(({ User }) => User)).toEqual(['ana', 'bo']);
    expect(Flipped.map(({ User, Before, After }) => [User, Before, After])).toEqual([
      ['bo', 'tenant', 'allowed'],
      ['ana', 'allowed', 'tenant'],
    ]);
  });
});

test('a request that needs a license is told apart', () => {
  const request = past('root', 'roles', 'update', 'viewer');
  const demoted = withDraft(before, 'users', 'root', { Name: 'root', Roles: [] });
  expect(simulate(before, demoted, [request], () => false).Flipped).toEqual([]);
  expect(simulate(before, demoted, [request], licensed).Flipped[0]).toMatchObject({
    Before: 'allowed',
    After: 'claim',
  });
});

test('nothing of the states compared is changed', () => {
  const copy = structuredClone(before);
  simulate(before, withDraft(before, 'users', 'ana', undefined), [past('ana', 'machines', 'get', 'm1')], licensed);
  expect(before).toEqual(copy);
});
