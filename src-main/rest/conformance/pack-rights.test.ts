/** Users, roles and tenants in content packs need what writing them one by one needs (service.md Role, Tenant). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '../../access/index.ts';
import type { JsonObject } from '../../kit/json.ts';
import { openOffline } from '../../offline.ts';
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

describe('preferences in packs', () => {
  let server: TestServer;
  let sender: string;
  beforeAll(async () => {
    server = await startTestServer();
    await make(server, 'roles', {
      Name: 'packs',
      Claims: [{ scope: 'contents', action: 'create,update', specific: '*' }],
    });
    await make(server, 'users', { Name: 'sender', Roles: ['packs'] });
    sender = await server.tokenOf('sender');
  });
  afterAll(() => server.stop());

  const wanted = (Name: string, Val: string): JsonObject => ({ [Name]: { Name, Val } });
  const zapping = pack('zap', {
    preferences: {
      ...wanted('baseTokenSecret', 'z'.repeat(32)),
      ...wanted('systemGrantorSecret', 'mine'),
      ...wanted('deniedReads', 'forbid'),
      ...wanted('knownTokenTimeout', '9'),
    },
  });

  it('neither set nor remove any that is in force', async () => {
    const set = { deniedReads: 'conceal', knownTokenTimeout: '1800' };
    expect((await server.call('POST', 'prefs', { body: set })).status).toBe(201);
    const before = (await server.call('GET', 'prefs')).body;
    for (const ask of ['POST contents', 'PUT contents/zap', 'PUT contents/zap?replaceWritable=true']) {
      const [method = '', path = ''] = ask.split(' ');
      const sent = await server.call(method, path, { as: sender, body: zapping });
      expect(sent.status, `${ask}: ${sent.text}`).toBe(method === 'POST' ? 201 : 200);
      expect((await server.call('GET', 'prefs')).body).toEqual(before);
    }
    const again = { ...zapping, meta: { Name: 'again' } };
    expect((await server.call('DELETE', 'contents/zap')).status).toBe(204);
    expect((await server.call('POST', 'contents?replaceWritable=true', { as: sender, body: again })).status).toBe(201);
    expect((await server.call('GET', 'prefs')).body).toEqual(before);
  });

  it('do not keep an export from being uploaded under another name', async () => {
    const whole = (await server.call('GET', 'contents/BackingStore')).body as { sections: JsonObject };
    const { preferences, profiles } = whole.sections as Record<string, JsonObject>;
    const body = pack('copy', { profiles: profiles ?? {}, preferences: preferences ?? {} });
    expect((await server.call('DELETE', 'contents/again')).status).toBe(204);
    expect((await server.call('POST', 'contents?replaceWritable=true', { body })).status).toBe(201);
    expect((await server.call('GET', 'users')).status).toBe(200);
  });
});

it('a directory that lost its token secret to a pack mends at the next start', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'proviso-mend-'));
  try {
    const first = await startTestServer({ storage: 'sqlite', dataDir });
    const secrets = { baseTokenSecret: { Name: 'baseTokenSecret', Val: 'z'.repeat(32) } };
    const sent = await first.call('POST', 'contents', { body: pack('zap', { preferences: secrets }) });
    expect(sent.status).toBe(201);
    await first.stop();
    const offline = await openOffline(dataDir);
    await offline.objects.committer.internal('test', (unit) => unit.remove('preferences', 'baseTokenSecret'));
    await offline.close();
    const again = await startTestServer({ storage: 'sqlite', dataDir });
    const prefs = (await again.call('GET', 'prefs')).body as JsonObject;
    await again.stop();
    expect(prefs['baseTokenSecret']).toMatch(/^.{32}$/);
    expect(prefs['baseTokenSecret']).not.toBe('z'.repeat(32));
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
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
