/** Jobs (wire-format.md 4.2): one run of one task on one machine. Claims go by the machine. */
import Type from 'typebox';
import type { JsonObject } from '../../kit/json.ts';
import { textOf } from '../../kit/json-read.ts';
import { Claim, stored } from './blocks.ts';
import { define } from './define.ts';
import { flag, integer, listOf, managed, mapOf, NIL_UUID, text, time, uuid, v4 } from './fields.ts';
import { booleanIndex, stringIndex, timeIndex, uuidIndex } from './indexes.ts';

export const JOB_STATES = ['created', 'running', 'incomplete', 'finished', 'failed'] as const;
export type JobState = (typeof JOB_STATES)[number];
export const EXIT_STATES = ['', 'complete', 'failed', 'reboot', 'poweroff', 'stop'] as const;
export type ExitState = (typeof EXIT_STATES)[number];

export const Job = Type.Object(
  {
    ...stored,
    Uuid: uuid(),
    Previous: uuid({ default: NIL_UUID }),
    Machine: uuid(),
    Task: text({ ...managed }),
    Stage: text({ ...managed }),
    Workflow: text({ ...managed }),
    BootEnv: text({ ...managed }),
    State: text({ description: JOB_STATES.join(', ') }),
    ExitState: text({ description: EXIT_STATES.filter(Boolean).join(', ') }),
    StartTime: time(),
    EndTime: time(),
    Archived: flag(),
    Current: flag({ description: 'The latest job of its machine.' }),
    CurrentIndex: integer({ ...managed }),
    NextIndex: integer({ ...managed }),
    Context: text({ ...v4 }),
    ExtraClaims: Type.Optional(listOf(Claim, { ...v4, ...managed, 'x-omit-empty': true })),
    Token: Type.Optional(text({ ...v4, ...managed, 'x-omit-empty': true })),
  },
  { title: 'Job' },
);
export type Job = Type.Static<typeof Job>;

/** One thing the agent does for a job: a script to run, or a file to write when `Path` is set. */
export const JobAction = Type.Object(
  { Name: text(), Path: text(), Content: text(), Meta: mapOf(Type.String(), { ...v4 }) },
  { title: 'JobAction' },
);
export type JobAction = Type.Static<typeof JobAction>;

function structural(value: JsonObject): string[] {
  const state = textOf(value, 'State');
  const exitState = textOf(value, 'ExitState');
  const isOneOf = (allowed: readonly string[], given: string): boolean => allowed.includes(given);
  return [
    ...(isOneOf(JOB_STATES, state) ? [] : [`Invalid State \`${state}\``]),
    ...(isOneOf(EXIT_STATES, exitState) ? [] : [`Invalid ExitState \`${exitState}\``]),
  ];
}

export const jobs = define({
  prefix: 'jobs',
  schema: Job,
  key: 'Uuid',
  indexes: {
    Uuid: uuidIndex('Uuid', true),
    // Published as unique, though many jobs share a machine: clients name jobs by it.
    Machine: uuidIndex('Machine', true),
    Previous: uuidIndex('Previous'),
    Archived: booleanIndex('Archived'),
    Current: booleanIndex('Current'),
    BootEnv: stringIndex('BootEnv'),
    Stage: stringIndex('Stage'),
    State: stringIndex('State'),
    Task: stringIndex('Task'),
    Workflow: stringIndex('Workflow'),
    StartTime: timeIndex('StartTime', 'dateTime'),
    EndTime: timeIndex('EndTime', 'dateTime'),
  },
  secretFields: ['/Token'],
  actions: 'plugin_actions',
  structural,
});
