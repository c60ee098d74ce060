/** `GET /x/access/own`: everybody may know what it may do itself, and nothing about others. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
const LAB = [{ scope: 'machines', action: 'get, list', specific: '*' }];

beforeAll(async () => {
  server = await startTestServer();
  await server.call('POST', 'roles', { body: { Name: 'lab', Claims: LAB } });
  await server.call('POST', 'users', { body: { Name: 'ana', Roles: ['lab', 'gone'] } });
});
afterAll(() => server.stop());

it('tells the claims of roles to somebody who may not read roles', async () => {
  const ana = await server.tokenOf('ana');
  expect((await server.call('GET', 'roles/lab', { as: ana })).status).toBe(403);
  expect(await server.call('GET', 'x/access/own', { as: ana })).toMatchObject({
    status: 200,
    body: {
      Kind: 'user',
      Name: 'ana',
      OwnUser: true,
      Narrowed: false,
      Roles: ['lab'],
      RoleClaims: [{ Role: 'lab', Claims: LAB }],
      MissingRoles: ['gone'],
      Tenant: null,
    },
  });
});

it('tells a narrowed token that it is one', async () => {
  const narrowed = await server.tokenOf('ana', '?roles=lab');
  expect((await server.call('GET', 'x/access/own', { as: narrowed })).body).toMatchObject({
    Narrowed: true,
    OwnUser: false,
    Roles: ['lab'],
  });
});
