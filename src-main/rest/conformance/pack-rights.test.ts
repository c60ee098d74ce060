/** Users, roles and tenants in content packs need what writing them one by one needs (service.md Role, Tenant). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '../../access/index.ts';
import type { JsonObject } from '../../kit/json.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { make } from './rows.ts';

const EVERYTHING = [{ scope: '*', action: '*', specific: '*' }];
const pack = (Name: string, sections: JsonObject): JsonObject => ({ meta: { Name }, sections });

describe('with a license', () => {
  let server: TestServer;
  let sender: string;
  beforeAll(async () => {
    server = await startTestServer();
    await make(server, 'roles', { Name: 'packs', Claims: [{ scope: 'contents', action: '*', specific: '*' }] });
    await make(server, 'users', { Name: 'sender', Roles: ['packs'] });
    sender = await server.tokenOf('sender');
  });
  afterAll(() => server.stop());

  it('a sender of packs cannot make itself a superuser by one', async () => {
    const users = pack('users-pack', { users: { evil: { Name: 'evil', Roles: ['superuser'] } } });
    const roles = pack('roles-pack', { roles: { evil: { Name: 'evil', Claims: EVERYTHING } } });
    const plain = pack('plain-pack', { profiles: { nice: { Name: 'nice' } } });
    const post = (body: JsonObject) => server.call('POST', 'contents', { as: sender, body });
    expect((await post(users)).body).toMatchObject({
      Code: 403,
      Messages: ['Cannot access /api/v3/contents', 'Requires: users create '],
    });
    expect((await post(roles)).body).toMatchObject({ Code: 403, Reason: 'claim' });
    expect((await post(plain)).status).toBe(201);
  });

  it.each(['toString', 'constructor', 'hasOwnProperty'])(
    'a section called %s is one of an unknown type',
    async (name) => {
      const body = pack(`pack-${name}`, { [name]: { x: { Name: 'x' } } });
      expect((await server.call('POST', 'contents', { body })).status).toBe(201);
    },
  );

  it('what a pack holds already is no change of it', async () => {
    const body = pack('held', { roles: { held: { Name: 'held', Claims: [] } }, profiles: {} });
    expect((await server.call('POST', 'contents', { body })).status).toBe(201);
    const same = pack('held', { roles: { held: { Name: 'held', Claims: [] } }, profiles: { more: { Name: 'more' } } });
    expect((await server.call('PUT', 'contents/held', { as: sender, body: same })).status).toBe(200);
    const wider = pack('held', { roles: { held: { Name: 'held', Claims: EVERYTHING } } });
    expect((await server.call('PUT', 'contents/held', { as: sender, body: wider })).body).toMatchObject({
      Messages: ['Cannot access /api/v3/contents/held', 'Requires: roles update held'],
    });
    expect((await server.call('DELETE', 'contents/held', { as: sender })).body).toMatchObject({
      Messages: ['Cannot access /api/v3/contents/held', 'Requires: roles delete held'],
    });
  });

  it('password hashes and secrets of a pack are in no answer and in no log', async () => {
    const body = pack('secret', {
      users: { packed: { Name: 'packed', PasswordHash: 'aGFzaA==', Secret: 'psst-psst' } },
    });
    expect((await server.call('POST', 'contents', { body })).status).toBe(201);
    const audit = await server.call('GET', 'x/audit?prefix=contents');
    expect(audit.text).toContain('packed');
    expect(audit.text).not.toMatch(/aGFzaA==|psst-psst/);
    expect((await server.call('GET', 'contents/secret')).text).not.toContain('aGFzaA==');
  });
});

describe('the last superuser', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  it('is not lost with the layer that holds it', async () => {
    const body = pack('admins', {
      users: { root: { Name: 'root', Roles: ['superuser'], PasswordHash: await hashPassword('rootpw') } },
    });
    expect((await server.call('POST', 'contents', { body })).status).toBe(201);
    const as = 'root:rootpw';
    expect((await server.call('DELETE', 'users/rocketskates', { as })).status).toBe(200);
    const removed = await server.call('DELETE', 'contents/admins', { as });
    expect(removed.status).toBe(409);
    expect(removed.body).toMatchObject({ Type: 'StillInUseError', Model: 'contents', Key: 'admins' });
    const emptied = pack('admins', { users: { root: { Name: 'root', Roles: [] } } });
    expect((await server.call('PUT', 'contents/admins', { as, body: emptied })).status).toBe(409);
    expect((await server.call('GET', 'contents/admins', { as })).status).toBe(200);
  });
});

describe('without a license', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ features: [] });
  });
  afterAll(() => server.stop());

  it('a pack changes no roles and no tenants, and says which license is missing', async () => {
    const roles = await server.call('POST', 'contents', { body: pack('rr', { roles: { rr: { Name: 'rr' } } }) });
    expect(roles.body).toMatchObject({ Code: 403, Reason: 'license' });
    expect((roles.body as { Messages: string[] }).Messages[1]).toContain(
      'roles create is a licensed enterprise feature',
    );
    const tenants = await server.call('POST', 'contents', { body: pack('tt', { tenants: { tt: { Name: 'tt' } } }) });
    expect(tenants.body).toMatchObject({ Code: 403, Reason: 'license' });
    const users = await server.call('POST', 'contents', { body: pack('uu', { users: { uu: { Name: 'uu' } } }) });
    expect(users.status).toBe(201);
  });
});
