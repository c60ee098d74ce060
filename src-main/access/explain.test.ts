import { describe, expect, test } from 'vitest';
import { derive, type RequiredClaim, type TouchedObject } from '../contract/claims/index.ts';
import type { Json } from '../kit/json.ts';
import { SYSTEM_ACTOR, subjectOf } from './actor.ts';
import { type ExplainRequest, explainRequest } from './explain.ts';
import { claim, commonWorld, type TestWorld } from './test-world.ts';

function ask(
  world: TestWorld,
  user: string,
  request: { claims: readonly RequiredClaim[]; touches: readonly TouchedObject[] },
  more: Partial<ExplainRequest> = {},
) {
  const subject = world.access().subjectOfUser(user);
  if (!subject) throw new Error(`no user ${user}`);
  return explainRequest({ subject, licensed: () => true, ...request, ...more });
}

function needs(method: string, path: string, body?: Json) {
  const found = derive({ method, path: `/api/v3${path}`, ...(body === undefined ? {} : { body }) });
  if (found.kind !== 'claims') throw new Error(found.kind);
  return found;
}

const verdicts = (explained: ReturnType<typeof explainRequest>) =>
  explained.Ladder.map(({ Rung, Verdict }) => `${Rung} ${Verdict}`);

describe('an allowed request', () => {
  test('names the role and the claim that granted it', () => {
    const explained = ask(commonWorld(), 'ana', needs('GET', '/machines/m1'));
    expect(explained).toMatchObject({ Allowed: true, Reason: '', Sentence: 'Every claim it needs is granted' });
    expect(explained.Claims).toEqual([
      {
        ...claim('machines', 'get', 'm1'),
        Granted: true,
        By: { role: 'lab-ops', claim: claim('machines', 'list,get,action', '*') },
      },
    ]);
    expect(explained.Tenant).toEqual({ Name: null, Restricts: false, Visible: true });
    expect(explained.License).toEqual({ Feature: null, Licensed: true });
    expect(verdicts(explained)).toEqual(['token pass', 'tenant pass', 'claim pass', 'license pass']);
  });

  test('by the own-user claim names no role', () => {
    const explained = ask(commonWorld(), 'bo', needs('GET', '/users/bo'));
    expect(explained.Allowed).toBe(true);
    expect(explained.Claims[0]?.By).toEqual({ role: null, claim: claim('users', 'get,password,token', 'bo') });
  });
});

describe('a denied request', () => {
  test('shows for each claim the nearest miss and what it lacks', () => {
    const world = commonWorld();
    world.putRole('rack', claim('machines', 'update:/Params/rack', 'm1,m2'));
    world.putUser('ana', { Roles: ['lab-ops', 'rack'] });
    const patch = [
      { op: 'replace', path: '/Params/rack', value: 1 },
      { op: 'replace', path: '/Name', value: 'x' },
    ];
    const explained = ask(world, 'ana', needs('PATCH', '/machines/m1', patch));
    expect(explained).toMatchObject({ Allowed: false, Reason: 'claim' });
    expect(explained.Sentence).toBe('No role and no direct claim of ana grants machines update:/Name m1');
    const [rack, name] = explained.Claims;
    expect(rack).toMatchObject({ Granted: true, By: { role: 'rack' } });
    expect(name).toMatchObject({
      Granted: false,
      NearestMiss: {
        role: 'rack',
        claim: claim('machines', 'update:/Params/rack', 'm1,m2'),
        Lacks: [{ Field: 'action', Sentence: 'Action lists update:/Params/rack; asked update:/Name' }],
      },
      Smallest: claim('machines', 'update:/Name', 'm1'),
    });
    expect(verdicts(explained)).toEqual(['token pass', 'tenant pass', 'claim stop', 'license not evaluated']);
  });

  test('of a user without any claim has no nearest miss', () => {
    const [need] = ask(commonWorld(), 'bo', needs('GET', '/machines')).Claims;
    expect(need).toEqual({
      ...claim('machines', 'list', '*'),
      Granted: false,
      Smallest: claim('machines', 'list', '*'),
    });
  });

  test('hidden by the tenant stops there, whatever the claims', () => {
    const world = commonWorld();
    world.putTenant('lab', ['root'], { machines: ['m1'], users: [] });
    const explained = ask(world, 'root', needs('GET', '/machines/m2'));
    expect(explained).toMatchObject({
      Allowed: false,
      Reason: 'tenant',
      Sentence: 'Tenant lab does not show machines m2 to root',
      Tenant: { Name: 'lab', Restricts: true, Visible: false },
    });
    expect(explained.Claims[0]?.Granted).toBe(true);
    expect(verdicts(explained)).toEqual(['token pass', 'tenant stop', 'claim not evaluated', 'license not evaluated']);
    expect(ask(world, 'root', needs('GET', '/machines/m1')).Allowed).toBe(true);
    expect(ask(world, 'root', needs('GET', '/users/root')).Allowed).toBe(true);
    expect(ask(world, 'root', needs('GET', '/users/ana')).Reason).toBe('tenant');
  });

  test('of an object shown with its machine is not hidden', () => {
    const world = commonWorld();
    world.putTenant('lab', ['root'], { machines: ['m1'], jobs: [] });
    const job = (machine: string) => ({ claims: [], touches: [{ scope: 'jobs', key: 'j', machine }] });
    expect(ask(world, 'root', job('m1')).Allowed).toBe(true);
    expect(ask(world, 'root', job('m2')).Reason).toBe('tenant');
    expect(ask(world, 'root', job('m2'), { visible: () => true }).Allowed).toBe(true);
  });

  test('for want of a license says so even when the claim is missing too', () => {
    const create = needs('POST', '/roles', { Name: 'x' });
    const unlicensed = { licensed: () => false };
    const root = ask(commonWorld(), 'root', create, unlicensed);
    expect(root).toMatchObject({ Allowed: false, Reason: 'license', License: { Feature: 'rbac', Licensed: false } });
    expect(root.Sentence).toBe('It needs the licensed feature rbac, which is not in force');
    expect(verdicts(root)).toEqual(['token pass', 'tenant pass', 'claim pass', 'license stop']);
    const ana = ask(commonWorld(), 'ana', create, unlicensed);
    expect(ana.Reason).toBe('license');
    expect(verdicts(ana)).toEqual(['token pass', 'tenant pass', 'claim stop', 'license stop']);
    expect(ask(commonWorld(), 'root', needs('GET', '/roles'), unlicensed).Allowed).toBe(true);
    expect(ask(commonWorld(), 'root', create).Allowed).toBe(true);
  });

  test('with a dead token stops at the token', () => {
    const explained = ask(commonWorld(), 'root', needs('GET', '/machines'), {
      token: { ok: false, sentence: 'Expired' },
    });
    expect(explained).toMatchObject({ Allowed: false, Reason: 'token', Sentence: 'Expired' });
  });

  test('with a narrowed token tells it from a missing right', () => {
    const access = commonWorld().access();
    const actor = access.bearer(access.issueUserToken(SYSTEM_ACTOR, 'root', { roles: 'lab-ops' }).token);
    const subject = subjectOf(actor);
    if (!subject) throw new Error('no subject');
    const explained = explainRequest({ subject, licensed: () => true, ...needs('DELETE', '/machines/m1') });
    expect(explained.Sentence).toBe('machines delete m1 is a right of root, but the token was narrowed to less');
    expect(explained.Claims[0]).toMatchObject({ Granted: false, Narrowed: true, NearestMiss: { role: 'lab-ops' } });
    expect(explainRequest({ subject, licensed: () => true, ...needs('GET', '/users/root') }).Allowed).toBe(false);
  });
});

test('an explanation and the actor it explains never disagree', () => {
  const world = commonWorld();
  const access = world.access();
  const tokens = [{}, { roles: 'lab-ops' }, { action: 'get' }, { roles: 'superuser', scope: 'machines' }];
  const tried = ['/machines', '/machines/m1', '/users/ana', '/info', '/roles', '/prefs'].map((path) =>
    needs('GET', path),
  );
  for (const user of ['root', 'ana', 'bo']) {
    for (const request of tokens) {
      const actor = access.bearer(access.issueUserToken(SYSTEM_ACTOR, user, request).token);
      const subject = subjectOf(actor);
      if (!subject) throw new Error('no subject');
      for (const { claims, touches } of tried) {
        const { Allowed } = explainRequest({ subject, claims, touches, licensed: () => true });
        expect(Allowed).toBe(claims.every(({ scope, action, specific }) => actor.allows(scope, action, specific)));
      }
    }
  }
});
