import { describe, expect, test } from 'vitest';
import { expandStages, readStep, taskEditProblem } from './steps.ts';

test.each([
  ['install', { kind: 'task', name: 'install' }],
  ['stage:a', { kind: 'stage', name: 'a' }],
  ['bootenv:local', { kind: 'bootenv', name: 'local' }],
  ['context:', { kind: 'context', name: '' }],
  ['chroot:/mnt', { kind: 'chroot', path: '/mnt' }],
  ['action:reboot', { kind: 'action', plugin: undefined, command: 'reboot' }],
  ['action:ipmi:power:on', { kind: 'action', plugin: 'ipmi', command: 'power:on' }],
  ['else:a', { kind: 'unknown' }],
  [':a', { kind: 'unknown' }],
])('the entry %s reads as %j', (entry, step) => {
  expect(readStep(entry)).toEqual(step);
});

describe('a workflow spells out', () => {
  const stage = (name: string, bootEnv: string, ...tasks: string[]) => ({ name, bootEnv, tasks });

  test('each stage, its boot environment where that changes, and its tasks', () => {
    const stages = [
      stage('s1', '', 't1'),
      stage('s2', 'sledge', 't2', 't3'),
      stage('s3', 'sledge'),
      stage('s4', ''),
      stage('s5', 'local', 't1'),
      stage('s6', 'sledge'),
    ];
    expect(expandStages(stages)).toEqual([
      ...['stage:s1', 't1', 'stage:s2', 'bootenv:sledge', 't2', 't3', 'stage:s3', 'stage:s4'],
      ...['stage:s5', 'bootenv:local', 't1', 'stage:s6', 'bootenv:sledge'],
    ]);
  });

  test('nothing when it has no stages', () => {
    expect(expandStages([])).toEqual([]);
  });
});

describe('the task list of a machine takes', () => {
  const removed = 'Cannot remove tasks that have already executed or are already executing';
  const changed = 'Cannot change tasks that have already executed or are executing';
  const past = 'Cannot change tasks that are past the next stage transition';
  const list = ['stage:a', 't1', 't2', 'stage:b', 't3'];

  test.each<[string, string[], string[], number, string | undefined]>([
    ['nothing changed', list, list, 1, undefined],
    ['a task added behind the one at work', list, ['stage:a', 't1', 'x', 't2', 'stage:b', 't3'], 1, undefined],
    ['the rest of the stage replaced', list, ['stage:a', 't1', 'stage:b', 't3'], 1, undefined],
    ['the task at work replaced', list, ['stage:a', 'x', 't2', 'stage:b', 't3'], 1, changed],
    ['a finished task replaced', list, ['stage:x', 't1', 't2', 'stage:b', 't3'], 1, changed],
    ['a task put before the one at work', list, ['x', ...list], 1, changed],
    ['everything removed', list, [], 1, removed],
    ['less than what has begun', list, ['stage:a'], 1, removed],
    ['a task of the next stage replaced', list, ['stage:a', 't1', 't2', 'stage:b', 'x'], 1, past],
    ['a task added to the next stage', list, [...list, 'x'], 1, past],
    ['the next stage removed', list, ['stage:a', 't1', 't2'], 1, past],
    ['the last stage edited', list, ['stage:a', 't1', 't2', 'stage:b', 't3', 'x'], 3, undefined],
    ['anything before it began, on a list without stages', ['t1', 't2'], ['t3'], -1, undefined],
    ['an announced stage replaced before it began', list, ['stage:x', 't1'], -1, past],
    ['a task put before all others before it began', list, ['x', ...list], -1, undefined],
    ['tasks added after the end', ['t1'], ['t1', 't2'], 1, undefined],
    ['a task removed after the end', ['t1', 't2'], ['t1'], 2, removed],
    // The kept entries would have to stand where entries at work stand.
    ['the next stage moved onto the task at work', ['t1', 'stage:t1'], ['t1'], 0, past],
  ])('%s', (_what, before, after, current, problem) => {
    expect(taskEditProblem(before, after, current)).toBe(problem);
  });
});
