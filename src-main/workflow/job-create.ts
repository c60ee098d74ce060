/** A runner asks for its next job (POST /jobs, wire-format.md 8.1): the decision of job-start.ts, carried out. */
import { DecodeError, decode } from '../contract/decode.ts';
import { Problem } from '../contract/errors.ts';
import { MODELS, NIL_UUID } from '../contract/models/index.ts';
import { newUuid } from '../kit/ids.ts';
import type { JsonObject } from '../kit/json.ts';
import { listOf, textOf } from '../kit/json-read.ts';
import { type Call, type Objects, originOf, type Unit } from '../objects/index.ts';
import type { JobLogs } from './job-logs.ts';
import { settleJob } from './job-rules.ts';
import { type DueEntry, decideStart } from './job-start.ts';
import { withState } from './job-states.ts';
import { find } from './read.ts';
import { readStep } from './steps.ts';

/** Runs a plugin action on a machine on behalf of the call. Rejects when it fails. */
export type RunMachineAction = (
  call: Call,
  machine: string,
  command: string,
  plugin: string | undefined,
) => Promise<unknown>;

export interface StartJobDeps {
  readonly objects: Pick<Objects, 'view' | 'guard' | 'committer'>;
  readonly logs: JobLogs;
  /** ms since 1970. */
  readonly clock: () => number;
  readonly runAction: RunMachineAction;
}

export type StartOutcome =
  | { readonly kind: 'nothing-to-do' }
  | { readonly kind: 'resumed'; readonly job: JsonObject }
  | { readonly kind: 'created'; readonly job: JsonObject };

type Carried =
  | StartOutcome
  /** The task list came to its end. */
  | { readonly kind: 'ended' }
  /** The server has to run the job itself. */
  | { readonly kind: 'act'; readonly job: JsonObject };

function readRequest(body: unknown): JsonObject {
  try {
    return decode(MODELS.jobs, body ?? {});
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new Problem('malformed-json', error.message, { cause: error });
  }
}

/** The job that an entry of the task list makes, in its first state. */
function newJob(unit: Unit, machine: JsonObject, decision: DueEntry, uuid: string, now: string): JsonObject {
  const extraClaims = listOf(find(unit, 'tasks', decision.entry) ?? {}, 'ExtraClaims');
  const job: JsonObject = {
    Uuid: uuid,
    Machine: textOf(machine, 'Uuid'),
    Previous: textOf(machine, 'CurrentJob') || NIL_UUID,
    Task: decision.entry,
    Stage: textOf(machine, 'Stage'),
    Workflow: textOf(machine, 'Workflow'),
    BootEnv: textOf(machine, 'BootEnv'),
    Context: textOf(machine, 'Context'),
    State: 'created',
    ExitState: '',
    StartTime: now,
    Current: true,
    CurrentIndex: decision.position,
    NextIndex: decision.position + 1,
    ...(extraClaims.length > 0 ? { ExtraClaims: extraClaims } : {}),
  };
  switch (decision.kind) {
    case 'run':
      return job;
    case 'move':
      return withState(job, { ...job, State: 'finished' }, now);
    case 'act':
      return withState(job, { ...job, State: 'running' }, now);
  }
}

/** Stores the new job, the job it supersedes and the machine that points at it. */
function putNewJob(unit: Unit, machine: JsonObject, decision: DueEntry, uuid: string, nowMs: number): JsonObject {
  if (unit.get('jobs', uuid)) throw new Problem('already-exists', 'already exists', { model: 'jobs', key: uuid });
  const now = new Date(nowMs).toISOString();
  const previous = find(unit, 'jobs', textOf(machine, 'CurrentJob'));
  if (previous) {
    const ended = decision.abandons ? withState(previous, { ...previous, State: 'failed' }, now) : previous;
    unit.put('jobs', textOf(previous, 'Uuid'), { ...ended, Current: false });
  }
  const moved = decision.kind === 'move' ? { ...machine, ...decision.fields } : machine;
  const job = unit.put('jobs', uuid, newJob(unit, moved, decision, uuid, now));
  unit.put('machines', textOf(machine, 'Uuid'), {
    ...moved,
    CurrentJob: uuid,
    CurrentTask: decision.position,
    WorkflowComplete: false,
  });
  return job;
}

function carryOut(unit: Unit, machineKey: string, context: string, uuid: string, now: number): Carried {
  const machine = find(unit, 'machines', machineKey);
  if (!machine) throw new Problem('invalid', `Machine ${machineKey} does not exist`);
  const decision = decideStart(machine, find(unit, 'jobs', textOf(machine, 'CurrentJob')), context);
  switch (decision.kind) {
    case 'not-runnable':
      throw new Problem('conflict', `Machine ${machineKey} is not runnable`);
    case 'already-active':
      throw new Problem('conflict', `Machine ${machineKey} already has running or created job`);
    case 'unreadable-entry':
      throw new Problem('internal', `Invalid task list entry[${decision.position}]: '${decision.entry}'`, {
        type: 'InvalidTaskList',
        model: 'machines',
        key: machineKey,
      });
    case 'nothing-to-do':
      return { kind: 'nothing-to-do' };
    case 'ended':
      unit.put('machines', machineKey, { ...machine, ...decision.fields });
      return { kind: 'ended' };
    case 'resume':
      return { kind: 'resumed', job: decision.job };
    case 'run':
      return { kind: 'created', job: putNewJob(unit, machine, decision, uuid, now) };
    case 'move':
      putNewJob(unit, machine, decision, uuid, now);
      return { kind: 'nothing-to-do' };
    case 'act':
      return { kind: 'act', job: putNewJob(unit, machine, decision, uuid, now) };
  }
}

/** Ends a job that the server itself worked on, unless somebody has ended it meanwhile. */
async function endOwnJob(deps: StartJobDeps, call: Call, uuid: string, failure: string | undefined): Promise<void> {
  if (failure !== undefined) await deps.logs.append(uuid, Buffer.from(`${failure}\n`));
  const origin = originOf(call);
  await deps.objects.committer.commit(origin, `jobs/${uuid}`, (unit) => {
    const job = find(unit, 'jobs', uuid);
    if (!job || textOf(job, 'State') !== 'running') return;
    const ended = failure === undefined ? { State: 'finished' } : { State: 'failed', ExitState: 'failed' };
    unit.put('jobs', uuid, settleJob(unit, job, { ...job, ...ended }, deps.clock()));
  });
}

/** Does what an entry for the server says; answers why it failed, or undefined. */
async function act(deps: StartJobDeps, call: Call, job: JsonObject): Promise<string | undefined> {
  const entry = textOf(job, 'Task');
  const step = readStep(entry);
  // Running the tasks that follow outside of the root they were written for would do harm.
  if (step.kind !== 'action') return `${entry}: changing the root directory is not supported here`;
  try {
    await deps.runAction(call, textOf(job, 'Machine'), step.command, step.plugin);
    return undefined;
  } catch (error) {
    return `${entry}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/**
 * Gives the machine's runner its next job. Throws Problem `bad-request` (no machine named), `claim-missing`, `invalid` (no
 * such machine), `conflict` (not runnable, or a job is under way), `already-exists`, `internal` (an entry nobody can read).
 */
export async function startJob(deps: StartJobDeps, call: Call, body: unknown): Promise<StartOutcome> {
  const request = readRequest(body);
  const machineKey = textOf(request, 'Machine');
  if (machineKey === '') throw new Problem('bad-request', 'Create request must have Machine field');
  const { view, guard, committer } = deps.objects;
  const machine = view.get('machines', machineKey);
  const isShown = machine !== undefined && guard.visible(call, MODELS.machines, machine, view);
  // Tenant before claims; and who may not ask is not told which machines there are.
  if (isShown || !call.actor.restricts('machines'))
    guard.demand(call, [{ scope: 'jobs', action: 'create', specific: machineKey }]);
  if (!isShown) throw new Problem('invalid', `Machine ${machineKey} does not exist`);

  const uuid = textOf(request, 'Uuid') || newUuid();
  let subject = `jobs/${uuid}`;
  const origin = originOf(call);
  const carried = await committer.commit(
    origin,
    () => subject,
    (unit) => {
      const result = carryOut(unit, machineKey, textOf(request, 'Context'), uuid, deps.clock());
      // At the end of the list the machine alone changes, and listeners wait for an update of it.
      subject = result.kind === 'ended' ? `machines/${machineKey}` : `jobs/${uuid}`;
      return result;
    },
  );
  if (carried.kind === 'ended') return { kind: 'nothing-to-do' };
  if (carried.kind !== 'act') return carried;
  const failure = await act(deps, call, carried.job);
  await endOwnJob(deps, call, uuid, failure);
  return { kind: 'nothing-to-do' };
}
