import { expect, it } from 'vitest';
import type { HostState } from '../../src-main/contract/host.ts';
import { clockSkewSeconds, describeService } from './service-state.ts';

const host = (service: HostState['service']) => ({ service }) as HostState;

it('has a word for every state, and a reason for every one in which nothing can be changed', () => {
  const since = '2026-01-01T00:00:00Z';
  const views = [
    describeService(undefined, false),
    describeService(host({ state: 'starting', since }), false),
    describeService(host({ state: 'running', since }), false),
    describeService(host({ state: 'stopping', since }), false),
    describeService(host({ state: 'stopped', since, reason: 'asked' }), false),
    describeService(host({ state: 'upgrading', since, reason: 'to 4' }), false),
    describeService(host({ state: 'failed', since, reason: 'disk full', hint: 'free space' }), false),
  ];
  expect(views.map((view) => [view.word, view.reason])).toEqual([
    ['Connecting', undefined],
    ['Starting', 'The service is starting.'],
    ['Running', undefined],
    ['Stopping', 'The service is stopping.'],
    ['Stopped', 'asked'],
    ['Upgrading', 'to 4'],
    ['Failed', 'disk full'],
  ]);
});

it('believes a missing answer over an old one', () => {
  const view = describeService(host({ state: 'running', since: '' }), true);
  expect(view).toMatchObject({ word: 'No answer', tone: 'off' });
});

it('measures the difference of the clocks', () => {
  const at = Date.parse('2026-01-01T00:00:00Z');
  expect(clockSkewSeconds('2026-01-01T00:01:05Z', at)).toBe(65);
  expect(clockSkewSeconds('nonsense', at)).toBe(0);
});
