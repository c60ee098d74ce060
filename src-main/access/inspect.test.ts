import { beforeEach, describe, expect, test } from 'vitest';
import type { Access } from './access.ts';
import { SYSTEM_ACTOR } from './actor.ts';
import { commonWorld, type TestWorld } from './test-world.ts';

let world: TestWorld;
let access: Access;

beforeEach(() => {
  world = commonWorld();
  access = world.access();
});

function tokenFor(user: string, request = {}, grantor = SYSTEM_ACTOR): string {
  return access.issueUserToken(grantor, user, request).token;
}

describe('the inspector', () => {
  test('shows what a token says and that it holds', () => {
    const token = tokenFor('ana', { roles: 'one-machine,superuser', ttl: '60' }, access.bearer(tokenFor('root')));
    const seen = access.inspect(token);
    expect(seen).toMatchObject({ Valid: true, Token: 'user', Narrowing: [{ Roles: ['one-machine'], Claims: [] }] });
    expect(seen.Checks.map(({ What, Ok }) => [What, Ok])).toEqual([
      ['system', true],
      ['expiry', true],
      ['user', true],
      ['grantor', true],
    ]);
    expect(seen.Actor).toMatchObject({
      Name: 'ana',
      Grantor: 'root',
      Narrowed: true,
      DroppedRoles: ['superuser'],
      Issued: '2030-01-01T00:00:00.000Z',
      Expires: '2030-01-01T00:01:00.000Z',
    });
    expect(JSON.stringify(seen)).not.toContain('secret of');
  });

  test('shows each thing that no longer holds on its own line', () => {
    const token = tokenFor('ana', { ttl: '60' }, access.bearer(tokenFor('root')));
    world.now += 60_000;
    world.putUser('ana', { Secret: 'new' });
    world.remove('users', 'root');
    const seen = access.inspect(token);
    expect(seen.Valid).toBe(false);
    expect(seen.Checks.filter(({ Ok }) => !Ok).map(({ Sentence }) => Sentence)).toEqual([
      'Expired at 2030-01-01T00:01:00.000Z',
      'The Secret of user ana was changed',
      'Grantor root no longer exists',
    ]);
  });

  test('says no more of a foreign token than that it is one', () => {
    expect(access.inspect('eyJhbGciOiJIUzI1NiJ9.e30.x')).toMatchObject({ Valid: false, Token: null, Actor: null });
  });
});
