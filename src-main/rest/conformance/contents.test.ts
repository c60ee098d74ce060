/** wire-format.md 10, 11.3 (TestContentCli, TestContentsFunctionalCli): content layers as a story. */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { JsonObject } from '../../kit/json.ts';
import { startTestServer, type TestAnswer, type TestServer } from '../../testing/server.ts';
import { follow } from './rows.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const pack = (name: string, sections: JsonObject, meta: JsonObject = {}): JsonObject => ({
  meta: { Name: name, Version: 'v1', Description: `about ${name}`, Source: 'here', Type: 'mine', ...meta },
  sections,
});
const profile = (name: string, params: JsonObject = {}): JsonObject => ({ [name]: { Name: name, Params: params } });
const metas = (answer: TestAnswer): JsonObject[] => (answer.body as { meta: JsonObject }[]).map(({ meta }) => meta);

describe('the layers of a fresh server', () => {
  follow(
    () => server,
    [
      {
        name: 'top to bottom, with their marks',
        ask: 'GET contents',
        status: 200,
        check(answer) {
          const found = metas(answer);
          expect(found.map((one) => one['Name']).filter((name) => name !== 'callback')).toEqual([
            'BackingStore',
            'LocalStore',
            'DefaultStore',
            'BasicStore',
          ]);
          expect(found[0]).toMatchObject({
            Type: 'writable',
            Writable: true,
            Overwritable: false,
            Version: 'user',
            Description: 'Writable backing store',
            Source: '',
          });
          expect(found[1]).toMatchObject({
            Type: 'local',
            Writable: false,
            Overwritable: true,
            Version: 'user',
            Description: 'Local Override Store',
            Source: '',
          });
          expect(found.at(-1)).toMatchObject({
            Type: 'basic',
            Writable: false,
            Overwritable: true,
            Version: 'Unversioned',
            Description: 'Default objects that must be present',
            Source: '',
          });
          expect(found.find((one) => one['Name'] === 'DefaultStore')).toMatchObject({
            Type: 'default',
            Version: 'user',
            Description: 'Initial Default Content',
            Source: 'Unspecified',
          });
        },
      },
      {
        name: 'the writable one counts every type, zeros too',
        ask: 'GET contents',
        status: 200,
        check(answer) {
          const { Counts, Warnings } = (answer.body as { Counts: JsonObject; Warnings: string[] }[])[0] ?? {
            Counts: {},
          };
          expect(Warnings).toEqual([]);
          expect(Counts).toMatchObject({
            bootenvs: 0,
            jobs: 0,
            leases: 0,
            machines: 0,
            params: 0,
            profiles: 1,
            reservations: 0,
            roles: 0,
            stages: 0,
            subnets: 0,
            tasks: 0,
            templates: 0,
            tenants: 0,
            users: 1,
            workflows: 0,
          });
          expect(Counts).toHaveProperty('preferences');
          expect(Counts).toHaveProperty('plugins');
        },
      },
      {
        name: 'the basic one whole',
        ask: 'GET contents/BasicStore',
        status: 200,
        body: {
          sections: {
            bootenvs: { ignore: { OnlyUnknown: true }, local: {} },
            stages: { none: { BootEnv: '' }, local: { BootEnv: 'local' } },
            roles: { superuser: {} },
          },
        },
      },
      {
        name: 'the writable one whole',
        ask: 'GET contents/BackingStore',
        status: 200,
        body: { sections: { users: { rocketskates: { Name: 'rocketskates' } }, machines: {} } },
      },
      {
        name: 'one that is not there',
        ask: 'GET contents/john',
        status: 404,
        error: 'GET: contents/john: No such content store',
      },
      {
        name: 'nor can it be removed',
        ask: 'DELETE contents/john',
        status: 404,
        error: 'DELETE: contents/john: No such content store',
      },
      {
        name: 'nor replaced',
        ask: 'PUT contents/john',
        send: { body: pack('john', {}) },
        status: 404,
        error: 'PUT: contents/john: Cannot find john',
      },
      { name: 'built-in objects are read-only', ask: 'GET stages/none', status: 200, body: { ReadOnly: true } },
      { name: 'and stay', ask: 'DELETE stages/none', status: 404, error: 'DELETE: readonly: none' },
      { name: 'a built-in layer stays', ask: 'DELETE contents/BasicStore', status: 409 },
      { name: 'the writable one too', ask: 'DELETE contents/BackingStore', status: 409 },
    ],
  );
});

describe('a pack comes, changes and goes', () => {
  follow(
    () => server,
    [
      {
        name: 'created',
        ask: 'POST contents',
        send: { body: pack('john', { profiles: profile('p1-prof', { greeting: 'hi' }) }) },
        status: 201,
        body: {
          meta: { Name: 'john', Type: 'dynamic', Writable: false, Overwritable: false, Version: 'v1', Source: 'here' },
          Counts: { profiles: 1 },
          Warnings: [],
        },
      },
      {
        name: 'a second time',
        ask: 'POST contents',
        send: { body: pack('john', {}) },
        status: 409,
        error: 'POST: contents/john: Content john already exists',
      },
      { name: 'without a name', ask: 'POST contents', send: { body: { meta: {}, sections: {} } }, status: 400 },
      {
        name: 'its objects are there, read-only',
        ask: 'GET profiles/p1-prof',
        status: 200,
        body: { ReadOnly: true, Available: true, Params: { greeting: 'hi' } },
      },
      {
        name: 'stands between local and default',
        ask: 'GET contents',
        status: 200,
        check: (a) =>
          expect(
            metas(a)
              .map((one) => one['Name'])
              .slice(0, 4),
          ).toEqual(['BackingStore', 'LocalStore', 'john', 'DefaultStore']),
      },
      {
        name: 'its objects are not changed',
        ask: 'PATCH profiles/p1-prof',
        send: { body: [{ op: 'replace', path: '/Description', value: 'x' }] },
        status: 409,
        error: /readonly: p1-prof/,
      },
      { name: 'a change of nothing is none', ask: 'PATCH profiles/p1-prof', send: { body: [] }, status: 200 },
      {
        name: 'nor replaced',
        ask: 'PUT profiles/p1-prof',
        send: { body: { Name: 'p1-prof', Description: 'x' } },
        status: 409,
      },
      { name: 'nor removed', ask: 'DELETE profiles/p1-prof', status: 404, error: 'DELETE: readonly: p1-prof' },
      {
        name: 'nor given params',
        ask: 'POST profiles/p1-prof/params/xx',
        send: { body: 1 },
        status: 409,
        error: 'POST: profiles/p1-prof: p1-prof',
      },
      {
        name: 'nor meta',
        ask: 'PATCH meta/profiles/p1-prof',
        send: { body: [{ op: 'add', path: '/xx', value: 'y' }] },
        status: 409,
      },
      {
        name: 'nor created once more',
        ask: 'POST profiles',
        send: { body: { Name: 'p1-prof' } },
        status: 409,
        error: 'CREATE: profiles/p1-prof: already exists',
      },
      {
        name: 'a machine uses it',
        ask: 'POST machines',
        send: { body: { Name: 'm-one', Profiles: ['p1-prof'] } },
        status: 201,
        body: { Available: true },
      },
      {
        name: 'a new version without it warns',
        ask: 'PUT contents/john',
        send: { body: pack('john', { profiles: profile('p2-prof') }, { Version: 'v2' }) },
        status: 200,
        body: { meta: { Version: 'v2' }, Counts: { profiles: 1 } },
        check: (a) =>
          expect((a.body as { Warnings: string[] }).Warnings.join()).toContain('Profile p1-prof (at 0) does not exist'),
      },
      {
        name: 'the machine is unavailable and not runnable',
        ask: 'GET machines/Name:m-one',
        status: 200,
        body: { Available: false, Errors: ['Profile p1-prof (at 0) does not exist'] },
      },
      { name: 'the profile is gone', ask: 'GET profiles/p1-prof', status: 404 },
      {
        name: 'when it comes back there is no warning',
        ask: 'PUT contents/john',
        send: { body: pack('john', { profiles: { ...profile('p1-prof'), ...profile('p2-prof') } }) },
        status: 200,
        body: { Warnings: [], Counts: { profiles: 2 } },
      },
      {
        name: 'and the machine is available',
        ask: 'GET machines/Name:m-one',
        status: 200,
        body: { Available: true, Errors: [] },
      },
      {
        name: 'another name than its path',
        ask: 'PUT contents/john',
        send: { body: pack('jack', {}) },
        status: 400,
        error: 'PUT: contents/john: Cannot change name from john to jack',
      },
      {
        name: 'another pack may not have its keys',
        ask: 'POST contents',
        send: { body: pack('jack', { profiles: profile('p2-prof') }) },
        status: 422,
        error:
          /^ValidationError: New layer violates key restrictions: keysCannotBeOverridden: p2-prof is already in layer \d+$/,
      },
      {
        name: 'nor those of the writable store',
        ask: 'POST contents',
        send: { body: pack('jack', { machines: {}, users: { rocketskates: { Name: 'rocketskates' } } }) },
        status: 422,
        error: /keysCannotBeOverridden: rocketskates is already in layer 0/,
      },
      { name: 'unless these give way', ask: 'POST profiles', send: { body: { Name: 'gives-way' } }, status: 201 },
      {
        name: 'as asked',
        ask: 'POST contents?replaceWritable=true',
        send: { body: pack('jack', { profiles: profile('gives-way', { from: 'pack' }) }) },
        status: 201,
      },
      {
        name: 'so that the pack’s counts',
        ask: 'GET profiles/gives-way',
        status: 200,
        body: { ReadOnly: true, Params: { from: 'pack' } },
      },
      {
        name: 'what cannot be decoded by POST',
        ask: 'POST contents',
        send: { body: pack('bad', { profiles: { 'p9-prof': { Name: 'p9-prof', Params: 5 } } }) },
        status: 500,
        error:
          'Failed to load backing objects from cache: Unable to load profiles: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal number into Go struct field Profile.Params of type map[string]interface {}',
      },
      {
        name: 'by PUT',
        ask: 'PUT contents/john',
        send: { body: pack('john', { profiles: { 'p1-prof': { Name: 'p1-prof', Params: 5 } } }) },
        status: 500,
        error:
          'PUT: contents/john:\n' +
          '  Unable to load profiles: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal number into Go struct field Profile.Params of type map[string]interface {}\n' +
          '  Profile p1-prof (at 0) does not exist',
      },
      {
        name: 'nor is anybody called broken',
        ask: 'GET machines/Name:m-one',
        status: 200,
        body: { Available: true, Errors: [] },
      },
      { name: 'and the old pack stays', ask: 'GET profiles/p1-prof', status: 200 },
      {
        name: 'an object with a fault',
        ask: 'PUT contents/john',
        send: { body: pack('john', { profiles: { '!': { Name: '!' } } }) },
        status: 422,
      },
      {
        name: 'changes nothing either',
        ask: 'GET contents/john',
        status: 200,
        check: (a) =>
          expect(Object.keys((a.body as { sections: { profiles: object } }).sections.profiles)).toEqual([
            'p1-prof',
            'p2-prof',
          ]),
      },
      {
        name: 'basic objects may be shadowed',
        ask: 'POST contents',
        send: { body: pack('shadow', { stages: { none: { Name: 'none', Description: 'shadowed' } } }) },
        status: 201,
      },
      { name: 'by a pack', ask: 'GET stages/none', status: 200, body: { Description: 'shadowed', ReadOnly: true } },
      {
        name: 'the pack is removed, without a body',
        ask: 'DELETE contents/shadow',
        status: 204,
        headers: { 'content-type': /^application\/json/ },
        check: (a) => expect(a.text).toBe(''),
      },
      {
        name: 'and the basic one is back',
        ask: 'GET stages/none',
        status: 200,
        body: { Description: 'Noop / Nothing stage' },
      },
      {
        name: 'users may come in packs',
        ask: 'POST contents',
        send: { body: pack('people', { users: { packed: { Name: 'packed', Roles: ['superuser'] } } }) },
        status: 201,
      },
      { name: 'with a token', ask: 'GET users/packed/token', status: 200 },
      { name: 'not an object', ask: 'POST contents', send: { body: [] }, status: 400 },
      {
        name: 'sections of the wrong kind',
        ask: 'POST contents',
        send: { body: { meta: { Name: 'odd' }, sections: { profiles: [] } } },
        status: 400,
      },
    ],
  );
});
