import { expect, test } from 'vitest';
import { claimAllows, type RequiredClaim } from './allows.ts';
import { compileGrants } from './compile.ts';
import { explain, explainClaim, smallestClaim } from './explain.ts';
import type { Claim } from './parse.ts';

const claim = (scope: string, action: string, specific: string): Claim => ({ scope, action, specific });
const operator = [
  claim('bootenvs', 'get', '*'),
  claim('machines', 'get,update:/Meta', 'm1,m2'),
  claim('machines', 'action:on', '*'),
];
const grants = compileGrants([{ claims: [claim('users', 'get', 'ann')] }, { role: 'operator', claims: operator }]);

function nearest(required: RequiredClaim): unknown {
  const verdict = explainClaim(grants, required);
  if (verdict.granted) return 'granted';
  const { nearest } = verdict;
  return nearest && [nearest.role, nearest.claimIndex, nearest.lacks.map((lack) => lack.sentence)];
}

test('the claim that came closest is the one with the least to change, and every lack has its sentence', () => {
  expect(nearest(claim('machines', 'get', 'm3'))).toEqual(['operator', 1, ['Specific lists m1, m2; asked m3']]);
  expect(nearest(claim('machines', 'update:/Stage', 'm1'))).toEqual([
    'operator',
    1,
    ['Action lists get, update:/Meta; asked update:/Stage'],
  ]);
  expect(nearest(claim('machines', 'action:off', 'm9'))).toEqual([
    'operator',
    2,
    ['Action lists action:on; asked action:off'],
  ]);
  expect(nearest(claim('users', 'list', '*'))).toEqual([
    undefined,
    0,
    ['Action lists get; asked list', 'Specific lists ann; asked *'],
  ]);
});

test('a granted claim names its source, and the request is allowed only when all are granted', () => {
  const asked = [claim('machines', 'action:on', 'm9'), claim('machines', 'get', 'm9')];
  const { allowed, verdicts } = explain(grants, asked);
  expect(allowed).toBe(false);
  expect(verdicts[0]).toEqual({
    required: asked[0],
    granted: true,
    by: { role: 'operator', claimIndex: 2, claim: operator[2] },
  });
  expect(verdicts[1]?.granted).toBe(false);
  expect(explain(grants, asked.slice(0, 1)).allowed).toBe(true);
});

test('without any claim there is no nearest miss, and a long list is cut short', () => {
  const none = explainClaim(compileGrants([{ claims: [claim('', '', '')] }]), claim('machines', 'get', 'm1'));
  expect(none).toEqual({
    required: claim('machines', 'get', 'm1'),
    granted: false,
    smallest: claim('machines', 'get', 'm1'),
  });
  const long = compileGrants([{ claims: [claim('machines', 'get', 'a,b,c,d,e,f,g')] }]);
  expect(explainClaim(long, claim('machines', 'get', 'x'))).toMatchObject({
    nearest: { lacks: [{ field: 'specific', sentence: 'Specific lists a, b, c, d, e and 2 more; asked x' }] },
  });
});

test('the smallest claim grants the request, also where a list cannot name the identifier', () => {
  for (const required of [
    claim('machines', 'update:/Params/a~1b', 'm1'),
    claim('machines', 'list', '*'),
    claim('machines', 'create', ''),
    claim('users', 'get', 'a,b'),
    claim('users', 'update:/a,b', ' x'),
  ]) {
    expect([required, claimAllows(smallestClaim(required), required)]).toEqual([required, true]);
  }
  expect(smallestClaim(claim('users', 'get', 'a,b'))).toEqual(claim('users', 'get', '*'));
});
