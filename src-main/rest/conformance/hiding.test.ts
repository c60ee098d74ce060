/** Tenants before everything (service.md Tenant, wire-format.md 5.7, 7.4): no road leads to what a tenant hides. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../kit/json.ts';
import { seal } from '../../objects/secure-params.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { make } from './rows.ts';

const SHOWN = '3e7031fe-3062-45f1-835c-92541bc9cbd3';
const HIDDEN = '4e7031fe-3062-45f1-835c-92541bc9cbd3';
let server: TestServer;
/** Superuser inside the tenant; `plain` may get machines and nothing else. */
let inside: string;
let plain: string;

beforeAll(async () => {
  server = await startTestServer();
  await make(server, 'machines', { Name: 'shown', Uuid: SHOWN });
  await make(server, 'machines', { Name: 'hidden', Uuid: HIDDEN });
  await make(server, 'params', { Name: 'code', Secure: true, Schema: { type: 'string' } });
  await make(server, 'roles', { Name: 'reading', Claims: [{ scope: 'machines', action: 'get', specific: '*' }] });
  await make(server, 'users', { Name: 'inside', Roles: ['superuser'] });
  await make(server, 'users', { Name: 'plain', Roles: ['reading'] });
  await make(server, 'users', { Name: 'nobody' });
  await make(server, 'tenants', {
    Name: 'walled',
    Users: ['inside'],
    Members: { machines: [SHOWN], users: [], roles: ['superuser'], plugins: [] },
  });
  await make(server, 'users', { Name: 'seer', Roles: ['superuser'] });
  await make(server, 'tenants', {
    Name: 'half-walled',
    Users: ['seer'],
    Members: { roles: ['superuser'], tenants: [], users: ['plain', 'inside'] },
  });
  inside = await server.tokenOf('inside');
  plain = await server.tokenOf('plain');
});
afterAll(() => server.stop());

describe('a tenant that hides users', () => {
  it('hides its own members from lists and counts', async () => {
    const listed = await server.call('GET', 'users', { as: inside });
    expect(listed.body).toEqual([]);
    expect(listed.headers['x-drp-list-total-count']).toBe('0');
    const counted = await server.call('HEAD', 'users', { as: inside });
    expect(counted.headers['x-drp-list-total-count']).toBe('0');
  });

  it('leaves a member getting itself, its password and its token, and nothing else on itself', async () => {
    expect((await server.call('GET', 'users/inside', { as: inside })).status).toBe(200);
    expect((await server.call('GET', 'users/inside/token', { as: inside })).status).toBe(200);
    const patch = { as: inside, body: [{ op: 'add', path: '/Description', value: 'x' }] };
    expect((await server.call('PATCH', 'users/inside', patch)).status).toBe(404);
    expect((await server.call('DELETE', 'users/inside', { as: inside })).status).toBe(404);
    expect((await server.call('GET', 'users/inside/actions', { as: inside })).status).toBe(404);
  });

  it('gives no token of a hidden user, which would be a way out', async () => {
    for (const user of ['rocketskates', 'plain', 'absent']) {
      const answer = await server.call('GET', `users/${user}/token`, { as: inside });
      expect(answer.status).toBe(404);
    }
    const password = { as: inside, body: { Password: 'taken' } };
    expect((await server.call('PUT', 'users/plain/password', password)).status).toBe(404);
  });
});

describe('content packs', () => {
  const sections = async (as?: string): Promise<Record<string, JsonObject>> => {
    const answer = await server.call('GET', 'contents/BackingStore', as === undefined ? {} : { as });
    return (answer.body as { sections: Record<string, JsonObject> }).sections;
  };

  it('show of the writable layer what the tenant shows', async () => {
    expect(Object.keys((await sections(inside))['machines'] ?? {})).toEqual([SHOWN]);
    expect((await sections(inside))['users']).toEqual({});
    expect(Object.keys((await sections())['machines'] ?? {})).toEqual([SHOWN, HIDDEN]);
  });

  it('count what the tenant shows', async () => {
    const [backing] = (await server.call('GET', 'contents', { as: inside })).body as { Counts: JsonObject }[];
    expect(backing?.Counts).toMatchObject({ machines: 1, users: 0 });
  });

  it('do not replace what the tenant hides', async () => {
    const body = { meta: { Name: 'taking' }, sections: { machines: { [HIDDEN]: { Name: 'mine', Uuid: HIDDEN } } } };
    const answer = await server.call('POST', 'contents?replaceWritable=true', { as: inside, body });
    expect(answer.status).toBe(422);
    expect((await server.call('GET', `machines/${HIDDEN}`)).body).toMatchObject({ Name: 'hidden' });
  });
});

describe('the audit trail', () => {
  const trail = async (as?: string, query = ''): Promise<string> =>
    (await server.call('GET', `x/audit?limit=1000${query}`, as === undefined ? {} : { as })).text;

  it('tells nothing of hidden machines, in changes, denials and packs', async () => {
    await server.call('PATCH', `machines/${HIDDEN}`, { body: [{ op: 'add', path: '/Description', value: 'x' }] });
    expect((await server.call('DELETE', `machines/${HIDDEN}`, { as: plain })).status).toBe(403);
    expect(await trail()).toContain(HIDDEN);
    // Notes are written beside the request, so they may come a little later.
    await expect.poll(() => trail(undefined, '&kind=denied')).toContain(HIDDEN);
    expect(await trail(inside)).not.toContain(HIDDEN);
  });

  it('has what the tenant denied, though the answer was that it is absent', async () => {
    const asks: [string, string, string, string][] = [
      ['GET', `machines/${HIDDEN}`, 'machines get', HIDDEN],
      ['DELETE', `machines/${HIDDEN}`, 'machines delete', HIDDEN],
      ['GET', `machines/Name:hidden/params`, 'machines get', HIDDEN],
      ['GET', 'users/plain/token', 'users token', 'plain'],
    ];
    for (const [method, path, claim, specific] of asks) {
      const answer = await server.call(method, path, { as: inside });
      expect(answer.status).toBe(404);
      const [scope, action] = claim.split(' ');
      const asked = `x/audit?kind=denied&requestId=${String(answer.headers['x-request-id'])}`;
      await expect
        .poll(async () => (await server.call('GET', asked)).body)
        .toMatchObject([{ Actor: 'inside', Note: { reason: 'tenant', scope, action, specific } }]);
      expect((await server.call('GET', asked, { as: inside })).body).toEqual([]);
    }
    const absent = await server.call('GET', `machines/${HIDDEN.replace('4e', '5e')}`, { as: inside });
    expect(absent.status).toBe(404);
    const simulated = await server.call('POST', 'x/access/simulate', { body: { remove: { tenant: 'walled' } } });
    expect((simulated.body as { Flipped: JsonObject[] }).Flipped).toContainEqual(
      expect.objectContaining({
        User: 'inside',
        Path: `/api/v3/machines/${HIDDEN}`,
        Before: 'tenant',
        After: 'allowed',
      }),
    );
  });

  it('tells nothing of sign-ins of hidden users', async () => {
    await server.call('GET', 'info', { as: 'plain:wrong' });
    await expect.poll(() => trail(undefined, '&kind=sign-in')).toContain('"plain"');
    expect(await trail(inside, '&kind=sign-in')).not.toContain('"plain"');
  });
});

describe('a tenant that hides preferences', () => {
  it('shows and sets those alone that it lists', async () => {
    await make(server, 'users', { Name: 'prefs', Roles: ['superuser'] });
    const Members = { preferences: ['logLevel'] };
    await make(server, 'tenants', { Name: 'quiet', Users: ['prefs'], Members });
    const as = await server.tokenOf('prefs');
    expect((await server.call('GET', 'prefs', { as })).body).toEqual({ logLevel: 'warn' });
    const set = (body: JsonObject) => server.call('POST', 'prefs', { as, body });
    for (const name of ['knownTokenTimeout', 'none-such'])
      expect((await set({ logLevel: 'info', [name]: '1' })).body).toMatchObject({
        Code: 400,
        Messages: [`Unknown Preference ${name}`],
      });
    expect((await set({ logLevel: 'error' })).body).toEqual({ logLevel: 'error' });
  });
});

it('a param that the tenant hides is none to filter by', async () => {
  await make(server, 'users', { Name: 'params', Roles: ['superuser'] });
  await make(server, 'tenants', { Name: 'untyped', Users: ['params'], Members: { params: [] } });
  const as = await server.tokenOf('params');
  const asked = async (name: string) => (await server.call('GET', `machines?${name}=x`, { as })).text;
  expect(await asked('code')).toContain('"Code":406');
  expect((await asked('code')).replaceAll('code', 'none').replace(/"RequestId":"[^"]*"/, '')).toBe(
    (await asked('none')).replace(/"RequestId":"[^"]*"/, ''),
  );
});

describe('explanations', () => {
  const explain = (as: string, body: JsonObject) => server.call('POST', 'x/access/explain', { as, body });

  it('are not given about hidden users', async () => {
    const answer = await explain(inside, { user: 'plain', method: 'GET', path: 'machines' });
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ Messages: ['There is no user plain'] });
  });

  it('know of no hidden object', async () => {
    const answer = await explain(inside, { user: 'inside', method: 'GET', path: 'machines/Name:hidden' });
    expect(answer.text).not.toContain(HIDDEN);
  });

  it('name no hidden role, neither one that grants nor one that comes close', async () => {
    const as = await server.tokenOf('seer');
    const about = (path: string, user = 'plain') => explain(as, { user, method: 'GET', path });
    const granted = await about(`machines/${SHOWN}`);
    expect(granted.body).toMatchObject({ Allowed: true, Claims: [{ Granted: true }] });
    const denied = await about('machines');
    expect(denied.body).toMatchObject({ Allowed: false, Claims: [{ Granted: false }] });
    for (const { text } of [granted, denied]) expect(text).not.toMatch(/reading|"By"|NearestMiss/);
    const bySuper = await about(`machines/${SHOWN}`, 'inside');
    expect(bySuper.body).toMatchObject({ Claims: [{ Granted: true, By: { role: 'superuser' } }] });
    expect(
      (await explain(await server.tokenOf('rocketskates'), { user: 'plain', method: 'GET', path: 'machines' })).body,
    ).toMatchObject({ Claims: [{ NearestMiss: { role: 'reading' } }] });
  });

  it('name no hidden tenant', async () => {
    const asked = { user: 'inside', method: 'GET', path: `machines/${HIDDEN}` };
    const told = await explain(await server.tokenOf('seer'), asked);
    expect(told.body).toMatchObject({ Allowed: false, Reason: 'tenant', Tenant: { Name: null, Visible: false } });
    expect(told.text).not.toContain('walled');
  });

  it('say of the token of a hidden user whether it holds, and not whose it is', async () => {
    const inspect = async (as: string, token: string) =>
      server.call('POST', 'x/access/inspect', { as, body: { token } });
    const hidden = await inspect(inside, plain);
    expect(hidden.body).toMatchObject({ Valid: true, Actor: null });
    expect(hidden.text).not.toMatch(/plain|rocketskates|reading/);
    const own = await inspect(inside, inside);
    expect(own.body).toMatchObject({ Valid: true, Actor: { Name: 'inside', Grantor: null } });
    expect(own.text).not.toContain('rocketskates');
  });

  it('of a change to all users are not given, with the reason', async () => {
    const answer = await server.call('POST', 'x/access/simulate', {
      as: inside,
      body: { remove: { role: 'reading' } },
    });
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({ Reason: 'tenant' });
  });
});

describe('what may not be read', () => {
  let asking: string;
  beforeAll(async () => {
    const list = { scope: 'users,roles', action: 'list', specific: '*' };
    await make(server, 'roles', { Name: 'asking', Claims: [list] });
    await make(server, 'users', { Name: 'asking', Roles: ['asking'] });
    await make(server, 'profiles', { Name: 'guessed', Params: { colour: 'blue' } });
    asking = await server.tokenOf('asking');
  });

  it.each<[string, string, (guess: string) => JsonObject]>([
    ['POST', 'profiles/guessed/params', (colour) => ({ colour })],
    ['PUT', 'profiles/guessed', (colour) => ({ Name: 'guessed', Params: { colour } })],
  ])('is not told by which claims an explanation derives: %s %s', async (method, path, body) => {
    const needs = async (guess: string, as: string | undefined): Promise<unknown> => {
      const asked = { user: 'asking', method, path, body: body(guess) };
      const answer = await server.call('POST', 'x/access/explain', {
        ...(as === undefined ? {} : { as }),
        body: asked,
      });
      expect(answer.status, answer.text).toBe(200);
      return answer.body;
    };
    expect(await needs('blue', asking)).toEqual(await needs('red', asking));
    expect(await needs('blue', undefined)).not.toEqual(await needs('red', undefined));
  });

  it('is not told by the claim that replacing all params lacks', async () => {
    const denial = async (body: JsonObject): Promise<unknown> =>
      ((await server.call('POST', 'profiles/guessed/params', { as: asking, body })).body as JsonObject)['Messages'];
    const said = await denial({ colour: 'red' });
    expect(said).toEqual(['Cannot access /api/v3/profiles/guessed/params', 'Requires: profiles update guessed']);
    for (const body of [{}, { colour: 'blue' }, { other: 1 }]) expect(await denial(body)).toEqual(said);
  });
});

describe('a simulation', () => {
  it.each<[JsonObject, RegExp]>([
    [{ role: { Name: 'x', Claims: 'all' } }, /^role: .*Role\.Claims/],
    [{ tenant: { Name: 'x', Users: 5 } }, /^tenant: .*Tenant\.Users/],
    [{ role: { Claims: [] } }, /^role needs a Name/],
    [{}, /^Give a draft/],
  ])('of what could not be stored is refused: %j', async (body, message) => {
    const answer = await server.call('POST', 'x/access/simulate', { body });
    expect(answer.body).toMatchObject({ Code: 400, Messages: [expect.stringMatching(message)] });
  });
});

describe('a dry run of a callback', () => {
  it('opens no secure param for who may not, whatever the template does with it', async () => {
    const key = await server.call('GET', `machines/${SHOWN}/pubkey`);
    const sealed = seal('sesame-open', String(key.body)) as unknown as Json;
    expect((await server.call('POST', `machines/${SHOWN}/params/code`, { body: sealed })).status).toBe(200);
    const callbacks = { 'callback/callbacks': { go: { Url: 'https://example.com/a', Decode: true } } };
    await server.call('PATCH', 'plugins/callback', { body: [{ op: 'add', path: '/Params', value: callbacks }] });
    const body = { Machine: SHOWN, Action: 'go', DataOverride: '{{ printf "%.4s" (.Param "code") }}' };
    const whole = { Machine: SHOWN, Action: 'go' };
    for (const one of [body, whole]) {
      const denied = await server.call('POST', 'x/callbacks/render', { as: plain, body: one });
      expect(denied.status).toBe(200);
      expect(denied.text).not.toContain('sesa');
    }
    const opened = await server.call('POST', 'x/callbacks/render', { body });
    expect((opened.body as JsonObject)['Body']).toBe('"sesa"');
  });
});
