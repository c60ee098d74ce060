/** wire-format.md 3.4, 3.10, 2.5: filters, sort, pages, counts, slim, and what indexes are published. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../kit/json.ts';
import { startTestServer, type TestAnswer, type TestServer } from '../../testing/server.ts';
import { follow, type Row, V3_CLIENT } from './rows.ts';

let server: TestServer;
const names = ['m-a', 'm-b', 'm-c', 'm-d'] as const;
beforeAll(async () => {
  server = await startTestServer();
  const create = (path: string, body: JsonObject): Promise<TestAnswer> => server.call('POST', path, { body });
  await create('params', { Name: 'rack', Schema: { type: 'string' } });
  await create('params', { Name: 'size', Schema: { type: 'integer' } });
  await create('profiles', { Name: 'big', Params: { size: 9 } });
  await create('machines', { Name: 'm-a', Address: '10.0.0.9', Params: { rack: 'r1', size: 1 }, Meta: { icon: 'x' } });
  await create('machines', { Name: 'm-b', Address: '10.0.0.10', Params: { rack: '7', size: 2 } });
  await create('machines', { Name: 'm-c', Address: '10.0.0.2', Profiles: ['big'], Runnable: true });
  await create('machines', { Name: 'm-d', Address: '9.255.0.1', Stage: 'local' });
  await server.call('PATCH', 'machines/Name:m-d', { body: [{ op: 'replace', path: '/Runnable', value: false }] });
});
afterAll(() => server.stop());

const found = (answer: TestAnswer): string[] => (answer.body as { Name: string }[]).map((one) => one.Name);
const counts = (total: number, count: number, filtered: number): Record<string, string> => ({
  'x-drp-list-total-count': String(total),
  'x-drp-list-count': String(count),
  'x-drp-list-filter-count': String(filtered),
});
/** A list of machines, sorted by name so that rows need not know their keys. */
const lists = (query: string, expected: readonly string[]): Row => ({
  name: query,
  ask: `GET machines?${query}&sort=Name`,
  status: 200,
  check: (answer) => expect(found(answer)).toEqual(expected),
});

describe('filters', () => {
  follow(
    () => server,
    [
      lists('Name=m-a', ['m-a']),
      lists('Name=Eq(m-a)', ['m-a']),
      lists('Name=Ne(m-a)', ['m-b', 'm-c', 'm-d']),
      lists('Name=Lt(m-c)', ['m-a', 'm-b']),
      lists('Name=Lte(m-c)', ['m-a', 'm-b', 'm-c']),
      lists('Name=Gt(m-c)', ['m-d']),
      lists('Name=Gte(m-c)', ['m-c', 'm-d']),
      lists('Name=Between(m-b,m-c)', ['m-b', 'm-c']),
      lists('Name=Except(m-b,m-c)', ['m-a', 'm-d']),
      lists('Name=In(m-a,m-d)', ['m-a', 'm-d']),
      lists('Name=Nin(m-a,m-d)', ['m-b', 'm-c']),
      lists('Name=Re(m-[ab])', ['m-a', 'm-b']),
      lists('Name=m-a&Name=m-c', ['m-a', 'm-c']),
      lists('Name=m-a&Address=10.0.0.10', []),
      lists('Name=m-a&Address=10.0.0.9', ['m-a']),
      lists('Address=Between(10.0.0.2,10.0.0.9)', ['m-a', 'm-c']),
      lists('Address=Lt(10.0.0.1)', ['m-d']),
      lists('Stage=local', ['m-d']),
      lists('Runnable=false', ['m-d']),
      lists('Runnable=true', ['m-a', 'm-b', 'm-c']),
      lists('Available=true', [...names]),
      lists('Valid=false', []),
      lists('ReadOnly=false', [...names]),
      lists('Workflow=', [...names]),
      lists('rack=r1', ['m-a']),
      lists('rack=7', ['m-b']),
      lists('rack=%22r1%22', ['m-a']),
      lists('size=1', ['m-a']),
      lists('size=9', ['m-c']),
      lists('size=Gt(1)', ['m-b', 'm-c']),
      lists('size=Between(1,2)', ['m-a', 'm-b']),
      lists('Meta.icon=x', ['m-a']),
      lists('Meta.icon=y', []),
    ],
  );
});

const refusal = (query: string, message: string): Row => {
  const [prefix] = query.split('?');
  return { name: query, ask: `GET ${query}`, status: 406, error: `GET: ${prefix}: ${message}` };
};
const YES_NO = 'must be true or false';
const BAD_TIME = 'parsing time "fred" as "2006-01-02T15:04:05Z07:00": cannot parse "fred" as "2006"';

describe('what a list refuses: 406 with the words clients know', () => {
  follow(
    () => server,
    [
      refusal('bootenvs?limit=-1', 'Limit cannot be negative'),
      refusal('bootenvs?offset=-1', 'Offset cannot be negative'),
      refusal('bootenvs?limit=x', 'Limit not valid: strconv.Atoi: parsing "x": invalid syntax'),
      refusal('bootenvs?offset=x', 'Offset not valid: strconv.Atoi: parsing "x": invalid syntax'),
      refusal('bootenvs?sort=x', 'Not sortable: x'),
      refusal('bootenvs?x=y', 'Filter not found: x'),
      ...['Available', 'Valid', 'ReadOnly', 'OnlyUnknown'].map((index) =>
        refusal(`bootenvs?${index}=fred`, `${index} ${YES_NO}`),
      ),
      refusal('machines?Runnable=fred', `Runnable ${YES_NO}`),
      refusal('stages?Reboot=fred', `Reboot ${YES_NO}`),
      refusal('subnets?Enabled=fred', `Enabled ${YES_NO}`),
      refusal('subnets?Proxy=fred', `Proxy ${YES_NO}`),
      refusal('machines?Uuid=false', 'Invalid UUID: false'),
      refusal('jobs?Uuid=false', 'Invalid UUID: false'),
      refusal('jobs?Machine=false', 'Invalid UUID: false'),
      refusal('machines?Address=fred', 'Invalid address: fred'),
      refusal('subnets?NextServer=fred', 'Invalid Address: fred'),
      refusal('reservations?NextServer=fred', 'Invalid Address: fred'),
      refusal('reservations?Addr=fred', 'Invalid Address: fred'),
      refusal('leases?Addr=fred', 'Addr must be an IP address'),
      refusal('subnets?Subnet=false', 'Invalid subnet CIDR: false'),
      refusal('jobs?StartTime=fred', BAD_TIME),
      refusal('jobs?EndTime=fred', BAD_TIME),
      refusal('leases?ExpireTime=fred', `ExpireTime is not valid: ${BAD_TIME}`),
    ],
  );
});

describe('order and pages', () => {
  follow(
    () => server,
    [
      {
        name: 'sorted by an index',
        ask: 'GET machines?sort=Address',
        status: 200,
        check: (a) => expect(found(a)).toEqual(['m-d', 'm-c', 'm-a', 'm-b']),
      },
      {
        name: 'by two, in turn',
        ask: 'GET machines?sort=Runnable&sort=Name',
        status: 200,
        check: (a) => expect(found(a)).toEqual(['m-d', 'm-a', 'm-b', 'm-c']),
      },
      {
        name: 'turned round',
        ask: 'GET machines?sort=Name&reverse=true',
        status: 200,
        check: (a) => expect(found(a)).toEqual(['m-d', 'm-c', 'm-b', 'm-a']),
      },
      {
        name: 'a page',
        ask: 'GET machines?sort=Name&offset=1&limit=2',
        status: 200,
        headers: counts(4, 2, 4),
        check: (a) => expect(found(a)).toEqual(['m-b', 'm-c']),
      },
      {
        name: 'turned round before it is cut',
        ask: 'GET machines?sort=Name&reverse=true&limit=1',
        status: 200,
        check: (a) => expect(found(a)).toEqual(['m-d']),
      },
      { name: 'nothing asked for', ask: 'GET machines?limit=0', status: 200, exactly: [], headers: counts(4, 0, 4) },
      { name: 'beyond the end', ask: 'GET machines?offset=10', status: 200, exactly: [], headers: counts(4, 0, 4) },
      {
        name: 'filtered and cut',
        ask: 'GET machines?Name=Ne(m-a)&limit=1&sort=Name',
        status: 200,
        headers: counts(4, 1, 3),
        check: (a) => expect(found(a)).toEqual(['m-b']),
      },
      {
        name: 'HEAD counts the same',
        ask: 'HEAD machines?Name=Ne(m-a)&limit=1',
        status: 200,
        headers: counts(4, 1, 3),
        check: (a) => expect(a.text).toBe(''),
      },
      { name: 'HEAD refuses the same', ask: 'HEAD machines?limit=-1', status: 406 },
      {
        name: 'native order by default',
        ask: 'GET profiles',
        status: 200,
        check: (a) => expect(found(a)).toEqual(['big', 'global']),
      },
    ],
  );
});

describe('slim, params, aggregate', () => {
  const first = (answer: TestAnswer): JsonObject => (answer.body as JsonObject[])[0] as JsonObject;
  follow(
    () => server,
    [
      {
        name: 'slim empties the maps and keeps the fields',
        ask: 'GET machines?Name=m-a&slim=meta,Params',
        send: { headers: V3_CLIENT },
        status: 200,
        check: (a) => expect(first(a)).toMatchObject({ Meta: {}, Params: {}, Name: 'm-a' }),
      },
      {
        name: 'one of them',
        ask: 'GET machines?Name=m-a&slim=Meta',
        status: 200,
        check: (a) => expect(first(a)).toMatchObject({ Meta: {}, Params: { rack: 'r1', size: 1 } }),
      },
      {
        name: 'a single object too',
        ask: 'GET machines/Name:m-a?slim=Params',
        status: 200,
        body: { Params: {}, Partial: true },
      },
      {
        name: 'only some params',
        ask: 'GET machines?Name=m-a&params=size',
        status: 200,
        check: (a) => expect(first(a)['Params']).toEqual({ size: 1 }),
      },
      {
        name: 'params of profiles too',
        ask: 'GET machines?Name=m-c&aggregate=true',
        status: 200,
        check: (a) => expect(first(a)['Params']).toEqual({ size: 9 }),
      },
      {
        name: 'own params only without',
        ask: 'GET machines?Name=m-c',
        status: 200,
        check: (a) => expect(first(a)['Params']).toEqual({}),
      },
    ],
  );
});

describe('indexes', () => {
  const common = {
    Key: { Type: 'string', Unique: true },
    Available: { Type: 'boolean', Unique: false },
    Valid: { Type: 'boolean', Unique: false },
    ReadOnly: { Type: 'boolean', Unique: false },
  };
  const text = { Type: 'string', Unique: false };
  const name = { Name: { Type: 'string', Unique: true } };
  const yesNo = { Type: 'boolean', Unique: false };
  const address = { Type: 'IP Address', Unique: false };
  const uuid = (Unique: boolean): JsonObject => ({ Type: 'UUID string', Unique });
  const published: Record<string, JsonObject> = {
    bootenvs: { ...common, ...name, OnlyUnknown: yesNo, OsName: text },
    jobs: {
      ...common,
      Uuid: uuid(true),
      Machine: uuid(true),
      Previous: uuid(false),
      Archived: yesNo,
      Current: yesNo,
      BootEnv: text,
      Stage: text,
      State: text,
      Task: text,
      Workflow: text,
      StartTime: { Type: 'dateTime', Unique: false },
      EndTime: { Type: 'dateTime', Unique: false },
    },
    leases: {
      ...common,
      Addr: address,
      ExpireTime: { Type: 'Date/Time string', Unique: false },
      State: text,
      Strategy: text,
      Token: text,
    },
    machines: {
      ...common,
      ...name,
      Uuid: uuid(true),
      Address: address,
      BootEnv: text,
      Stage: text,
      Workflow: text,
      Runnable: yesNo,
    },
    plugins: { ...common, ...name, Provider: text },
    reservations: { ...common, Addr: address, NextServer: address, Strategy: text, Token: text },
    stages: { ...common, ...name, BootEnv: text, Reboot: yesNo },
    subnets: {
      ...common,
      ...name,
      Subnet: { Type: 'CIDR Address', Unique: true },
      Address: address,
      ActiveAddress: address,
      NextServer: address,
      Strategy: text,
      Enabled: yesNo,
      Proxy: yesNo,
    },
    templates: { ...common, ID: { Type: 'string', Unique: true } },
    ...Object.fromEntries(
      ['params', 'profiles', 'roles', 'tasks', 'tenants', 'users', 'workflows'].map((prefix) => [
        prefix,
        { ...common, ...name },
      ]),
    ),
  };

  it.each(Object.keys(published))('of %s are as published', async (prefix) => {
    const { body } = await server.call('GET', `indexes/${prefix}`, { headers: V3_CLIENT });
    expect(body).toEqual(published[prefix]);
    const { body: all } = await server.call('GET', 'indexes', { headers: V3_CLIENT });
    expect((all as Record<string, unknown>)[prefix]).toEqual(published[prefix]);
  });

  follow(
    () => server,
    [
      {
        name: 'one index',
        ask: 'GET indexes/machines/Name',
        send: { headers: V3_CLIENT },
        status: 200,
        exactly: { Type: 'string', Unique: true },
      },
      {
        name: 'with the fields of release 4',
        ask: 'GET indexes/machines/Name',
        status: 200,
        exactly: { Type: 'string', Unique: true, Unordered: false, Regex: true },
      },
      ...['interfaces', 'plugin_providers', 'nope'].map(
        (prefix): Row => ({
          name: `none of ${prefix}`,
          ask: `GET indexes/${prefix}`,
          status: 404,
          error: `GET: index get: not found: ${prefix}`,
        }),
      ),
      { name: 'no such index', ask: 'GET indexes/machines/Nope', status: 404 },
    ],
  );
});

describe('keys of the path', () => {
  follow(
    () => server,
    [
      {
        name: 'a machine has no bare name',
        ask: 'GET machines/m-a',
        status: 404,
        error: 'GET: machines/m-a: Not Found',
      },
      { name: 'a unique index does', ask: 'GET machines/Name:m-a', status: 200, body: { Name: 'm-a' } },
      {
        name: 'index names know upper and lower case',
        ask: 'GET machines/name:m-a',
        status: 404,
        error: 'GET: machines/name:m-a: Not Found',
      },
      { name: 'an index that is not unique does not', ask: 'GET machines/Stage:local', status: 404 },
      {
        name: 'the message shows the key as typed',
        ask: 'DELETE machines/Name:nope',
        status: 404,
        error: 'DELETE: machines/Name:nope: Not Found',
      },
      {
        name: 'PUT takes the native key only',
        ask: 'PUT machines/Name:m-a',
        send: { body: { Name: 'm-a' } },
        status: 400,
      },
      { name: 'HEAD of one that is there', ask: 'HEAD machines/Name:m-a', status: 200, headers: { etag: /^"\d+"$/ } },
    ],
  );
});
