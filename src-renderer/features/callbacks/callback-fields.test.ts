import { expect, it } from 'vitest';
import {
  authsOf,
  fieldOf,
  responseOf,
  retryRenamed,
  scheduleOf,
  storedAsRetries,
  withAuths,
  withField,
  withResponse,
} from './callback-fields.ts';

it('finds a field in any letter case and changes it in its place', () => {
  const source = { url: 'a', Other: 1, Retry: 2 };
  expect(fieldOf(source, 'Url')).toBe('a');
  expect(JSON.stringify(withField(source, 'Url', 'b'))).toBe('{"url":"b","Other":1,"Retry":2}');
  expect(withField(source, 'URL', undefined)).toEqual({ Other: 1, Retry: 2 });
});

it('keeps what is not set out of what is stored', () => {
  expect(withField({}, 'Retry', undefined)).toEqual({});
  expect(fieldOf({ Retry: null }, 'Retry')).toBeUndefined();
});

it('reads and writes Auth before Auths as one list', () => {
  expect(authsOf({ Auth: 'a', Auths: ['b', '', 'c'] })).toEqual(['a', 'b', 'c']);
  expect(withAuths({ Auth: 'a', Auths: ['b'], Url: 'u' }, ['b'])).toEqual({ Auth: 'b', Url: 'u' });
  expect(withAuths({ Auths: ['b'] }, ['x', 'b'])).toEqual({ Auth: 'x', Auths: ['b'] });
  expect(withAuths({ Auth: 'a' }, [])).toEqual({});
});

it('takes JSON where both answers are chosen, and stores one', () => {
  expect(responseOf({ JsonResponse: true, StringResponse: true })).toBe('json');
  expect(withResponse({ JsonResponse: true, StringResponse: true }, 'string')).toEqual({ StringResponse: true });
});

it('renames Retries', () => {
  expect(storedAsRetries({ Retries: 3 })).toBe(true);
  expect(storedAsRetries({ Retries: 3, Retry: 1 })).toBe(false);
  expect(retryRenamed({ Retries: 3, Url: 'u' })).toEqual({ Url: 'u', Retry: 3 });
});

it('says what retries, delay and timeout come to', () => {
  expect(scheduleOf({})).toBe('1 attempt; it is given up after 7,200 s (2 h).');
  expect(scheduleOf({ Retry: 3, Delay: 20 })).toBe(
    'Up to 4 attempts, 60 s of waiting between them; given up after 7,200 s (2 h) in all.',
  );
  expect(scheduleOf({ Retries: 3, Delay: 600, Timeout: 1300 })).toBe(
    'Up to 4 attempts, 1,800 s (30 min) of waiting between them, but Timeout 1,300 s (21 min 40 s) ends it after attempt 3.',
  );
});
