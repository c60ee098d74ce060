/** What a change of a job means for the job and its machine, and when a job may go (wire-format.md 8.2). */
import { Problem } from '../contract/errors.ts';
import type { Json, JsonObject } from '../kit/json.ts';
import { integerOf, textOf, textsOf } from '../kit/json-read.ts';
import type { TypeRules, Unit } from '../objects/index.ts';
import { isOver, phaseOf, withState } from './job-states.ts';
import { find } from './read.ts';

/** Fields that say where the job came from; what a client sends for them is ignored. */
const FIXED = [
  'Previous',
  'Task',
  'Stage',
  'Workflow',
  'BootEnv',
  'Current',
  'CurrentIndex',
  'NextIndex',
  'ExtraClaims',
  'Token',
] as const;

function withFixedFields(before: JsonObject, after: JsonObject): JsonObject {
  const out: { [k: string]: Json } = { ...after };
  for (const field of FIXED) {
    const value = before[field];
    if (value === undefined) delete out[field];
    else out[field] = value;
  }
  return out;
}

/** What the end of its current job does to a machine; undefined: nothing. */
function consequence(machine: JsonObject, job: JsonObject): JsonObject | undefined {
  switch (phaseOf(job)) {
    case 'failed':
      return { Runnable: false, WorkflowComplete: false };
    case 'finished': {
      const isLast = integerOf(job, 'CurrentIndex') === textsOf(machine, 'Tasks').length - 1;
      return isLast && textOf(machine, 'Workflow') !== '' ? { WorkflowComplete: true } : undefined;
    }
    default:
      return undefined;
  }
}

/** Completes a job whose state changes, and moves its machine along in the same transaction. */
export function settleJob(unit: Unit, before: JsonObject, after: JsonObject, now: number): JsonObject {
  if (textOf(before, 'State') === textOf(after, 'State')) return after;
  const settled = withState(before, after, new Date(now).toISOString());
  const machine = find(unit, 'machines', textOf(settled, 'Machine'));
  if (machine && textOf(machine, 'CurrentJob') === textOf(settled, 'Uuid')) {
    const changes = consequence(machine, settled);
    if (changes) unit.put('machines', textOf(machine, 'Uuid'), { ...machine, ...changes });
  }
  return settled;
}

/** True when removing the job loses nothing that a runner or its machine still needs. */
function isDeletable(job: JsonObject, machineExists: boolean): boolean {
  return isOver(phaseOf(job)) || job['Current'] !== true || !machineExists;
}

export const jobRules: TypeRules = {
  change(before, sent, { unit, now }) {
    const key = textOf(before, 'Uuid');
    if (textOf(sent, 'Machine') !== textOf(before, 'Machine'))
      throw new Problem('invalid', 'Cannot change the Machine of a job', { model: 'jobs', key });
    return settleJob(unit, before, withFixedFields(before, sent), now);
  },
  refuseRemoval(value, { unit }) {
    if (isDeletable(value, find(unit, 'machines', textOf(value, 'Machine')) !== undefined)) return undefined;
    const key = textOf(value, 'Uuid');
    return new Problem('invalid', `Jobs ${key} is not in a deletable state: ${textOf(value, 'State')}`, {
      model: 'jobs',
      key,
    });
  },
};
