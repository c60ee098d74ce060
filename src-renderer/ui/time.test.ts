import { expect, it } from 'vitest';
import { duration, localTime, milliseconds, remaining } from './time.ts';

it('says durations in at most two units', () => {
  expect([0, 1, 59, 60, 3600, 5400, 86_400, 90_000, 604_800, 3 * 365 * 86_400].map(duration)).toEqual([
    '0 s',
    '1 s',
    '59 s',
    '1 min',
    '1 h',
    '1 h 30 min',
    '1 day',
    '1 day 1 h',
    '7 days',
    '3 years',
  ]);
});

it('leaves out small parts behind a gap', () => {
  expect(duration(86_400 + 5)).toBe('1 day');
});

it('says how far away a time is, in both directions', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  expect(remaining('2026-01-01T00:59:00Z', now)).toBe('in 59 min');
  expect(remaining('2026-01-01T00:00:00.400Z', now)).toBe('now');
  expect(remaining('2025-12-31T23:59:50Z', now)).toBe('10 s ago');
});

it('shows short times with the precision they have', () => {
  expect([0.42, 9.96, 120.4, 2_400, 200_000].map(milliseconds)).toEqual([
    '0.4 ms',
    '10 ms',
    '120 ms',
    '2.4 s',
    '3 min 20 s',
  ]);
});

it('adds the date to times of other days, and passes on what is no time', () => {
  const now = new Date(2026, 0, 2, 12).getTime();
  const today = localTime(new Date(2026, 0, 2, 9).toISOString(), now);
  const yesterday = localTime(new Date(2026, 0, 1, 9).toISOString(), now);
  expect(yesterday).toContain('2026');
  expect(today).not.toContain('2026');
  expect(localTime('never', now)).toBe('never');
});
