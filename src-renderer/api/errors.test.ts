import { describe, expect, it } from 'vitest';
import type { ErrorBody } from '../../src-main/contract/errors.ts';
import { classify, explain, type Failure } from './errors.ts';

const body = (part: Partial<ErrorBody>): ErrorBody => ({
  Model: '',
  Key: '',
  Type: '',
  Messages: [],
  Code: 0,
  ...part,
});

describe('classify', () => {
  const rows: readonly (readonly [string, number, ErrorBody | undefined, Failure['kind']])[] = [
    ['no credentials', 401, undefined, 'session-over'],
    ['a 403 without a body, as for a dead token', 403, undefined, 'session-over'],
    ['a rotated secret', 403, body({ Type: 'AUTH', Messages: ['Validation failed'] }), 'session-over'],
    ['a token reason', 403, body({ Reason: 'token', Messages: ['x'] }), 'session-over'],
    ['a missing claim', 403, body({ Messages: ['Cannot access /x', 'Requires: users list '] }), 'denied'],
    ['a claim reason without the sentence', 403, body({ Reason: 'claim' }), 'denied'],
    [
      'an unlicensed write',
      403,
      body({
        Messages: ['Cannot access /x', 'roles create is a licensed enterprise feature.  Contact support@rackn.com'],
      }),
      'license',
    ],
    ['a 403 that explains nothing', 403, body({ Messages: ['no'] }), 'unclear'],
    ['an absent object', 404, body({ Messages: ['Not Found'] }), 'not-found'],
    ['a failed test of a patch', 409, body({ Type: 'PATCH', Messages: ['Test op failed.'] }), 'conflict'],
    ['a stale If-Match', 412, undefined, 'conflict'],
    ['a taken name', 409, body({ Type: 'CREATE', Reason: 'conflict', Messages: ['already exists'] }), 'exists'],
    ['an object in use', 409, body({ Type: 'StillInUseError', Reason: 'conflict' }), 'in-use'],
    ['a param that does not fit', 409, body({ Type: 'POST', Reason: 'validation' }), 'invalid'],
    ['a failed validation', 422, body({ Type: 'ValidationError', Messages: ['Invalid Name `x`'] }), 'invalid'],
    [
      'an external 401, which is not our session',
      401,
      body({ Type: 'rpc', Messages: ['returned 401'] }),
      'callback-failed',
    ],
    ['an external 503, which is not our service', 503, body({ Type: 'rpc' }), 'callback-failed'],
    ['an unknown action', 400, body({ Type: 'INVOKE' }), 'callback-failed'],
    ['too many attempts', 429, undefined, 'throttled'],
    ['a stopped service', 503, body({ Messages: ['stopped'] }), 'stopped'],
    ['a server fault', 500, undefined, 'server'],
  ];
  it.each(rows)('reads %s', (_, status, answer, kind) => {
    expect(classify(status, answer).kind).toBe(kind);
  });

  it('keeps the claim that is missing', () => {
    const failure = classify(403, body({ Messages: ['Cannot access /x', 'Requires: machines action:callbackDo m1'] }));
    expect(failure).toMatchObject({ kind: 'denied', requires: 'machines action:callbackDo m1' });
  });
});

describe('explain', () => {
  it('says which claim is missing', () => {
    expect(explain({ kind: 'denied', requires: 'users list *', messages: [] })).toEqual({
      title: 'You may not do this',
      lines: ['Requires: users list *'],
      hint: 'Ask an administrator for a role with this claim.',
    });
  });

  it('never tells a missing object from a hidden one', () => {
    expect(explain({ kind: 'not-found', messages: ['Not Found'] }).hint).toBe(
      'It does not exist, is hidden by your tenant, or you may not get it.',
    );
  });

  it('says how long to wait', () => {
    expect(explain({ kind: 'throttled', retryAfter: 42 }).hint).toBe('Try again in 42 s.');
  });
});
