/** States of a job and what a change of state brings with it (wire-format.md 8.2). Pure. */
import { JOB_STATES, type JobState, ZERO_TIME } from '../contract/models/index.ts';
import type { JsonObject } from '../kit/json.ts';
import { textOf } from '../kit/json-read.ts';

/** Where a job stands, for decisions. */
type JobPhase =
  /** A runner has it, or is about to. */
  | 'active'
  /** Its runner will take it up again, after a reboot for example. */
  | 'incomplete'
  | 'finished'
  | 'failed';

const PHASES: Readonly<Record<JobState, JobPhase>> = {
  created: 'active',
  running: 'active',
  incomplete: 'incomplete',
  finished: 'finished',
  failed: 'failed',
};

/** A state nobody knows cannot be stored; should it be there all the same, the job is over and has failed. */
export function phaseOf(job: JsonObject): JobPhase {
  const state = textOf(job, 'State');
  return (JOB_STATES as readonly string[]).includes(state) ? PHASES[state as JobState] : 'failed';
}

export const isOver = (phase: JobPhase): boolean => phase === 'finished' || phase === 'failed';

/**
 * The job with the fields that follow from a change of its state. `now`: RFC 3339. A job that stays in its state is given
 * back as it is.
 */
export function withState(before: JsonObject, after: JsonObject, now: string): JsonObject {
  const state = textOf(after, 'State');
  if (state === textOf(before, 'State')) return after;
  switch (state) {
    case 'running':
      return { ...after, StartTime: now, EndTime: ZERO_TIME };
    case 'finished':
      return { ...after, EndTime: now, ExitState: textOf(after, 'ExitState') || 'complete' };
    case 'failed':
      return { ...after, EndTime: now };
    default:
      return { ...after, EndTime: ZERO_TIME };
  }
}
