import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claimAllows } from './allows.ts';
import { anyClaim, anyRequest } from './arbitraries.ts';
import { type ClaimGroup, compileGrants, parseGroup } from './compile.ts';
import type { Claim } from './parse.ts';

const claim = (scope: string, action: string, specific: string): Claim => ({ scope, action, specific });
const groups: fc.Arbitrary<ClaimGroup[]> = fc.array(
  fc.record({ role: fc.constantFrom('r1', 'r2'), claims: fc.array(anyClaim, { maxLength: 4 }) }),
  { maxLength: 3 },
);
const requests = fc.array(anyRequest, { minLength: 1, maxLength: 30 });

describe('compiled grants', () => {
  test('answer every request as the claims do one by one, and again when asked again', () => {
    let granted = 0;
    fc.assert(
      fc.property(groups, requests, (list, asked) => {
        const grants = compileGrants(list);
        for (const request of [...asked, ...asked]) {
          const { scope, action, specific } = request;
          const expected = list.some((group) => group.claims.some((one) => claimAllows(one, request)));
          if (expected) granted++;
          expect([request, grants.allows(scope, action, specific)]).toEqual([request, expected]);
          expect(grants.whichGrants(scope, action, specific) !== undefined).toBe(expected);
        }
      }),
      { seed: 4, numRuns: 1500 },
    );
    expect(granted).toBeGreaterThan(1000);
  });

  test('name the role and the claim that grant', () => {
    const grants = compileGrants([
      { claims: [claim('users', 'get', 'ann')] },
      { role: 'operator', claims: [claim('machines', 'list', '*'), claim('machines', 'action', 'm1')] },
    ]);
    expect(grants.whichGrants('machines', 'action:on', 'm1')).toEqual({
      role: 'operator',
      claimIndex: 1,
      claim: claim('machines', 'action', 'm1'),
    });
    expect(grants.whichGrants('users', 'get', 'ann')).toEqual({ claimIndex: 0, claim: claim('users', 'get', 'ann') });
    expect(grants.whichGrants('users', 'get', 'bob')).toBeUndefined();
  });

  test('stay right past the number of decisions kept', () => {
    const grants = compileGrants([
      { claims: [claim('machines', 'update:/Params', 'm1'), claim('machines', 'get', '*')] },
    ]);
    for (let i = 0; i < 3000; i++) {
      expect(grants.allows('machines', `update:/Params/p${i}`, 'm1')).toBe(true);
      expect(grants.allows('machines', `update:/Meta/p${i}`, 'm1')).toBe(false);
    }
  });

  test('grant nothing for what nobody knows, unless a star or its own name says so', () => {
    const some = compileGrants([{ claims: [claim('*', 'get', '*'), claim('machines', 'delete', '*')] }]);
    expect(some.allows('bogus', 'get', 'x')).toBe(true);
    expect(some.allows('bogus', 'bogus', 'x')).toBe(false);
    expect(some.allows('machines', 'bogus', 'x')).toBe(false);
    expect(compileGrants([{ claims: [claim('*', '*', '*')] }]).allows('bogus', 'bogus', 'x')).toBe(true);
    expect(compileGrants([{ claims: [claim('bogus', 'odd', 'x')] }]).allows('bogus', 'odd', 'x')).toBe(true);
    for (const empty of [[], [{ claims: [] }], [{ claims: [claim('', '', '')] }]]) {
      for (const scope of ['', 'machines', 'bogus']) expect(compileGrants(empty).allows(scope, '', '')).toBe(false);
    }
  });

  test('grant a field path that is no pointer only to those who may update everything', () => {
    const one = compileGrants([{ claims: [claim('machines', 'update:Name,update:/a', '*')] }]);
    expect(one.allows('machines', 'update:Name', 'm1')).toBe(false);
    expect(one.allows('machines', 'update:', 'm1')).toBe(false);
    const all = compileGrants([{ claims: [claim('machines', 'update:', '*')] }]);
    for (const action of ['update', 'update:', 'update:Name', 'update:/a~2b', 'update:/a']) {
      expect([action, all.allows('machines', action, 'm1')]).toEqual([action, true]);
    }
  });

  test('share parsed roles between users without mixing their answers', () => {
    const shared = parseGroup({ role: 'r', claims: [claim('machines', 'get', 'm1')] });
    const one = compileGrants([shared, { claims: [claim('machines', 'get', 'm2')] }]);
    const other = compileGrants([shared]);
    expect(one.allows('machines', 'get', 'm2')).toBe(true);
    expect(other.allows('machines', 'get', 'm2')).toBe(false);
    expect(other.allows('machines', 'get', 'm1')).toBe(true);
  });
});
