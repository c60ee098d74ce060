/** What a runner that asks for work gets (wire-format.md 8.1), decided from the machine and its current job. Pure. */
import type { JsonObject } from '../kit/json.ts';
import { integerOf, textOf, textsOf } from '../kit/json-read.ts';
import { phaseOf } from './job-states.ts';
import { readStep, type Step } from './steps.ts';

interface Placed {
  /** Index of the entry in the machine's task list. */
  readonly position: number;
  readonly entry: string;
  /** The current job was given up by whoever reset the machine. */
  readonly abandons: boolean;
}

/** An entry whose turn it is: each makes a job. */
export type DueEntry =
  | ({ readonly kind: 'run' } & Placed)
  /** The server moves the machine itself; `fields` are those that change. */
  | ({ readonly kind: 'move'; readonly fields: JsonObject } & Placed)
  /** The server runs the entry itself. */
  | ({ readonly kind: 'act' } & Placed);

type StartDecision =
  | { readonly kind: 'nothing-to-do' }
  /** The end of the task list is reached now; `fields` of the machine change. */
  | { readonly kind: 'ended'; readonly fields: JsonObject }
  | { readonly kind: 'not-runnable' }
  | { readonly kind: 'already-active' }
  /** The job that was interrupted goes on. */
  | { readonly kind: 'resume'; readonly job: JsonObject }
  | DueEntry
  | { readonly kind: 'unreadable-entry'; readonly position: number; readonly entry: string };

/** Entries that are already in effect are passed over. */
function isInEffect(step: Step, machine: JsonObject): boolean {
  switch (step.kind) {
    case 'stage':
      return textOf(machine, 'Stage') === step.name;
    case 'bootenv':
      return textOf(machine, 'BootEnv') === step.name;
    case 'context':
      return textOf(machine, 'Context') === step.name;
    default:
      return false;
  }
}

function decideAt(start: number, machine: JsonObject, abandons: boolean): StartDecision {
  const tasks = textsOf(machine, 'Tasks');
  for (let position = start; position < tasks.length; position++) {
    const entry = tasks[position] ?? '';
    const step = readStep(entry);
    if (isInEffect(step, machine)) continue;
    switch (step.kind) {
      case 'task':
        return { kind: 'run', position, entry, abandons };
      case 'stage':
        return { kind: 'move', position, entry, fields: { Stage: step.name }, abandons };
      case 'bootenv':
        // The runner that asked sees the change and boots into it; it would not come back if it were told to stop here.
        return { kind: 'move', position, entry, fields: { BootEnv: step.name }, abandons };
      case 'context':
        return { kind: 'move', position, entry, fields: { Context: step.name }, abandons };
      case 'action':
      case 'chroot':
        return { kind: 'act', position, entry, abandons };
      case 'unknown':
        return { kind: 'unreadable-entry', position, entry };
    }
  }
  return {
    kind: 'ended',
    fields: { CurrentTask: tasks.length, WorkflowComplete: textOf(machine, 'Workflow') !== '' },
  };
}

/** `job`: the machine's current job, if it is still there. `context`: where the runner that asks works. */
export function decideStart(machine: JsonObject, job: JsonObject | undefined, context: string): StartDecision {
  if (machine['Runnable'] !== true || machine['Available'] !== true) return { kind: 'not-runnable' };
  if (textOf(machine, 'Context') !== context) return { kind: 'nothing-to-do' };
  const current = integerOf(machine, 'CurrentTask');
  if (current >= textsOf(machine, 'Tasks').length) return { kind: 'nothing-to-do' };
  const phase = job === undefined ? undefined : phaseOf(job);
  if (current < 0) return decideAt(0, machine, phase === 'active' || phase === 'incomplete');
  if (job !== undefined && phase === 'incomplete') return { kind: 'resume', job };
  if (phase === 'active') return { kind: 'already-active' };
  // A failed job, or one that was deleted, is run again; tasks added after the end of the list have not been run at all.
  const isDone = job !== undefined && phase === 'finished' && integerOf(job, 'CurrentIndex') >= current;
  return decideAt(isDone ? current + 1 : current, machine, false);
}
