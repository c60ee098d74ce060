import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../kit/json.ts';
import { type JobsServer, startJobsServer } from '../testing/jobs-server.ts';
import { type AgentEnd, type AgentEvent, type AgentOptions, runAgent } from './agent.ts';
import { Refused } from './api-client.ts';

const ID = '3e7031fe-3062-45f1-835c-92541bc9cbd3';
let server: JobsServer;
let events: AgentEvent[];
let directory: string;

beforeEach(async () => {
  server = await startJobsServer();
  events = [];
  directory = join(server.directory, 'tasks');
});
afterEach(() => server.close());

const agent = (more: Partial<AgentOptions> = {}): Promise<AgentEnd> =>
  runAgent({
    endpoint: server.url,
    token: server.tokenOf(ID),
    machine: ID,
    once: true,
    booted: false,
    context: '',
    directory,
    ca: undefined,
    signal: AbortSignal.timeout(20_000),
    ...more,
    report(event) {
      events.push(event);
      more.report?.(event);
    },
  });

const task = (Name: string, ...scripts: string[]): Promise<JsonObject> =>
  server.world.create('tasks', {
    Name,
    Templates: scripts.map((Contents, i) => ({ Name: `script${i + 1}`, Contents })),
  });
const machine = (fields: JsonObject): Promise<JsonObject> =>
  server.world.create('machines', { Uuid: ID, Name: 'john', ...fields });
const current = (): JsonObject => server.world.get('machines', ID);
const currentJob = (): JsonObject => server.world.get('jobs', String(current()['CurrentJob']));
const log = (): Promise<string> => server.logOf(String(current()['CurrentJob']));
/** Resolves once the agent has reported such an event. */
function once(kind: AgentEvent['event']): { report: (event: AgentEvent) => void; seen: Promise<AgentEvent> } {
  const { promise, resolve } = Promise.withResolvers<AgentEvent>();
  return { report: (event) => event.event === kind && resolve(event), seen: promise };
}

describe('the agent takes a machine through', () => {
  test('a workflow with its own token, stage by stage, and ends with it', async () => {
    await task('t1', 'echo {{.Machine.Name}} in {{.Machine.Stage}}');
    await task('t2', 'echo "$RS_UUID $RS_ENDPOINT"; test "$PWD" = "$RS_TASK_DIR" && test -n "$RS_TOKEN"');
    await server.world.create('stages', { Name: 's1', Tasks: ['t1'] });
    await server.world.create('stages', { Name: 's2', Tasks: ['t2'] });
    await server.world.create('workflows', { Name: 'wf', Stages: ['s1', 's2'] });
    await machine({ Workflow: 'wf' });
    expect(await agent()).toEqual({ kind: 'done' });
    expect(current()).toMatchObject({ Stage: 's2', CurrentTask: 4, WorkflowComplete: true, Runnable: true });
    expect(currentJob()).toMatchObject({ Task: 't2', State: 'finished', ExitState: 'complete' });
    expect(await log()).toBe(
      `Log for Job: ${currentJob()['Uuid']}\nscript1: running\n${ID} ${server.url}\nscript1: exit code 0\n`,
    );
    expect(events.filter((event) => event.event === 'job-ended')).toHaveLength(2);
    expect(readdirSync(directory)).toEqual([]);
  });

  test('files and scripts of one task', async () => {
    await server.world.create('tasks', {
      Name: 't1',
      Templates: [
        { Name: 'file', Path: 'sub/data.txt', Contents: 'for {{.Machine.Name}}' },
        { Name: 'show', Contents: '#!/bin/cat sub/data.txt\n' },
        { Name: 'other', Contents: 'exit 1', Meta: { OS: 'plan9' } },
      ],
    });
    await machine({ Tasks: ['t1'] });
    expect(await agent()).toEqual({ kind: 'done' });
    expect(await log()).toContain('for john');
  });

  test('output that is longer than one piece', async () => {
    await task(
      't1',
      'i=0; while [ $i -lt 3000 ]; do echo "line $i of a long output, padded to some length"; i=$((i+1)); done',
    );
    await machine({ Tasks: ['t1'] });
    expect(await agent()).toEqual({ kind: 'done' });
    const lines = (await log()).split('\n').filter((line) => line.startsWith('line '));
    expect(lines).toHaveLength(3000);
    expect(lines.at(-1)).toMatch(/^line 2999 /);
  });

  test('nothing when there is nothing to do', async () => {
    await machine({});
    expect(await agent()).toEqual({ kind: 'done' });
    expect(server.world.objects.view.count('jobs')).toBe(0);
  });

  test('the stages that a param lists, without a workflow', async () => {
    await task('t1', 'exit 0');
    await server.world.create('stages', { Name: 's1', Tasks: ['t1'] });
    await server.world.create('stages', { Name: 's2', Tasks: ['t1'] });
    await machine({ Stage: 's1', Params: { 'change-stage/map': { s1: 's2', s2: 'none:Reboot' } } });
    expect(await agent()).toEqual({ kind: 'reboot', reason: 'the stage none says so' });
    expect(current()).toMatchObject({ Stage: 'none' });
    expect(server.world.objects.view.count('jobs')).toBe(2);
  });
});

describe('a script that ends with', () => {
  test.each<[number, AgentEnd['kind'], string, string]>([
    [1, 'failed', 'failed', 'failed'],
    [16, 'stop', 'finished', 'stop'],
    [32, 'poweroff', 'finished', 'poweroff'],
    [64, 'reboot', 'finished', 'reboot'],
    [128, 'incomplete', 'incomplete', 'complete'],
    [192, 'reboot', 'incomplete', 'reboot'],
  ])('%i ends the agent with %s and the job as %s (%s)', async (code, kind, State, ExitState) => {
    await task('t1', `exit ${code}`);
    await machine({ Tasks: ['t1'] });
    expect((await agent()).kind).toBe(kind);
    expect(currentJob()).toMatchObject({ State, ExitState });
    expect(current()).toMatchObject({ Runnable: false });
  });

  test('a wish for a reboot leaves the rest of the task for afterwards', async () => {
    await task(
      't1',
      `test -e ${server.directory}/again || { touch ${server.directory}/again; exit 64; }`,
      'echo second',
    );
    await machine({ Tasks: ['t1'] });
    expect(await agent()).toMatchObject({ kind: 'reboot' });
    expect(currentJob()).toMatchObject({ State: 'incomplete', ExitState: 'reboot' });
    const job = currentJob()['Uuid'];
    expect(await agent({ booted: true })).toEqual({ kind: 'done' });
    expect(currentJob()).toMatchObject({ Uuid: job, State: 'finished', ExitState: 'complete' });
    expect(await log()).toContain('second');
  });

  test('codes of the older kind are read so where the task says so', async () => {
    await server.world.create('tasks', {
      Name: 't1',
      Meta: { 'feature-flags': 'original-exit-codes' },
      Templates: [{ Name: 'script', Contents: 'exit 1' }],
    });
    await machine({ Tasks: ['t1'] });
    expect(await agent()).toMatchObject({ kind: 'reboot' });
  });
});

describe('a job fails', () => {
  test('when its actions cannot be rendered, and its log says why', async () => {
    await server.world.create('tasks', { Name: 't1', RequiredParams: ['needed'], Templates: [] });
    await machine({ Tasks: ['t1'] });
    expect(await agent()).toEqual({ kind: 'failed', task: 't1' });
    expect(await log()).toContain('Task t1 requires the param needed, which is not set\n');
  });

  test('when its agent is called off, script and all', async () => {
    await task('t1', 'echo $$; sleep 60');
    await machine({ Tasks: ['t1'] });
    const controller = new AbortController();
    const { report, seen } = once('job');
    const running = agent({ signal: controller.signal, report });
    await seen;
    // The script is there once the job is running.
    await new Promise<void>((resolve) => {
      server.world.objects.events.subscribe((event) => event.type === 'jobs' && resolve());
      if (currentJob()['State'] === 'running') resolve();
    });
    controller.abort(new Error('called off'));
    await expect(running).rejects.toThrow('called off');
    expect(currentJob()).toMatchObject({ State: 'failed', ExitState: 'failed' });
    expect(existsSync(directory) ? readdirSync(directory) : []).toEqual([]);
  });

  test('that an earlier agent left running', async () => {
    await task('t1', 'exit 0');
    await machine({ Tasks: ['t1'] });
    const left = await server.world.startJob(ID);
    await server.world.patch('jobs', String(left['Uuid']), { State: 'running' });
    expect(await agent({ booted: true })).toEqual({ kind: 'done' });
    expect(server.world.get('jobs', String(left['Uuid']))).toMatchObject({ State: 'failed' });
    expect(currentJob()).toMatchObject({ State: 'finished', Previous: left['Uuid'] ?? '' });
  });
});

describe('the agent waits', () => {
  test('until the machine is runnable, and hears of it at once', async () => {
    await task('t1', 'exit 0');
    await machine({ Tasks: ['t1'] });
    await server.world.patch('machines', ID, { Runnable: false });
    const { report, seen } = once('waiting');
    const ended = agent({ report });
    expect(await seen).toEqual({ event: 'waiting', reason: 'the machine is not runnable' });
    await server.world.patch('machines', ID, { Runnable: true });
    expect(await ended).toEqual({ kind: 'done' });
  });

  test('for more work unless told to end with the workflow', async () => {
    await task('t1', 'exit 0');
    await machine({ Tasks: ['t1'] });
    const waiting = once('waiting');
    const controller = new AbortController();
    const ended = agent({ once: false, signal: controller.signal, report: waiting.report });
    expect(await waiting.seen).toEqual({ event: 'waiting', reason: 'all tasks are done' });
    const { promise, resolve } = Promise.withResolvers<void>();
    server.world.objects.events.subscribe(
      ({ type, object }) => type === 'jobs' && (object as JsonObject)['CurrentIndex'] === 1 && resolve(),
    );
    await server.world.patch('machines', ID, { Tasks: ['t1', 't1'] });
    await promise;
    controller.abort(new Error('enough'));
    await expect(ended).rejects.toThrow();
  });

  test('in vain for a machine that is deleted', async () => {
    await machine({});
    await server.world.patch('machines', ID, { Runnable: false });
    const waiting = once('waiting');
    // The machine's own token would end with it.
    const ended = agent({ token: await server.rootToken(), report: waiting.report });
    await waiting.seen;
    await server.world.objects.committer.internal('test', (unit) => unit.remove('machines', ID));
    expect(await ended).toEqual({ kind: 'machine-gone' });
  });
});

describe('the agent ends and does not reboot', () => {
  test('when the machine gets another boot environment', async () => {
    await server.world.create('bootenvs', { Name: 'sledge' });
    await task('t1', 'exit 0');
    await server.world.create('stages', { Name: 's1', BootEnv: 'sledge', Tasks: ['t1'] });
    await server.world.create('stages', { Name: 's0', Tasks: ['t1'] });
    await server.world.create('workflows', { Name: 'wf', Stages: ['s0', 's1'] });
    await machine({ Workflow: 'wf' });
    expect(await agent()).toEqual({ kind: 'reboot', reason: 'it has to boot into sledge' });
    expect(await agent({ booted: true })).toEqual({ kind: 'done' });
    expect(current()).toMatchObject({ BootEnv: 'sledge', WorkflowComplete: true });
  });

  test('when an installation is over', async () => {
    await server.world.create('bootenvs', { Name: 'os-install' });
    await machine({ BootEnv: 'os-install', Tasks: ['missing'] });
    const waiting = once('waiting');
    const ended = agent({ report: waiting.report });
    await waiting.seen;
    await server.world.patch('machines', ID, { BootEnv: 'local' });
    expect(await ended).toEqual({ kind: 'stop', reason: 'the installation by os-install is over' });
  });
});

describe('a lost answer', () => {
  test('to the report of the end does not fail the job', async () => {
    await task('t1', 'exit 0');
    await machine({ Tasks: ['t1'] });
    let patches = 0;
    server.cutAnswers((method, url) => method === 'PATCH' && url.includes('/jobs/') && ++patches === 2);
    expect(await agent()).toEqual({ kind: 'done' });
    expect(currentJob()).toMatchObject({ State: 'finished' });
  });

  test('to the request for a job fails that job, which nobody has begun', async () => {
    await task('t1', 'exit 0');
    await machine({ Tasks: ['t1'] });
    server.cutAnswers((method) => method === 'POST');
    expect(await agent()).toEqual({ kind: 'failed', task: 't1' });
    expect(currentJob()).toMatchObject({ State: 'failed' });
  });
});

test('a machine that does not exist, or a token that is not valid, ends the agent at once', async () => {
  await machine({});
  await expect(agent({ machine: 'Name:nobody' })).rejects.toBeInstanceOf(Refused);
  await expect(agent({ token: 'nonsense' })).rejects.toMatchObject({ status: 403 });
});

test('a certificate that is not the one given is refused', async () => {
  await machine({});
  expect(await agent({ ca: server.certificate })).toEqual({ kind: 'done' });
  const other = await startJobsServer();
  try {
    await expect(agent({ ca: other.certificate, patienceMs: 0 })).rejects.toMatchObject({ name: 'Unreachable' });
  } finally {
    await other.close();
  }
});

test('an agent says at once that the server cannot be reached, and goes on trying', async () => {
  await machine({});
  const stop = new AbortController();
  const warned = once('warning');
  const ended = agent({ endpoint: 'https://127.0.0.1:1', signal: stop.signal, report: warned.report });
  expect(await warned.seen).toMatchObject({
    message: expect.stringMatching(/^https:\/\/127\.0\.0\.1:1 cannot be reached: .*; trying again$/),
  });
  stop.abort();
  await expect(ended).rejects.toThrow();
  expect(events).toHaveLength(1);
});
