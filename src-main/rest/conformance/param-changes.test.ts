/** wire-format.md 9.1, 9.3, 10.3: what a changed Param does to the objects that hold values of it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../kit/json.ts';
import { openObjectStore } from '../../service.ts';
import { startTestServer, type TestRequest, type TestServer } from '../../testing/server.ts';
import { clientSeal } from './client-box.ts';
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

describe('a param that becomes secure', () => {
  const SEALED = { Key: expect.any(String), Nonce: expect.any(String), Payload: expect.any(String) };
  const secure: TestRequest = { body: [{ op: 'replace', path: '/Secure', value: true }] };
  const holders = ['machines/Name:keeper', 'profiles/keeper', 'plugins/keeper', 'stages/keeper'];
  const sealedNow = (param: string): Row[] =>
    holders.flatMap((path): Row[] => [
      {
        name: `${path} shows it sealed only`,
        ask: `GET ${path}`,
        status: 200,
        body: { Available: true, Params: { [param]: SEALED } },
        check: (a) => expect((a.body as { Params: JsonObject }).Params[param]).not.toBe('top secret'),
      },
      { name: 'as a param too', ask: `GET ${path}/params/${param}`, status: 200, body: SEALED },
      {
        name: 'and opens for who may',
        ask: `GET ${path}/params/${param}?decode=true`,
        status: 200,
        exactly: 'top secret',
      },
    ]);
  beforeAll(async () => {
    for (const path of holders) {
      const [prefix = ''] = path.split('/');
      const Params = { late: 'top secret', packed: 'top secret', nothing: null };
      const body = { Name: 'keeper', Params, ...(prefix === 'plugins' ? { Provider: 'missing' } : {}) };
      await make(server, prefix, body);
    }
  });
  follow(
    () => server,
    [
      { name: 'it is none at first', ask: 'POST params', send: { body: { Name: 'late' } }, status: 201 },
      { name: 'then one', ask: 'PATCH params/late', send: secure, status: 200 },
      ...sealedNow('late'),
      {
        name: 'a pack makes one of another',
        ask: 'POST contents',
        send: { body: pack('secrets', { params: { packed: { Name: 'packed', Secure: true } } }) },
        status: 201,
        body: { Warnings: [] },
      },
      ...sealedNow('packed'),
      {
        name: 'null is no secret',
        ask: 'POST params',
        send: { body: { Name: 'nothing', Secure: true } },
        status: 201,
      },
      { name: 'and stays', ask: 'GET profiles/keeper/params/nothing', status: 200, exactly: null },
      {
        name: 'a value of a pack',
        ask: 'POST contents',
        send: { body: pack('clear', { profiles: { clear: { Name: 'clear', Params: { stuck: 'top secret' } } } }) },
        status: 201,
      },
      {
        name: 'cannot be sealed there',
        ask: 'POST params',
        send: { body: { Name: 'stuck', Secure: true } },
        status: 422,
        error:
          'ValidationError: params/stuck: profiles/clear of a content pack holds a clear value of stuck, which cannot be sealed there',
      },
      {
        name: 'whoever makes it secure',
        ask: 'POST contents',
        send: { body: pack('stuck', { params: { stuck: { Name: 'stuck', Secure: true } } }) },
        status: 422,
        error: "ValidationError: profiles/clear: Key 'stuck': invalid val '***': a secure param takes a sealed value",
      },
    ],
  );
});

describe('sealed values in a whole object', () => {
  const sealedFor = async (value: Json): Promise<JsonObject> => {
    const key = await server.call('GET', 'profiles/whole/pubkey');
    return clientSeal(value, key.body as string);
  };
  beforeAll(async () => {
    await make(server, 'params', { Name: 'code', Secure: true, Schema: { type: 'string' } });
    await make(server, 'profiles', { Name: 'whole' });
  });
  follow(
    () => server,
    [
      {
        name: 'for another object make none',
        ask: 'POST profiles',
        send: async () => ({ body: { Name: 'copy', Params: { code: await sealedFor('x') } } }),
        status: 422,
        error: "ValidationError: profiles/copy: Key 'code': invalid val '***': SecureData corrupted",
      },
      {
        name: 'for itself are taken',
        ask: 'PATCH profiles/whole',
        send: async () => ({ body: [{ op: 'add', path: '/Params/code', value: await sealedFor('x') }] }),
        status: 200,
      },
      {
        name: 'unless they do not fit',
        ask: 'PATCH profiles/whole',
        send: async () => ({ body: [{ op: 'add', path: '/Params/code', value: await sealedFor(5) }] }),
        status: 422,
        error:
          "ValidationError: profiles/whole: Key 'code': invalid val '***': : (root): Invalid type. Expected: string, given: integer",
      },
      { name: 'and open', ask: 'GET profiles/whole/params/code?decode=true', status: 200, exactly: 'x' },
      {
        name: 'a fault of the envelope is told once',
        ask: 'POST profiles/whole/params/code',
        send: { body: { Key: 'AAAA', Nonce: 'AAAA', Payload: 'AAAA' } },
        status: 409,
        error: "POST: profiles/whole: Key 'code': invalid val '***': Key must be 32 bytes long",
      },
    ],
  );
});

it('what a stop left in the clear is sealed at the start', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'proviso-test-'));
  const features = ['rbac', 'secure-params'];
  try {
    const first = await startTestServer({ dataDir, features, storage: 'sqlite' });
    await make(first, 'profiles', { Name: 'keeper', Params: { late: 'top secret' } });
    await first.stop();
    const store = await openObjectStore(join(dataDir, 'proviso.db'), Date.now);
    await store.transact({ actor: 'test', requestId: 'r' }, (tx) =>
      tx.put('params', 'late', { Name: 'late', Secure: true }),
    );
    await store.close();
    const second = await startTestServer({ dataDir, features, storage: 'sqlite' });
    expect((await second.call('GET', 'profiles/keeper')).text).not.toContain('top secret');
    expect((await second.call('GET', 'profiles/keeper/params/late?decode=true')).body).toBe('top secret');
    await second.stop();
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
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
