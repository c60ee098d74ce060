import { describe, expect, test } from 'vitest';
import { ZERO_TIME } from '../contract/models/index.ts';
import { withState } from './job-states.ts';

const NOW = '2030-01-01T00:00:00.000Z';
const job = (State: string, ExitState = '', StartTime = 'then', EndTime = ZERO_TIME) => ({
  State,
  ExitState,
  StartTime,
  EndTime,
});

describe('a job that goes', () => {
  test.each([
    ['created', 'running', '', job('running', '', NOW)],
    ['running', 'finished', '', job('finished', 'complete', 'then', NOW)],
    ['running', 'finished', 'reboot', job('finished', 'reboot', 'then', NOW)],
    ['running', 'failed', 'failed', job('failed', 'failed', 'then', NOW)],
    ['created', 'failed', '', job('failed', '', 'then', NOW)],
    ['running', 'incomplete', 'reboot', job('incomplete', 'reboot')],
    ['failed', 'running', '', job('running', '', NOW)],
  ])('from %s to %s', (from, to, exitState, expected) => {
    expect(withState(job(from), job(to, exitState), NOW)).toEqual(expected);
  });

  test('nowhere stays as it is', () => {
    const running = job('running');
    expect(withState(running, running, NOW)).toBe(running);
  });
});
