import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../kit/json.ts';
import { jobActions } from './job-actions.ts';
import { CALL, createWorld, type World } from './test-world.ts';

const ID = '3e7031fe-3062-45f1-835c-92541bc9cbd3';
const INFO = { address: '192.168.1.10', api_port: 8092, file_port: 8091 };
let world: World;
let issued: string[];

beforeEach(async () => {
  world = await createWorld();
  issued = [];
});

const actions = (job: string, os?: string) =>
  jobActions(
    {
      objects: world.objects,
      issueMachineToken: (...asked) => {
        issued.push(asked.join(' '));
        return `token-${asked[0]}`;
      },
    },
    CALL,
    job,
    { info: INFO, os },
  );

/** Starts a job for one task on a machine. */
async function jobOf(task: JsonObject, machine: JsonObject = {}): Promise<string> {
  await world.create('tasks', { Name: 'task', ...task });
  await world.create('machines', { Uuid: ID, Name: 'web01.example', Tasks: ['task'], ...machine });
  return String((await world.startJob(ID))['Uuid']);
}

const script = (Contents: string): JsonObject => ({ Templates: [{ Name: 'script', Contents }] });
const contentOf = async (contents: string, machine: JsonObject = {}): Promise<string> =>
  actions(await jobOf(script(contents), machine))[0]?.Content ?? '';

test('a task becomes scripts and files, in order', async () => {
  await world.create('templates', { ID: 'common.sh', Contents: 'echo {{.Machine.Name}} {{template "part" .}}' });
  await world.create('templates', { ID: 'part', Contents: 'of {{.Task.Name}}' });
  const job = await jobOf({
    Templates: [
      { Name: 'first', ID: 'common.sh', Meta: { OS: 'linux' } },
      { Name: 'second', Path: '/tmp/{{.Machine.ShortName}}', Contents: 'text' },
    ],
  });
  expect(actions(job)).toEqual([
    { Name: 'first', Path: '', Content: 'echo web01.example of task', Meta: { OS: 'linux' } },
    { Name: 'second', Path: '/tmp/web01', Content: 'text', Meta: {} },
  ]);
});

test('a task without templates gives none', async () => {
  expect(actions(await jobOf({}))).toEqual([]);
});

test('an entry that the server has carried out gives none', async () => {
  await world.create('machines', { Uuid: ID, Name: 'm1', Tasks: ['context:box'] });
  await world.start({ Machine: ID });
  expect(actions(String(world.get('machines', ID)['CurrentJob']))).toEqual([]);
});

test.each([
  ['linux', ['all', 'linux']],
  ['windows', ['all', 'both']],
  ['darwin', ['all', 'both']],
  [undefined, ['all', 'linux', 'both']],
])('a runner on %s gets %j', async (os, names) => {
  const job = await jobOf({
    Templates: [
      { Name: 'all', Contents: 'x' },
      { Name: 'linux', Contents: 'x', Meta: { OS: 'linux' } },
      { Name: 'both', Contents: 'x', Meta: { OS: 'windows, darwin' } },
    ],
  });
  expect(actions(job, os).map((action) => action.Name)).toEqual(names);
});

describe('templates see', () => {
  test.each([
    ['the API at its https address', '{{.ApiURL}}', 'https://192.168.1.10:8092'],
    [
      'the params of the machine, its profiles and the defaults',
      '{{.Param "own"}} {{.Param "lent"}} {{.Param "typed"}}',
      'mine theirs 7',
    ],
    ['params with templates in them', '{{.ParamExpand "nested"}}', 'on web01.example'],
    ['which params are set', '{{.ParamExists "lent"}} {{.ParamExists "typed"}}', 'true false'],
    ['stage and boot environment', '{{.Stage.Name}} {{.Env.Name}} {{.BootParams}}', 'none local '],
    ['tokens made for them', '{{.GenerateToken}} {{.GenerateInfiniteToken}}', 'token-operations token-infinite'],
  ])('%s', async (_what, contents, expected) => {
    await world.create('params', { Name: 'typed', Schema: { type: 'integer', default: 7 } });
    await world.create('profiles', { Name: 'lender', Params: { lent: 'theirs', own: 'not this' } });
    const machine = { Profiles: ['lender'], Params: { own: 'mine', nested: 'on {{.Machine.Name}}' } };
    expect(await contentOf(contents, machine)).toBe(expected);
  });

  test('tokens only when they ask for them', async () => {
    await contentOf('nothing');
    expect(issued).toEqual([]);
  });

  test('tokens for their own machine', async () => {
    await contentOf('{{.GenerateToken}}{{.GenerateProfileToken "prof" 60}}');
    expect(issued).toEqual([`operations ${ID}`, 'profile prof 60']);
  });
});

describe('what cannot be rendered is refused', () => {
  const invalid = (...messages: string[]) =>
    expect.objectContaining({ status: 422, type: 'ValidationError', messages });

  test('when there is no such job', () => {
    expect(() => actions('john')).toThrow(
      expect.objectContaining({
        status: 404,
        type: 'ValidationError',
        model: '',
        key: '',
        messages: ['Job john does not exist'],
      }),
    );
  });

  test('when the task is gone, which counts before a machine that is gone', async () => {
    const job = await jobOf({});
    await world.objects.committer.internal('test', (unit) => unit.remove('machines', ID));
    expect(() => actions(job)).toThrow(invalid(`Machine ${ID} does not exist`));
    await world.objects.committer.internal('test', (unit) => unit.remove('tasks', 'task'));
    expect(() => actions(job)).toThrow(invalid('Task task does not exist'));
  });

  test('with one sentence for each thing that is missing', async () => {
    const job = await jobOf(
      {
        RequiredParams: ['set', 'unset', 'other'],
        Templates: [
          { Name: 'hole', Contents: 'x{{.Machine.Params.nix}}' },
          { Name: 'good', Contents: 'x' },
          { Name: 'broken', Contents: '{{if}}' },
        ],
      },
      { Params: { set: null } },
    );
    expect(() => actions(job)).toThrow(
      invalid(
        'Task task requires the param unset, which is not set',
        'Task task requires the param other, which is not set',
        'template: hole:1:11: executing "hole" at <.Machine.Params.nix>: map has no entry for key "nix"',
        'template: broken:1: missing value for if',
      ),
    );
  });

  test('when the caller lacks the claim on the machine', async () => {
    const job = await jobOf({});
    const actor = { ...CALL.actor, allows: () => false };
    const deps = { objects: world.objects, issueMachineToken: () => '' };
    expect(() => jobActions(deps, { ...CALL, actor }, job, { info: INFO, os: undefined })).toThrow(
      expect.objectContaining({
        status: 403,
        messages: ['Cannot access /api/v3/test', `Requires: jobs actions ${ID}`],
      }),
    );
  });
});
