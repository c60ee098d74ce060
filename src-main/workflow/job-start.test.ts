import { expect, test } from 'vitest';
import type { JsonObject } from '../kit/json.ts';
import { decideStart } from './job-start.ts';

const machine = (fields: JsonObject = {}): JsonObject => ({
  Runnable: true,
  Available: true,
  Context: '',
  Stage: 's1',
  BootEnv: 'local',
  Workflow: '',
  Tasks: ['t1', 't2'],
  CurrentTask: 0,
  ...fields,
});
const job = (State: string, CurrentIndex = 0): JsonObject => ({ Uuid: 'j', State, CurrentIndex });
const run = (position: number, entry: string, abandons = false) => ({ kind: 'run', position, entry, abandons });

test.each<[string, JsonObject, JsonObject | undefined, string, object]>([
  ['a machine that is not runnable', machine({ Runnable: false }), undefined, '', { kind: 'not-runnable' }],
  ['one that is not available', machine({ Available: false }), undefined, '', { kind: 'not-runnable' }],
  ['one that runs elsewhere', machine({ Context: 'box' }), undefined, '', { kind: 'nothing-to-do' }],
  ['a runner elsewhere', machine(), undefined, 'box', { kind: 'nothing-to-do' }],
  ['both elsewhere', machine({ Context: 'box' }), undefined, 'box', run(0, 't1')],
  ['the end of the list', machine({ CurrentTask: 2 }), job('finished', 1), '', { kind: 'nothing-to-do' }],
  ['an empty list', machine({ Tasks: [], CurrentTask: 0 }), undefined, '', { kind: 'nothing-to-do' }],
  [
    'an empty list from the start',
    machine({ Tasks: [], CurrentTask: -1 }),
    undefined,
    '',
    { kind: 'ended', fields: { CurrentTask: 0, WorkflowComplete: false } },
  ],
  ['the start', machine({ CurrentTask: -1 }), undefined, '', run(0, 't1')],
  ['the start, after a finished job', machine({ CurrentTask: -1 }), job('finished'), '', run(0, 't1')],
  ['the start, after a failed job', machine({ CurrentTask: -1 }), job('failed'), '', run(0, 't1')],
  ['the start, with a job left running', machine({ CurrentTask: -1 }), job('running'), '', run(0, 't1', true)],
  ['the start, with a job left created', machine({ CurrentTask: -1 }), job('created'), '', run(0, 't1', true)],
  ['the start, with a job left incomplete', machine({ CurrentTask: -1 }), job('incomplete'), '', run(0, 't1', true)],
  ['an incomplete job', machine(), job('incomplete'), '', { kind: 'resume', job: job('incomplete') }],
  ['a created job', machine(), job('created'), '', { kind: 'already-active' }],
  ['a running job', machine(), job('running'), '', { kind: 'already-active' }],
  ['a finished job', machine(), job('finished'), '', run(1, 't2')],
  ['a failed job', machine(), job('failed'), '', run(0, 't1')],
  ['a job that was deleted', machine(), undefined, '', run(0, 't1')],
  ['a job in a state nobody knows', machine(), job('odd'), '', run(0, 't1')],
  // The machine stood at the end (1) when t2 was added; the job it finished last is that of t1.
  ['a task added after the end', machine({ CurrentTask: 1 }), job('finished', 0), '', run(1, 't2')],
  [
    'the last job finished',
    machine({ CurrentTask: 1 }),
    job('finished', 1),
    '',
    { kind: 'ended', fields: { CurrentTask: 2, WorkflowComplete: false } },
  ],
  [
    'the last job of a workflow finished',
    machine({ CurrentTask: 1, Workflow: 'w' }),
    job('finished', 1),
    '',
    { kind: 'ended', fields: { CurrentTask: 2, WorkflowComplete: true } },
  ],
  [
    'entries already in effect',
    machine({ CurrentTask: -1, Tasks: ['stage:s1', 'bootenv:local', 'context:', 't1'] }),
    undefined,
    '',
    run(3, 't1'),
  ],
  [
    'another stage',
    machine({ CurrentTask: -1, Tasks: ['stage:s2', 't1'] }),
    undefined,
    '',
    { kind: 'move', position: 0, entry: 'stage:s2', fields: { Stage: 's2' }, abandons: false },
  ],
  [
    'another boot environment',
    machine({ CurrentTask: -1, Tasks: ['stage:s1', 'bootenv:sledge'] }),
    undefined,
    '',
    { kind: 'move', position: 1, entry: 'bootenv:sledge', fields: { BootEnv: 'sledge' }, abandons: false },
  ],
  [
    'another context',
    machine({ CurrentTask: -1, Tasks: ['context:box'] }),
    undefined,
    '',
    { kind: 'move', position: 0, entry: 'context:box', fields: { Context: 'box' }, abandons: false },
  ],
  [
    'an action',
    machine({ CurrentTask: -1, Tasks: ['action:reboot'] }),
    undefined,
    '',
    { kind: 'act', position: 0, entry: 'action:reboot', abandons: false },
  ],
  [
    'an entry nobody can read',
    machine({ CurrentTask: -1, Tasks: ['stage:s1', 'odd:x'] }),
    undefined,
    '',
    { kind: 'unreadable-entry', position: 1, entry: 'odd:x' },
  ],
])('asking for work at %s', (_what, at, current, context, decision) => {
  expect(decideStart(at, current, context)).toEqual(decision);
});
