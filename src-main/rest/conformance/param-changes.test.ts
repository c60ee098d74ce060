/** wire-format.md 9.1, 9.3, 10.3: what a changed Param does to the objects that hold values of it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../kit/json.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { follow, make, type Row } from './rows.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ features: ['rbac', 'secure-params'] });
});
afterAll(() => server.stop());

const pack = (Name: string, sections: JsonObject): JsonObject => ({ meta: { Name }, sections });
const WRONG = (value: string): string =>
  `Key 'q1': invalid val '${value}': : (root): Invalid type. Expected: integer, given: string`;

describe('a schema that stored values do not fit', () => {
  const everyOtherWrite: readonly Row[] = [
    {
      name: 'the holder can be described',
      ask: 'PATCH machines/Name:holder',
      send: { body: [{ op: 'replace', path: '/Description', value: 'd' }] },
      status: 200,
      body: { Available: false },
    },
    {
      name: 'and get other params',
      ask: 'POST machines/Name:holder/params/other',
      send: { body: 1 },
      status: 200,
    },
    {
      name: 'and other meta',
      ask: 'PATCH meta/machines/Name:holder',
      send: { body: [{ op: 'add', path: '/a', value: 'b' }] },
      status: 200,
    },
    {
      name: 'but no new value that does not fit',
      ask: 'PATCH machines/Name:holder',
      send: { body: [{ op: 'replace', path: '/Params/q1', value: 'new' }] },
      status: 422,
      error: /Key 'q1': invalid val 'new'/,
    },
  ];
  follow(
    () => server,
    [
      {
        name: 'a machine holds text',
        ask: 'POST machines',
        send: { body: { Name: 'holder', Params: { q1: 'text' } } },
        status: 201,
        body: { Available: true },
      },
      {
        name: 'a pack wants numbers',
        ask: 'POST contents',
        send: { body: pack('pq', { params: { q1: { Name: 'q1', Schema: { type: 'integer' } } } }) },
        status: 201,
        check: (a) =>
          expect((a.body as { Warnings: string[] }).Warnings).toEqual([expect.stringContaining(WRONG('text'))]),
      },
      {
        name: 'the machine says so',
        ask: 'GET machines/Name:holder',
        status: 200,
        body: { Available: false, Errors: [WRONG('text')] },
      },
      ...everyOtherWrite,
      { name: 'without the pack', ask: 'DELETE contents/pq', status: 204 },
      { name: 'all is well', ask: 'GET machines/Name:holder', status: 200, body: { Available: true, Errors: [] } },
      ...['profiles', 'plugins', 'stages'].map(
        (prefix): Row => ({
          name: `one of ${prefix} holds text`,
          ask: `POST ${prefix}`,
          send: {
            body: { Name: 'holder', Params: { q1: 'text' }, ...(prefix === 'plugins' ? { Provider: 'missing' } : {}) },
          },
          status: 201,
        }),
      ),
      { name: 'a param of that name', ask: 'POST params', send: { body: { Name: 'q1' } }, status: 201 },
      { name: 'takes everything', ask: 'GET machines/Name:holder', status: 200, body: { Available: true } },
      {
        name: 'then numbers only',
        ask: 'PATCH params/q1',
        send: { body: [{ op: 'add', path: '/Schema', value: { type: 'integer' } }] },
        status: 200,
      },
      ...['machines/Name:', 'profiles/', 'plugins/', 'stages/'].map(
        (path): Row => ({
          name: `${path}holder says so`,
          ask: `GET ${path}holder`,
          status: 200,
          body: { Available: false, Errors: expect.arrayContaining([WRONG('text')]) },
        }),
      ),
      ...everyOtherWrite,
      {
        name: 'then text again',
        ask: 'PUT params/q1',
        send: { body: { Name: 'q1', Schema: { type: 'string' } } },
        status: 200,
      },
      {
        name: 'and it is available',
        ask: 'GET machines/Name:holder',
        status: 200,
        body: { Available: true, Errors: [] },
      },
    ],
  );
});

describe('a schema that values of a pack do not fit', () => {
  const profile = { Name: 'packed', Params: { q2: 'text' } };
  follow(
    () => server,
    [
      {
        name: 'a pack holds text',
        ask: 'POST contents',
        send: { body: pack('held', { profiles: { packed: profile } }) },
        status: 201,
      },
      {
        name: 'a param wants numbers',
        ask: 'POST params',
        send: { body: { Name: 'q2', Schema: { type: 'integer' } } },
        status: 201,
      },
      { name: 'other packs still come', ask: 'POST contents', send: { body: pack('other', {}) }, status: 201 },
      {
        name: 'the holder is unavailable',
        ask: 'GET profiles/packed',
        status: 200,
        body: { Available: false, ReadOnly: true },
      },
      {
        name: 'a new pack with such a value is refused',
        ask: 'POST contents',
        send: { body: pack('new', { profiles: { fresh: { Name: 'fresh', Params: { q2: 'text' } } } }) },
        status: 422,
        error: /Key 'q2': invalid val 'text'/,
      },
    ],
  );
});

it('the service starts although a value of a pack does not fit any more', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'proviso-test-'));
  try {
    const first = await startTestServer({ dataDir, storage: 'sqlite' });
    await make(first, 'contents', pack('held', { profiles: { packed: { Name: 'packed', Params: { q1: 'text' } } } }));
    await make(first, 'params', { Name: 'q1', Schema: { type: 'integer' } });
    await first.stop();
    const second = await startTestServer({ dataDir, storage: 'sqlite' });
    expect((await second.call('GET', 'profiles/packed')).body).toMatchObject({ Available: false });
    await second.stop();
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});
