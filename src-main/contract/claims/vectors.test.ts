import { describe, expect, test } from 'vitest';
import { claimContains, roleContains } from './contains.ts';
import type { Claim } from './parse.ts';
import { infoScopes, registryV3, registryV4 } from './registry.ts';
import vectors from './vectors/claims.json' with { type: 'json' };

interface Vector<T> {
  readonly name: string;
  readonly a: T;
  readonly b: T;
  readonly contains: boolean;
  readonly contains_v3_9_0?: boolean;
  readonly disputed?: boolean;
  readonly seed?: boolean;
}

const claims: readonly Vector<Claim>[] = vectors.claims;
const roles: readonly Vector<readonly Claim[]>[] = vectors.roles;

/** Where the recorded answer contradicts service.md, the answer of service.md counts. */
function expected(vector: Vector<unknown>): boolean {
  return vector.disputed ? vector.seed === true : vector.contains;
}

describe('containment gives the recorded answers', () => {
  test('for every pair of claims', () => {
    expect(claims.length).toBe(440);
    const wrong = claims.filter((vector) => claimContains(vector.a, vector.b) !== expected(vector));
    expect(wrong).toEqual([]);
  });

  test('for every pair of roles', () => {
    expect(roles.length).toBe(200);
    const wrong = roles.filter((vector) => roleContains(vector.a, vector.b) !== expected(vector));
    expect(wrong).toEqual([]);
  });

  test('by the older table where release 3.9 answers otherwise', () => {
    const older = claims.filter((vector) => vector.contains_v3_9_0 !== undefined);
    expect(older.length).toBeGreaterThan(0);
    const wrong = older.filter((v) => claimContains(v.a, v.b, registryV3) !== v.contains_v3_9_0);
    expect(wrong).toEqual([]);
  });
});

describe('info.scopes', () => {
  test.each([
    ['3.9.0', registryV3],
    ['4.8.0', registryV4],
  ] as const)('publishes exactly the table of release %s', (release, registry) => {
    const published = infoScopes(registry);
    const expectedScopes = Object.fromEntries(
      Object.entries(vectors.registry[release]).map(([scope, actions]) => [
        scope,
        Object.fromEntries(actions.map((action) => [action, {}])),
      ]),
    );
    expect(published).toEqual(expectedScopes);
  });
});
