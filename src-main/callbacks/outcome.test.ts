import { describe, expect, test } from 'vitest';
import type { AuthConfig } from './config.ts';
import { readPluginConfig } from './config.ts';
import { type AttemptResult, type Decision, decide, fitting, NO_PROGRESS, type Progress } from './outcome.ts';
import { retryAfter, retryDelay } from './schedule.ts';

const callback = readPluginConfig('p', {
  'callback/callbacks': { go: { Url: 'http://h', Retry: 2, Delay: 5, Timeout: 60 } },
}).config.callbacks.get('go');
if (!callback) throw new Error('no callback');

const basic: AuthConfig = { type: 'basic', name: 'b', username: 'u', password: 'p' };
const token = { ...(basic as object), type: 'json-token', name: 't' } as AuthConfig;
const answered = (status: number, retryAfterMs?: number): AttemptResult => ({
  kind: 'answered',
  status,
  retryAfterMs,
  excerpt: '',
});
const noCredentials: AttemptResult = { kind: 'no-credentials', message: 'no' };

function decided(
  result: AttemptResult,
  methods: AuthConfig[] = [],
  progress: Progress = NO_PROGRESS,
  remainingMs = 60_000,
): Decision {
  return decide(result, progress, {
    callback: callback as never,
    methods,
    backoff: undefined,
    remainingMs,
    random: 0.5,
  });
}

const again = (why: string, waitMs: number, progress: Partial<Progress>): object => ({
  kind: 'again',
  why,
  waitMs,
  progress: { ...NO_PROGRESS, ...progress },
});

describe('decide', () => {
  test.each<[string, Decision, object]>([
    ['204', decided(answered(204)), { kind: 'delivered' }],
    ['304', decided(answered(304)), { kind: 'delivered' }],
    ['400', decided(answered(400)), again('retry', 5_000, { retries: 1 })],
    ['no answer', decided({ kind: 'no-answer', message: 'm' }), again('retry', 5_000, { retries: 1 })],
    ['429 that asks for more', decided(answered(429, 9_000)), again('retry', 9_000, { retries: 1 })],
    ['429 that asks for less', decided(answered(429, 1_000)), again('retry', 5_000, { retries: 1 })],
    [
      'the last retry used',
      decided(answered(500), [], { ...NO_PROGRESS, retries: 2 }),
      { kind: 'failed', failure: { code: 500, messages: ['Callback API returned 500'] } },
    ],
    [
      'a status that HTTP does not know',
      decided(answered(999), [], { ...NO_PROGRESS, retries: 2 }),
      { kind: 'failed', failure: { code: 502, messages: ['Callback API returned 999'] } },
    ],
    [
      'refused',
      decided({ kind: 'refused', message: 'm' }),
      { kind: 'failed', failure: { code: 400, messages: ['m'] } },
    ],
    ['cancelled', decided({ kind: 'stopped', reason: 'cancelled' }), { kind: 'stopped', reason: 'cancelled' }],
    ['401 with a method left', decided(answered(401), [basic, basic]), again('next-auth', 0, { method: 1, name: 'b' })],
    ['403 of a json-token', decided(answered(403), [token]), again('refresh', 0, { refreshed: ['t'] })],
    [
      '403 after its refresh',
      decided(answered(403), [token], { ...NO_PROGRESS, refreshed: ['t'] }),
      again('retry', 5_000, { retries: 1, refreshed: ['t'] }),
    ],
    [
      '401 of the last method',
      decided(answered(401), [basic, basic], { ...NO_PROGRESS, method: 1 }),
      again('retry', 5_000, { retries: 1, method: 0 }),
    ],
    [
      '500 of the second method',
      decided(answered(500), [basic, basic], { ...NO_PROGRESS, method: 1 }),
      again('retry', 5_000, { retries: 1, method: 1 }),
    ],
    [
      'no credentials, a method left',
      decided(noCredentials, [token, basic]),
      again('next-auth', 0, { method: 1, name: 'b' }),
    ],
    ['no credentials at all', decided(noCredentials, [token]), again('retry', 5_000, { retries: 1 })],
  ])('%s', (_name, decision, expected) => {
    expect(decision).toEqual(expected);
  });

  test('a wait that would outlast the Timeout is not begun', () => {
    expect(decided(answered(500), [], NO_PROGRESS, 5_000)).toMatchObject({ kind: 'failed', failure: { code: 500 } });
    expect(decided(answered(500), [], NO_PROGRESS, 5_001)).toMatchObject({ kind: 'again' });
  });
});

test('progress among auth methods holds as long as they are the same', () => {
  const second: Progress = { retries: 1, method: 1, name: 'b', refreshed: ['t'] };
  expect(fitting(second, [token, basic])).toBe(second);
  const anew = { ...NO_PROGRESS, retries: 1 };
  expect([fitting(second, [token]), fitting(second, [basic, token]), fitting(second, [])]).toEqual([anew, anew, anew]);
});

test('delays grow, are bounded, and vary by the jitter', () => {
  const backoff = { factor: 2, maxSeconds: 10, jitter: 0.5 };
  expect([1, 2, 3, 4].map((n) => retryDelay(2, backoff, n, 0.5))).toEqual([2_000, 4_000, 8_000, 10_000]);
  expect([0, 0.5, 1].map((random) => retryDelay(4, backoff, 1, random))).toEqual([2_000, 4_000, 6_000]);
  expect(retryDelay(0, backoff, 1, 0.5)).toBe(1_000);
  expect(retryDelay(3, undefined, 9, 0)).toBe(3_000);
});

test.each([
  ['120', 120_000],
  ['Thu, 01 Jan 2026 00:00:10 GMT', 10_000],
  ['Thu, 01 Jan 2025 00:00:00 GMT', 0],
  ['99999999999', 86_400_000],
  ['soon', undefined],
  ['', undefined],
  [undefined, undefined],
])('Retry-After %s', (header, expected) => {
  expect(retryAfter(header, Date.UTC(2026, 0, 1))).toBe(expected);
});
