/** One job: its actions fetched, written and run in a directory of their own, its log streamed, its end reported. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import type { PatchOperation } from '../kit/json-patch.ts';
import { type ApiClient, Refused, Unreachable } from './api-client.ts';
import {
  afterScript,
  exitCodesOf,
  exitStateOf,
  FAILED,
  FINE,
  finalState,
  stopsMachine,
  type Verdict,
  verdictOf,
} from './exit-codes.ts';
import { createLogStream, type LogStream } from './log-stream.ts';
import { type ActionRecord, actionRecords, type JobRecord, jobRecord, machineRecord, taskFlags } from './records.ts';
import { runScript, type ScriptEnd } from './script.ts';

export interface RunnerSurroundings {
  readonly api: ApiClient;
  readonly machine: string;
  readonly token: string;
  /** Tasks get directories below this one. */
  readonly directory: string;
  readonly platform: NodeJS.Platform;
  readonly signal: AbortSignal;
  readonly warn: (message: string) => void;
}

/** Where a script may look whether the sane codes are meant. */
const SANE_FILE = '.sane-exit-codes';
const GO_OS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { win32: 'windows', sunos: 'solaris' };

/** Name of this operating system on the wire. */
const wireOs = (platform: NodeJS.Platform): string => GO_OS[platform] ?? platform;

function isForOs(action: ActionRecord, os: string): boolean {
  return action.os === '' || action.os.split(',').some((one) => one.trim() === os);
}

/**
 * Moves a job from one state to another. An answer that got lost is not a failure: the job is read to see whether it has
 * moved already.
 */
async function moveJob(
  api: ApiClient,
  job: string,
  from: string,
  to: string,
  rest: readonly PatchOperation[] = [],
): Promise<void> {
  const operations: PatchOperation[] = [
    { op: 'test', path: '/State', value: from },
    { op: 'replace', path: '/State', value: to },
    ...rest,
  ];
  try {
    await api.patch(`/jobs/${job}`, operations);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    const now = jobRecord(await api.get(`/jobs/${job}`)).state;
    if (now === from) await api.patch(`/jobs/${job}`, operations);
    else if (now !== to) throw error;
  }
}

/** Environment of scripts: that of the runner, and where they are. */
function scriptEnv(surroundings: RunnerSurroundings, job: JobRecord, taskDirectory: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    HOME: process.env['HOME'] ?? taskDirectory,
    TMPDIR: taskDirectory,
    RS_TASK_DIR: taskDirectory,
    RS_RUNNER_DIR: surroundings.directory,
    RS_UUID: surroundings.machine,
    RS_ENDPOINT: surroundings.api.endpoint,
    RS_TOKEN: job.token || surroundings.token,
  };
}

function describeEnd(end: ScriptEnd): string {
  switch (end.kind) {
    case 'exited':
      return `exit code ${end.code}`;
    case 'killed':
      return `ended by ${end.signal}`;
    case 'not-started':
      return `could not be started: ${end.reason}`;
  }
}

async function runActions(
  surroundings: RunnerSurroundings,
  job: JobRecord,
  actions: readonly ActionRecord[],
  flags: string,
  taskDirectory: string,
  log: LogStream,
): Promise<Verdict> {
  const { platform, signal } = surroundings;
  for (const [i, action] of actions.entries()) {
    if (action.path !== '') {
      const path = isAbsolute(action.path) ? action.path : join(taskDirectory, action.path);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, action.content);
      await log.write(`${action.name}: ${path} written\n`);
      continue;
    }
    await log.write(`${action.name}: running\n`);
    const end = await runScript(
      { task: job.task, ...action },
      {
        directory: taskDirectory,
        env: scriptEnv(surroundings, job, taskDirectory),
        platform,
        signal,
        output: (data) => log.write(data),
      },
    );
    await log.write(`${action.name}: ${describeEnd(end)}\n`);
    const codes = exitCodesOf(flags, existsSync(join(taskDirectory, SANE_FILE)));
    const verdict = end.kind === 'exited' && !signal.aborted ? verdictOf(end.code, codes) : FAILED;
    const course = afterScript(verdict, i === actions.length - 1);
    if (!course.goOn) return course.verdict;
  }
  return FINE;
}

/** Runs what the job asks for; whatever goes wrong on the way is written to the log and fails the job. */
async function work(surroundings: RunnerSurroundings, job: JobRecord, log: LogStream): Promise<Verdict> {
  const { api, platform } = surroundings;
  let taskDirectory: string | undefined;
  try {
    const flags = taskFlags(await api.get(`/tasks/${encodeURIComponent(job.task)}`));
    const os = wireOs(platform);
    const all = actionRecords(await api.get(`/jobs/${job.uuid}/actions?os=${os}`));
    await mkdir(surroundings.directory, { recursive: true, mode: 0o700 });
    taskDirectory = await mkdtemp(join(surroundings.directory, 'task-'));
    const actions = all.filter((action) => isForOs(action, os));
    return await runActions(surroundings, job, actions, flags, taskDirectory, log);
  } catch (error) {
    if (error instanceof Unreachable) throw error;
    const reasons = error instanceof Refused && error.messages.length > 0 ? error.messages : [String(error)];
    await log.write(reasons.map((reason) => `${reason}\n`).join(''));
    return FAILED;
  } finally {
    if (taskDirectory !== undefined) await rm(taskDirectory, { recursive: true, force: true });
  }
}

/** The machine takes no further job until somebody lets it. */
async function stopMachine({ api, machine, warn }: RunnerSurroundings): Promise<void> {
  if (!machineRecord(await api.get(`/machines/${machine}`)).runnable) return;
  try {
    await api.patch(`/machines/${machine}`, [
      { op: 'test', path: '/Runnable', value: true },
      { op: 'replace', path: '/Runnable', value: false },
    ]);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    // Locked, or somebody else was faster: the job says the same.
    warn(`The machine could not be marked as not runnable: ${error.message}`);
  }
}

/** Runs a job to its end and reports it. Rejects with Unreachable or Refused when the server cannot be told. */
export async function runJob(surroundings: RunnerSurroundings, job: JobRecord): Promise<Verdict> {
  const { api, warn } = surroundings;
  await moveJob(api, job.uuid, job.state, 'running');
  const log = createLogStream(
    (piece) => api.putBytes(`/jobs/${job.uuid}/log`, piece),
    (error) => warn(`The log of job ${job.uuid} is cut short: ${error instanceof Error ? error.message : error}`),
  );
  const verdict = await work(surroundings, job, log);
  await log.end();
  if (stopsMachine(verdict)) await stopMachine(surroundings);
  await moveJob(api, job.uuid, 'running', finalState(verdict), [
    { op: 'replace', path: '/ExitState', value: exitStateOf(verdict) },
  ]);
  return verdict;
}
