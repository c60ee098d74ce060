/** The last user who can undo a change stays (409 with the reason), whatever route is taken and whoever else asks meanwhile. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../kit/json.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { make } from './rows.ts';

const CLAIMS = [{ scope: '*', action: '*', specific: '*' }];
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await make(server, 'roles', { Name: 'rulers', Claims: CLAIMS });
  await make(server, 'users', { Name: 'ruler', Roles: ['rulers'] });
  const as = await server.tokenOf('ruler');
  const own = await server.call('GET', 'users/ruler/token', { as });
  expect(own.status).toBe(200);
  await server.call('PUT', 'users/ruler/password', { as, body: { Password: 'rulerpw' } });
  expect((await server.call('DELETE', 'users/rocketskates', { as: 'ruler:rulerpw' })).status).toBe(200);
});
afterAll(() => server.stop());
const ask = (method: string, path: string, body?: Json) =>
  server.call(method, path, { as: 'ruler:rulerpw', ...(body === undefined ? {} : { body }) });

describe('one superuser left', () => {
  it.each<[string, string, Json?]>([
    ['DELETE', 'users/ruler'],
    ['DELETE', 'users/ruler?force=true'],
    ['PATCH', 'users/ruler', [{ op: 'remove', path: '/Roles/0' }]],
    ['PATCH', 'users/ruler', [{ op: 'replace', path: '/Roles', value: ['none-such'] }]],
    ['PUT', 'users/ruler', { Name: 'ruler' }],
    ['PATCH', 'roles/rulers', [{ op: 'replace', path: '/Claims', value: [] }]],
    ['PATCH', 'roles/rulers', [{ op: 'replace', path: '/Claims/0/specific', value: 'a,b' }]],
    ['PUT', 'roles/rulers', { Name: 'rulers', Claims: [] }],
    ['DELETE', 'roles/rulers'],
    ['POST', 'tenants', { Name: 'trap', Users: ['ruler'], Members: { machines: [] } }],
  ])('%s %s is refused', async (method, path, body) => {
    const answer = await ask(method, path, body);
    expect(answer.status, answer.text).toBe(409);
    expect(answer.body).toMatchObject({ Type: 'StillInUseError', Reason: 'conflict' });
    expect((await ask('GET', 'users')).status).toBe(200);
  });

  it('a tenant without walls is no trap, and none can be put around afterwards', async () => {
    expect((await ask('POST', 'tenants', { Name: 'open', Users: ['ruler'], Members: {} })).status).toBe(201);
    const wall = [{ op: 'add', path: '/Members/machines', value: [] }];
    expect((await ask('PATCH', 'tenants/open', wall)).status).toBe(409);
  });
});

describe('a superuser who cannot sign in', () => {
  it('is none that counts', async () => {
    expect((await ask('POST', 'users', { Name: 'ghost', Roles: ['rulers'] })).status).toBe(201);
    const answer = await ask('PATCH', 'users/ruler', [{ op: 'replace', path: '/Roles', value: [] }]);
    expect(answer.status).toBe(409);
    expect((await ask('DELETE', 'users/ghost')).status).toBe(200);
  });

  it('does not take the place of one who can, by a pack', async () => {
    const sections = { users: { ruler: { Name: 'ruler', Roles: ['rulers'] } } };
    const answer = await ask('POST', 'contents?replaceWritable=true', { meta: { Name: 'take-over' }, sections });
    expect(answer.status, answer.text).toBe(409);
    expect((await ask('GET', 'users')).status).toBe(200);
  });
});

it('two superusers who remove each other at once leave one', async () => {
  expect((await ask('POST', 'users', { Name: 'rival', Roles: ['rulers'] })).status).toBe(201);
  expect((await ask('PUT', 'users/rival/password', { Password: 'rivalpw' })).status).toBe(200);
  for (const as of ['ruler:rulerpw', 'rival:rivalpw'])
    expect((await server.call('GET', 'users', { as })).status).toBe(200);
  const answers = await Promise.all([
    server.call('DELETE', 'users/rival', { as: 'ruler:rulerpw' }),
    server.call('DELETE', 'users/ruler', { as: 'rival:rivalpw' }),
    server.call('PATCH', 'users/ruler', { as: 'rival:rivalpw', body: [{ op: 'replace', path: '/Roles', value: [] }] }),
  ]);
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  for (const answer of answers) expect([200, 403, 404, 409]).toContain(answer.status);
  const left = await Promise.all(
    ['ruler:rulerpw', 'rival:rivalpw'].map(async (as) => (await server.call('GET', 'roles', { as })).status),
  );
  expect(left.toSorted()).toEqual([200, 403]);
});
