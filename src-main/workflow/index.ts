/**
 * Workflows, stages, tasks and jobs: how a machine is taken through its task list.
 *
 *   machine-rules   what follows when somebody changes workflow, stage, boot environment or tasks of a machine
 *   steps           entries of a task list; the list a workflow spells out; which edits it takes while it runs
 *   job-start       which job a runner gets, decided; job-create carries the decision out
 *   job-states      states of a job and what a change of state brings; job-rules applies it to job and machine
 *   job-actions     the task's templates, rendered for the runner
 *   job-logs        what runners print, in files beside the store
 *   job-purge       removes old jobs
 *
 * A failed job is a change like any other: whoever wants to react to it hears of it from the store.
 */
import type { RuleTable } from '../objects/index.ts';
import { jobRules } from './job-rules.ts';
import { machineRules } from './machine-rules.ts';

export { type IssueMachineToken, jobActions, type RenderDeps } from './job-actions.ts';
export { type RunMachineAction, type StartJobDeps, type StartOutcome, startJob } from './job-create.ts';
export { createJobLogs, forgetLogsOfRemovedJobs, type JobLogs } from './job-logs.ts';
export { jobFor } from './job-lookup.ts';
export { type PurgeRequest, purgeJobs } from './job-purge.ts';

/** The rules of this room, by prefix. */
export const WORKFLOW_RULES: RuleTable = { machines: [machineRules], jobs: [jobRules] };
