/** wire-format.md 2.3, 15 (2): what a denied read looks like, by the preference `deniedReads`. */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { follow, make, type Row } from './rows.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await make(server, 'roles', { Name: 'stage', Claims: [{ scope: 'stages', action: '*', specific: '*' }] });
  await make(server, 'users', { Name: 'st', Roles: ['stage'] });
  await make(server, 'tasks', { Name: 'task1' });
  await make(server, 'stages', { Name: 'stage1' });
  await make(server, 'params', { Name: 'some/param', Schema: { type: 'string' } });
  await server.call('PUT', 'users/st/password', { body: { Password: 'stpw' } });
});
afterAll(() => server.stop());
const asUser = (user: string) => ({ as: `${user}:${user}pw` });
const PREFIXES = [
  'machines',
  'users',
  'roles',
  'tenants',
  'interfaces',
  'plugin_providers',
  'leases',
  'jobs',
  'contexts',
];

describe('denied reads that say so, as the service demands', () => {
  follow(
    () => server,
    [
      ...PREFIXES.map(
        (prefix): Row => ({
          name: `${prefix}: 403`,
          ask: `GET ${prefix}`,
          send: asUser('st'),
          status: 403,
          error: `AUTH:\n  Cannot access /api/v3/${prefix}\n  Requires: ${prefix} list *`,
        }),
      ),
      ...['no/such=x', 'some/param=x', 'Runnable=fred', 'limit=-1', 'bogus=1', 'sort=none', 'decode=true'].map(
        (query): Row => ({
          name: `machines?${query}: 403, so that a filter tells nothing`,
          ask: `GET machines?${query}`,
          send: asUser('st'),
          status: 403,
          error: `AUTH:\n  Cannot access /api/v3/machines?${query}\n  Requires: machines list *`,
        }),
      ),
      ...['x/audit?limit=x', 'x/deliveries?limit=x'].map(
        (path): Row => ({ name: `${path}: 403`, ask: `GET ${path}`, send: asUser('st'), status: 403 }),
      ),
      {
        name: 'a get',
        ask: 'GET tasks/task1',
        send: asUser('st'),
        status: 403,
        error: 'AUTH:\n  Cannot access /api/v3/tasks/task1\n  Requires: tasks get task1',
      },
      {
        name: 'what is there and what is not cannot be told apart',
        ask: 'GET tasks/none',
        send: asUser('st'),
        status: 403,
        error: 'AUTH:\n  Cannot access /api/v3/tasks/none\n  Requires: tasks get none',
      },
      ...['task1', 'none'].map(
        (name): Row => ({
          name: `by index too: ${name}`,
          ask: `GET tasks/Name:${name}`,
          send: asUser('st'),
          status: 403,
          error: `AUTH:\n  Cannot access /api/v3/tasks/Name:${name}\n  Requires: tasks get Name:${name}`,
        }),
      ),
      {
        name: 'an absent object is absent to who may ask',
        ask: 'GET stages/no-stage',
        send: asUser('st'),
        status: 404,
      },
      {
        name: 'a HEAD is no way around',
        ask: 'HEAD tasks/task1',
        send: asUser('st'),
        status: 403,
        check: (answer) => expect(answer.text).toBe(''),
      },
    ],
  );
});

describe('denied reads that look absent, as older clients expect', () => {
  follow(
    () => server,
    [
      { name: 'the preference is set', ask: 'POST prefs', send: { body: { deniedReads: 'conceal' } }, status: 201 },
      ...['machines', 'users', 'roles', 'tenants', 'interfaces', 'plugin_providers', 'leases', 'jobs', 'contexts'].map(
        (prefix): Row => ({
          name: `${prefix}: a denied list is empty, its counts zero`,
          ask: `GET ${prefix}`,
          send: asUser('st'),
          status: 200,
          exactly: [],
          headers: { 'x-drp-list-count': '0', 'x-drp-list-total-count': '0' },
        }),
      ),
      {
        name: 'a denied get is absent',
        ask: 'GET tasks/task1',
        send: asUser('st'),
        status: 404,
        error: 'GET: tasks/task1: Not Found',
      },
      {
        name: 'a denied write still says so',
        ask: 'DELETE tasks/task1',
        send: asUser('st'),
        status: 403,
        error: 'AUTH:\n  Cannot access /api/v3/tasks/task1\n  Requires: tasks delete task1',
      },
      {
        name: 'routes outside of the objects too',
        ask: 'GET contents',
        send: asUser('st'),
        status: 403,
        error: /Requires: contents list /,
      },
      { name: 'files', ask: 'GET files', send: asUser('st'), status: 403 },
      { name: 'prefs', ask: 'GET prefs', send: asUser('st'), status: 403 },
      { name: 'whoever may, reads on', ask: 'GET stages/stage1', send: asUser('st'), status: 200 },
    ],
  );
});
