/**
 * What clients generated from a description of this API send (the published Python one among them): flags in their language's
 * spelling, every option they know, escaped slashes, and placeholders that stay in the path.
 */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { startTestServer, type TestRequest, type TestServer } from '../../testing/server.ts';
import { follow, inOrder, make } from './rows.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await make(server, 'params', { Name: 'pp/one', Schema: { type: 'string' } });
  await make(server, 'profiles', { Name: 'holder', Params: { 'pp/one': 'from profile' } });
  await make(server, 'machines', { Name: 'alpha', Description: 'rack 7', Profiles: ['holder'] });
  await make(server, 'machines', { Name: 'beta', Locked: true });
  await make(server, 'reservations', { Addr: '192.168.77.30', Token: 'aa:bb:cc:dd:ee:01', Strategy: 'MAC' });
  await make(server, 'roles', { Name: 'looker', Claims: [{ scope: 'machines', action: 'list,get', specific: '*' }] });
  await make(server, 'users', { Name: 'looking', Roles: ['looker'] });
});
afterAll(() => server.stop());

const HEADERS = { 'user-agent': 'Swagger-Codegen/1.0.0/python', 'content-type': 'application/json' } as const;
const client: TestRequest = { headers: HEADERS };
const looking = async (on: TestServer): Promise<TestRequest> => ({ as: await on.tokenOf('looking'), headers: HEADERS });
const names = (body: unknown): string[] => (body as { Name: string }[]).map(({ Name }) => Name);

describe('flags in Python spelling', () => {
  follow(
    () => server,
    [
      {
        name: 'False does not ask for what it declines',
        ask: 'GET machines/Name:alpha?aggregate=False&decode=False&commented=False&expand=False&reduced=False',
        send: looking,
        status: 200,
        body: { Params: {} },
      },
      {
        name: 'nor in a list',
        ask: 'GET machines?decode=False&reverse=False&range-only=False&expand=False&commented=False&limit=1000',
        send: looking,
        status: 200,
        check: (answer) => expect(inOrder(names(answer.body))).toEqual(['alpha', 'beta']),
      },
      {
        name: 'True asks',
        ask: 'GET machines/Name:alpha?aggregate=True',
        send: client,
        status: 200,
        body: { Params: { 'pp/one': 'from profile' } },
      },
      {
        name: 'also in a list',
        ask: 'GET machines?aggregate=True&reverse=True&sort=Name&exclude-self=True',
        send: client,
        status: 200,
        check: (answer) => {
          expect(names(answer.body)).toEqual(['beta', 'alpha']);
          expect((answer.body as { Params: unknown }[])[1]?.Params).toEqual({ 'pp/one': 'from profile' });
        },
      },
      {
        name: 'an index takes it too',
        ask: 'GET machines?Available=True&ReadOnly=False&Name=Eq(alpha)',
        send: client,
        status: 200,
        check: (answer) => expect(names(answer.body)).toEqual(['alpha']),
      },
      {
        name: 'what is not offered is refused when it is asked for',
        ask: 'GET machines?range-only=True',
        send: client,
        status: 406,
        error: 'GET: machines: Filter not found: range-only',
      },
    ],
  );
});

describe('filters by any plain field', () => {
  follow(
    () => server,
    [
      {
        name: 'a text',
        ask: 'GET machines?Description=Re(^rack)',
        send: client,
        status: 200,
        check: (answer) => expect(names(answer.body)).toEqual(['alpha']),
      },
      {
        name: 'a flag',
        ask: 'GET machines?Locked=true',
        send: client,
        status: 200,
        check: (answer) => expect(names(answer.body)).toEqual(['beta']),
      },
      {
        name: 'a param by its long name',
        ask: 'GET machines?Params.pp/one=Eq(from%20profile)',
        send: client,
        status: 200,
        check: (answer) => expect(names(answer.body)).toEqual(['alpha']),
      },
      {
        name: 'never a secret',
        ask: 'GET users?Secret=x',
        send: client,
        status: 406,
        error: 'GET: users: Filter not found: Secret',
      },
    ],
  );
});

describe('paths', () => {
  follow(
    () => server,
    [
      {
        name: 'a placeholder left in the path is filled from the query',
        ask: 'GET users/%7Bname%7D/token?name=rocketskates&ttl=600&roles=superuser',
        send: client,
        status: 200,
        body: { Token: expect.any(String), Info: { dns_port: 53, dns_enabled: false, ha_consensus_id: '' } },
      },
      {
        name: 'for the user that is named, with the rights of who asks',
        ask: 'GET users/%7Bname%7D/token?name=rocketskates',
        send: looking,
        status: 403,
        error: /Requires: users token rocketskates/,
      },
      {
        name: 'and is a name like any other without one',
        ask: 'GET users/%7Bname%7D/token',
        send: client,
        status: 404,
        error: 'GET: users/{name}: Not Found',
      },
      {
        name: 'an escaped slash in a param name',
        ask: 'GET profiles/holder/params/pp%2Fone',
        send: client,
        status: 200,
        exactly: 'from profile',
      },
      {
        name: 'PUT under the dotted address',
        ask: 'PUT reservations/192.168.77.30',
        send: {
          headers: HEADERS,
          body: { Addr: '192.168.77.30', Token: 'aa:bb:cc:dd:ee:01', Strategy: 'MAC', Description: 'put' },
        },
        status: 200,
        body: { Description: 'put' },
      },
      {
        name: 'a removal with an empty object as body',
        ask: 'DELETE reservations/192.168.77.30',
        send: { headers: HEADERS, body: {} },
        status: 200,
        body: { Addr: '192.168.77.30' },
      },
    ],
  );
});
