import { describe, expect, test } from 'vitest';
import { fill, MODELS, structuralErrors } from '../models/index.ts';
import { discoveryClaims, operationsClaims, ownUserClaims, requiredFeature } from './builtin.ts';
import { compileGrants } from './compile.ts';
import { lintClaims } from './lint.ts';
import { type Claim, SUPERUSER_CLAIM } from './parse.ts';

const claim = (scope: string, action: string, specific: string): Claim => ({ scope, action, specific });
const codes = (...claims: Claim[]): string[] => lintClaims(claims).map((lint) => `${lint.claimIndex} ${lint.code}`);

describe('lints', () => {
  const rows: [string, Claim[], string[]][] = [
    ['a sound claim', [claim('machines', 'list,get', '*')], []],
    ['the empty claim', [claim('', '', '')], ['0 empty-claim']],
    ['an empty action', [claim('machines', '', '*')], ['0 partly-empty']],
    ['an unknown scope', [claim('machine', 'delete', '*')], ['0 unknown-scope']],
    ['an action that one of the scopes lacks', [claim('machines,info', 'delete', '*')], ['0 unknown-action']],
    ['a broken pointer', [claim('machines', 'update:Name', '*')], ['0 malformed-pointer']],
    ['a qualifier nobody asks for', [claim('machines', 'delete:x', '*')], ['0 unused-qualifier']],
    ['a star in a list', [claim('machines', 'delete', 'a,*')], ['0 star-in-list']],
    ['list with identifiers', [claim('machines', 'list,get', 'a')], ['0 list-with-identifiers']],
    ['get without list', [claim('machines', 'get', '*')], ['0 get-without-list']],
    ['list without get', [claim('machines', 'list', '*')], ['0 list-without-get']],
    ['get and list in two claims', [claim('machines', 'get', '*'), claim('machines', 'list', '*')], []],
    ['a duplicate', [claim('users', 'delete', 'a,b'), claim('users', 'delete', 'b,a')], ['1 duplicate']],
    ['a contained claim', [claim('users', 'delete', 'a'), claim('users', 'delete', '*')], ['0 contained']],
    ['the superuser claim', [SUPERUSER_CLAIM], ['0 superuser']],
  ];
  test.each(rows)('%s', (_what, claims, expected) => {
    expect(codes(...claims)).toEqual(expected);
  });

  test('leave the built-in superuser role alone', () => {
    expect(lintClaims([SUPERUSER_CLAIM], 'superuser')).toEqual([]);
  });

  const refused = (one: Claim): boolean =>
    structuralErrors(MODELS.roles, fill(MODELS.roles, { Name: 'some-role', Claims: [one] })).length > 0;

  test('call an error what saving refuses', () => {
    // The editor wants every scope to have the action, saving is content with one; saving minds qualifiers.
    const differing = new Set(['an action that one of the scopes lacks', 'a qualifier nobody asks for']);
    for (const one of [
      ...rows.flatMap(([what, claims]) => (differing.has(what) ? [] : claims)),
      claim('', 'get', '*'),
      claim('*', 'bogus', '*'),
      claim('*', 'getSecure', '*'),
      claim('*', '*', ''),
    ]) {
      const errors = lintClaims([one]).filter((lint) => lint.severity === 'error');
      expect([one, errors.length > 0]).toEqual([one, refused(one)]);
    }
  });
});

describe('claims that no role gives', () => {
  test('let a user read itself, change its password and fetch its token, and nothing of others', () => {
    const own = compileGrants([{ claims: ownUserClaims('ann') }]);
    for (const action of ['get', 'password', 'token']) {
      expect([own.allows('users', action, 'ann'), own.allows('users', action, 'bob')]).toEqual([true, false]);
    }
    expect(own.allows('users', 'update:/Roles', 'ann')).toBe(false);
    expect(own.allows('users', 'list', '*')).toBe(false);
    expect(own.allows('info', 'get', '')).toBe(true);
  });

  test('let a discovery token create and get machines only', () => {
    const discovery = compileGrants([{ claims: discoveryClaims }]);
    expect(discovery.allows('machines', 'create', '')).toBe(true);
    expect(discovery.allows('machines', 'get', 'm1')).toBe(true);
    expect(discovery.allows('machines', 'update:/Name', 'm1')).toBe(false);
    expect(discovery.allows('machines', 'list', '*')).toBe(false);
  });

  test('let a machine work on itself, its jobs and its reservation only', () => {
    const machine = compileGrants([{ claims: operationsClaims('m1', 'C0A86467') }]);
    for (const [scope, action] of [
      ['machines', 'update:/Stage'],
      ['jobs', 'create'],
      ['jobs', 'log'],
    ] as const) {
      expect([scope, machine.allows(scope, action, 'm1'), machine.allows(scope, action, 'm2')]).toEqual([
        scope,
        true,
        false,
      ]);
    }
    expect(machine.allows('reservations', 'create', 'C0A86467')).toBe(true);
    expect(machine.allows('reservations', 'create', 'C0A86468')).toBe(false);
    expect(machine.allows('events', 'post', '*')).toBe(true);
    expect(machine.allows('tasks', 'get', 't')).toBe(true);
    expect(machine.allows('machines', 'delete', 'm1')).toBe(false);
    expect(machine.allows('machines', 'list', '*')).toBe(false);
  });

  test('roles and tenants need the rbac feature for all but reading', () => {
    expect(requiredFeature('roles', 'list')).toBeUndefined();
    expect(requiredFeature('tenants', 'get')).toBeUndefined();
    expect(requiredFeature('tenants', 'update:/Users')).toBe('rbac');
    expect(requiredFeature('roles', 'action:x')).toBe('rbac');
    expect(requiredFeature('users', 'create')).toBeUndefined();
  });
});
