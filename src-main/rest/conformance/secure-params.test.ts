/** wire-format.md 9.3, 11.3 (TestSecureParams): values sealed by clients, opened by the server for those who may. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../kit/json.ts';
import { startTestServer, type TestAnswer, type TestServer } from '../../testing/server.ts';
import { clientSeal } from './client-box.ts';
import { make, type Row, run, verify } from './rows.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await make(server, 'params', { Name: 'sealed', Secure: true, Schema: { type: 'string' } });
  await make(server, 'profiles', { Name: 'bob' });
  await make(server, 'profiles', { Name: 'high' });
  await make(server, 'machines', { Name: 'bob', Profiles: ['high'] });
  await make(server, 'plugins', { Name: 'bob', Provider: 'missing' });
  for (const [name, actions] of [
    ['setter', 'list,get,update,updateSecure'],
    ['reader', 'list,get,getSecure'],
  ] as const) {
    await make(server, 'roles', {
      Name: name,
      Claims: [
        { scope: 'machines,profiles,plugins', action: actions, specific: '*' },
        { scope: 'params', action: 'get', specific: '*' },
      ],
    });
    await make(server, 'users', { Name: `u-${name}`, Roles: [name] });
  }
});
afterAll(() => server.stop());
const as = async (user: string): Promise<string> => server.tokenOf(user);

describe.each([['machines'], ['profiles'], ['plugins']])('sealed params of %s', (prefix) => {
  const id = `${prefix}/Name:bob`;
  let envelope: JsonObject;

  it('a client seals for the public key of the object and gets the envelope back', async () => {
    const token = await as('u-setter');
    const key = await server.call('GET', `${id}/pubkey`, { as: token });
    expect(Buffer.from(key.body as string, 'base64')).toHaveLength(32);
    envelope = clientSeal('secret text', key.body as string);
    const set = await server.call('POST', `${id}/params/sealed`, { as: token, body: envelope });
    expect(set.status, set.text).toBe(200);
    expect(set.body).toEqual(envelope);
    expect((await server.call('GET', `${id}/params/sealed`, { as: token })).body).toEqual(envelope);
  });

  const rows: readonly Row[] = [
    {
      name: 'clear text needs getSecure',
      ask: `GET ${id}/params/sealed?decode=true`,
      send: async () => ({ as: await as('u-setter') }),
      status: 403,
      error: `AUTH:\n  Cannot access /api/v3/${id}/params/sealed?decode=true\n  Requires: ${prefix} getSecure Name:bob`,
    },
    {
      name: 'with it, it comes',
      ask: `GET ${id}/params/sealed?decode=true`,
      send: async () => ({ as: await as('u-reader') }),
      status: 200,
      exactly: 'secret text',
    },
    {
      name: 'in the map too',
      ask: `GET ${id}/params?decode=true`,
      send: async () => ({ as: await as('u-reader') }),
      status: 200,
      body: { sealed: 'secret text' },
    },
    {
      name: 'but the reader gets no key to seal with',
      ask: `GET ${id}/pubkey`,
      send: async () => ({ as: await as('u-reader') }),
      status: 403,
      error: `AUTH:\n  Cannot access /api/v3/${id}/pubkey\n  Requires: ${prefix} updateSecure Name:bob`,
    },
    {
      name: 'a clear value is refused',
      ask: `POST ${id}/params/sealed`,
      send: { body: 'clear' },
      status: 409,
      error: /^POST: .*: Key 'sealed': invalid val /,
    },
    {
      name: 'a key of the wrong size',
      ask: `POST ${id}/params/sealed`,
      send: { body: { Key: 'AAAA', Nonce: 'AAAA', Payload: 'AAAA' } },
      status: 409,
      error: /Key must be 32 bytes long/,
    },
    {
      name: 'a nonce of the wrong size',
      ask: `POST ${id}/params/sealed`,
      send: { body: { Key: Buffer.alloc(32).toString('base64'), Nonce: 'AAAA', Payload: 'AAAA' } },
      status: 409,
      error: /Nonce must be 24 bytes long/,
    },
    {
      name: 'what nobody can open',
      ask: `POST ${id}/params/sealed`,
      send: {
        body: {
          Key: Buffer.alloc(32, 9).toString('base64'),
          Nonce: Buffer.alloc(24).toString('base64'),
          Payload: Buffer.alloc(40).toString('base64'),
        },
      },
      status: 409,
      error: /SecureData corrupted/,
    },
    {
      name: 'a key of low order',
      ask: `POST ${id}/params/sealed`,
      send: {
        body: {
          Key: Buffer.alloc(32).toString('base64'),
          Nonce: Buffer.alloc(24).toString('base64'),
          Payload: Buffer.alloc(40).toString('base64'),
        },
      },
      status: 409,
      error: /SecureData corrupted/,
    },
    {
      name: 'a sealed value that does not fit the schema',
      ask: `POST ${id}/params/sealed`,
      send: async (s) => ({ body: clientSeal(5, (await s.call('GET', `${id}/pubkey`)).body as string) }),
      status: 409,
      error: /Invalid type\. Expected: string, given: integer/,
    },
    {
      name: 'none of that changed it',
      ask: `GET ${id}/params/sealed?decode=true`,
      status: 200,
      exactly: 'secret text',
    },
    {
      name: 'a list decodes with getSecure on all',
      ask: `GET ${prefix}?decode=true`,
      send: async () => ({ as: await as('u-reader') }),
      status: 200,
      check: (a) =>
        expect((a.body as JsonObject[]).map((one) => (one['Params'] as JsonObject)['sealed'])).toContain('secret text'),
    },
    {
      name: 'and not without',
      ask: `GET ${prefix}?decode=true`,
      send: async () => ({ as: await as('u-setter') }),
      status: 403,
      error: `AUTH:\n  Cannot access /api/v3/${prefix}?decode=true\n  Requires: ${prefix} getSecure `,
    },
  ];
  it.each(rows)('$name', async (row) => {
    const answer = await run(server, row);
    verify(row, answer);
    // A refusal tells nothing of what was to be kept secret.
    if (row.status >= 400) expect(answer.text).not.toContain('secret text');
  });
});

describe('sealed values from elsewhere', () => {
  it('a value of a profile is opened for a machine, with the key of the profile', async () => {
    const key = (await server.call('GET', 'profiles/high/pubkey')).body as string;
    await server.call('POST', 'profiles/high/params/sealed', { body: clientSeal('of the profile', key) });
    await server.call('DELETE', 'machines/Name:bob/params/sealed');
    const open = await server.call('GET', 'machines/Name:bob/params/sealed?aggregate=true&decode=true');
    expect(open.body).toBe('of the profile');
  });

  it('an object made anew under the same name has another key', async () => {
    const create = (): Promise<TestAnswer> => make(server, 'profiles', { Name: 'short-lived' });
    const key = async (): Promise<unknown> => (await server.call('GET', 'profiles/short-lived/pubkey')).body;
    await create();
    const before = await key();
    expect(await key()).toBe(before);
    await server.call('DELETE', 'profiles/short-lived');
    await create();
    expect(await key()).not.toBe(before);
  });

  it('no key and no clear value is in the audit', async () => {
    const { text } = await server.call('GET', 'x/audit?limit=1000');
    expect(text).not.toContain('privateKey":"');
    expect(text).not.toContain('secret text');
  });
});
