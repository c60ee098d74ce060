import { beforeEach, describe, expect, test } from 'vitest';
import type { Access } from './access.ts';
import { SYSTEM_ACTOR } from './actor.ts';
import { commonWorld, expectDead, failure, type TestWorld } from './test-world.ts';

let world: TestWorld;
let access: Access;

beforeEach(() => {
  world = commonWorld();
  access = world.access();
});

function tokenFor(user: string, request = {}, grantor = SYSTEM_ACTOR): string {
  return access.issueUserToken(grantor, user, request).token;
}

describe('a machine token', () => {
  beforeEach(() => world.machines.set('u-1', { secret: 'machine secret', address: '10.0.0.255' }));

  test('for discovery creates and gets machines, nothing else, for unknownTokenTimeout', () => {
    world.prefer('unknownTokenTimeout', '60');
    const token = access.issueMachineToken('discovery');
    const actor = access.bearer(token);
    expect(actor).toMatchObject({ kind: 'discovery', name: 'general', tenant: undefined });
    expect(actor.allows('machines', 'create', '*')).toBe(true);
    expect(actor.allows('machines', 'create', '')).toBe(true);
    expect(actor.allows('machines', 'get', 'any')).toBe(true);
    for (const action of ['list', 'update', 'delete', 'action:x']) {
      expect(actor.allows('machines', action, 'any')).toBe(false);
    }
    expect(actor.allows('users', 'get', 'general')).toBe(false);
    expect(actor.allows('info', 'get', '')).toBe(false);
    world.now += 60_000;
    expectDead(access, token, 'unknown');
  });

  test('for operations works on its machine, for knownTokenTimeout', () => {
    const token = access.issueMachineToken('operations', 'u-1');
    const actor = access.bearer(token);
    expect(actor).toMatchObject({ kind: 'machine', name: 'u-1' });
    const allowed: [string, string, string][] = [
      ['machines', 'get', 'u-1'],
      ['machines', 'update:/Params/x', 'u-1'],
      ['stages', 'get', 's'],
      ['tasks', 'get', 't'],
      ['events', 'post', '*'],
      ['jobs', 'create', 'u-1'],
      ['jobs', 'update:/State', 'u-1'],
      ['jobs', 'log', 'u-1'],
      ['reservations', 'create', '0A0000FF'],
      ['reservations', 'update:/Token', '0A0000FF'],
    ];
    const denied: [string, string, string][] = [
      ['machines', 'get', 'u-2'],
      ['machines', 'create', '*'],
      ['machines', 'delete', 'u-1'],
      ['machines', 'list', '*'],
      ['stages', 'update', 's'],
      ['tasks', 'list', '*'],
      ['jobs', 'create', 'u-2'],
      ['jobs', 'get', 'u-2'],
      ['jobs', 'delete', 'u-1'],
      ['reservations', 'create', '0A000001'],
      ['reservations', 'update', '0A000001'],
      ['users', 'get', 'root'],
      ['users', 'token', 'root'],
      ['roles', 'list', '*'],
    ];
    for (const [scope, action, specific] of allowed) {
      expect([scope, action, specific, actor.allows(scope, action, specific)]).toEqual([scope, action, specific, true]);
    }
    for (const [scope, action, specific] of denied) {
      expect([scope, action, specific, actor.allows(scope, action, specific)]).toEqual([
        scope,
        action,
        specific,
        false,
      ]);
    }
    world.now += 3_600_000;
    expectDead(access, token, 'unknown');
  });

  test('called infinite lasts three years', () => {
    const token = access.issueMachineToken('infinite', 'u-1');
    world.now = Date.parse('2032-12-30T00:00:00Z');
    expect(access.bearer(token).name).toBe('u-1');
    world.now = Date.parse('2033-01-01T00:00:00Z');
    expectDead(access, token, 'unknown');
  });

  test('follows the address of its machine', () => {
    const token = access.issueMachineToken('operations', 'u-1');
    expect(access.bearer(token).allows('reservations', 'update', '0A0000FF')).toBe(true);
    world.machines.set('u-1', { secret: 'machine secret', address: '10.0.0.1' });
    expect(access.bearer(token).allows('reservations', 'update', '0A0000FF')).toBe(false);
    expect(access.bearer(token).allows('reservations', 'update', '0A000001')).toBe(true);
    world.machines.set('u-1', { secret: 'machine secret' });
    expect(access.bearer(token).allows('reservations', 'update', '0A000001')).toBe(false);
  });

  test('dies with the Secret of its machine, with the machine, and with the Secret of the system as grantor', () => {
    const token = access.issueMachineToken('infinite', 'u-1');
    access.bearer(token);
    world.machines.set('u-1', { secret: 'new' });
    expectDead(access, token, 'changed');
    world.machines.set('u-1', { secret: 'machine secret' });
    access.bearer(token);
    world.machines.delete('u-1');
    expectDead(access, token, 'changed');
    world.machines.set('u-1', { secret: 'machine secret' });
    world.prefer('systemGrantorSecret', 'new');
    expectDead(access, token, 'changed');
  });

  test('for a profile reads and fills that profile', () => {
    const actor = access.bearer(access.issueMachineToken('profile', 'rack-7', 90));
    expect(actor.name).toBe('profile rack-7');
    expect(actor.allows('profiles', 'update', 'rack-7')).toBe(true);
    expect(actor.allows('profiles', 'get', 'rack-8')).toBe(false);
  });

  test('is not made for machines that do not exist, and never issues tokens', () => {
    expect(() => access.issueMachineToken('operations', 'u-9')).toThrow('No machine u-9');
    const actor = access.bearer(access.issueMachineToken('operations', 'u-1'));
    expect(failure(() => tokenFor('root', {}, actor)).status).toBe(404);
  });
});
