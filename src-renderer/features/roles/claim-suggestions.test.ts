import { expect, it } from 'vitest';
import { actionsOf } from './claim-suggestions.ts';

it('offers the actions of the scopes named', () => {
  expect(actionsOf('info')).toEqual(['*', 'get']);
  expect(actionsOf('users')).toContain('password');
  expect(actionsOf('machines')).toContain('action:callbackDo');
});

it('offers everything while the scope is unknown', () => {
  expect(actionsOf('').length).toBeGreaterThan(actionsOf('users').length);
});
