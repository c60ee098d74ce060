/** Removes old jobs (DELETE /jobs): those that are over or whose machine is gone, never the current one of a machine. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MODELS } from '../contract/models/index.ts';
import type { JsonObject } from '../kit/json.ts';
import { textOf } from '../kit/json-read.ts';
import { type Call, leaveTenants, type Objects, originOf } from '../objects/index.ts';
import { isOver, phaseOf } from './job-states.ts';

const BATCH = 200;

export interface PurgeRequest {
  /** Says what would go; nothing is removed. */
  readonly dryRun: boolean;
  /** Only jobs of this machine; `missing`: only those whose machine is gone; undefined: all. */
  readonly machine: string | undefined;
  /** The newest this many of each machine stay, besides its current one. */
  readonly jobsToKeep: number;
  /** Ended failed jobs stay this long, in milliseconds. */
  readonly failedAfterMs: number;
  /** The same for finished ones. */
  readonly completeAfterMs: number;
}

interface Candidate {
  readonly key: string;
  readonly machine: string;
  readonly started: string;
}

function isOld(job: JsonObject, request: PurgeRequest, now: number): boolean {
  const limit = phaseOf(job) === 'failed' ? request.failedAfterMs : request.completeAfterMs;
  return limit === 0 || now - Date.parse(textOf(job, 'EndTime')) >= limit;
}

/** Drops the newest `keep` of each machine. */
function beyondKept(candidates: readonly Candidate[], keep: number): Candidate[] {
  const byMachine = Map.groupBy(candidates, (candidate) => candidate.machine);
  return [...byMachine.values()].flatMap((jobs) =>
    jobs.toSorted((a, b) => (a.started < b.started ? 1 : a.started > b.started ? -1 : 0)).slice(keep),
  );
}

/** Removes what the request names; resolves to the keys of the jobs that went, or would go. Needs `jobs delete *`. */
export async function purgeJobs(
  { view, guard, committer }: Pick<Objects, 'view' | 'guard' | 'committer'>,
  call: Call,
  request: PurgeRequest,
  now: number,
): Promise<string[]> {
  guard.demand(call, [{ scope: 'jobs', action: 'delete', specific: '*' }]);
  const orphans: string[] = [];
  const candidates: Candidate[] = [];
  for (const stored of view.entries('jobs')) {
    const job = stored.value;
    const machine = textOf(job, 'Machine');
    const isOrphan = view.get('machines', machine) === undefined;
    if (request.machine === 'missing' ? !isOrphan : request.machine !== undefined && request.machine !== machine)
      continue;
    if (!guard.visible(call, MODELS.jobs, stored, view)) continue;
    if (isOrphan) orphans.push(stored.key);
    else if (job['Current'] !== true && isOver(phaseOf(job)) && isOld(job, request, now))
      candidates.push({ key: stored.key, machine, started: textOf(job, 'StartTime') });
  }
  const keys = [...orphans, ...beyondKept(candidates, request.jobsToKeep).map((candidate) => candidate.key)].sort();
  if (request.dryRun) return keys;
  for (let start = 0; start < keys.length; start += BATCH) {
    const batch = keys.slice(start, start + BATCH);
    await committer.commit(originOf(call), undefined, (unit) => {
      for (const key of batch) {
        unit.remove('jobs', key);
        leaveTenants('jobs', key, unit);
      }
    });
    await nextTurn();
  }
  return keys;
}
