import { expect, it } from 'vitest';
import { type Draft, questionOf, startOf } from './question.ts';

const draft: Draft = startOf({ user: 'bo', method: 'patch', path: ' /machines/m1 ' }, { body: [1] }, 'ana');

it('starts from the address, from what was handed over, and from the caller', () => {
  expect(draft).toMatchObject({ who: 'user', user: 'bo', method: 'PATCH', body: [1] });
  expect(startOf({}, {}, 'ana')).toMatchObject({ who: 'user', user: 'ana', method: 'GET', path: '' });
  expect(startOf({ method: 'BREW' }, { token: 'abc' }, 'ana')).toMatchObject({ who: 'token', method: 'GET' });
});

it('asks with the body only where the method has one', () => {
  expect(questionOf(draft).question).toEqual({ who: { user: 'bo' }, method: 'PATCH', path: '/machines/m1', body: [1] });
  expect(questionOf({ ...draft, method: 'GET' }).question?.body).toBeUndefined();
});

it.each([
  [{ user: ' ' }, 'Name a user'],
  [{ who: 'token', token: 'Bearer ' }, 'Paste a token'],
  [{ path: '' }, 'Type a path'],
  [{ bodyFault: 'line 1' }, 'Not valid yet: line 1'],
] as const)('says what is missing: %j', (change, missing) => {
  expect(questionOf({ ...draft, ...change })).toEqual({ missing });
});

it('does not mind an invalid body of a request without one', () => {
  expect(questionOf({ ...draft, method: 'GET', bodyFault: 'line 1' }).missing).toBeUndefined();
});
