/** What users a tenant hides did is not told: log lines leave them out, and the audit trail says *** for their names. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { make } from './rows.ts';

let server: TestServer;
let inside: string;
beforeAll(async () => {
  server = await startTestServer();
  await make(server, 'users', { Name: 'inside', Roles: ['superuser'] });
  await make(server, 'users', { Name: 'plain' });
  await make(server, 'tenants', { Name: 'walled', Users: ['inside'], Members: { users: [] } });
  inside = await server.tokenOf('inside');
});
afterAll(() => server.stop());

it('are in no log line', async () => {
  expect((await server.call('PUT', 'users/plain/password', { body: { Password: 'plainpw' } })).status).toBe(200);
  for (const as of ['plain:plainpw', 'plain:wrong']) await server.call('GET', 'info', { as });
  const line = 'Authenticated user plain from';
  expect((await server.call('GET', 'logs')).text).toContain(line);
  const shown = (await server.call('GET', 'logs', { as: inside })).text;
  expect(shown).not.toMatch(/plain|rocketskates/);
});

it('are not named as those who did something', async () => {
  await make(server, 'stages', { Name: 'by-a-hidden-user' });
  const asked = async (query: string) =>
    (await server.call('GET', `x/audit?prefix=stages&key=by-a-hidden-user${query}`, { as: inside })).body;
  expect(await asked('')).toMatchObject([{ Actor: '***', Changes: [{ Key: 'by-a-hidden-user' }] }]);
  expect(await asked('&actor=rocketskates')).toEqual([]);
  await server.call('POST', 'stages', { as: inside, body: { Name: 'by-oneself' } });
  expect((await server.call('GET', 'x/audit?key=by-oneself', { as: inside })).body).toMatchObject([
    { Actor: 'inside' },
  ]);
});
