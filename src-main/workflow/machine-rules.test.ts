import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../kit/json.ts';
import { createWorld, type World } from './test-world.ts';

const ID = '3e7031fe-3062-45f1-835c-92541bc9cbd3';
const NO_TASKS: string[] = [];
let world: World;

beforeEach(async () => {
  world = await createWorld();
  await world.create('bootenvs', { Name: 'sledge' });
  await world.create('bootenvs', { Name: 'sledge2' });
  await world.create('bootenvs', { Name: 'unknown-only', OnlyUnknown: true });
  await world.create('bootenvs', { Name: 'broken', Templates: [{ Name: 'ipxe', Path: 'path', ID: 'gone' }] });
  for (const name of ['t1', 't2', 't3']) await world.create('tasks', { Name: name });
  await world.create('stages', { Name: 's1', BootEnv: 'local', Tasks: ['t1', 't2'] });
  await world.create('stages', { Name: 's2', Tasks: ['t3'] });
  await world.create('stages', { Name: 's3', BootEnv: 'sledge', Tasks: ['t1'] });
  await world.create('stages', { Name: 'lost', BootEnv: 'broken' });
  await world.create('workflows', { Name: 'wf1', Stages: ['s1', 's2'] });
  await world.create('workflows', { Name: 'wf2', Stages: ['s3', 's1'] });
  await world.create('workflows', { Name: 'wf3', Stages: NO_TASKS });
  await world.create('workflows', { Name: 'wf4', Stages: ['missing'] });
  await world.create('workflows', { Name: 'wf5', Stages: ['lost'] });
});

const machine = (fields: JsonObject = {}): Promise<JsonObject> =>
  world.create('machines', { Uuid: ID, Name: 'john', ...fields });
const patch = (fields: JsonObject, force = false): Promise<JsonObject> =>
  world.patch('machines', ID, fields, { force });
/** Stands at an entry of its list, as after a job there. */
const standAt = (CurrentTask: number, fields: JsonObject = {}): Promise<JsonObject> =>
  world.objects.committer.internal('test', (unit) =>
    unit.put('machines', ID, { ...world.get('machines', ID), CurrentTask, ...fields }),
  );
const refused = (...messages: string[]) => ({
  status: 422,
  type: 'ValidationError',
  model: 'machines',
  key: ID,
  messages,
});

test('a workflow that would fill the memory with steps is refused before they are spelled out', async () => {
  await world.create('stages', { Name: 'long', Tasks: Array.from({ length: 1000 }, () => 't1') });
  await world.create('workflows', { Name: 'endless', Stages: Array.from({ length: 1000 }, () => 'long') });
  await machine();
  await expect(patch({ Workflow: 'endless' })).rejects.toMatchObject(
    refused('Workflow endless has 1001000 steps, more than 50000'),
  );
});

describe('a new machine', () => {
  test('gets what was not said from preferences and defaults', async () => {
    expect(await machine()).toMatchObject({
      Address: '',
      BootEnv: 'local',
      CurrentTask: -1,
      Stage: 'none',
      Runnable: true,
      Workflow: '',
      Tasks: [],
      Meta: { 'feature-flags': 'change-stage-v2' },
      Errors: [],
      Available: true,
      CurrentJob: '',
      WorkflowComplete: false,
    });
    expect(world.get('machines', ID)['Secret']).toMatch(/^[\w-]{16}$/);
  });

  test.each<[string, JsonObject, JsonObject]>([
    ['keeps a secret it was given', { Secret: 'mine' }, { Secret: 'mine' }],
    [
      'keeps other feature flags',
      { Meta: { 'feature-flags': 'a, b' } },
      { Meta: { 'feature-flags': 'a,b,change-stage-v2' } },
    ],
    [
      'has the flag once',
      { Meta: { 'feature-flags': 'change-stage-v2', x: 'y' } },
      { Meta: { 'feature-flags': 'change-stage-v2', x: 'y' } },
    ],
    ['starts before its first task', { CurrentTask: 3, Runnable: false }, { CurrentTask: -1, Runnable: true }],
    [
      'takes tasks and boot environment of its stage',
      { Stage: 's3' },
      { Stage: 's3', BootEnv: 'sledge', Tasks: ['t1'], Runnable: true },
    ],
    [
      'keeps its boot environment in a stage without one',
      { Stage: 's2', BootEnv: 'sledge' },
      { BootEnv: 'sledge', Tasks: ['t3'] },
    ],
    ['keeps tasks it was given without a stage', { Tasks: ['t2'] }, { Stage: 'none', Tasks: ['t2'] }],
    [
      'follows its workflow',
      { Workflow: 'wf2', Stage: 's2', BootEnv: 'local' },
      {
        Workflow: 'wf2',
        Stage: 's3',
        BootEnv: 'sledge',
        Runnable: true,
        Tasks: ['stage:s3', 'bootenv:sledge', 't1', 'stage:s1', 'bootenv:local', 't1', 't2'],
      },
    ],
    [
      'lists the boot environment of the first stage even when it is in it',
      { Workflow: 'wf1' },
      { Tasks: ['stage:s1', 'bootenv:local', 't1', 't2', 'stage:s2', 't3'] },
    ],
    ['follows a workflow without stages nowhere', { Workflow: 'wf3' }, { Stage: 'none', BootEnv: 'local', Tasks: [] }],
    [
      'is not runnable while a task of its is missing',
      { Tasks: ['gone'] },
      { Available: false, Runnable: false, Errors: ['Task gone (at 0) does not exist'] },
    ],
  ])('%s', async (_what, fields, expected) => {
    expect(await machine(fields)).toMatchObject(expected);
  });

  test('follows the workflow and stage that preferences name', async () => {
    const setPreference = (Name: string, Val: string) =>
      world.objects.committer.internal('test', (unit) => unit.put('preferences', Name, { Name, Val, Meta: {} }));
    await setPreference('defaultStage', 's3');
    expect(await machine()).toMatchObject({ Stage: 's3', BootEnv: 'sledge', Tasks: ['t1'] });
    expect(await world.create('machines', { Name: 'm2', BootEnv: 'sledge2' })).toMatchObject({ BootEnv: 'sledge2' });
    await setPreference('defaultWorkflow', 'wf1');
    expect(await world.create('machines', { Name: 'm3' })).toMatchObject({ Workflow: 'wf1', Stage: 's1' });
    expect(await world.create('machines', { Name: 'm4', Workflow: 'wf2' })).toMatchObject({ Workflow: 'wf2' });
  });

  test.each<[string, JsonObject, string]>([
    ['a workflow that is broken', { Workflow: 'wf4' }, `Machine ${ID} wants Workflow wf4, which is not available`],
    ['a workflow that does not exist', { Workflow: 'nix' }, 'Workflow nix does not exist'],
    ['a stage that does not exist', { Stage: 'john2' }, 'Stage john2 does not exist'],
    ['a boot environment that does not exist', { BootEnv: 'john2' }, 'Bootenv john2 does not exist'],
  ])('is refused with %s', async (_what, fields, message) => {
    await expect(machine(fields)).rejects.toMatchObject(refused(message));
  });
});

describe('a workflow', () => {
  test('that keeps the boot environment leaves the machine runnable', async () => {
    await machine();
    expect(await patch({ Workflow: 'wf1' })).toMatchObject({
      Stage: 's1',
      BootEnv: 'local',
      Runnable: true,
      CurrentTask: -1,
    });
  });

  test('that changes the boot environment stops the machine until it has booted', async () => {
    await machine();
    expect(await patch({ Workflow: 'wf2' })).toMatchObject({ Stage: 's3', BootEnv: 'sledge', Runnable: false });
  });

  test('replaced by another starts that from its beginning, pending tasks or not', async () => {
    await machine({ Workflow: 'wf1' });
    await standAt(2, { WorkflowComplete: true });
    expect(await patch({ Workflow: 'wf3' })).toMatchObject({
      Tasks: [],
      CurrentTask: -1,
      Stage: 'none',
      WorkflowComplete: false,
    });
  });

  test('taken away leaves no stage and no tasks, but boot environment and runnable as they were', async () => {
    await machine({ Workflow: 'wf2' });
    await standAt(2);
    expect(await patch({ Workflow: '' })).toMatchObject({
      Workflow: '',
      Stage: 'none',
      Tasks: [],
      CurrentTask: -1,
      BootEnv: 'sledge',
      Runnable: true,
    });
  });

  test.each([
    ['wf4', `Machine ${ID} wants Workflow wf4, which is not available`],
    ['nix', 'Workflow nix does not exist'],
    ['wf5', `Machine ${ID} wants BootEnv broken, which is not available`],
  ])('%s is refused', async (Workflow, message) => {
    await machine();
    await expect(patch({ Workflow })).rejects.toMatchObject(refused(message));
    expect(world.get('machines', ID)).toMatchObject({ Workflow: '', Stage: 'none', BootEnv: 'local' });
  });
});

describe('a stage', () => {
  const pending = 'Can not change stages with pending tasks unless forced';

  test('brings its tasks; the next one has to be forced while they wait', async () => {
    await machine();
    expect(await patch({ Stage: 's1' })).toMatchObject({
      Stage: 's1',
      Tasks: ['t1', 't2'],
      CurrentTask: -1,
      Runnable: true,
    });
    await expect(patch({ Stage: 's2' })).rejects.toMatchObject(refused(pending));
    expect(await patch({ Stage: 's2' }, true)).toMatchObject({ Stage: 's2', Tasks: ['t3'], BootEnv: 'local' });
    expect(await patch({ Stage: '' }, true)).toMatchObject({ Stage: 'none', Tasks: [] });
  });

  test('that boots elsewhere stops the machine', async () => {
    await machine();
    expect(await patch({ Stage: 's3' })).toMatchObject({ BootEnv: 'sledge', Runnable: false });
  });

  test('may change when all tasks are done', async () => {
    await machine({ Stage: 's1' });
    await standAt(2);
    expect(await patch({ Stage: 's2' })).toMatchObject({ Stage: 's2', CurrentTask: -1 });
  });

  test('that does not exist is refused as such even with pending tasks', async () => {
    await machine({ Stage: 's1' });
    await expect(patch({ Stage: 'john2' })).rejects.toMatchObject(refused('Stage john2 does not exist'));
  });

  test('forced within a workflow leaves the task list to the workflow', async () => {
    await machine({ Workflow: 'wf1' });
    await expect(patch({ Stage: 's2' })).rejects.toMatchObject(refused(pending));
    const forced = await patch({ Stage: 's3' }, true);
    expect(forced).toMatchObject({ Stage: 's3', BootEnv: 'sledge', Runnable: false, Workflow: 'wf1' });
    expect(forced['Tasks']).toHaveLength(6);
  });
});

describe('a boot environment', () => {
  test('stops the machine until it has booted into it', async () => {
    await machine();
    expect(await patch({ BootEnv: 'sledge', Runnable: true })).toMatchObject({ BootEnv: 'sledge', Runnable: false });
    expect(await patch({ Runnable: true })).toMatchObject({ BootEnv: 'sledge', Runnable: true });
  });

  test.each([
    ['john2', 'Bootenv john2 does not exist'],
    ['unknown-only', 'Bootenv unknown-only is only for unknown machines'],
    ['broken', `Machine ${ID} wants BootEnv broken, which is not available`],
  ])('%s is refused', async (BootEnv, message) => {
    await machine();
    await expect(patch({ BootEnv })).rejects.toMatchObject(refused(message));
  });

  test('against the stage has to be forced', async () => {
    await machine({ Stage: 's3' });
    const sentence = 'Can not change BootEnv while Stage s3 sets it unless forced';
    await expect(patch({ BootEnv: 'local' })).rejects.toMatchObject(refused(sentence));
    await expect(patch({ BootEnv: 'john2' })).rejects.toMatchObject(refused('Bootenv john2 does not exist'));
    expect(await patch({ BootEnv: 'local' }, true)).toMatchObject({ BootEnv: 'local', Stage: 's3' });
  });
});

describe('the task list', () => {
  test('takes tasks after the one at work and gives none of the others away', async () => {
    await machine({ Stage: 's1' });
    await standAt(0);
    expect(await patch({ Tasks: ['t1', 't3', 't2'] })).toMatchObject({ Tasks: ['t1', 't3', 't2'], CurrentTask: 0 });
    await expect(patch({ Tasks: ['t2'] })).rejects.toMatchObject(
      refused('Cannot change tasks that have already executed or are executing'),
    );
    await expect(patch({ Tasks: [] })).rejects.toMatchObject(
      refused('Cannot remove tasks that have already executed or are already executing'),
    );
  });

  test('of a workflow is fixed past the next stage', async () => {
    await machine({ Workflow: 'wf1' });
    await standAt(2, { WorkflowComplete: true });
    const added = ['stage:s1', 'bootenv:local', 't1', 't3', 't2', 'stage:s2', 't3'];
    expect(await patch({ Tasks: added })).toMatchObject({ Tasks: added, WorkflowComplete: false });
    await expect(patch({ Tasks: [...added, 't1'] })).rejects.toMatchObject(
      refused('Cannot change tasks that are past the next stage transition'),
    );
  });

  test('can be started again from its beginning, and from nowhere else', async () => {
    await machine({ Stage: 's1' });
    await standAt(1);
    await expect(patch({ CurrentTask: 0 })).rejects.toMatchObject(refused('Cannot change CurrentTask from 1 to 0'));
    await expect(patch({ CurrentTask: 2 })).rejects.toMatchObject(refused('Cannot change CurrentTask from 1 to 2'));
    expect(await patch({ CurrentTask: -1, Tasks: ['t3'] })).toMatchObject({ CurrentTask: -1, Tasks: ['t3'] });
  });

  test('with a missing task keeps the machine from running until somebody lets it', async () => {
    await machine();
    expect(await patch({ Tasks: ['gone'] })).toMatchObject({ Available: false, Runnable: false });
    expect(await patch({ Runnable: true })).toMatchObject({ Runnable: false });
    await world.create('tasks', { Name: 'gone' });
    expect(world.get('machines', ID)).toMatchObject({ Available: true, Runnable: false });
    expect(await patch({ Runnable: true })).toMatchObject({ Runnable: true });
  });
});

describe('other fields', () => {
  test('a secret that is emptied is replaced by a random one', async () => {
    await machine({ Secret: 'mine' });
    expect((await patch({ Secret: '' }))['Secret']).toMatch(/^[\w-]{16}$/);
    expect(await patch({ Secret: 'other' })).toMatchObject({ Secret: 'other' });
  });

  test('a profile may be listed once', async () => {
    for (const Name of ['jill', 'jean']) await world.create('profiles', { Name });
    await machine();
    await expect(patch({ Profiles: ['jill', 'jean', 'jill'] })).rejects.toMatchObject(
      refused('Duplicate profile jill: at 0 and 2'),
    );
  });

  test('completion of the workflow cannot be claimed', async () => {
    await machine({ Workflow: 'wf1' });
    expect(await patch({ WorkflowComplete: true, Description: 'x' })).toMatchObject({ WorkflowComplete: false });
  });

  test('a description changes nothing else', async () => {
    const before = await machine({ Workflow: 'wf1' });
    expect(await patch({ Description: 'x' })).toEqual({ ...before, Description: 'x' });
  });
});
