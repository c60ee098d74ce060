/** wire-format.md 5.5 to 5.7, 2.3, 11.3 (TestAuth): roles and tenants, as a story. */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { JsonObject } from '../../kit/json.ts';
import { startTestServer, type TestAnswer, type TestServer } from '../../testing/server.ts';
import { follow, type Row } from './rows.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const named = (answer: TestAnswer): string[] => (answer.body as JsonObject[]).map((one) => String(one['Name']));
const asUser = (user: string, rest: object = {}) => ({ as: `${user}:${user}pw`, ...rest });

const users = ['t1-0', 't1-1', 't2-0', 'st', 'none-role'];
describe('the cast', () => {
  follow(
    () => server,
    [
      {
        name: 'role stage',
        ask: 'POST roles',
        send: { body: { Name: 'stage', Claims: [{ scope: 'stages', action: '*', specific: '*' }] } },
        status: 201,
      },
      ...users.map(
        (name): Row => ({
          name: `user ${name}`,
          ask: 'POST users',
          send: { body: { Name: name, Roles: name === 'st' ? ['stage'] : name === 'none-role' ? [] : ['superuser'] } },
          status: 201,
        }),
      ),
      ...users.map(
        (name): Row => ({
          name: `password of ${name}`,
          ask: `PUT users/${name}/password`,
          send: { body: { Password: `${name}pw` } },
          status: 200,
          check: (a) => expect(a.body).not.toHaveProperty('PasswordHash'),
        }),
      ),
      ...['stage1', 'stage2', 'stage3'].map(
        (name): Row => ({ name: `stage ${name}`, ask: 'POST stages', send: { body: { Name: name } }, status: 201 }),
      ),
      ...['task1', 'task2', 'task3'].map(
        (name): Row => ({ name: `task ${name}`, ask: 'POST tasks', send: { body: { Name: name } }, status: 201 }),
      ),
      { name: 'a profile', ask: 'POST profiles', send: { body: { Name: 'shared-prof' } }, status: 201 },
      {
        name: 'tenant 1',
        ask: 'POST tenants',
        send: {
          body: {
            Name: 'tenant1',
            Users: ['t1-0', 't1-1'],
            Members: { stages: ['stage1', 'stage3'], tasks: ['task1', 'task3'], users: [], tenants: [], machines: [] },
          },
        },
        status: 201,
      },
      {
        name: 'tenant 2',
        ask: 'POST tenants',
        send: {
          body: {
            Name: 'tenant2',
            Users: ['t2-0'],
            Members: { stages: ['stage2', 'stage3'], tasks: ['task2', 'task3'], machines: [] },
          },
        },
        status: 201,
      },
      {
        name: 'nobody is in two tenants',
        ask: 'POST tenants',
        send: { body: { Name: 'tenant3', Users: ['t1-0'] } },
        status: 422,
        error: 'ValidationError: tenants/tenant3: User t1-0 already in tenant tenant1',
      },
      {
        name: 'nor joins a second',
        ask: 'PATCH tenants/tenant2',
        send: { body: [{ op: 'add', path: '/Users/-', value: 't1-0' }] },
        status: 422,
        error: /User t1-0 already in tenant tenant1/,
      },
    ],
  );
});

describe('what tenants show', () => {
  follow(
    () => server,
    [
      {
        name: 'only listed stages; built-in ones are hidden too',
        ask: 'GET stages',
        send: asUser('t1-0'),
        status: 200,
        headers: { 'x-drp-list-total-count': '2', 'x-drp-list-count': '2' },
        check: (a) => expect(named(a)).toEqual(['stage1', 'stage3']),
      },
      {
        name: 'the other tenant sees its own',
        ask: 'GET stages',
        send: asUser('t2-0'),
        status: 200,
        check: (a) => expect(named(a)).toEqual(['stage2', 'stage3']),
      },
      {
        name: 'a hidden object is absent',
        ask: 'GET stages/stage2',
        send: asUser('t1-0'),
        status: 404,
        error: 'GET: stages/stage2: Not Found',
      },
      { name: 'also to HEAD', ask: 'HEAD stages/stage2', send: asUser('t1-0'), status: 404 },
      {
        name: 'to PATCH',
        ask: 'PATCH stages/stage2',
        send: asUser('t1-0', { body: [] }),
        status: 404,
        error: 'PATCH: stages/stage2: Not Found',
      },
      {
        name: 'to PUT',
        ask: 'PUT stages/stage2',
        send: asUser('t1-0', { body: { Name: 'stage2' } }),
        status: 404,
        error: 'PUT: stages/stage2: Not Found',
      },
      {
        name: 'to DELETE',
        ask: 'DELETE stages/stage2',
        send: asUser('t1-0'),
        status: 404,
        error: 'DELETE: stages/stage2: Not Found',
      },
      { name: 'to params', ask: 'GET stages/stage2/params', send: asUser('t1-0'), status: 404 },
      {
        name: 'to meta',
        ask: 'GET meta/stages/stage2',
        send: asUser('t1-0'),
        status: 404,
        error: 'GET: stages/stage2: Not Found',
      },
      { name: 'to actions', ask: 'GET stages/stage2/actions', send: asUser('t1-0'), status: 404 },
      {
        name: 'built-in stages',
        ask: 'GET stages/none',
        send: asUser('t1-0'),
        status: 404,
        error: 'GET: stages/none: Not Found',
      },
      {
        name: 'scopes that are no key are all visible',
        ask: 'GET profiles',
        send: asUser('t1-0'),
        status: 200,
        check: (a) => expect(named(a)).toContain('shared-prof'),
      },
      {
        name: 'an empty list hides everything, also oneself',
        ask: 'GET users',
        send: asUser('t1-0'),
        status: 200,
        check: (a) => expect(named(a)).not.toContain('t1-1'),
      },
      { name: 'and one’s tenant', ask: 'GET tenants', send: asUser('t1-0'), status: 200, exactly: [] },
      {
        name: 'yet one signs in and gets a token',
        ask: 'GET users/t1-0/token',
        send: asUser('t1-0'),
        status: 200,
        body: { Token: expect.any(String) },
      },
      {
        name: 'and changes one’s password',
        ask: 'PUT users/t1-0/password',
        send: asUser('t1-0', { body: { Password: 't1-0pw' } }),
        status: 200,
      },
      {
        name: 'who is in no tenant sees all',
        ask: 'GET stages',
        status: 200,
        check: (a) => expect(named(a)).toEqual(expect.arrayContaining(['local', 'none', 'stage1', 'stage2', 'stage3'])),
      },
      {
        name: 'counts of info are the tenant’s',
        ask: 'GET info',
        send: asUser('t1-0'),
        status: 200,
        body: {
          stats: [
            { name: 'machines.count', count: 0 },
            { name: 'subnets.count', count: 0 },
          ],
        },
      },
      {
        name: 'roles alone do not reach other types',
        ask: 'GET machines',
        send: asUser('st'),
        status: 403,
        error: 'AUTH:\n  Cannot access /api/v3/machines\n  Requires: machines list *',
      },
      { name: 'but their own', ask: 'GET stages/stage2', send: asUser('st'), status: 200 },
    ],
  );
});

describe('creating and deleting move objects between tenants', () => {
  follow(
    () => server,
    [
      {
        name: 'an invisible existing name is taken',
        ask: 'POST stages',
        send: asUser('t1-0', { body: { Name: 'stage2' } }),
        status: 409,
        error: 'CREATE: stages/stage2: already exists',
      },
      { name: 'a member creates', ask: 'POST stages', send: asUser('t1-0', { body: { Name: 'stage4' } }), status: 201 },
      { name: 'and sees it', ask: 'GET stages/stage4', send: asUser('t1-0'), status: 200 },
      { name: 'the other tenant does not', ask: 'GET stages/stage4', send: asUser('t2-0'), status: 404 },
      { name: 'an object of both is removed by one', ask: 'DELETE stages/stage3', send: asUser('t1-0'), status: 200 },
      { name: 'and made again', ask: 'POST stages', send: asUser('t1-0', { body: { Name: 'stage3' } }), status: 201 },
      { name: 'task3 likewise by the other', ask: 'DELETE tasks/task3', send: asUser('t2-0'), status: 200 },
      { name: 'and made again', ask: 'POST tasks', send: asUser('t2-0', { body: { Name: 'task3' } }), status: 201 },
      {
        name: 'so each is in one tenant, at the end',
        ask: 'GET tenants',
        status: 200,
        check: (a) =>
          expect(
            (a.body as { Members: JsonObject }[]).map(({ Members }) => [Members['stages'], Members['tasks']]),
          ).toEqual([
            [['stage1', 'stage4', 'stage3'], ['task1']],
            [['stage2'], ['task2', 'task3']],
          ]),
      },
      {
        name: 'a scope that is no key gets none',
        ask: 'POST profiles',
        send: asUser('t1-0', { body: { Name: 'new-prof' } }),
        status: 201,
      },
      { name: 'so all see it', ask: 'GET profiles/new-prof', send: asUser('t2-0'), status: 200 },
      {
        name: 'a machine made in a tenant is seen there',
        ask: 'POST machines',
        send: asUser('t1-0', { body: { Name: 'm-one' } }),
        status: 201,
      },
      { name: 'and counted', ask: 'GET info', send: asUser('t1-0'), status: 200, body: { stats: [{ count: 1 }, {}] } },
      { name: 'and nowhere else', ask: 'GET machines', send: asUser('t2-0'), status: 200, exactly: [] },
    ],
  );
});

describe('what cannot be removed', () => {
  follow(
    () => server,
    [
      {
        name: 'a tenant with users',
        ask: 'DELETE tenants/tenant1',
        status: 409,
        error: 'StillInUseError: tenants/tenant1: Constraining Users: [t1-0 t1-1]',
      },
      {
        name: 'a role of one user',
        ask: 'DELETE roles/stage',
        status: 409,
        error: 'StillInUseError: roles/stage: In use by User st',
      },
      {
        name: 'the superuser role: in use, in the order of users',
        ask: 'DELETE roles/superuser',
        status: 409,
        error:
          'StillInUseError: roles/superuser:\n  In use by User rocketskates\n  In use by User t1-0\n  In use by User t1-1\n  In use by User t2-0',
      },
      { name: 'a removed user leaves its tenant', ask: 'DELETE users/t1-1', status: 200 },
      { name: 'so that it is not named any more', ask: 'GET tenants/tenant1', status: 200, body: { Users: ['t1-0'] } },
      {
        name: 'a tenant without users goes',
        ask: 'PATCH tenants/tenant2',
        send: { body: [{ op: 'replace', path: '/Users', value: [] }] },
        status: 200,
      },
      { name: 'now', ask: 'DELETE tenants/tenant2', status: 200 },
      {
        name: 'whoever left a tenant sees all',
        ask: 'GET stages',
        send: asUser('t2-0'),
        status: 200,
        check: (a) => expect(named(a)).toContain('stage1'),
      },
    ],
  );
});
