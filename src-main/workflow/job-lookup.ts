/** Jobs as their sub-resources find them: a missing one is answered in words of its own (wire-format.md 2.5). */
import { Problem } from '../contract/errors.ts';
import { MODELS } from '../contract/models/index.ts';
import { textOf } from '../kit/json-read.ts';
import type { Call, Objects, Stored } from '../objects/index.ts';

/**
 * The job, for an action of the scope `jobs` (claims go by its machine). Throws Problem `invalid` with status 404 when it is not
 * there or the tenant hides it, `claim-missing`.
 */
export function jobFor(
  { view, guard }: Pick<Objects, 'view' | 'guard'>,
  call: Call,
  typed: string,
  action: 'actions' | 'log',
): Stored {
  const job = view.resolve(MODELS.jobs, typed);
  const demand = (specific: string): void => guard.demand(call, [{ scope: 'jobs', action, specific }]);
  // Who may not ask is not told which jobs there are.
  if (!job && !call.actor.restricts('jobs')) demand(typed);
  if (!job || !guard.visible(call, MODELS.jobs, job, view))
    throw new Problem('invalid', `Job ${typed} does not exist`, { status: 404 });
  demand(textOf(job.value, 'Machine'));
  return job;
}
