/** wire-format.md 3.11, 9, 2.4, 2.5: params, meta and typed values, on machines, profiles and plugins. */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { JsonObject } from '../../kit/json.ts';
import { startTestServer, type TestAnswer, type TestServer } from '../../testing/server.ts';
import { follow, make } from './rows.ts';

let server: TestServer;
const create = (path: string, body: JsonObject): Promise<TestAnswer> => make(server, path, body);
beforeAll(async () => {
  server = await startTestServer();
  await create('params', { Name: 'typed', Schema: { type: 'string' } });
  await create('params', { Name: 'with/default', Schema: { type: 'integer', default: 7 } });
  await create('profiles', { Name: 'bob' });
  await create('profiles', { Name: 'low', Params: { aa: 'low', bb: 'low' } });
  await create('profiles', { Name: 'high', Params: { aa: 'high' } });
  await create('profiles', { Name: 'stage-prof', Params: { cc: 'stage', aa: 'stage' } });
  await create('stages', { Name: 'staged', Profiles: ['stage-prof'], Params: { own: 'stage' } });
  await create('machines', { Name: 'bob', Profiles: ['high', 'low'], Stage: 'staged' });
  await create('plugins', { Name: 'bob', Provider: 'missing' });
  await server.call('POST', 'profiles/global/params/dd', { body: 'global' });
  for (const [name, actions] of [
    ['setter', 'list,get,update,updateSecure'],
    ['reader', 'list,get,getSecure'],
    ['updater', 'get,update:/Params/free,update:/Meta/ok'],
  ] as const) {
    await create('roles', {
      Name: name,
      Claims: [
        { scope: 'machines,profiles,plugins', action: actions, specific: '*' },
        { scope: 'params', action: 'get', specific: '*' },
      ],
    });
    await create('users', { Name: `u-${name}`, Roles: [name] });
  }
});
afterAll(() => server.stop());
const as = async (user: string): Promise<string> => server.tokenOf(user);

describe.each([['machines'], ['profiles'], ['plugins']])('params of %s', (prefix) => {
  const id = `${prefix}/Name:bob`;
  follow(
    () => server,
    [
      { name: 'none at first', ask: `GET ${id}/params`, status: 200, exactly: {} },
      { name: 'an absent one is null', ask: `GET ${id}/params/jj`, status: 200, exactly: null },
      { name: 'set one, which is echoed', ask: `POST ${id}/params/jj`, send: { raw: '3' }, status: 200, exactly: 3 },
      { name: 'null is a value', ask: `POST ${id}/params/nothing`, send: { raw: 'null' }, status: 200, exactly: null },
      { name: 'and is stored', ask: `GET ${id}/params`, status: 200, exactly: { jj: 3, nothing: null } },
      {
        name: 'a name with slashes',
        ask: `POST ${id}/params/a/b/c`,
        send: { body: [1, 2] },
        status: 200,
        exactly: [1, 2],
      },
      { name: 'is read under it', ask: `GET ${id}/params/a/b/c`, status: 200, exactly: [1, 2] },
      {
        name: 'all are replaced',
        ask: `POST ${id}/params`,
        send: { body: { xx: 1, yy: { z: true } } },
        status: 200,
        exactly: { xx: 1, yy: { z: true } },
      },
      { name: 'none is left of before', ask: `GET ${id}/params`, status: 200, exactly: { xx: 1, yy: { z: true } } },
      {
        name: 'patched',
        ask: `PATCH ${id}/params`,
        send: {
          body: [
            { op: 'test', path: '/xx', value: 1 },
            { op: 'replace', path: '/xx', value: 2 },
            { op: 'add', path: '/a~1b', value: 'slash' },
          ],
        },
        status: 200,
        exactly: { xx: 2, yy: { z: true }, 'a/b': 'slash' },
      },
      {
        name: 'a failed test',
        ask: `PATCH ${id}/params`,
        send: { body: [{ op: 'test', path: '/xx', value: 9 }] },
        status: 409,
        error: `PATCH: ${id}:\n  Patch failed to apply at line 0\n  Test op failed.`,
      },
      {
        name: 'removal of what is not there by patch',
        ask: `PATCH ${id}/params`,
        send: { body: [{ op: 'remove', path: '/foo' }] },
        status: 409,
        error: `PATCH: ${id}:\n  Patch failed to apply at line 0\n  \`/foo\` does not point to an existing location`,
      },
      {
        name: 'a test of what is not there',
        ask: `PATCH ${id}/params`,
        send: { body: [{ op: 'test', path: '/john2', value: 1 }] },
        status: 409,
        error: /Patch failed to apply at line 0\n {2}Selector john2 not a member of map\[string\]interface /,
      },
      { name: 'an empty patch', ask: `PATCH ${id}/params`, send: { body: [] }, status: 200, body: { xx: 2 } },
      { name: 'removal answers the value', ask: `DELETE ${id}/params/xx`, status: 200, exactly: 2 },
      {
        name: 'removal of what is not there',
        ask: `DELETE ${id}/params/xx`,
        status: 404,
        error: 'DELETE: params/xx: Not Found',
      },
      {
        name: 'a value of the wrong type',
        ask: `POST ${id}/params/typed`,
        send: { body: [5] },
        status: 409,
        error: `POST: ${id}: Key 'typed': invalid val '[5]': : (root): Invalid type. Expected: string, given: array`,
      },
      {
        name: 'in a map',
        ask: `POST ${id}/params`,
        send: { body: { typed: 5 } },
        status: 409,
        error: `POST: ${id}: Key 'typed': invalid val '5': : (root): Invalid type. Expected: string, given: integer`,
      },
      {
        name: 'by patch',
        ask: `PATCH ${id}/params`,
        send: { body: [{ op: 'add', path: '/typed', value: true }] },
        status: 409,
        error: /Key 'typed': invalid val 'true': : \(root\): Invalid type\. Expected: string, given: boolean/,
      },
      { name: 'a good one', ask: `POST ${id}/params/typed`, send: { body: 'text' }, status: 200, exactly: 'text' },
      {
        name: 'an object that is not there',
        ask: `GET ${prefix}/Name:john/params`,
        status: 404,
        error: `GET: ${prefix}/Name:john: Not Found`,
      },
      {
        name: 'nor can it be written',
        ask: `POST ${prefix}/Name:john/params/xx`,
        send: { body: 1 },
        status: 404,
        error: `POST: ${prefix}/Name:john: Not Found`,
      },
      {
        name: 'no body is no value',
        ask: `POST ${id}/params/xx`,
        send: { raw: '', headers: { 'content-type': 'application/json' } },
        status: 400,
      },
      {
        name: 'the wrong content type',
        ask: `POST ${id}/params/xx`,
        send: { raw: '1', headers: { 'content-type': 'text/plain' } },
        status: 400,
        error: 'POST: Invalid content type: text/plain',
      },
      {
        name: 'the schema default is the last resort of one value',
        ask: `GET ${id}/params/with/default?aggregate=true`,
        status: 200,
        exactly: 7,
      },
      { name: 'and only when aggregated', ask: `GET ${id}/params/with/default`, status: 200, exactly: null },
      {
        name: 'and in no map',
        ask: `GET ${id}/params?aggregate=true`,
        status: 200,
        check: (a) => expect(a.body).not.toHaveProperty(['with/default']),
      },
      {
        name: 'a role for one param may set it',
        ask: `POST ${id}/params/free`,
        send: async () => ({ as: await as('u-updater'), body: 1 }),
        status: 200,
      },
      {
        name: 'but no other',
        ask: `POST ${id}/params/other`,
        send: async () => ({ as: await as('u-updater'), body: 1 }),
        status: 403,
        error: new RegExp(`Cannot access /api/v3/${id}/params/other\\n {2}Requires: ${prefix} update:/Params/other `),
      },
      {
        name: 'nor remove it',
        ask: `DELETE ${id}/params/typed`,
        send: async () => ({ as: await as('u-updater') }),
        status: 403,
        error: /Requires: .* update:\/Params\/typed /,
      },
      {
        name: 'nor replace all with a change of another',
        ask: `POST ${id}/params`,
        send: async () => ({ as: await as('u-updater'), body: { free: 2 } }),
        status: 403,
      },
    ],
  );
});

describe('aggregated params of a machine', () => {
  follow(
    () => server,
    [
      {
        name: 'profiles in order, then the stage, then global',
        ask: 'GET machines/Name:bob/params?aggregate=true',
        status: 200,
        body: { aa: 'high', bb: 'low', cc: 'stage', own: 'stage', dd: 'global' },
      },
      { name: 'one by one', ask: 'GET machines/Name:bob/params/cc?aggregate=true', status: 200, exactly: 'stage' },
      { name: 'its own go first', ask: 'POST machines/Name:bob/params/aa', send: { body: 'own' }, status: 200 },
      {
        name: 'so this is its own',
        ask: 'GET machines/Name:bob/params/aa?aggregate=true',
        status: 200,
        exactly: 'own',
      },
      {
        name: 'only those asked for',
        ask: 'GET machines/Name:bob/params?aggregate=true&params=aa,dd',
        status: 200,
        exactly: { aa: 'own', dd: 'global' },
      },
      {
        name: 'profiles have their own and the global ones',
        ask: 'GET profiles/low/params?aggregate=true',
        status: 200,
        exactly: { aa: 'low', bb: 'low', dd: 'global' },
      },
    ],
  );
});

describe('definitions of params', () => {
  follow(
    () => server,
    [
      {
        name: 'a default that does not fit',
        ask: 'POST params',
        send: { body: { Name: 'badDefault', Schema: { type: 'string', default: false } } },
        status: 422,
        error:
          'ValidationError: params/badDefault: Error in default value: (root): Invalid type. Expected: string, given: boolean',
      },
      {
        name: 'no schema at all',
        ask: 'POST params',
        send: { body: { Name: 'free', Schema: null } },
        status: 201,
        body: { Schema: null },
      },
      {
        name: 'a schema that is none',
        ask: 'POST params',
        send: { body: { Name: 'odd', Schema: { type: 'strong' } } },
        status: 422,
        error: /^ValidationError: params\/odd: /,
      },
      {
        name: 'a nested fault is named by its place',
        ask: 'POST params',
        send: { body: { Name: 'nested', Schema: { type: 'object', properties: { a: { type: 'integer' } } } } },
        status: 201,
      },
      {
        name: 'like this',
        ask: 'POST profiles/bob/params/nested',
        send: { body: { a: 'x' } },
        status: 409,
        error:
          "POST: profiles/bob: Key 'nested': invalid val 'map[a:x]': : a: Invalid type. Expected: integer, given: string",
      },
    ],
  );
});

describe('meta', () => {
  follow(
    () => server,
    [
      { name: 'read', ask: 'GET meta/profiles/bob', status: 200, exactly: {} },
      {
        name: 'added to, with a test of the whole map',
        ask: 'PATCH meta/profiles/bob',
        send: {
          body: [
            { op: 'test', path: '', value: {} },
            { op: 'add', path: '/key', value: 'val' },
          ],
        },
        status: 200,
        exactly: { key: 'val' },
      },
      {
        name: 'a stale test',
        ask: 'PATCH meta/profiles/bob',
        send: { body: [{ op: 'test', path: '', value: {} }] },
        status: 409,
        error: 'PATCH: profiles/bob:\n  Patch failed to apply at line 0\n  Test op failed.',
      },
      {
        name: 'removal of what is not there',
        ask: 'PATCH meta/profiles/bob',
        send: { body: [{ op: 'remove', path: '/foo' }] },
        status: 409,
        error:
          'PATCH: profiles/bob:\n  Patch failed to apply at line 0\n  `/foo` does not point to an existing location',
      },
      {
        name: 'a value that is no text',
        ask: 'PATCH meta/profiles/bob',
        send: { body: [{ op: 'add', path: '/key', value: 5 }] },
        status: 406,
      },
      {
        name: 'of a machine, by name',
        ask: 'GET meta/machines/Name:bob',
        status: 200,
        body: { 'feature-flags': 'change-stage-v2' },
      },
      { name: 'of nothing', ask: 'GET meta/profiles/nope', status: 404, error: 'GET: profiles/nope: Not Found' },
      { name: 'of an unknown type', ask: 'GET meta/nope/x', status: 404 },
      {
        name: 'a role for one key',
        ask: 'PATCH meta/machines/Name:bob',
        send: async () => ({ as: await as('u-updater'), body: [{ op: 'add', path: '/ok', value: 'x' }] }),
        status: 200,
      },
      {
        name: 'and no other',
        ask: 'PATCH meta/machines/Name:bob',
        send: async () => ({ as: await as('u-updater'), body: [{ op: 'add', path: '/nope', value: 'x' }] }),
        status: 403,
        error: /Requires: machines patch /,
      },
    ],
  );
});

describe('a param under its name, whose slashes clients do not escape (1.1)', () => {
  const patch = (value: string) => ({ body: [{ op: 'add', path: '/color', value }] });
  follow(
    () => server,
    [
      { name: 'get', ask: 'GET params/with/default', status: 200, body: { Name: 'with/default' } },
      { name: 'get, escaped', ask: 'GET params/with%2Fdefault', status: 200, body: { Name: 'with/default' } },
      { name: 'get by index', ask: 'GET params/Name:with/default', status: 200, body: { Name: 'with/default' } },
      { name: 'exists', ask: 'HEAD params/with/default', status: 200, headers: { ETag: /^"\d+"$/ } },
      { name: 'does not exist', ask: 'HEAD params/with/other', status: 404 },
      {
        name: 'absent',
        ask: 'GET params/with/other',
        status: 404,
        error: 'GET: params/with/other: Not Found',
      },
      {
        name: 'patch',
        ask: 'PATCH params/with/default',
        send: { body: [{ op: 'replace', path: '/Description', value: 'x' }] },
        status: 200,
        body: { Description: 'x' },
      },
      {
        name: 'put',
        ask: 'PUT params/with/default',
        send: { body: { Name: 'with/default', Schema: { type: 'integer', default: 7 } } },
        status: 200,
        body: { Description: '' },
      },
      { name: 'meta', ask: 'PATCH meta/params/with/default', send: patch('red'), status: 200, body: { color: 'red' } },
      { name: 'meta, read', ask: 'GET meta/params/with/default', status: 200, body: { color: 'red' } },
      { name: 'a name of three parts', ask: 'POST params', send: { body: { Name: 'a/b/params' } }, status: 201 },
      { name: 'is found', ask: 'GET params/a/b/params', status: 200, body: { Name: 'a/b/params' } },
      { name: 'delete', ask: 'DELETE params/a/b/params', status: 200, body: { Name: 'a/b/params' } },
      {
        name: 'a list with a slash behind stays a list',
        ask: 'GET params/?Name=with/default',
        status: 200,
        body: [expect.objectContaining({ Name: 'with/default' })],
      },
    ],
  );
});
