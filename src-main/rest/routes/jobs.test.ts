import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type JobsServer, startJobsServer } from '../../testing/jobs-server.ts';

const ID = '3e7031fe-3062-45f1-835c-92541bc9cbd3';
const OTHER = '3e7031fe-3062-45f1-835c-92541bc9cbd4';
const JOB = '00000000-0000-0000-0000-0000000000a1';
const NOWHERE = '00000000-0000-0000-0000-0000000000ff';
const OCTETS = 'application/octet-stream';

let server: JobsServer;
let dispatcher: Agent;
let root: string;

interface Asked {
  readonly body?: object | string;
  readonly type?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function call(method: string, path: string, asked: Asked = {}) {
  const { body, type = 'application/json', token = root, headers = {} } = asked;
  const answer = await request(`${server.url}/api/v3${path}`, {
    dispatcher,
    method: method as 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': type, ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.body.text();
  const isJson = String(answer.headers['content-type']).includes('application/json');
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text,
    json: isJson && text !== '' ? (JSON.parse(text) as Record<string, unknown>) : undefined,
  };
}

beforeAll(async () => {
  server = await startJobsServer();
  dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  root = await server.rootToken();
  const { world } = server;
  await world.create('tasks', {
    Name: 't1',
    Templates: [
      { Name: 'all', Contents: 'echo {{.ApiURL}}' },
      { Name: 'win', Contents: 'dir', Meta: { OS: 'windows' } },
    ],
  });
  await world.create('machines', { Uuid: ID, Name: 'john', Tasks: ['t1'] });
  await world.create('machines', { Uuid: OTHER, Name: 'jane', Tasks: ['t1'] });
});
afterAll(async () => {
  await dispatcher.close();
  await server.close();
});

test('a machine gets a job, then a conflict, then the same job to go on with, then nothing', async () => {
  const token = server.tokenOf(ID);
  const made = await call('POST', '/jobs', { body: { Machine: ID, Uuid: JOB }, token });
  expect(made).toMatchObject({ status: 201, json: { Uuid: JOB, Task: 't1', State: 'created', Current: true } });

  const again = await call('POST', '/jobs', { body: { Machine: ID, Uuid: JOB }, token });
  expect(again).toMatchObject({
    status: 409,
    json: {
      Type: 'Conflict',
      Model: '',
      Key: '',
      Code: 409,
      Messages: [`Machine ${ID} already has running or created job`],
    },
  });

  const move = (State: string) =>
    call('PATCH', `/jobs/${JOB}`, { body: [{ op: 'replace', path: '/State', value: State }], token });
  expect(await move('incomplete')).toMatchObject({ status: 200 });
  expect(await call('POST', '/jobs', { body: { Machine: ID }, token })).toMatchObject({
    status: 202,
    json: { Uuid: JOB, State: 'incomplete' },
  });
  expect(await move('finished')).toMatchObject({ status: 200, json: { ExitState: 'complete' } });

  const nothing = await call('POST', '/jobs', { body: { Machine: ID }, token });
  expect(nothing).toMatchObject({ status: 204, text: '' });
  expect(nothing.headers['content-type']).toMatch(/^application\/json/);
});

test('older clients see no newer fields of jobs and actions', async () => {
  const headers = { 'user-agent': 'Go-http-client/1.1' };
  expect(Object.keys((await call('GET', `/jobs/${JOB}`, { headers })).json ?? {})).not.toContain('Context');
  const { json } = await call('GET', `/jobs/${JOB}/actions`, { headers });
  expect(json).toEqual([
    { Name: 'all', Path: '', Content: `echo ${server.url}` },
    { Name: 'win', Path: '', Content: 'dir' },
  ]);
});

test('actions are those for the operating system asked for', async () => {
  const { json } = await call('GET', `/jobs/${JOB}/actions?os=linux`, { token: server.tokenOf(ID) });
  expect(json).toEqual([{ Name: 'all', Path: '', Content: `echo ${server.url}`, Meta: {} }]);
});

test('a log begins with its job, takes pieces as they are, and is read as bytes', async () => {
  const log = `/jobs/${JOB}/log`;
  const before = await call('GET', log);
  expect(before).toMatchObject({ status: 200, text: `Log for Job: ${JOB}\n` });
  expect(before.headers['content-type']).toBe(OCTETS);

  const put = await call('PUT', log, { body: 'Fred\n', type: OCTETS, token: server.tokenOf(ID) });
  expect(put).toMatchObject({ status: 204, text: '' });
  expect(put.headers['content-type']).toMatch(/^application\/json/);
  expect((await call('GET', log)).text).toBe(`Log for Job: ${JOB}\nFred\n`);
  expect(await call('HEAD', log)).toMatchObject({ status: 200, text: '' });
});

describe('refused with the words that clients know:', () => {
  const noJob = { Type: 'ValidationError', Model: '', Key: '', Messages: ['Job john does not exist'], Code: 404 };
  const noClaim = (needs: string) => expect.arrayContaining([`Requires: ${needs}`]) as unknown;

  test.each<[string, string, string, Asked, number, object]>([
    [
      'no machine named',
      'POST',
      '/jobs',
      { body: {} },
      400,
      { Type: 'POST', Messages: ['Create request must have Machine field'] },
    ],
    [
      'a machine that is not there',
      'POST',
      '/jobs',
      { body: { Machine: NOWHERE } },
      422,
      { Type: 'ValidationError', Model: '', Messages: [`Machine ${NOWHERE} does not exist`] },
    ],
    ['no JSON', 'POST', '/jobs', { body: '{' }, 400, { Type: 'POST' }],
    ['actions of no job', 'GET', '/jobs/john/actions', {}, 404, noJob],
    ['the log of no job', 'GET', '/jobs/john/log', {}, 404, noJob],
    ['a log for no job', 'PUT', '/jobs/john/log', { body: 'x', type: OCTETS }, 404, noJob],
    [
      'a log that is no bytes',
      'PUT',
      `/jobs/${JOB}/log`,
      { body: '{}' },
      415,
      { Type: 'API ERROR', Messages: ['job log put must have content-type application/octet-stream'] },
    ],
    [
      'a purge with a bad number',
      'DELETE',
      '/jobs?jobsToKeep=some',
      {},
      400,
      { Messages: ["jobsToKeep: 'some' is no number"] },
    ],
    [
      'a purge with a bad age',
      'DELETE',
      '/jobs?failed-after=1y',
      {},
      400,
      { Messages: ["failedAfter: '1y' is no duration; write 72h, 30m or 7d"] },
    ],
  ])('%s', async (_what, method, path, asked, status, body) => {
    expect(await call(method, path, asked)).toMatchObject({ status, json: { ...body, Code: status } });
  });

  test.each<[string, string, string, Asked, string]>([
    ['job', 'POST', '/jobs', { body: { Machine: ID } }, `jobs create ${ID}`],
    ['actions', 'GET', `/jobs/${JOB}/actions`, {}, `jobs actions ${ID}`],
    ['log', 'GET', `/jobs/${JOB}/log`, {}, `jobs log ${ID}`],
    ['log to write', 'PUT', `/jobs/${JOB}/log`, { body: 'x', type: OCTETS }, `jobs log ${ID}`],
    ['purge', 'DELETE', '/jobs', {}, 'jobs delete *'],
  ])('the %s of another machine', async (_what, method, path, asked, needs) => {
    expect(await call(method, path, { ...asked, token: server.tokenOf(OTHER) })).toMatchObject({
      status: 403,
      json: { Type: 'AUTH', Messages: noClaim(needs) },
    });
  });
});

test('old jobs are counted, then removed', async () => {
  await server.world.patch('machines', ID, { CurrentTask: -1 });
  await call('POST', '/jobs', { body: { Machine: ID } });
  const dry = await call('DELETE', `/jobs?dry-run=true&machine=${ID}&complete-after=0s`);
  expect(dry).toMatchObject({ status: 200, json: [JOB] });
  expect(await call('DELETE', `/jobs?machine=${ID}&jobsToKeep=1`)).toMatchObject({ status: 200, json: [] });
  expect(await call('DELETE', `/jobs?machine=${ID}`)).toMatchObject({ status: 200, json: [JOB] });
  expect(await call('GET', `/jobs/${JOB}`)).toMatchObject({ status: 404 });
});

test('a machine makes the reservation for its own address and no other', async () => {
  await server.world.create('machines', { Name: 'addressed', Uuid: NOWHERE, Address: '10.0.0.20' });
  const token = server.tokenOf(NOWHERE);
  const reserve = (Addr: string) =>
    call('POST', '/reservations', { body: { Addr, Token: 'aa:bb', Strategy: 'MAC' }, token });
  expect((await reserve('10.0.0.20')).status).toBe(201);
  expect(await reserve('10.0.0.21')).toMatchObject({
    status: 403,
    json: { Messages: ['Cannot access /api/v3/reservations', 'Requires: reservations create 0A000015'] },
  });
});
