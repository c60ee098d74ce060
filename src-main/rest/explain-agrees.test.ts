import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../kit/json.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

/**
 * What `x/access/explain` says of a request, and what becomes of that request: they come from two codes (a table of claims, and the
 * checks in the rooms), so this holds them together. Requests are made so that none of them changes anything when it is allowed.
 */
interface Ask {
  readonly method: string;
  readonly path: string;
  readonly body?: Json;
}

const UUID = '3e7031fe-3062-45f1-835c-92541bc9cbd3';
const HIDDEN = '4e7031fe-3062-45f1-835c-92541bc9cbd3';
/** A change that fails once it is allowed: its test comes last. */
const patch = (path: string, value: Json): Json => [
  { op: 'add', path, value },
  { op: 'test', path: '/Nowhere', value: 1 },
];

const prefixes = [
  'machines',
  'stages',
  'profiles',
  'users',
  'roles',
  'tenants',
  'jobs',
  'leases',
  'interfaces',
  'plugin_providers',
  'contexts',
];
const objects = [
  `machines/${UUID}`,
  `machines/${HIDDEN}`,
  'machines/Name:shown',
  'stages/none',
  'stages/shown-stage',
  'stages/hidden-stage',
  'profiles/global',
  'users/narrow',
  'users/rocketskates',
  'roles/superuser',
  'tenants/inside',
  'reservations/10.0.0.1',
  'machines/absent',
  'profiles/absent',
  'users/absent',
  'reservations/10.0.0.9',
];

const asks: readonly Ask[] = [
  ...prefixes.map((path) => ({ method: 'GET', path })),
  { method: 'GET', path: 'machines?decode=true' },
  ...objects.flatMap((path): Ask[] => [
    { method: 'GET', path },
    { method: 'GET', path: `meta/${path}` },
    { method: 'DELETE', path },
    { method: 'PATCH', path, body: patch('/Description', 'x') },
    { method: 'PATCH', path, body: patch('/Meta/x', 'y') },
    { method: 'PATCH', path: `meta/${path}`, body: patch('/x', 'y') },
  ]),
  ...['machines', 'stages', 'profiles', 'users', 'roles', 'tenants'].map((path) => ({
    method: 'POST',
    path,
    body: {},
  })),
  ...[`machines/${UUID}`, `machines/${HIDDEN}`, 'profiles/global'].flatMap((path): Ask[] => [
    { method: 'GET', path: `${path}/params` },
    { method: 'GET', path: `${path}/params?decode=true` },
    { method: 'GET', path: `${path}/params/rack` },
    { method: 'PATCH', path: `${path}/params`, body: patch('/rack', 'x') },
    { method: 'DELETE', path: `${path}/params/rack` },
    { method: 'GET', path: `${path}/pubkey` },
    { method: 'GET', path: `${path}/actions` },
    { method: 'GET', path: `${path}/actions/powerOn` },
    { method: 'POST', path: `${path}/actions/powerOn`, body: {} },
  ]),
  ...['users/narrow/token', 'users/rocketskates/token', 'users/absent/token', 'users/tenant-admin/token'].map(
    (path) => ({ method: 'GET', path }),
  ),
  { method: 'PUT', path: 'users/narrow/password', body: {} },
  { method: 'PUT', path: 'users/rocketskates/password', body: {} },
  { method: 'PUT', path: 'users/absent/password', body: {} },
  { method: 'GET', path: 'contexts/absent' },
  { method: 'GET', path: 'jobs/absent/actions' },
  { method: 'GET', path: 'jobs/absent/log' },
  { method: 'GET', path: 'machines/absent/params/rack' },
  { method: 'POST', path: 'machines/absent/params', body: { rack: 'x' } },
  { method: 'PUT', path: 'machines/absent', body: { Name: 'other' } },
  { method: 'PUT', path: `machines/${UUID}`, body: { Name: 'other', Uuid: HIDDEN } },
  { method: 'DELETE', path: 'plugin_providers/absent' },
  ...[
    'info',
    'logs',
    'objects',
    'indexes',
    'indexes/machines',
    'prefs',
    'contents',
    'contents/BasicStore',
    'files',
    'files/a/b',
    'isos',
    'isos/x',
    'system/actions',
    'system/actions/x',
    'x/audit',
  ].map((path) => ({ method: 'GET', path })),
  { method: 'POST', path: 'prefs', body: { logLevel: 'none such' } },
  { method: 'POST', path: 'prefs', body: {} },
  { method: 'POST', path: 'contents', body: { meta: { Name: 'BasicStore' } } },
  { method: 'DELETE', path: 'contents/BasicStore' },
  { method: 'DELETE', path: 'files/none' },
  { method: 'POST', path: 'plugin_providers/none' },
  { method: 'POST', path: 'whoami', body: {} },
  { method: 'POST', path: 'x/access/explain', body: { user: 'narrow', method: 'GET', path: 'info' } },
];

const users = ['superman', 'viewer', 'narrow', 'one-machine', 'tenant-admin', 'bare'] as const;
const tokens = new Map<string, string>();
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  const make = async (path: string, body: JsonObject): Promise<void> => {
    const answer = await server.call('POST', path, { body });
    if (answer.status !== 201) throw new Error(`${path}: ${answer.text}`);
  };
  const role = (Name: string, scope: string, action: string, specific: string): Promise<void> =>
    make('roles', { Name, Claims: [{ scope, action, specific }] });
  await role('viewing', '*', 'list,get', '*');
  await role('narrowly', 'machines,profiles', 'get,update:/Params/rack,update:/Meta,action:powerOn', '*');
  await role('one', 'machines,jobs', '*', UUID);
  await make('machines', { Name: 'shown', Uuid: UUID, Params: { rack: 'r1' } });
  await make('machines', { Name: 'hidden', Uuid: HIDDEN });
  await make('stages', { Name: 'shown-stage' });
  await make('stages', { Name: 'hidden-stage' });
  await make('reservations', { Addr: '10.0.0.1', Token: 'aa', Strategy: 'MAC' });
  const roles: Record<(typeof users)[number], string[]> = {
    superman: ['superuser'],
    viewer: ['viewing'],
    narrow: ['narrowly'],
    'one-machine': ['one'],
    'tenant-admin': ['superuser'],
    bare: [],
  };
  for (const name of users) await make('users', { Name: name, Roles: roles[name] });
  await make('tenants', {
    Name: 'inside',
    Users: ['tenant-admin'],
    Members: { machines: [UUID], stages: ['shown-stage'], users: [] },
  });
  for (const name of users) tokens.set(name, await server.tokenOf(name));
});
afterAll(() => server.stop());

describe.each(users)('for %s', (user) => {
  it.each(asks.map((ask) => ({ ...ask, title: `${ask.method} ${ask.path}` })))(
    '$title',
    async ({ method, path, body }) => {
      const explained = (
        await server.call('POST', 'x/access/explain', {
          body: { user, method, path, ...(body === undefined ? {} : { body }) },
        })
      ).body as { Allowed: boolean; Reason: string; Ladder: unknown };
      const upload = path.startsWith('plugin_providers/') && method === 'POST';
      const answer = await server.call(method, path, {
        as: tokens.get(user) ?? '',
        // No revision is 0, so what is allowed to remove or change is refused for another reason.
        headers: { 'if-match': '"0"', ...(upload ? { 'content-type': 'application/octet-stream' } : {}) },
        ...(body === undefined ? {} : { body }),
        ...(upload ? { raw: 'x' } : {}),
      });
      const said = `explained as ${JSON.stringify(explained)}, answered ${answer.status} ${answer.text.slice(0, 300)}`;
      if (explained.Allowed) expect([401, 403], said).not.toContain(answer.status);
      else if (explained.Reason === 'tenant') expect(answer.status, said).toBe(404);
      // Also where nothing is there: who may not ask learns nothing from the answer.
      else expect(answer.status, said).toBe(403);
    },
  );
});
