/** What the exit code of a script asks for (wire-format.md 8.4), and what a task with several scripts comes to. Pure. */
import type { ExitState, JobState } from '../contract/models/index.ts';

/** What a script, or a whole task, came to. Several may hold at once. */
export interface Verdict {
  readonly failed: boolean;
  /** To be run again once the machine is runnable. */
  readonly incomplete: boolean;
  readonly reboot: boolean;
  readonly poweroff: boolean;
  /** The runner is to end. */
  readonly stop: boolean;
}

export const FINE: Verdict = { failed: false, incomplete: false, reboot: false, poweroff: false, stop: false };
export const FAILED: Verdict = { ...FINE, failed: true };

/** `sane`: 0 and sums of the values below, all else failed. `original`: 1 reboots, 2 is incomplete, 3 both. */
type ExitCodes = 'sane' | 'original';

const SANE: ReadonlyMap<number, Verdict> = new Map([
  [0, FINE],
  [16, { ...FINE, stop: true }],
  [32, { ...FINE, poweroff: true }],
  [64, { ...FINE, reboot: true }],
  [128, { ...FINE, incomplete: true }],
  [144, { ...FINE, incomplete: true, stop: true }],
  [160, { ...FINE, incomplete: true, poweroff: true }],
  [192, { ...FINE, incomplete: true, reboot: true }],
]);

const ORIGINAL: ReadonlyMap<number, Verdict> = new Map([
  [0, FINE],
  [1, { ...FINE, reboot: true }],
  [2, { ...FINE, incomplete: true }],
  [3, { ...FINE, incomplete: true, reboot: true }],
]);

/** `code` undefined: the script was ended by a signal. */
export function verdictOf(code: number | undefined, codes: ExitCodes): Verdict {
  if (code === undefined) return FAILED;
  return (codes === 'sane' ? SANE : ORIGINAL).get(code) ?? FAILED;
}

/** `flags`: the task's `feature-flags`. A file `.sane-exit-codes` in the task's directory overrules them. */
export function exitCodesOf(flags: string, hasSaneFile: boolean): ExitCodes {
  const names = flags.split(',').map((name) => name.trim());
  return names.includes('original-exit-codes') && !hasSaneFile ? 'original' : 'sane';
}

/** Whether the next script of the task runs, and what the task has come to if not. */
type Course = { readonly goOn: true } | { readonly goOn: false; readonly verdict: Verdict };

export function afterScript(verdict: Verdict, isLast: boolean): Course {
  if (isLast || verdict.failed) return { goOn: false, verdict };
  // What is left of the task has to be run afterwards.
  if (verdict.reboot || verdict.poweroff || verdict.stop)
    return { goOn: false, verdict: { ...verdict, incomplete: true } };
  // A script that declares the task incomplete ends it early, which counts as done.
  if (verdict.incomplete) return { goOn: false, verdict: { ...verdict, incomplete: false } };
  return { goOn: true };
}

export function finalState(verdict: Verdict): Extract<JobState, 'failed' | 'incomplete' | 'finished'> {
  if (verdict.failed) return 'failed';
  return verdict.incomplete ? 'incomplete' : 'finished';
}

export function exitStateOf(verdict: Verdict): ExitState {
  if (verdict.reboot) return 'reboot';
  if (verdict.poweroff) return 'poweroff';
  if (verdict.stop) return 'stop';
  return verdict.failed ? 'failed' : 'complete';
}

/** False when the runner may ask for the next job at once. */
export function stopsMachine(verdict: Verdict): boolean {
  return verdict.failed || verdict.incomplete || verdict.reboot || verdict.poweroff || verdict.stop;
}
