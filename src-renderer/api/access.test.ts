import { expect, it } from 'vitest';
import type { ActorDescription } from '../../src-main/contract/access-answers.ts';
import { lifetimeOf, namesOf, questionBody, tokenOf, tokenPath } from './access.ts';

it('asks for a token with exactly what was chosen', () => {
  expect(tokenPath({ user: 'ana b', roles: [], ttl: 60, claim: undefined })).toBe('/api/v3/users/ana%20b/token?ttl=60');
  expect(
    tokenPath({
      user: 'ana',
      roles: ['ops', 'lab'],
      ttl: 60,
      claim: { scope: 'machines', action: 'get,list', specific: '*' },
    }),
  ).toBe('/api/v3/users/ana/token?ttl=60&roles=ops%2Clab&scope=machines&action=get%2Clist&specific=*');
});

it.each([
  ['abc.def', 'abc.def'],
  ['  Bearer abc.def\n', 'abc.def'],
  ['Authorization: Bearer abc.def', 'abc.def'],
  ['"abc.\ndef"', 'abc.def'],
  ['bearerabc', 'bearerabc'],
])('finds the token in %j', (pasted, token) => {
  expect(tokenOf(pasted)).toBe(token);
});

it('knows a lifetime only when both ends are known', () => {
  const rights = { Issued: '2026-01-01T00:00:00Z', Expires: '2026-01-01T01:00:00Z' } as ActorDescription;
  expect(lifetimeOf(rights)).toBe(3600);
  expect(lifetimeOf({ ...rights, Issued: null })).toBeUndefined();
});

it('sends a body only where one was given, null included', () => {
  const asked = { who: { user: 'ana' }, method: 'GET', path: ' /machines ' };
  expect(questionBody({ ...asked, body: undefined })).toEqual({ user: 'ana', method: 'GET', path: '/machines' });
  expect(questionBody({ ...asked, body: null })).toEqual({ user: 'ana', method: 'GET', path: '/machines', body: null });
});

it('takes several names from one text, each once', () => {
  expect(namesOf(['ops', ' lab, ops ,', ''])).toEqual(['ops', 'lab']);
});
