/** wire-format.md 1.5, 1.8, 4.13, 11.3 (TestUserCli, TestRoleCLI, TestPrefsCli): users, tokens, roles, preferences. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../kit/json.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { follow, make, type Row } from './rows.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await make(server, 'roles', {
    Name: 'lister',
    Claims: [{ scope: 'machines,stages', action: 'list', specific: '*' }],
  });
  await make(server, 'roles', { Name: 'narrow', Claims: [{ scope: 'machines', action: 'list', specific: '*' }] });
  await make(server, 'roles', { Name: 'wide', Claims: [{ scope: '*', action: '*', specific: '*' }] });
});
afterAll(() => server.stop());

describe('users', () => {
  follow(
    () => server,
    [
      {
        name: 'the default administrator',
        ask: 'GET users',
        status: 200,
        check: (a) =>
          expect((a.body as JsonObject[]).map((u) => [u['Name'], u['Roles']])).toEqual([
            ['rocketskates', ['superuser']],
          ]),
      },
      {
        name: 'PasswordHash may be null, and is never shown',
        ask: 'POST users',
        send: { raw: '{"Name":"john","PasswordHash":null}' },
        status: 201,
        check: (a) => {
          expect(a.body).not.toHaveProperty('PasswordHash');
          expect((a.body as { Secret: string }).Secret).toMatch(/^.{16,}$/);
        },
      },
      { name: 'a missing one', ask: 'GET users/john2', status: 404, error: 'GET: users/john2: Not Found' },
      {
        name: 'password of a missing one',
        ask: 'PUT users/jill/password',
        send: { body: { Password: 'x' } },
        status: 404,
        error: 'PUT: users/jill: Not Found',
      },
      { name: 'one without a password cannot sign in', ask: 'GET users', send: { as: 'john:' }, status: 403 },
      {
        name: 'set',
        ask: 'PUT users/john/password',
        send: { body: { Password: 'jack' } },
        status: 200,
        body: { Name: 'john' },
      },
      {
        name: 'none with a NUL character',
        ask: 'PUT users/john/password',
        send: { body: { Password: 'jack\0' } },
        status: 400,
        error: 'PUT: users/john: Password must have no NUL character',
      },
      {
        name: 'nor does one sign in',
        ask: 'GET users/john/token',
        send: { as: 'john:jack\0' },
        status: 403,
      },
      {
        name: 'wrong',
        ask: 'GET users/john/token',
        send: { as: 'john:jill' },
        status: 403,
        check: (a) => expect(a.text).toBe(''),
      },
      {
        name: 'right, but no roles',
        ask: 'GET users',
        send: { as: 'john:jack' },
        status: 403,
        error: 'AUTH:\n  Cannot access /api/v3/users\n  Requires: users list *',
      },
      { name: 'oneself', ask: 'GET users/john', send: { as: 'john:jack' }, status: 200, body: { Name: 'john' } },
      { name: 'nobody else', ask: 'GET users/rocketskates', send: { as: 'john:jack' }, status: 403 },
      {
        name: 'one’s own password',
        ask: 'PUT users/john/password',
        send: { as: 'john:jack', body: { Password: 'jill' } },
        status: 200,
      },
      {
        name: 'not that of others',
        ask: 'PUT users/rocketskates/password',
        send: { as: 'john:jill', body: { Password: 'x' } },
        status: 403,
        error: /Requires: users password rocketskates/,
      },
      {
        name: 'nor one’s own roles',
        ask: 'PATCH users/john',
        send: { as: 'john:jill', body: [{ op: 'replace', path: '/Roles', value: ['superuser'] }] },
        status: 403,
        error: 'AUTH:\n  Cannot access /api/v3/users/john\n  Requires: users patch john',
      },
      {
        name: 'in a list no hash is seen either',
        ask: 'GET users',
        status: 200,
        check: (a) => expect(a.text).not.toContain('PasswordHash'),
      },
      {
        name: 'nor in content',
        ask: 'GET contents/BackingStore',
        status: 200,
        check: (a) => expect(a.text).not.toMatch(/"PasswordHash":"[^"]/),
      },
    ],
  );

  it('an imported hash signs in', async () => {
    const { hashPassword } = await import('../../access/index.ts');
    await make(server, 'users', { Name: 'imported', PasswordHash: await hashPassword('was hashed') });
    expect((await server.call('GET', 'users/imported', { as: 'imported:was hashed' })).status).toBe(200);
    expect((await server.call('GET', 'users/imported', { as: 'imported:other' })).status).toBe(403);
  });
});

describe('tokens', () => {
  follow(
    () => server,
    [
      { name: 'of a missing user', ask: 'GET users/greg/token', status: 404, error: 'GET: users/greg: Not Found' },
      {
        name: 'with info',
        ask: 'GET users/john/token',
        status: 200,
        body: { Token: expect.any(String), Info: { version: expect.any(String), features: expect.any(Array) } },
      },
      {
        name: 'a lifetime that is none',
        ask: 'GET users/john/token?ttl=cow',
        status: 400,
        error: 'GET: users/john: strconv.ParseInt: parsing "cow": invalid syntax',
      },
      {
        name: 'a claim that names nothing known is accepted',
        ask: 'GET users/john/token?scope=all&action=list&specific=asdgag&ttl=330',
        status: 200,
      },
      {
        name: 'of somebody else without the claim',
        ask: 'GET users/rocketskates/token',
        send: { as: 'john:jill' },
        status: 403,
        error: /Requires: users token rocketskates/,
      },
    ],
  );

  const may = async (token: string, path: string): Promise<boolean> =>
    (await server.call('GET', path, { as: token })).status === 200;

  it('a wider role is dropped silently, a narrower one narrows', async () => {
    await make(server, 'users', { Name: 'both', Roles: ['lister'] });
    const full = await server.tokenOf('both');
    expect([await may(full, 'machines'), await may(full, 'stages')]).toEqual([true, true]);
    const narrow = await server.tokenOf('both', '?roles=narrow');
    expect([await may(narrow, 'machines'), await may(narrow, 'stages')]).toEqual([true, false]);
    const each = await server.tokenOf('both', '?roles=narrow&roles=wide');
    expect([await may(each, 'machines'), await may(each, 'stages')]).toEqual([true, false]);
    const dropping = await server.tokenOf('both', '?roles=narrow&roles=superuser');
    expect([await may(dropping, 'machines'), await may(dropping, 'users')]).toEqual([true, false]);
    const wider = await server.tokenOf('both', '?roles=wide, narrow');
    expect([await may(wider, 'machines'), await may(wider, 'stages'), await may(wider, 'users')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('a claim narrows and never widens', async () => {
    const narrowed = await server.tokenOf('rocketskates', '?scope=machines&action=list');
    expect([await may(narrowed, 'machines'), await may(narrowed, 'stages')]).toEqual([true, false]);
    const widened = await server.tokenOf('john', '?scope=*&action=*&specific=*');
    expect(await may(widened, 'machines')).toBe(false);
  });

  it.each([
    ['its present value', (Secret: string) => [{ op: 'replace', path: '/Secret', value: Secret }], true],
    ['a copy of itself', () => [{ op: 'copy', from: '/Secret', path: '/Secret' }], true],
    ['nothing, after a test', (Secret: string) => [{ op: 'test', path: '/Secret', value: Secret }], false],
  ] as const)('dies with a patch that writes %s to Secret, where it writes', async (_, patch, dies) => {
    const token = await server.tokenOf('both');
    const { Secret } = (await server.call('GET', 'users/both')).body as { Secret: string };
    const body = patch(Secret) as unknown as Json;
    expect((await server.call('PATCH', 'users/both', { body })).status).toBe(200);
    const after = (await server.call('GET', 'users/both')).body as { Secret: string };
    expect(after.Secret !== Secret).toBe(dies);
    expect((await server.call('GET', 'users/both', { as: token })).status).toBe(dies ? 403 : 200);
  });

  it('lives on when a PUT sends back what was read', async () => {
    const token = await server.tokenOf('both');
    const body = (await server.call('GET', 'users/both')).body as JsonObject;
    expect((await server.call('PUT', 'users/both', { body })).status).toBe(200);
    expect((await server.call('GET', 'users/both', { as: token })).status).toBe(200);
  });

  it('dies with the secret of its user, of its grantor, and of the system', async () => {
    await make(server, 'users', { Name: 'granter', Roles: ['superuser'] });
    const granter = await server.tokenOf('granter');
    const given = (await server.call('GET', 'users/both/token', { as: granter })).body as { Token: string };
    expect(await may(given.Token, 'machines')).toBe(true);
    await server.call('PUT', 'users/granter/password', { body: { Password: 'new' } });
    const dead = await server.call('GET', 'machines', { as: given.Token });
    expect(dead.body).toMatchObject({ Type: 'AUTH', Code: 403, Messages: ['Validation failed'] });
    const own = await server.tokenOf('both');
    await server.call('PATCH', 'users/both', {
      body: [{ op: 'replace', path: '/Secret', value: 'chosen by the client' }],
    });
    expect((await server.call('GET', 'machines', { as: own })).body).toMatchObject({
      Code: 403,
      Messages: ['Validation failed'],
    });
    const { Secret } = (await server.call('GET', 'users/both')).body as { Secret: string };
    expect(Secret).not.toBe('chosen by the client');
  });

  it('outlives a change of roles, also of a user without a password', async () => {
    await make(server, 'users', { Name: 'changing' });
    const token = await server.tokenOf('changing');
    await server.call('PATCH', 'users/changing', { body: [{ op: 'replace', path: '/Roles', value: ['narrow'] }] });
    expect(await may(token, 'machines')).toBe(true);
  });

  it('rights of a role count at once', async () => {
    const token = await server.tokenOf('both');
    await server.call('PATCH', 'roles/lister', {
      body: [{ op: 'replace', path: '/Claims/0/scope', value: 'profiles' }],
    });
    expect([await may(token, 'machines'), await may(token, 'profiles')]).toEqual([false, true]);
  });
});

const roleFault = (claims: JsonObject[], message: string): Row => ({
  name: message,
  ask: 'POST roles',
  send: { body: { Name: 'bad-role', Claims: claims } },
  status: 422,
  error: `ValidationError: roles/bad-role: ${message}`,
});
describe('roles', () => {
  follow(
    () => server,
    [
      {
        name: 'the built-in one again',
        ask: 'POST roles',
        send: { body: { Name: 'superuser' } },
        status: 409,
        error: 'CREATE: roles/superuser: already exists',
      },
      {
        name: 'without a name',
        ask: 'POST roles',
        send: { body: { Claims: [] } },
        status: 400,
        error: 'CREATE: roles: Empty key not allowed',
      },
      roleFault([{ scope: 'bar', action: '*', specific: '*' }], "No such scope 'bar'"),
      roleFault([{ scope: '', action: 'list', specific: '*' }], "No such scope ''"),
      roleFault([{ scope: 'machines', action: 'bar', specific: '*' }], "No such action 'bar'"),
      roleFault([{ scope: 'machines', action: '', specific: '*' }], "No such action ''"),
      {
        name: 'claim keys keep lower case, whatever was sent',
        ask: 'POST roles',
        send: {
          body: {
            Name: 'cased',
            Claims: [{ Scope: 'machines', ACTION: 'update:/Params/a~1b,action:x', Specific: 'a, b' }],
          },
        },
        status: 201,
        body: { Claims: [{ scope: 'machines', action: 'update:/Params/a~1b,action:x', specific: 'a, b' }] },
      },
    ],
  );
});

describe('preferences', () => {
  const fault = (body: JsonObject, message: string): Row => ({
    name: message,
    ask: 'POST prefs',
    send: { body },
    status: 400,
    error: `POST: prefs: ${message}`,
  });
  follow(
    () => server,
    [
      {
        name: 'all of them',
        ask: 'GET prefs',
        status: 200,
        body: {
          baseTokenSecret: expect.stringMatching(/^.{32}$/),
          systemGrantorSecret: expect.any(String),
          debugBootEnv: 'warn',
          debugDhcp: 'warn',
          debugFrontend: 'warn',
          debugPlugins: 'warn',
          debugRenderer: 'warn',
          logLevel: 'warn',
          defaultBootEnv: 'local',
          defaultStage: 'none',
          unknownBootEnv: 'ignore',
          knownTokenTimeout: '3600',
          unknownTokenTimeout: '600',
        },
        check: (a) => expect(a.body).not.toHaveProperty('defaultWorkflow'),
      },
      { name: 'nothing to set', ask: 'POST prefs', send: { body: {} }, status: 201, body: { logLevel: 'warn' } },
      {
        name: 'numbers are levels',
        ask: 'POST prefs',
        send: { body: { debugDhcp: '2', debugRenderer: '1', debugBootEnv: '0' } },
        status: 201,
        body: { debugDhcp: 'debug', debugRenderer: 'info', debugBootEnv: 'warn' },
      },
      fault({ baseTokenSecret: 'short' }, 'baseTokenSecret: Must be 32 bytes long'),
      fault({ defaultBootEnv: 'illegal' }, 'defaultBootEnv: Bootenv illegal does not exist'),
      fault({ unknownBootEnv: 'illegal' }, 'unknownBootEnv: Bootenv illegal does not exist'),
      fault({ defaultStage: 'illegal' }, 'defaultStage: Stage illegal does not exist'),
      fault({ defaultWorkflow: 'foo' }, 'defaultWorkflow: Workflow foo does not exist'),
      fault({ knownTokenTimeout: '-5' }, 'knownTokenTimeout: Must not be negative'),
      fault({ knownTokenTimeout: 'illegal' }, 'knownTokenTimeout: strconv.Atoi: parsing "illegal": invalid syntax'),
      fault({ greg: 'x' }, 'Unknown Preference greg'),
      {
        name: 'one bad entry leaves everything',
        ask: 'POST prefs',
        send: { body: { unknownTokenTimeout: '5', greg: 'x' } },
        status: 400,
      },
      { name: 'as it was', ask: 'GET prefs', status: 200, body: { unknownTokenTimeout: '600' } },
      { name: 'a bootenv for the default', ask: 'POST bootenvs', send: { body: { Name: 'local3' } }, status: 201 },
      {
        name: 'is made the default',
        ask: 'POST prefs',
        send: { body: { defaultBootEnv: 'local3' } },
        status: 201,
        body: { defaultBootEnv: 'local3' },
      },
      {
        name: 'and cannot be removed',
        ask: 'DELETE bootenvs/local3',
        status: 409,
        error: 'StillInUseError: bootenvs/local3: BootEnv local3 is the active defaultBootEnv, cannot remove it',
      },
      { name: 'until it is not', ask: 'POST prefs', send: { body: { defaultBootEnv: 'local' } }, status: 201 },
      { name: 'then it can', ask: 'DELETE bootenvs/local3', status: 200 },
      {
        name: 'an unset default workflow stays when set to nothing',
        ask: 'POST prefs',
        send: { body: { defaultWorkflow: '' } },
        status: 201,
        body: { defaultWorkflow: '' },
      },
      { name: 'numbers are no text', ask: 'POST prefs', send: { body: { knownTokenTimeout: 5 } }, status: 400 },
    ],
  );

  it('the secrets that tokens are made with are shown to those alone who may set them', async () => {
    await make(server, 'roles', { Name: 'looker', Claims: [{ scope: '*', action: 'list,get', specific: '*' }] });
    await make(server, 'users', { Name: 'looker', Roles: ['looker'] });
    const token = await server.tokenOf('looker');
    const { baseTokenSecret, systemGrantorSecret } = (await server.call('GET', 'prefs')).body as Record<string, string>;
    const prefs = await server.call('GET', 'prefs', { as: token });
    expect(prefs.body).toMatchObject({ baseTokenSecret: '***', systemGrantorSecret: '***', logLevel: 'warn' });
    for (const answer of [
      prefs,
      await server.call('GET', 'contents/BackingStore', { as: token }),
      await server.call('GET', 'contents/BackingStore'),
      await server.call('GET', 'x/audit', { as: token }),
    ]) {
      expect(answer.text).not.toContain(baseTokenSecret);
      expect(answer.text).not.toContain(systemGrantorSecret);
    }
  });

  it('a new base token secret ends every token', async () => {
    const token = await server.tokenOf('rocketskates');
    await server.call('POST', 'prefs', { body: { baseTokenSecret: '0123456789abcdef0123456789abcdef' } });
    expect((await server.call('GET', 'users', { as: token })).status).toBe(403);
    expect((await server.call('GET', 'users', { as: 'rocketskates:r0cketsk8ts' })).status).toBe(200);
  });
});
