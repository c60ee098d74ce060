import { beforeEach, describe, expect, test } from 'vitest';
import type { Access } from './access.ts';
import { isOwnUserRoute, SYSTEM_ACTOR } from './actor.ts';
import { claim, commonWorld, expectDead, failure, type TestWorld } from './test-world.ts';

let world: TestWorld;
let access: Access;

beforeEach(() => {
  world = commonWorld();
  access = world.access();
});

function tokenFor(user: string, request = {}, grantor = SYSTEM_ACTOR): string {
  return access.issueUserToken(grantor, user, request).token;
}

describe('a token with roles', () => {
  test('carries those roles only, not the own-user claim', () => {
    const { token, dropped } = access.issueUserToken(SYSTEM_ACTOR, 'root', { roles: 'lab-ops' });
    expect(dropped).toEqual([]);
    const actor = access.bearer(token);
    expect(actor.narrowed).toBe(true);
    expect(actor.allows('machines', 'get', 'm1')).toBe(true);
    expect(actor.allows('machines', 'delete', 'm1')).toBe(false);
    for (const action of ['get', 'password', 'token']) expect(actor.allows('users', action, 'root')).toBe(false);
    expect(isOwnUserRoute(actor, 'users', 'token', 'root')).toBe(false);
  });

  test('drops what would widen it, and roles that do not exist, and says which', () => {
    const { token, dropped } = access.issueUserToken(SYSTEM_ACTOR, 'ana', {
      roles: ' one-machine , superuser,nobody,one-machine',
    });
    expect(dropped).toEqual(['superuser', 'nobody']);
    const actor = access.bearer(token);
    expect(actor.allows('machines', 'get', 'm1')).toBe(true);
    expect(actor.allows('machines', 'get', 'm2')).toBe(false);
    expect(actor.describe()).toMatchObject({
      Roles: ['one-machine'],
      DroppedRoles: ['superuser', 'nobody'],
      OwnUser: false,
    });
  });

  test('grants nothing when all of them were dropped', () => {
    const actor = access.bearer(tokenFor('ana', { roles: 'superuser' }));
    expect(actor.narrowed).toBe(true);
    expect(actor.allows('machines', 'get', 'm1')).toBe(false);
    expect(actor.allows('users', 'get', 'ana')).toBe(false);
    expect(actor.allows('info', 'get', '')).toBe(false);
  });

  test.each(['', ' ', ',', ' , '])('that names none (%j) is not narrowed', (roles) => {
    expect(access.bearer(tokenFor('ana', { roles })).narrowed).toBe(false);
  });

  test('loses a role with its user', () => {
    const token = tokenFor('ana', { roles: 'lab-ops' });
    expect(access.bearer(token).allows('machines', 'get', 'm1')).toBe(true);
    world.putUser('ana', { Roles: [] });
    expect(access.bearer(token).allows('machines', 'get', 'm1')).toBe(false);
  });

  test('gains nothing when its role is widened beyond the rights of the user', () => {
    const token = tokenFor('ana', { roles: 'one-machine' });
    world.putRole('one-machine', claim('*', '*', '*'));
    const actor = access.bearer(token);
    expect(actor.allows('machines', 'get', 'm2')).toBe(true);
    expect(actor.allows('machines', 'delete', 'm1')).toBe(false);
    expect(actor.allows('users', 'token', 'root')).toBe(false);
  });

  test('cannot fetch its user a fuller token, even when its role includes getting tokens', () => {
    world.putRole('tokens', claim('users', 'token', '*'));
    const narrowed = access.bearer(tokenFor('root', { roles: 'tokens' }));
    const again = access.bearer(tokenFor('root', {}, narrowed));
    expect(again.narrowed).toBe(true);
    expect(again.allows('users', 'token', 'root')).toBe(true);
    expect(again.allows('machines', 'get', 'm1')).toBe(false);
    expect(again.allows('users', 'get', 'root')).toBe(false);
    const byClaim = access.bearer(tokenFor('root', { scope: 'users', action: 'token' }));
    expect(access.bearer(tokenFor('root', {}, byClaim)).allows('machines', 'get', 'm1')).toBe(false);
  });
});

describe('a token with scope, action or specific', () => {
  test('is narrowed to that claim, each missing part meaning all', () => {
    const actor = access.bearer(tokenFor('ana', { action: 'get' }));
    expect(actor.allows('machines', 'get', 'm1')).toBe(true);
    expect(actor.allows('machines', 'list', '*')).toBe(false);
    expect(actor.allows('users', 'get', 'ana')).toBe(false);
    expect(actor.describe().Claims).toEqual([claim('*', 'get', '*')]);
  });

  test('never has more than its user', () => {
    const actor = access.bearer(tokenFor('ana', { scope: '*', action: '*', specific: '*' }));
    expect(actor.allows('machines', 'delete', 'm1')).toBe(false);
    expect(actor.allows('machines', 'get', 'm1')).toBe(true);
  });

  test('may name scopes that do not exist', () => {
    const actor = access.bearer(tokenFor('root', { scope: 'all', action: 'list', specific: 'asdgag', ttl: '330' }));
    expect(actor.allows('machines', 'list', '*')).toBe(false);
  });

  test('grants nothing when all three are empty', () => {
    const actor = access.bearer(tokenFor('root', { scope: '', action: '', specific: '' }));
    expect(actor.narrowed).toBe(true);
    expect(actor.allows('machines', 'get', 'm1')).toBe(false);
    expect(actor.allows('', '', '')).toBe(false);
  });

  test('and roles is narrowed by both', () => {
    const actor = access.bearer(tokenFor('root', { roles: 'lab-ops', action: 'get' }));
    expect(actor.allows('machines', 'get', 'm1')).toBe(true);
    expect(actor.allows('machines', 'list', '*')).toBe(false);
    expect(actor.allows('stages', 'get', 's')).toBe(false);
  });
});

describe('a token request', () => {
  test('for a user that does not exist is not found', () => {
    expect(failure(() => tokenFor('ghost', { ttl: 'cow' }))).toMatchObject({
      code: 'not-found',
      model: 'users',
      key: 'ghost',
    });
  });

  test('by a caller that no longer exists is not found', () => {
    const root = access.bearer(tokenFor('root'));
    world.remove('users', 'root');
    expect(failure(() => tokenFor('ana', {}, root))).toMatchObject({ code: 'not-found', key: 'root' });
  });

  test('needs the claim before the ttl is looked at', () => {
    const ana = access.bearer(tokenFor('ana'));
    expect(failure(() => tokenFor('bo', { ttl: 'cow' }, ana)).messages).toEqual([
      'Cannot access /api/v3/users/bo/token',
      'Requires: users token bo',
    ]);
    expect(failure(() => tokenFor('ana', { ttl: 'cow' }, ana)).code).toBe('bad-request');
    expect(access.bearer(tokenFor('ana', {}, ana)).describe().Grantor).toBe('ana');
  });
});

describe('a token got with a token', () => {
  const by = (token: string, user: string): string => access.issueUserToken(access.bearer(token), user, {}).token;

  test('ends with the Secret of whoever granted the first', () => {
    world.putUser('helper', { Roles: ['superuser'] });
    const first = by(tokenFor('helper'), 'ana');
    const second = by(first, 'ana');
    const third = by(second, 'ana');
    expect(access.bearer(third).name).toBe('ana');
    world.putUser('helper', { Secret: 'new' });
    for (const token of [first, second, third]) expectDead(access, token, 'changed');
    expect(access.bearer(tokenFor('ana')).name).toBe('ana');
  });

  test('ends with the account of whoever granted the first', () => {
    world.putUser('helper', { Roles: ['superuser'] });
    const second = by(by(tokenFor('helper'), 'ana'), 'ana');
    world.remove('users', 'helper');
    expectDead(access, second, 'changed');
    expect(access.inspect(second).Checks).toContainEqual({
      What: 'grantor',
      Ok: false,
      Sentence: 'Grantor helper no longer exists',
    });
  });

  test('does not grow with every renewal', () => {
    let token = tokenFor('ana');
    const lengths = Array.from({ length: 5 }, () => {
      token = by(token, 'ana');
      return token.length;
    });
    expect(new Set(lengths.slice(1)).size).toBe(1);
  });
});
