/** Task lists: what their entries mean, and the list that a workflow spells out (wire-format.md 4.1, 8.5). Pure. */

/** One entry of a machine's Tasks. */
export type Step =
  | { readonly kind: 'task'; readonly name: string }
  | { readonly kind: 'stage'; readonly name: string }
  | { readonly kind: 'bootenv'; readonly name: string }
  /** Tasks from here on are for a runner in that context; empty: the machine itself. */
  | { readonly kind: 'context'; readonly name: string }
  | { readonly kind: 'chroot'; readonly path: string }
  /** A plugin action, run by the server. */
  | { readonly kind: 'action'; readonly plugin: string | undefined; readonly command: string }
  | { readonly kind: 'unknown' };

export function readStep(entry: string): Step {
  const colon = entry.indexOf(':');
  if (colon < 0) return { kind: 'task', name: entry };
  const rest = entry.slice(colon + 1);
  switch (entry.slice(0, colon)) {
    case 'stage':
      return { kind: 'stage', name: rest };
    case 'bootenv':
      return { kind: 'bootenv', name: rest };
    case 'context':
      return { kind: 'context', name: rest };
    case 'chroot':
      return { kind: 'chroot', path: rest };
    case 'action': {
      const second = rest.indexOf(':');
      if (second < 0) return { kind: 'action', plugin: undefined, command: rest };
      return { kind: 'action', plugin: rest.slice(0, second), command: rest.slice(second + 1) };
    }
    default:
      return { kind: 'unknown' };
  }
}

/** What a workflow needs of a stage. */
export interface StageSteps {
  readonly name: string;
  /** Empty: the stage runs in whatever boot environment the machine is in. */
  readonly bootEnv: string;
  readonly tasks: readonly string[];
}

/**
 * The task list of a workflow: each stage announced, its boot environment named where it differs from the one before (the
 * first is always named), then its tasks.
 */
export function expandStages(stages: readonly StageSteps[]): string[] {
  const tasks: string[] = [];
  let bootEnv = '';
  for (const stage of stages) {
    tasks.push(`stage:${stage.name}`);
    if (stage.bootEnv !== '' && stage.bootEnv !== bootEnv) {
      bootEnv = stage.bootEnv;
      tasks.push(`bootenv:${bootEnv}`);
    }
    tasks.push(...stage.tasks);
  }
  return tasks;
}

/** The sentence against an edit of the task list while it runs; undefined: it is allowed. `current`: index of the entry at work. */
export function taskEditProblem(
  before: readonly string[],
  after: readonly string[],
  current: number,
): string | undefined {
  const begun = Math.min(current + 1, before.length);
  if (after.length < begun) return 'Cannot remove tasks that have already executed or are already executing';
  if (before.slice(0, begun).some((task, i) => after[i] !== task))
    return 'Cannot change tasks that have already executed or are executing';
  const transition = before.findIndex((task, i) => i >= begun && task.startsWith('stage:'));
  if (transition < 0) return undefined;
  const kept = before.slice(transition);
  const start = after.length - kept.length;
  const isKept = start >= begun && kept.every((task, i) => after[start + i] === task);
  return isKept ? undefined : 'Cannot change tasks that are past the next stage transition';
}
