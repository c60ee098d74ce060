import { beforeEach, describe, expect, test } from 'vitest';
import { trustedActor } from '../access/index.ts';
import { MODELS, NIL_UUID, ZERO_TIME } from '../contract/models/index.ts';
import type { JsonObject } from '../kit/json.ts';
import type { ObjectEvent } from '../objects/index.ts';
import { CALL, createWorld, NOW, type World } from './test-world.ts';

const ID = '3e7031fe-3062-45f1-835c-92541bc9cbd3';
const JOB = '00000000-0000-0000-0000-0000000000a1';
const NOW_TEXT = new Date(NOW).toISOString();
let world: World;

beforeEach(async () => {
  world = await createWorld(async (_call, _machine, command) => {
    if (command === 'break') throw new Error('it broke');
  });
  await world.create('bootenvs', { Name: 'sledge' });
  for (const Name of ['t1', 't2', 't3']) await world.create('tasks', { Name });
  await world.create('stages', { Name: 's1', BootEnv: 'local', Tasks: ['t1', 't2'] });
  await world.create('stages', { Name: 's2', BootEnv: 'sledge', Tasks: ['t3'] });
  await world.create('workflows', { Name: 'wf', Stages: ['s1', 's2'] });
});

const machine = (fields: JsonObject = {}) => world.create('machines', { Uuid: ID, Name: 'john', ...fields });
const current = (): JsonObject => world.get('machines', ID);
const uuidOf = (job: JsonObject): string => String(job['Uuid']);
const setState = (job: JsonObject, State: string, more: JsonObject = {}) =>
  world.patch('jobs', uuidOf(job), { State, ...more });
const put = (fields: JsonObject) =>
  world.objects.committer.internal('test', (unit) => unit.put('machines', ID, { ...current(), ...fields }));

describe('a machine with a stage', () => {
  test('gets its tasks one after the other, then nothing', async () => {
    await machine({ Stage: 's1' });
    const outcome = await world.start({ Machine: ID, Uuid: JOB });
    expect(outcome).toMatchObject({
      kind: 'created',
      job: {
        Uuid: JOB,
        Machine: ID,
        Previous: NIL_UUID,
        Task: 't1',
        Stage: 's1',
        BootEnv: 'local',
        Workflow: '',
        State: 'created',
        ExitState: '',
        StartTime: NOW_TEXT,
        EndTime: ZERO_TIME,
        Current: true,
        Archived: false,
        CurrentIndex: 0,
        NextIndex: 1,
      },
    });
    expect(current()).toMatchObject({ CurrentJob: JOB, CurrentTask: 0, Runnable: true });

    world.advance(1000);
    const first = await world.patch('jobs', JOB, { State: 'running' });
    expect(first['StartTime']).toBe('2030-01-02T03:04:06.000Z');
    const done = await setState(first, 'finished');
    expect(done).toMatchObject({ State: 'finished', ExitState: 'complete', EndTime: '2030-01-02T03:04:06.000Z' });

    const second = await world.startJob(ID);
    expect(second).toMatchObject({ Task: 't2', Previous: JOB, CurrentIndex: 1, NextIndex: 2, Current: true });
    expect(world.get('jobs', JOB)).toMatchObject({ Current: false, State: 'finished' });
    await setState(second, 'finished');

    expect(await world.start({ Machine: ID })).toEqual({ kind: 'nothing-to-do' });
    expect(current()).toMatchObject({ CurrentTask: 2, CurrentJob: uuidOf(second), WorkflowComplete: false });
    expect(await world.start({ Machine: ID })).toEqual({ kind: 'nothing-to-do' });
  });

  test('runs a task that was added after the end', async () => {
    await machine({ Stage: 's1' });
    for (let i = 0; i < 2; i++) await setState(await world.startJob(ID), 'finished');
    await world.start({ Machine: ID });
    await world.patch('machines', ID, { Tasks: ['t1', 't2', 't3'] });
    expect(await world.startJob(ID)).toMatchObject({ Task: 't3', CurrentIndex: 2 });
  });

  test('repeats a failed task once it is made runnable again', async () => {
    await machine({ Stage: 's1' });
    const job = await world.startJob(ID);
    expect(await setState(job, 'failed')).toMatchObject({ State: 'failed', EndTime: NOW_TEXT });
    expect(current()).toMatchObject({ Runnable: false });
    await expect(world.start({ Machine: ID })).rejects.toMatchObject({
      status: 409,
      type: 'Conflict',
      model: '',
      key: '',
      messages: [`Machine ${ID} is not runnable`],
    });
    await world.patch('machines', ID, { Runnable: true });
    expect(await world.startJob(ID)).toMatchObject({ Task: 't1', CurrentIndex: 0, Previous: uuidOf(job) });
  });

  test('goes on with an incomplete job instead of making another', async () => {
    await machine({ Stage: 's1' });
    const job = await world.startJob(ID);
    await setState(job, 'incomplete');
    const outcome = await world.start({ Machine: ID });
    expect(outcome).toMatchObject({ kind: 'resumed', job: { Uuid: uuidOf(job), State: 'incomplete' } });
    expect(world.objects.view.count('jobs')).toBe(1);
  });

  test.each(['created', 'running'])(
    'has one job at a time, also when it asks for the %s one by name',
    async (state) => {
      await machine({ Stage: 's1' });
      const job = await world.startJob(ID);
      if (state !== 'created') await setState(job, state);
      const conflict = {
        status: 409,
        type: 'Conflict',
        messages: [`Machine ${ID} already has running or created job`],
      };
      await expect(world.start({ Machine: ID })).rejects.toMatchObject(conflict);
      await expect(world.start({ Machine: ID, Uuid: uuidOf(job) })).rejects.toMatchObject(conflict);
    },
  );

  test('cannot use the name of a job twice', async () => {
    await machine({ Stage: 's1' });
    await setState(await world.startJob(ID), 'finished');
    const taken = String(current()['CurrentJob']);
    await expect(world.start({ Machine: ID, Uuid: taken })).rejects.toMatchObject({
      code: 'already-exists',
      model: 'jobs',
      key: taken,
    });
    expect(current()).toMatchObject({ CurrentTask: 0 });
  });

  test('started again gives up the job at work and stays runnable', async () => {
    await machine({ Stage: 's1' });
    const left = await world.startJob(ID);
    await setState(left, 'running');
    await world.patch('machines', ID, { CurrentTask: -1 });
    const again = await world.startJob(ID);
    expect(again).toMatchObject({ Task: 't1', Previous: uuidOf(left) });
    expect(world.get('jobs', uuidOf(left))).toMatchObject({ State: 'failed', EndTime: NOW_TEXT, Current: false });
    expect(current()).toMatchObject({ Runnable: true, CurrentJob: uuidOf(again), CurrentTask: 0 });
  });
});

describe('a machine with a workflow', () => {
  test('is moved by the server from stage to stage, and complete at the end', async () => {
    await machine({ Workflow: 'wf' });
    const nothing = { kind: 'nothing-to-do' };
    for (const Task of ['t1', 't2']) {
      const job = await world.startJob(ID);
      expect(job).toMatchObject({ Task, Stage: 's1', Workflow: 'wf' });
      await setState(job, 'finished');
    }
    expect(await world.start({ Machine: ID })).toEqual(nothing);
    expect(current()).toMatchObject({ Stage: 's2', BootEnv: 'local', CurrentTask: 4, Runnable: true });
    expect(world.get('jobs', String(current()['CurrentJob']))).toMatchObject({
      Task: 'stage:s2',
      Stage: 's2',
      State: 'finished',
      ExitState: 'complete',
      EndTime: NOW_TEXT,
      Current: true,
    });
    expect(await world.start({ Machine: ID })).toEqual(nothing);
    expect(current()).toMatchObject({ BootEnv: 'sledge', CurrentTask: 5, WorkflowComplete: false });
    const last = await world.startJob(ID);
    expect(last).toMatchObject({ Task: 't3', Stage: 's2', BootEnv: 'sledge' });
    await setState(last, 'finished');
    expect(current()).toMatchObject({ WorkflowComplete: true, CurrentTask: 6 });
    expect(await world.start({ Machine: ID })).toEqual(nothing);
    expect(current()).toMatchObject({ WorkflowComplete: true, CurrentTask: 7 });
  });

  test('is not complete while its last task has failed', async () => {
    await machine({ Workflow: 'wf' });
    await put({ Tasks: ['stage:s1', 't1'] });
    await setState(await world.startJob(ID), 'failed');
    expect(current()).toMatchObject({ WorkflowComplete: false, Runnable: false });
  });

  test('whose list has an entry nobody can read stops with an error', async () => {
    await machine({ Workflow: 'wf' });
    // Rules refuse such a list today; an older data directory may hold one.
    await world.store.transact({ actor: 'test', requestId: 'test' }, (tx) =>
      tx.put('machines', ID, { ...current(), Tasks: ['stage:s1', 'odd:entry'] }),
    );
    await expect(world.start({ Machine: ID })).rejects.toMatchObject({
      status: 500,
      type: 'InvalidTaskList',
      model: 'machines',
      key: ID,
      messages: ["Invalid task list entry[1]: 'odd:entry'"],
    });
  });

  test('lets the server run actions', async () => {
    await machine({ Workflow: 'wf' });
    await put({ Tasks: ['action:power:on', 'action:break', 't1'] });
    expect(await world.start({ Machine: ID })).toEqual({ kind: 'nothing-to-do' });
    expect(world.get('jobs', String(current()['CurrentJob']))).toMatchObject({
      Task: 'action:power:on',
      State: 'finished',
    });
    expect(await world.start({ Machine: ID })).toEqual({ kind: 'nothing-to-do' });
    const failed = String(current()['CurrentJob']);
    expect(world.get('jobs', failed)).toMatchObject({ Task: 'action:break', State: 'failed', ExitState: 'failed' });
    expect(world.logged.get(failed)).toBe('action:break: it broke\n');
    expect(current()).toMatchObject({ Runnable: false, CurrentTask: 1 });
  });

  test('does not run tasks outside of the root they were meant for', async () => {
    await machine({ Tasks: ['chroot:/mnt', 't1'] });
    await world.start({ Machine: ID });
    expect(world.get('jobs', String(current()['CurrentJob']))).toMatchObject({ Task: 'chroot:/mnt', State: 'failed' });
    expect(current()).toMatchObject({ Runnable: false });
  });

  test('works for the runner of its context only', async () => {
    await machine({ Tasks: ['t1', 'context:box', 't2'] });
    await setState(await world.startJob(ID), 'finished');
    await world.start({ Machine: ID });
    expect(current()).toMatchObject({ Context: 'box' });
    expect(await world.start({ Machine: ID })).toEqual({ kind: 'nothing-to-do' });
    expect(await world.start({ Machine: ID, Context: 'box' })).toMatchObject({
      kind: 'created',
      job: { Context: 'box' },
    });
  });
});

describe('asking for a job', () => {
  const nobody = { ...CALL.actor, ...trustedActor('plugin', 'nobody'), allows: () => false };

  test.each<[string, JsonObject, object]>([
    ['names no machine', {}, { status: 400, messages: ['Create request must have Machine field'] }],
    [
      'names one that does not exist',
      { Machine: ID },
      { status: 422, type: 'ValidationError', model: '', key: '', messages: [`Machine ${ID} does not exist`] },
    ],
    ['names none at all', { Machine: 'john' }, { status: 400, messages: ['invalid UUID format: john'] }],
  ])('is refused when it %s', async (_what, body, problem) => {
    await expect(world.start(body)).rejects.toMatchObject(problem);
  });

  test('needs the claim on the machine, whether that exists or not', async () => {
    await machine({ Stage: 's1' });
    for (const Machine of [ID, JOB])
      await expect(world.start({ Machine }, { actor: nobody })).rejects.toMatchObject({
        status: 403,
        messages: ['Cannot access /api/v3/test', `Requires: jobs create ${Machine}`],
      });
  });

  test('for a machine that the tenant hides finds none', async () => {
    await machine({ Stage: 's1' });
    const tenant = { ...CALL.actor, ...trustedActor('system', 's'), restricts: () => true, sees: () => false };
    await expect(world.start({ Machine: ID }, { actor: tenant })).rejects.toMatchObject({ status: 422 });
  });
});

describe('a job', () => {
  test('takes no state but the known ones', async () => {
    await machine({ Stage: 's1' });
    const job = await world.startJob(ID);
    await expect(setState(job, 'fred')).rejects.toMatchObject({
      status: 422,
      model: 'jobs',
      key: uuidOf(job),
      messages: ['Invalid State `fred`'],
    });
  });

  test('keeps where it came from, whatever is sent', async () => {
    await machine({ Stage: 's1' });
    const job = await world.startJob(ID);
    const sent = { Task: 'x', Stage: 'x', Workflow: 'x', BootEnv: 'x', Previous: JOB, Current: false, CurrentIndex: 9 };
    expect(await setState(job, 'running', sent)).toMatchObject({
      Task: 't1',
      Stage: 's1',
      Workflow: '',
      BootEnv: 'local',
      Previous: NIL_UUID,
      Current: true,
      CurrentIndex: 0,
    });
    await expect(world.patch('jobs', uuidOf(job), { Machine: JOB })).rejects.toMatchObject({ status: 422 });
  });

  test('that failed after it was superseded leaves the machine alone', async () => {
    await machine({ Stage: 's1' });
    const old = await world.startJob(ID);
    await setState(old, 'finished');
    await world.startJob(ID);
    await setState(old, 'failed');
    expect(current()).toMatchObject({ Runnable: true });
  });

  test('that fails changes job and machine in one commit, told apart as update and save', async () => {
    await machine({ Stage: 's1' });
    const job = await world.startJob(ID);
    const events: ObjectEvent[] = [];
    world.objects.events.subscribe((event) => events.push(event));
    await setState(job, 'failed');
    expect(new Set(events.map((event) => event.seq)).size).toBe(1);
    expect(events).toHaveLength(2);
    expect(new Set(events.map(({ type, action, key }) => `${type}.${action}.${key}`))).toEqual(
      new Set([`jobs.update.${uuidOf(job)}`, `machines.save.${ID}`]),
    );
    expect(events.find((event) => event.type === 'jobs')?.original).toMatchObject({ State: 'created' });
  });

  test.each([
    ['created', false],
    ['running', false],
    ['incomplete', false],
    ['finished', true],
    ['failed', true],
  ])('%s and current may be deleted: %s', async (state, isAllowed) => {
    await machine({ Stage: 's1' });
    const job = await world.startJob(ID);
    if (state !== 'created') await setState(job, state);
    const removal = world.objects.remove(CALL, MODELS.jobs, uuidOf(job));
    if (isAllowed) await expect(removal).resolves.toMatchObject({ Uuid: uuidOf(job) });
    else
      await expect(removal).rejects.toMatchObject({
        status: 422,
        type: 'ValidationError',
        model: 'jobs',
        key: uuidOf(job),
        messages: [`Jobs ${uuidOf(job)} is not in a deletable state: ${state}`],
      });
  });

  test('survives its machine and may then be deleted in any state', async () => {
    await machine({ Stage: 's1' });
    const job = await world.startJob(ID);
    await world.objects.remove(CALL, MODELS.machines, ID);
    expect(world.get('jobs', uuidOf(job))).toMatchObject({ State: 'created' });
    await world.objects.remove(CALL, MODELS.jobs, uuidOf(job));
    expect(world.objects.view.count('jobs')).toBe(0);
  });

  test('carries the claims that its task asks for', async () => {
    const claims = [{ scope: 'profiles', action: 'get', specific: '*' }];
    await world.create('tasks', { Name: 'rich', ExtraClaims: claims });
    await machine({ Tasks: ['rich'] });
    expect(await world.startJob(ID)).toMatchObject({ ExtraClaims: claims });
  });
});
