/** wire-format.md 1, 2: what every answer has, and how a session starts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { fieldsOf, follow, inOrder, type Row, run, V3_CLIENT, V4_CLIENT } from './rows.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const JSON_TYPE = /^application\/json/;
const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`;

describe('the log starts with who signed in', () => {
  follow(
    () => server,
    [
      {
        name: 'the first line is the audit line of the sign-in',
        ask: 'GET logs',
        status: 200,
        check: (answer) => {
          const [first] = answer.body as Record<string, unknown>[];
          expect(first).toEqual({
            Group: expect.any(Number),
            Seq: expect.any(Number),
            Time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
            File: expect.any(String),
            Line: expect.any(Number),
            Level: 'audit',
            Service: 'frontend',
            Message: 'Authenticated user rocketskates from 127.0.0.1',
            Data: [],
            IgnorePublish: false,
          });
        },
      },
      {
        name: 'every Basic sign-in is one',
        ask: 'GET info',
        send: { as: 'rocketskates:r0cketsk8ts' },
        status: 200,
      },
      {
        name: 'and is found at the end',
        ask: 'GET logs',
        status: 200,
        check: (answer) =>
          expect((answer.body as { Message: string }[]).at(-1)?.Message).toBe(
            'Authenticated user rocketskates from 127.0.0.1',
          ),
      },
    ],
  );
});

/** Requests of each kind of success and refusal; v3.9 takes no answer without a JSON content type (1.3). */
const everyKind: readonly Row[] = [
  { name: 'a list', ask: 'GET users', status: 200 },
  { name: 'a create', ask: 'POST profiles', send: { body: { Name: 'kind' } }, status: 201 },
  { name: 'an item', ask: 'GET profiles/kind', status: 200 },
  { name: 'a patch', ask: 'PATCH profiles/kind', send: { body: [] }, status: 200 },
  { name: 'a removal', ask: 'DELETE profiles/kind', status: 200 },
  {
    name: 'an answer without a body',
    ask: 'POST events',
    send: { body: { Type: 'a', Action: 'b', Key: 'c' } },
    status: 204,
  },
  { name: 'a bad body', ask: 'POST profiles', send: { raw: '{' }, status: 400 },
  { name: 'a denial of a dead token', ask: 'GET users', send: { as: 'dead' }, status: 403 },
  { name: 'an absent object', ask: 'GET profiles/kind', status: 404 },
  { name: 'an unknown route', ask: 'GET nope', status: 404 },
  { name: 'a wrong method', ask: 'PUT profiles', send: { body: {} }, status: 405 },
  { name: 'a bad filter', ask: 'GET profiles?limit=x', status: 406 },
  { name: 'a conflict', ask: 'POST profiles', send: { body: { Name: 'global' } }, status: 409 },
  { name: 'an invalid object', ask: 'POST profiles', send: { body: { Name: '!' } }, status: 422 },
].map((row) => ({ ...row, headers: { 'content-type': JSON_TYPE } }));

describe('every answer is JSON, for both generations of clients', () => {
  for (const [generation, headers] of [
    ['v3.9', V3_CLIENT],
    ['v4.8', V4_CLIENT],
  ] as const) {
    describe(generation, () => {
      follow(
        () => server,
        everyKind.map((row) => ({
          ...row,
          send: { ...(typeof row.send === 'object' ? row.send : {}), headers },
        })),
      );
    });
  }
});

describe('bodies', () => {
  it('a 204 has no body and no framing', async () => {
    const answer = await server.call('POST', 'events', { body: { Type: 'a', Action: 'b', Key: 'c' } });
    expect(answer.status).toBe(204);
    expect(answer.headers['transfer-encoding']).toBeUndefined();
    expect(answer.text).toBe('');
  });

  it('an error is an Error object with the status in Code', async () => {
    for (const row of everyKind.filter((one) => one.status >= 400)) {
      const answer = await run(server, row);
      expect(answer.body).toMatchObject({
        Model: expect.any(String),
        Key: expect.any(String),
        Type: expect.any(String),
        Messages: expect.any(Array),
        Code: row.status,
      });
    }
  });

  it('a list of one small page says its length', async () => {
    const answer = await server.call('GET', 'users');
    expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.text)));
  });
});

describe('credentials in order', () => {
  follow(
    () => server,
    [
      {
        name: 'none: 401, empty',
        ask: 'GET users',
        send: { as: null },
        status: 401,
        headers: { 'www-authenticate': 'dr-provision' },
      },
      {
        name: 'a header goes before the query',
        ask: async (s) => `GET users?token=${await s.tokenOf('rocketskates')}`,
        send: { as: null, headers: { authorization: 'Digest x' } },
        status: 401,
      },
      {
        name: 'user and password in the query',
        ask: 'GET users?token=rocketskates:r0cketsk8ts',
        send: { as: null },
        status: 200,
      },
      {
        name: 'a wrong password: no JSON, so that clients say CLIENT_ERROR',
        ask: 'GET users/john/token',
        send: { as: 'john:jack' },
        status: 403,
        headers: { 'content-type': undefined },
        check: (answer) => expect(answer.text).toBe(''),
      },
      {
        name: 'Basic works on any route',
        ask: 'GET users',
        send: { as: null, headers: { authorization: basic('rocketskates:r0cketsk8ts') } },
        status: 200,
      },
      {
        name: 'a colon in the password is part of it',
        ask: 'GET users',
        send: { as: null, headers: { authorization: basic('rocketskates:a:b') } },
        status: 403,
      },
      { name: 'an open route needs none', ask: 'GET openapi.json', send: { as: null }, status: 200 },
      {
        name: 'an unknown route is no secret from whoever signed in',
        ask: 'GET nope',
        status: 404,
        error: 'GET: /api/v3/nope: No route',
      },
      { name: 'a path that ends in a slash is the same route', ask: 'GET users/', status: 200 },
      {
        name: 'headers for tracing are harmless',
        ask: 'GET users',
        send: { headers: { 'X-Log-Request': 'trace', 'X-Log-Token': 'abc' } },
        status: 200,
      },
    ],
  );
});

describe('info', () => {
  const FEATURES = [
    ...['api-v3', 'sane-exit-codes', 'common-blob-size', 'change-stage-map', 'job-exit-states'],
    ...['package-repository-handling', 'profileless-machine', 'threaded-log-levels', 'plugin-v2', 'fsm-runner'],
    ...['plugin-v2-safe-config', 'workflows', 'default-workflow', 'http-range-header', 'roles', 'tenants'],
    ...['secure-params', 'seperate-meta-api', 'slim-objects'],
  ];

  it('names the features in the order old clients compare', async () => {
    const { body } = await server.call('GET', 'info', { headers: V3_CLIENT });
    expect((body as { features: string[] }).features).toEqual(FEATURES);
  });

  it('has every field of release 3 and no other for its clients', async () => {
    const { body } = await server.call('GET', 'info', { headers: V3_CLIENT });
    expect(fieldsOf(body)).toEqual(
      inOrder([
        ...[
          'License',
          'address',
          'api_port',
          'arch',
          'binl_enabled',
          'binl_port',
          'dhcp_enabled',
          'dhcp_port',
          'features',
        ],
        ...['file_port', 'id', 'os', 'prov_enabled', 'scopes', 'stats', 'tftp_enabled', 'tftp_port', 'version'],
      ]),
    );
    expect(body).toMatchObject({
      api_port: server.server.port,
      address: '127.0.0.1',
      stats: [
        { name: 'machines.count', count: 0 },
        { name: 'subnets.count', count: 0 },
      ],
      scopes: { info: { get: {} }, preferences: { list: {}, post: {} }, contents: { create: {} } },
      License: { Owner: expect.any(String), Licenses: [expect.objectContaining({ Name: 'rbac', Active: true })] },
    });
  });

  it('has the fields of release 4 for its clients', async () => {
    const { body } = await server.call('GET', 'info', { headers: V4_CLIENT });
    expect(body).toMatchObject({ local_id: expect.any(String), ha_enabled: false, ha_passive_state: [], errors: [] });
    expect((body as { scopes: Record<string, object> }).scopes['machines']).toHaveProperty('updateTaskList');
  });

  it('is there for a user without roles', async () => {
    await server.call('POST', 'users', { body: { Name: 'bare' } });
    const answer = await server.call('GET', 'info', { as: await server.tokenOf('bare') });
    expect(answer.status).toBe(200);
  });
});

describe('what newer clients ask for', () => {
  follow(
    () => server,
    [
      ...['contexts', 'endpoints', 'version_sets', 'catalog_items'].flatMap((type): Row[] => [
        {
          name: `${type}: an empty list with its counts`,
          ask: `GET ${type}`,
          status: 200,
          exactly: [],
          headers: { 'x-drp-list-count': '0', 'x-drp-list-total-count': '0', 'x-drp-list-filter-count': '0' },
        },
        { name: `${type}: HEAD`, ask: `HEAD ${type}`, status: 200, headers: { 'x-drp-list-filter-count': '0' } },
        {
          name: `${type}: none of them is there`,
          ask: `GET ${type}/x`,
          status: 404,
          error: `GET: ${type}/x: Not Found`,
        },
      ]),
      {
        name: 'who am I: nobody known',
        ask: 'POST whoami',
        send: { body: { MacAddrs: ['00:11:22:33:44:55'], OnDiskUUID: '', Fingerprint: { SystemUUID: 'x' } } },
        status: 200,
        exactly: {
          Result: { Score: 0, Uuid: '', Token: '' },
          MacAddrs: ['00:11:22:33:44:55'],
          OnDiskUUID: '',
          Fingerprint: { SystemUUID: 'x' },
        },
      },
      { name: 'the types', ask: 'GET objects', status: 200, check: (a) => expect(a.body).toContain('machines') },
      ...['pools', 'pools/p/status', 'system/cert', 'system/consensus/state', 'system/passive'].map(
        (path): Row => ({
          name: `${path}: no such route`,
          ask: `GET ${path}`,
          status: 404,
          error: `GET: /api/v3/${path}: No route`,
        }),
      ),
      {
        name: 'system upgrade: no such route',
        ask: 'POST system/upgrade',
        send: { raw: 'x', headers: { 'content-type': 'application/octet-stream' } },
        status: 404,
      },
    ],
  );
});

describe('interfaces', () => {
  it('are listed without loopback, with every field', async () => {
    const { body, status } = await server.call('GET', 'interfaces', { headers: V3_CLIENT });
    expect(status).toBe(200);
    for (const one of body as Record<string, unknown>[]) {
      expect(one).toEqual({
        ReadOnly: true,
        Meta: {},
        Name: expect.stringMatching(/^(?!lo$)/),
        Index: expect.any(Number),
        Addresses: expect.arrayContaining([expect.stringContaining('/')]),
        ActiveAddress: expect.any(String),
        Gateway: '',
        DnsServers: [],
        DnsDomain: '',
      });
      const item = await server.call('GET', `interfaces/${String(one['Name'])}`, { headers: V3_CLIENT });
      expect(item.body).toEqual(one);
    }
  });

  follow(
    () => server,
    [
      {
        name: 'none of that name',
        ask: 'GET interfaces/john',
        status: 404,
        error: 'GET: interfaces/john: No interface',
      },
      { name: 'HEAD of none of that name', ask: 'HEAD interfaces/john', status: 404 },
      { name: 'no writing', ask: 'POST interfaces', send: { body: {} }, status: 405 },
    ],
  );
});

describe('plugin providers', () => {
  follow(
    () => server,
    [
      {
        name: 'an absent one',
        ask: 'GET plugin_providers/nope',
        status: 404,
        error: 'GET: plugin_providers/nope: Not Found',
      },
      {
        name: 'an upload is refused and says why',
        ask: 'POST plugin_providers/incrementer',
        send: { raw: '#!/bin/sh', headers: { 'content-type': 'application/octet-stream' } },
        status: 422,
        error:
          'ValidationError: plugin_providers/incrementer: Plugin provider incrementer cannot be installed: only the built-in providers run here',
      },
      {
        name: 'removal of an absent one',
        ask: 'DELETE plugin_providers/nope',
        status: 404,
        error: 'DELETE: plugin_providers/nope: Not Found',
      },
    ],
  );
});

beforeAll(() => server.call('POST', 'users', { body: { Name: 'tokened' } }));

it.each(['machines', 'machines/x', 'info?x=y'])('a dead token is in the audit trail: GET %s', async (path) => {
  const as = await server.tokenOf('tokened');
  await server.call('PATCH', 'users/tokened', { body: [{ op: 'replace', path: '/Secret', value: 'x' }] });
  const answer = await server.call('GET', path, { as });
  expect(answer.body).toMatchObject({ Code: 403, Reason: 'token' });
  const asked = `x/audit?kind=denied&requestId=${String(answer.headers['x-request-id'])}`;
  const Note = { reason: 'token', specific: 'tokened', url: `/api/v3/${path.split('?')[0]}` };
  await expect.poll(async () => (await server.call('GET', asked)).body).toMatchObject([{ Actor: 'tokened', Note }]);
});

it.each(['rocketskates:r0cketsk8ts', 'rocketskates:wrong'])(
  'the record of the sign-in %s is that of its request',
  async (as) => {
    const answer = await server.call('GET', 'info', { as });
    const asked = `x/audit?kind=sign-in&requestId=${String(answer.headers['x-request-id'])}`;
    await expect
      .poll(async () => (await server.call('GET', asked)).body)
      .toMatchObject([{ Actor: 'rocketskates', Note: { user: 'rocketskates' } }]);
  },
);
