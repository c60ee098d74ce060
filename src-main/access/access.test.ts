import { beforeEach, describe, expect, test } from 'vitest';
import type { Access, DeadTokenEvent } from './access.ts';
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

describe('a dead token', () => {
  let reports: DeadTokenEvent[];
  const origin = { requestId: 'r', url: '/api/v3/machines' };
  const send = (token: string): void => expectRefused(() => access.bearer(token, origin));
  const expectRefused = (run: () => unknown): void => expect(failure(run)).toMatchObject({ code: 'dead-token' });

  beforeEach(() => {
    reports = [];
    access = world.access({ onDeadToken: (event) => reports.push(event) });
  });

  test('of somebody who is there is reported, with the request it came with and why', () => {
    const [changed, expired] = [tokenFor('ana'), tokenFor('bo', { ttl: '60' })];
    world.machines.set('m1', { secret: 'one' });
    const ofMachine = access.issueMachineToken('operations', 'm1');
    world.putUser('ana', { Secret: 'changed' });
    world.machines.set('m1', { secret: 'two' });
    world.now += 120_000;
    for (const token of [changed, expired, ofMachine]) send(token);
    expect(reports).toEqual([
      { ...origin, scope: 'users', subject: 'ana', sentence: 'Validation failed' },
      { ...origin, scope: 'users', subject: 'bo', sentence: expect.stringMatching(/^The token expired at/) },
      { ...origin, scope: 'machines', subject: 'm1', sentence: 'Validation failed' },
    ]);
    expectRefused(() => access.bearer(changed));
    expect(reports).toHaveLength(3);
  });

  test('that anybody could make up, or of somebody who is gone, is not', () => {
    const gone = tokenFor('bo');
    world.remove('users', 'bo');
    for (const token of ['made-up', '', gone, `${tokenFor('ana')}x`]) send(token);
    expect(reports).toEqual([]);
  });

  test('that keeps coming is reported ten times a minute, and not at the cost of others', () => {
    const [ana, bo] = [tokenFor('ana'), tokenFor('bo')];
    for (const user of ['ana', 'bo']) world.putUser(user, { Secret: 'changed' });
    for (let i = 0; i < 50; i++) send(ana);
    send(bo);
    expect(reports.map(({ subject }) => subject)).toEqual([...Array<string>(10).fill('ana'), 'bo']);
    world.now += 6_000;
    send(ana);
    send(ana);
    expect(reports).toHaveLength(12);
  });
});

describe('a token without roles', () => {
  test('acts with all rights of its user, roles and own-user claim', () => {
    const actor = access.bearer(tokenFor('ana'));
    expect(actor).toMatchObject({ kind: 'user', name: 'ana', narrowed: false, tenant: undefined });
    expect(actor.allows('machines', 'action:powerOn', 'm1')).toBe(true);
    expect(actor.allows('machines', 'update', 'm1')).toBe(false);
    for (const action of ['get', 'password', 'token']) {
      expect(actor.allows('users', action, 'ana')).toBe(true);
      expect(actor.allows('users', action, 'bo')).toBe(false);
    }
    expect(actor.allows('users', 'update', 'ana')).toBe(false);
    expect(actor.allows('users', 'delete', 'ana')).toBe(false);
    expect(actor.allows('users', 'list', '*')).toBe(false);
  });

  test('lets a user without any role see itself and the info, nothing else', () => {
    const actor = access.bearer(tokenFor('bo'));
    expect(actor.allows('info', 'get', '')).toBe(true);
    expect(actor.allows('users', 'get', 'bo')).toBe(true);
    expect(actor.allows('indexes', 'list', '*')).toBe(false);
    expect(actor.allows('events', 'post', '*')).toBe(false);
    expect(actor.allows('machines', 'get', 'm1')).toBe(false);
  });

  test('is not fooled by a user name that looks like a list', () => {
    world.putUser('x,root,*');
    const actor = access.bearer(tokenFor('x,root,*'));
    expect(actor.allows('users', 'token', 'root')).toBe(false);
    expect(actor.allows('users', 'token', '*')).toBe(false);
    expect(actor.allows('users', 'token', 'x,root,*')).toBe(true);
  });

  test('follows its roles at each use: edited, deleted, given and taken', () => {
    const token = tokenFor('ana');
    world.putRole('lab-ops', claim('stages', 'get', '*'));
    expect(access.bearer(token).allows('machines', 'get', 'm1')).toBe(false);
    expect(access.bearer(token).allows('stages', 'get', 's')).toBe(true);
    world.remove('roles', 'lab-ops');
    expect(access.bearer(token).allows('stages', 'get', 's')).toBe(false);
    expect(access.bearer(token).describe().MissingRoles).toEqual(['lab-ops']);
    world.putUser('ana', { Roles: ['superuser'] });
    expect(access.bearer(token).allows('machines', 'delete', 'm1')).toBe(true);
    world.putUser('ana', { Roles: [] });
    expect(access.bearer(token).allows('machines', 'delete', 'm1')).toBe(false);
  });
});

test('a role replaced by another value of the same revision is noticed', () => {
  const token = tokenFor('ana');
  access.bearer(token);
  const { revision } = world.role('lab-ops') ?? { revision: 0 };
  world.prefer('deniedReads', 'conceal');
  const value = { Name: 'lab-ops', Claims: [{ ...claim('stages', 'get', '*') }] };
  world.role = () => ({ value, revision });
  expect(access.bearer(token).allows('machines', 'get', 'm1')).toBe(false);
  expect(access.bearer(token).allows('stages', 'get', 's')).toBe(true);
});

describe('a token dies', () => {
  test('when it expires, to the millisecond', () => {
    const { token, expires } = access.issueUserToken(SYSTEM_ACTOR, 'ana', { ttl: '10' });
    expect(expires.getTime() - world.now).toBe(10_000);
    world.now += 9_999;
    access.bearer(token);
    world.now += 1;
    expectDead(access, token, 'unknown');
  });

  test('when the Secret of its user changes', () => {
    const token = tokenFor('ana');
    access.bearer(token);
    world.putUser('ana', { Secret: 'new' });
    expectDead(access, token, 'changed');
  });

  test('when its user is deleted, also when one of that name comes back', () => {
    const token = tokenFor('ana');
    world.remove('users', 'ana');
    expectDead(access, token, 'changed');
    world.putUser('ana', { Secret: 'another life' });
    expectDead(access, token, 'changed');
  });

  test('when the Secret of its grantor changes, or the grantor is deleted', () => {
    const root = access.bearer(tokenFor('root'));
    const token = tokenFor('ana', {}, root);
    access.bearer(token);
    const before = world.user('root')?.value['Secret'] as string;
    world.putUser('root', { Secret: 'new' });
    expectDead(access, token, 'changed');
    world.putUser('root', { Secret: before });
    access.bearer(token);
    world.remove('users', 'root');
    expectDead(access, token, 'changed');
  });

  test('when the system Secret changes', () => {
    const token = tokenFor('ana');
    access.bearer(token);
    world.prefer('baseTokenSecret', 'c'.repeat(32));
    expectDead(access, token, 'unknown');
  });

  test('when the system granted it and the Secret of the system as grantor changes', () => {
    const token = tokenFor('ana');
    const byRoot = tokenFor('ana', {}, access.bearer(tokenFor('root', {}, access.bearer(tokenFor('root')))));
    world.prefer('systemGrantorSecret', 'new');
    expectDead(access, token, 'changed');
    access.bearer(byRoot);
  });

  test('for others only: an unrelated change leaves it alone', () => {
    const token = tokenFor('ana');
    world.putUser('bo', { Secret: 'new' });
    expect(access.bearer(token).name).toBe('ana');
  });
});

test('a token survives a restart', () => {
  const token = tokenFor('ana');
  access = world.access();
  expect(access.bearer(token).name).toBe('ana');
});

test('no secret can be read from a token', () => {
  const token = tokenFor('ana', {}, access.bearer(tokenFor('root')));
  const text = Buffer.from(token.split('.')[0] ?? '', 'base64url').toString();
  expect(text).toContain('ana');
  expect(text).not.toContain('secret');
});

test('without a system Secret there are no tokens, and the error says so', () => {
  world.prefer('baseTokenSecret', '');
  expect(failure(() => access.bearer('a.b')).code).toBe('internal');
  expect(failure(() => tokenFor('ana')).messages[0]).toContain('baseTokenSecret');
});

describe('a tenant', () => {
  beforeEach(() => world.putTenant('lab', ['ana', 'bo'], { machines: ['m1'], users: [] }));

  test('shows the listed objects of the types it names, and all of any other', () => {
    const actor = access.bearer(tokenFor('ana'));
    expect(actor.tenant).toBe('lab');
    expect(actor.restricts('machines')).toBe(true);
    expect(actor.sees('machines', 'm1')).toBe(true);
    expect(actor.sees('machines', 'm2')).toBe(false);
    expect(actor.restricts('stages')).toBe(false);
    expect(actor.sees('stages', 'any')).toBe(true);
  });

  test('leaves the own-user routes alone', () => {
    const actor = access.bearer(tokenFor('ana'));
    expect(actor.sees('users', 'ana')).toBe(false);
    for (const action of ['get', 'password', 'token']) {
      expect(isOwnUserRoute(actor, 'users', action, 'ana')).toBe(true);
      expect(isOwnUserRoute(actor, 'users', action, 'bo')).toBe(false);
    }
    expect(isOwnUserRoute(actor, 'users', 'update', 'ana')).toBe(false);
    expect(isOwnUserRoute(actor, 'machines', 'get', 'ana')).toBe(false);
  });

  test('applies to living tokens as soon as it changes', () => {
    const token = tokenFor('ana');
    expect(access.bearer(token).sees('machines', 'm2')).toBe(false);
    world.putTenant('lab', ['ana'], { machines: ['m1', 'm2'] });
    expect(access.bearer(token).sees('machines', 'm2')).toBe(true);
    world.remove('tenants', 'lab');
    expect(access.bearer(token).tenant).toBeUndefined();
  });
});

describe('an actor held over time', () => {
  test('is renewed to the rights of now, and refused once its token is dead', () => {
    const actor = access.bearer(tokenFor('ana'));
    world.putUser('ana', { Roles: [] });
    expect(access.renew(actor).allows('machines', 'get', 'm1')).toBe(false);
    world.putUser('ana', { Secret: 'new' });
    expect(failure(() => access.renew(actor)).code).toBe('dead-token');
    expect(access.renew(SYSTEM_ACTOR)).toBe(SYSTEM_ACTOR);
  });
});

test('a known token is answered from its session alone: nothing else is looked up', () => {
  const token = tokenFor('ana');
  access.bearer(token);
  const asked = () => {
    throw new Error('the store was asked');
  };
  Object.assign(world, { user: asked, role: asked, tenantOf: asked, preference: asked });
  expect(access.bearer(token).allows('machines', 'get', 'm1')).toBe(true);
});
