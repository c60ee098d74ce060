/**
 * The runner of one machine (wire-format.md 8.4): waits until the machine may run, asks for its next job, runs it, and again.
 * It never reboots or powers off anything: it ends and says that this is what has to be done.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, createApiClient, Refused, Unreachable } from './api-client.ts';
import { exitStateOf, finalState } from './exit-codes.ts';
import { type MachineWatch, watchMachine } from './machine-watch.ts';
import { hasFlag, jobRecord, type MachineRecord, machineRecord } from './records.ts';
import { type RunnerSurroundings, runJob } from './task-run.ts';

/** What happens, for whoever shows it. */
export type AgentEvent =
  | { readonly event: 'started'; readonly machine: string; readonly name: string }
  | { readonly event: 'waiting'; readonly reason: string }
  | { readonly event: 'job'; readonly job: string; readonly task: string }
  | {
      readonly event: 'job-ended';
      readonly job: string;
      readonly task: string;
      readonly state: string;
      readonly exitState: string;
    }
  | { readonly event: 'warning'; readonly message: string };

/** Why the agent ended. */
export type AgentEnd =
  /** Nothing is left to do (only with `once`). */
  | { readonly kind: 'done' }
  /** A task failed (only with `once`). */
  | { readonly kind: 'failed'; readonly task: string }
  /** A task is to be gone on with later (only with `once`). */
  | { readonly kind: 'incomplete'; readonly task: string }
  | { readonly kind: 'reboot'; readonly reason: string }
  | { readonly kind: 'poweroff'; readonly reason: string }
  | { readonly kind: 'stop'; readonly reason: string }
  | { readonly kind: 'machine-gone' };

export interface AgentOptions {
  /** `https://HOST:PORT`. */
  readonly endpoint: string;
  readonly token: string;
  /** UUID, or `Name:NAME`. */
  readonly machine: string;
  /** Ends with the workflow instead of waiting for more. */
  readonly once: boolean;
  /** The machine has just booted: it is marked as runnable first. */
  readonly booted: boolean;
  /** Execution context the agent works in; empty: the machine itself. */
  readonly context: string;
  /** Tasks get directories of their own below this one. */
  readonly directory: string;
  /** Certificates to trust, PEM; undefined: any. */
  readonly ca: string | undefined;
  readonly signal: AbortSignal;
  readonly report: (event: AgentEvent) => void;
  readonly platform?: NodeJS.Platform;
  readonly patienceMs?: number;
}

interface Agent {
  readonly options: AgentOptions;
  readonly api: ApiClient;
  readonly watch: MachineWatch;
  readonly uuid: string;
  /** Boot environment the agent was started in. */
  readonly bootEnv: string;
  readonly runner: RunnerSurroundings;
}

const LONG_MS = 3_600_000;
const AGAIN_MS = 1_000;
const LAST_REPORTS_MS = 10_000;

const readMachine = async (api: ApiClient, key: string): Promise<MachineRecord | undefined> => {
  const found = await api.find(`/machines/${encodeURIComponent(key)}`);
  return found === undefined ? undefined : machineRecord(found);
};

/** A job that nobody works on any more cannot be gone on with. Answers its task; undefined: there was none. */
async function failLeftover(api: ApiClient, machine: MachineRecord): Promise<string | undefined> {
  if (machine.currentJob === '') return undefined;
  const job = jobRecord(await api.find(`/jobs/${machine.currentJob}`));
  if (job.state !== 'created' && job.state !== 'running') return undefined;
  await api.patch(`/jobs/${job.uuid}`, [
    { op: 'test', path: '/State', value: job.state },
    { op: 'replace', path: '/State', value: 'failed' },
  ]);
  return job.task;
}

async function setRunnable(api: ApiClient, machine: string): Promise<void> {
  await api.patch(`/machines/${machine}`, [{ op: 'replace', path: '/Runnable', value: true }]);
}

/** Waits until `isOver` holds for the machine; undefined: it is gone. */
async function until(
  { api, watch, uuid, options }: Agent,
  isOver: (machine: MachineRecord) => boolean,
  reason: string,
): Promise<MachineRecord | undefined> {
  let isTold = false;
  for (;;) {
    options.signal.throwIfAborted();
    const seen = watch.version();
    const machine = await readMachine(api, uuid);
    if (!machine || isOver(machine)) return machine;
    if (!isTold) options.report({ event: 'waiting', reason });
    isTold = true;
    await watch.moved(seen, LONG_MS);
  }
}

const hasMoved = (a: MachineRecord, b: MachineRecord): boolean =>
  a.currentTask !== b.currentTask ||
  a.runnable !== b.runnable ||
  a.bootEnv !== b.bootEnv ||
  a.stage !== b.stage ||
  a.workflow !== b.workflow ||
  a.context !== b.context ||
  a.tasks.join('\n') !== b.tasks.join('\n');

/** The boot environment is another than the one the agent runs in. Installers boot into what they installed by themselves. */
const leaveBootEnv = (old: string, now: string): AgentEnd =>
  old.endsWith('-install')
    ? { kind: 'stop', reason: `the installation by ${old} is over` }
    : { kind: 'reboot', reason: `it has to boot into ${now}` };

/** Without a workflow a param may say which stage comes next, as `next[:Reboot|Stop|Shutdown]`. */
async function nextStage({ api, uuid }: Agent, machine: MachineRecord): Promise<AgentEnd | 'moved' | undefined> {
  const map = await api.get(`/machines/${uuid}/params/change-stage/map?aggregate=true`);
  const entry = typeof map === 'object' && map !== null ? (map as Record<string, unknown>)[machine.stage] : undefined;
  if (typeof entry !== 'string' || entry === '') return undefined;
  const [stage = '', target = ''] = entry.split(':');
  await api.patch(`/machines/${uuid}`, [
    { op: 'test', path: '/Stage', value: machine.stage },
    { op: 'replace', path: '/Stage', value: stage },
  ]);
  const reason = `the stage ${stage} says so`;
  const definition = (await api.find(`/stages/${encodeURIComponent(stage)}`)) as { Reboot?: boolean } | undefined;
  if (target === 'Reboot' || definition?.Reboot === true) return { kind: 'reboot', reason };
  if (target === 'Stop') return { kind: 'stop', reason };
  return target === 'Shutdown' ? { kind: 'poweroff', reason } : 'moved';
}

/** The server had nothing: the end, another stage, or a change to wait for. */
async function afterNothing(agent: Agent, before: MachineRecord): Promise<AgentEnd | undefined> {
  const { api, uuid, options } = agent;
  const machine = await readMachine(api, uuid);
  if (!machine) return { kind: 'machine-gone' };
  const isAtEnd = machine.currentTask >= machine.tasks.length && machine.context === options.context;
  if (machine.workflow === '' && isAtEnd) {
    const next = await nextStage(agent, machine);
    if (next === 'moved') return undefined;
    if (next) return next;
  }
  if (isAtEnd && options.once) return { kind: 'done' };
  const reason = isAtEnd ? 'all tasks are done' : 'the machine is moving';
  const moved = await until(agent, (now) => hasMoved(now, isAtEnd ? machine : before), reason);
  return moved ? undefined : { kind: 'machine-gone' };
}

/** Asks for a job and runs it. */
async function turn(agent: Agent, machine: MachineRecord): Promise<AgentEnd | undefined> {
  const { api, options, uuid } = agent;
  const { status, body } = await api.post('/jobs', { Machine: uuid, Context: options.context });
  const job = jobRecord(body);
  if (status === 204 || job.state === '' || job.task.includes(':')) return afterNothing(agent, machine);
  options.report({ event: 'job', job: job.uuid, task: job.task });
  const verdict = await runJob(agent.runner, job);
  const exitState = exitStateOf(verdict);
  options.report({ event: 'job-ended', job: job.uuid, task: job.task, state: finalState(verdict), exitState });
  const reason = `task ${job.task} asks for it`;
  if (exitState === 'reboot' || exitState === 'poweroff' || exitState === 'stop') return { kind: exitState, reason };
  if (!options.once) return undefined;
  if (verdict.failed) return { kind: 'failed', task: job.task };
  return verdict.incomplete ? { kind: 'incomplete', task: job.task } : undefined;
}

/** After a turn that broke off; answers why to end, or nothing when it is worth looking again. */
async function recover(agent: Agent, error: unknown): Promise<AgentEnd | undefined> {
  const { api, uuid, options } = agent;
  // It stopped being runnable meanwhile, or its job was ended or removed by somebody else.
  if (error instanceof Refused && (error.status === 409 || error.status === 404)) return undefined;
  if (!(error instanceof Unreachable)) throw error;
  const machine = await readMachine(api, uuid);
  const task = machine && (await failLeftover(api, machine));
  return options.once && task !== undefined ? { kind: 'failed', task } : undefined;
}

async function loop(agent: Agent): Promise<AgentEnd> {
  const { options, bootEnv } = agent;
  const mayRun = (machine: MachineRecord): boolean =>
    machine.bootEnv !== bootEnv || (machine.available && machine.runnable && machine.context === options.context);
  let warned = '';
  for (;;) {
    const machine = await until(agent, mayRun, 'the machine is not runnable');
    if (!machine) return { kind: 'machine-gone' };
    if (machine.bootEnv !== bootEnv) return leaveBootEnv(bootEnv, machine.bootEnv);
    try {
      const end = await turn(agent, machine);
      options.signal.throwIfAborted();
      if (end) return end;
      warned = '';
    } catch (error) {
      options.signal.throwIfAborted();
      const message = error instanceof Error ? error.message : String(error);
      const end = await recover(agent, error);
      if (end) return end;
      if (message !== warned) options.report({ event: 'warning', message });
      warned = message;
      await sleep(AGAIN_MS, undefined, { signal: options.signal });
    }
  }
}

/**
 * Runs until there is a reason to end. Rejects with Refused (no right, no such machine), Unreachable, or the signal's reason
 * when it was called off.
 */
export async function runAgent(options: AgentOptions): Promise<AgentEnd> {
  const { endpoint, token, ca, signal } = options;
  // What was begun is reported to the end, but not for ever.
  const patience = new AbortController();
  let begun = false;
  const onAbort = (): void => {
    if (!begun) patience.abort(signal.reason);
    else setTimeout(() => patience.abort(signal.reason), LAST_REPORTS_MS).unref();
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const api = createApiClient({
    endpoint,
    token,
    ca,
    signal: patience.signal,
    ...(options.patienceMs === undefined ? {} : { patienceMs: options.patienceMs }),
    onWaiting: ({ message }) => options.report({ event: 'warning', message: `${message}; trying again` }),
  });
  let watch: MachineWatch | undefined;
  try {
    const machine = await readMachine(api, options.machine);
    if (!machine) throw new Refused('GET', `/machines/${options.machine}`, 404, ['Not Found']);
    begun = true;
    const { uuid } = machine;
    options.report({ event: 'started', machine: uuid, name: machine.name });
    await failLeftover(api, machine);
    const isOldStyle = !hasFlag(machine.flags, 'change-stage-v2') || hasFlag(machine.flags, 'original-change-stage');
    if (options.booted || isOldStyle) await setRunnable(api, uuid);
    watch = watchMachine({ endpoint, token, ca, machine: uuid, signal });
    const runner: RunnerSurroundings = {
      api,
      machine: uuid,
      token,
      directory: options.directory,
      platform: options.platform ?? process.platform,
      signal,
      warn: (message) => options.report({ event: 'warning', message }),
    };
    return await loop({ options, api, watch, uuid, bootEnv: machine.bootEnv, runner });
  } finally {
    signal.removeEventListener('abort', onAbort);
    watch?.close();
    await api.close().catch(() => undefined);
  }
}
