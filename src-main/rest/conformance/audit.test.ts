/** The audit trail over HTTP: its parameters, its three formats, and that it goes out however long it is. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { follow, make } from './rows.ts';

const SHOWN = '00000000-0000-4000-8000-000000000001';
const HIDDEN = '00000000-0000-4000-8000-000000000002';
const CHANGES = 12;

interface Entry {
  readonly Seq: number;
  readonly Changes: readonly { readonly Key: string }[];
}

let server: TestServer;
let inside: string;

beforeAll(async () => {
  server = await startTestServer();
  await make(server, 'users', { Name: 'inside', Roles: ['superuser'] });
  await make(server, 'machines', { Name: 'shown', Uuid: SHOWN });
  await make(server, 'machines', { Name: 'hidden', Uuid: HIDDEN });
  await make(server, 'tenants', { Name: 'walled', Users: ['inside'], Members: { machines: [SHOWN] } });
  inside = await server.tokenOf('inside');
  const text = 'x'.repeat(100_000);
  for (let n = 0; n < CHANGES; n++)
    await server.call('PATCH', `machines/${HIDDEN}`, {
      body: [{ op: 'add', path: '/Description', value: `${n}${text}` }],
    });
});
afterAll(() => server.stop());

const large = `x/audit?prefix=machines&key=${HIDDEN}`;
const seqs = (entries: unknown): number[] => (entries as Entry[]).map(({ Seq }) => Seq);

describe('parameters', () => {
  follow(
    () => server,
    [
      {
        name: 'a format it does not have is refused',
        ask: 'GET x/audit?format=xml',
        status: 406,
        error: /format is json, jsonl or csv, not xml/,
      },
      {
        name: 'an order it does not have is refused',
        ask: 'GET x/audit?order=OLDEST',
        status: 406,
        error: /order is newest or oldest/,
      },
      { name: 'nothing found is an empty list', ask: 'GET x/audit?actor=nobody', status: 200, exactly: [] },
      { name: 'so is a limit of nothing', ask: 'GET x/audit?limit=0', status: 200, exactly: [] },
      {
        name: 'a short answer has a length',
        ask: 'GET x/audit?actor=nobody&format=jsonl',
        status: 200,
        headers: { 'content-length': '0', 'content-disposition': /audit\.jsonl/ },
      },
    ],
  );
});

describe('a long trail', () => {
  it('goes out as it is read, whole in every format', async () => {
    const json = await server.call('GET', large);
    expect(json.headers['content-length']).toBeUndefined();
    expect(json.body).toHaveLength(CHANGES + 1);
    expect(seqs(json.body)).toEqual(seqs(json.body).toSorted((a, b) => b - a));
    const lines = (await server.call('GET', `${large}&format=jsonl`)).text.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(json.body);
    const csv = await server.call('GET', `${large}&format=csv`);
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(csv.text.trimEnd().split('\r\n')).toHaveLength(CHANGES + 2);
  });

  it('is cut to the limit', async () => {
    const { body } = await server.call('GET', `${large}&limit=5&order=oldest`);
    expect(body).toHaveLength(5);
    expect(seqs(body)).toEqual(seqs(body).toSorted((a, b) => a - b));
  });
});

it('a tenant is answered with as many records as it may see, however many it may not lie between them', async () => {
  const { body } = await server.call('GET', 'x/audit?prefix=machines&limit=1', { as: inside });
  expect((body as Entry[]).flatMap(({ Changes }) => Changes.map(({ Key }) => Key))).toEqual([SHOWN]);
});

it('a file says what was asked for, but not with which token', async () => {
  const token = await server.tokenOf('rocketskates');
  const { text } = await server.call('GET', `x/audit?format=csv&actor=a%0Ab&limit=1&token=${token}`, { as: null });
  expect(text.split('\n')[0]).toBe('# filter: format=csv&actor=a%0Ab&limit=1');
  expect(text).not.toContain(token);
});

it('shows no secret of a callback, wherever its configuration stands and however it is spelled', async () => {
  const params = {
    'callback/auths': {
      one: { AuthType: 'basic', Username: 'u', password: 'hidden-1', URL: 'https://h/?token=hidden-2' },
    },
    'callback/callbacks': { done: { url: 'https://u:hidden-3@h/hook', headers: { Authorization: 'hidden-4' } } },
    'callback/delivery': { Signing: { Secrets: ['whsec_hidden-5'] } },
    'callback/proxy': 'http://u:hidden-6@proxy:3128',
  };
  const sections = { stages: { packed: { Name: 'packed', Params: params } } };
  await make(server, 'contents', { meta: { Name: 'pack', Version: 'v1' }, sections });
  for (const type of ['stages', 'profiles', 'machines'])
    await make(server, type, { Name: 'secretive', Params: params });
  await make(server, 'plugins', { Name: 'secretive', Provider: 'callback', Params: params });
  const { text } = await server.call('GET', 'x/audit?order=newest&limit=5');
  for (const prefix of ['stages', 'profiles', 'machines', 'plugins', 'contents'])
    expect(text).toContain(`"Prefix":"${prefix}"`);
  expect(text).toContain('https://***@h/hook');
  expect(text).not.toContain('hidden-');
});
