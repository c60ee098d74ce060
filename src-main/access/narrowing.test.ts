import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyClaim, anyRequest } from '../contract/claims/arbitraries.ts';
import { type Claim, claimAllows } from '../contract/claims/index.ts';
import { SYSTEM_ACTOR } from './actor.ts';
import { TestWorld } from './test-world.ts';

const NAMES = ['r0', 'r1', 'r2'] as const;
const roles = fc.tuple(...NAMES.map(() => fc.array(anyClaim, { maxLength: 3 })));
const part = fc.option(fc.constantFrom('*', '', 'machines', 'users', 'get,update', 'token', 'm1', 'ana'), {
  nil: undefined,
});
const request = fc
  .record({
    roles: fc.option(fc.subarray([...NAMES]), { nil: undefined }),
    scope: part,
    action: part,
    specific: part,
  })
  .map(({ roles: names, ...rest }) => ({ ...rest, roles: names?.join(',') }))
  .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)));

const requests = fc.array(anyRequest, { minLength: 1, maxLength: 20 });

function worldWith(claims: readonly (readonly Claim[])[], assigned: readonly string[]): TestWorld {
  const world = new TestWorld();
  for (const [i, name] of NAMES.entries()) world.putRole(name, ...(claims[i] ?? []));
  world.putUser('ana', { Roles: [...assigned] });
  return world;
}

test('a narrowed token never allows what its user may not, nor anything outside of what was asked for', () => {
  fc.assert(
    fc.property(roles, fc.subarray([...NAMES]), request, requests, (claims, assigned, asked, tried) => {
      const access = worldWith(claims, assigned).access();
      const full = access.bearer(access.issueUserToken(SYSTEM_ACTOR, 'ana', {}).token);
      const { token, dropped } = access.issueUserToken(SYSTEM_ACTOR, 'ana', asked);
      const narrow = access.bearer(token);
      const named = (asked['roles'] ?? '').split(',').filter((name) => name !== '' && !dropped.includes(name));
      const carried = named.flatMap((name) => claims[NAMES.indexOf(name as 'r0')] ?? []);
      const direct = {
        scope: asked['scope'] ?? '*',
        action: asked['action'] ?? '*',
        specific: asked['specific'] ?? '*',
      };
      for (const one of tried) {
        const { scope, action, specific } = one;
        if (!narrow.allows(scope, action, specific)) continue;
        expect(full.allows(scope, action, specific)).toBe(true);
        expect(claimAllows(direct, one)).toBe(true);
        if (asked['roles']) expect(carried.some((claim) => claimAllows(claim, one))).toBe(true);
      }
    }),
    { seed: 4, numRuns: 400 },
  );
});

test('whatever happens to roles afterwards, a narrowed token stays within the rights of its user', () => {
  fc.assert(
    fc.property(roles, roles, fc.subarray([...NAMES]), request, requests, (before, after, assigned, asked, tried) => {
      const world = worldWith(before, [...NAMES]);
      const access = world.access();
      const fullToken = access.issueUserToken(SYSTEM_ACTOR, 'ana', {}).token;
      const narrowToken = access.issueUserToken(SYSTEM_ACTOR, 'ana', asked).token;
      access.bearer(narrowToken);
      for (const [i, name] of NAMES.entries()) world.putRole(name, ...(after[i] ?? []));
      world.putUser('ana', { Roles: assigned });
      const full = access.bearer(fullToken);
      const narrow = access.bearer(narrowToken);
      for (const { scope, action, specific } of tried) {
        if (narrow.allows(scope, action, specific)) expect(full.allows(scope, action, specific)).toBe(true);
      }
    }),
    { seed: 5, numRuns: 300 },
  );
});

test('a token fetched with a narrowed token never allows more than that one', () => {
  fc.assert(
    fc.property(roles, request, request, requests, (claims, first, second, tried) => {
      const world = worldWith(claims, [...NAMES]);
      world.putRole('tokens', { scope: 'users', action: 'token', specific: '*' });
      world.putUser('ana', { Roles: [...NAMES, 'tokens'] });
      const access = world.access();
      const roleNames = first['roles'] === undefined ? {} : { roles: `${first['roles']},tokens` };
      const outer = access.bearer(access.issueUserToken(SYSTEM_ACTOR, 'ana', { ...first, ...roleNames }).token);
      fc.pre(outer.allows('users', 'token', 'ana'));
      const inner = access.bearer(access.issueUserToken(outer, 'ana', second).token);
      for (const { scope, action, specific } of tried) {
        if (inner.allows(scope, action, specific)) expect(outer.allows(scope, action, specific)).toBe(true);
      }
    }),
    { seed: 6, numRuns: 300 },
  );
});

test('the rights of a user are those of each claim on its own', () => {
  fc.assert(
    fc.property(roles, requests, (claims, tried) => {
      const access = worldWith(claims, [...NAMES]).access();
      const actor = access.bearer(access.issueUserToken(SYSTEM_ACTOR, 'ana', {}).token);
      for (const one of tried) {
        const own =
          (one.scope === 'info' && one.action === 'get') ||
          (one.scope === 'users' && one.specific === 'ana' && ['get', 'password', 'token'].includes(one.action));
        const byClaim = claims.flat().some((claim) => claimAllows(claim, one));
        expect(actor.allows(one.scope, one.action, one.specific)).toBe(own || byClaim);
      }
    }),
    { seed: 7, numRuns: 300 },
  );
});
