import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claimAllows } from './allows.ts';
import { anyClaim, anyRequest, knownRequest, near, sensibleClaim } from './arbitraries.ts';
import { claimContains, claimCovers, roleContains, roleCovers } from './contains.ts';
import { type Claim, SUPERUSER_CLAIM } from './parse.ts';

const claim = (scope: string, action: string, specific: string): Claim => ({ scope, action, specific });
const pair = (source: fc.Arbitrary<Claim>) =>
  source.chain((a) =>
    fc.tuple(fc.constant(a), fc.oneof({ weight: 4, arbitrary: near(a) }, { weight: 1, arbitrary: source })),
  );
const triple = (source: fc.Arbitrary<Claim>) =>
  pair(source).chain(([a, b]) =>
    fc.tuple(
      fc.constant(a),
      fc.constant(b),
      fc.oneof({ weight: 4, arbitrary: near(b) }, { weight: 1, arbitrary: source }),
    ),
  );

const readings = [
  ['contains', claimContains, roleContains],
  ['covers', claimCovers, roleCovers],
] as const;

describe.each(readings)('%s', (_name, contains, roleHolds) => {
  test('holds between a claim and itself', () => {
    fc.assert(
      fc.property(anyClaim, (a) => contains(a, a)),
      { seed: 4, numRuns: 1000 },
    );
  });

  // Claims with an empty or malformed action are left out: the recorded answers let such an item bring its scope
  // along although it is contained in claims without that scope.
  test('is transitive', () => {
    let chains = 0;
    fc.assert(
      fc.property(triple(sensibleClaim), ([a, b, c]) => {
        if (!contains(a, b) || !contains(b, c)) return;
        chains++;
        expect(contains(a, c)).toBe(true);
      }),
      { seed: 4, numRuns: 4000 },
    );
    expect(chains).toBeGreaterThan(100);
  });

  test('is granted to the superuser claim over everything', () => {
    fc.assert(
      fc.property(anyClaim, (b) => contains(SUPERUSER_CLAIM, b)),
      { seed: 4, numRuns: 1000 },
    );
  });

  test('holds between a role and itself, and over each of its claims', () => {
    fc.assert(
      fc.property(fc.array(anyClaim, { maxLength: 4 }), (role) => {
        expect(roleHolds(role, role)).toBe(true);
        for (const one of role) expect(roleHolds(role, [one])).toBe(true);
      }),
      { seed: 4, numRuns: 300 },
    );
  });
});

describe('what is contained is allowed', () => {
  test('by the registry, for every request the registry knows', () => {
    let granted = 0;
    fc.assert(
      fc.property(pair(anyClaim), fc.array(knownRequest(), { minLength: 10 }), ([a, b], requests) => {
        if (!claimContains(a, b)) return;
        for (const request of requests.filter((one) => claimAllows(b, one))) {
          granted++;
          expect(claimAllows(a, request)).toBe(true);
        }
      }),
      { seed: 4, numRuns: 3000 },
    );
    expect(granted).toBeGreaterThan(100);
  });

  test('without a registry, for every request whatever', () => {
    let granted = 0;
    fc.assert(
      fc.property(pair(anyClaim), fc.array(anyRequest, { minLength: 10 }), ([a, b], requests) => {
        if (!claimCovers(a, b)) return;
        for (const request of requests.filter((one) => claimAllows(b, one))) {
          granted++;
          expect(claimAllows(a, request)).toBe(true);
        }
      }),
      { seed: 4, numRuns: 3000 },
    );
    expect(granted).toBeGreaterThan(100);
  });
});

describe('the two readings differ where a registry matters', () => {
  test('a claim on an unknown scope is contained in anything, and covered only by a claim on it', () => {
    const events = claim('events', 'post', '*');
    expect(claimContains(claim('machines', 'get', '*'), events)).toBe(true);
    expect(claimCovers(claim('machines', 'get', '*'), events)).toBe(false);
    expect(claimCovers(claim('events', '*', '*'), events)).toBe(true);
  });

  test('listing every known action equals the star only while the registry is believed complete', () => {
    const listed = claim('files', 'list,get,post,delete', '*');
    const star = claim('files', '*', '*');
    expect(claimContains(listed, star)).toBe(true);
    expect(claimCovers(listed, star)).toBe(false);
    const qualified = claim('files', 'get:x', 'a');
    expect([claimContains(star, qualified), claimContains(listed, qualified)]).toEqual([true, true]);
  });
});
