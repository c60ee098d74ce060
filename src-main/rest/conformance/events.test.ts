/** wire-format.md 7: the websocket, its acknowledgements and filters, POST /events, and the resumable stream. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { JsonObject } from '../../kit/json.ts';
import { ADMIN, startTestServer, type TestServer } from '../../testing/server.ts';
import { follow, make } from './rows.ts';

interface Frame {
  readonly Time: string;
  readonly Type: string;
  readonly Action: string;
  readonly Key: string;
  readonly Object: unknown;
}

let server: TestServer;
let admin: string;
const open: Listener[] = [];

/** A client of the websocket; frames are kept until somebody asks for them. */
class Listener {
  readonly frames: Frame[] = [];
  readonly socket: WebSocket;
  #marks = 0;

  constructor(token: string | undefined, headers: Record<string, string> = {}, query = '') {
    this.socket = new WebSocket(`${server.server.url.replace('https', 'wss')}/api/v3/ws${query}`, {
      rejectUnauthorized: false,
      headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
    });
    this.socket.on('message', (data) => this.frames.push(JSON.parse(String(data)) as Frame));
    this.socket.on('error', () => undefined);
    open.push(this);
  }

  async ready(): Promise<this> {
    await once(this.socket, 'open');
    return this;
  }

  send(text: string): void {
    this.socket.send(text);
  }

  /** Sends, and waits for the acknowledgement. */
  async ask(text: string): Promise<Frame> {
    const from = this.frames.length;
    this.send(text);
    return this.find((frame) => frame.Type === 'websocket', from);
  }

  /** The first frame from `from` on that fits; waits for it. */
  async find(wanted: (frame: Frame) => boolean, from = 0): Promise<Frame> {
    for (let at = from; ; at++) {
      while (at >= this.frames.length) await once(this.socket, 'message');
      const frame = this.frames[at] as Frame;
      if (wanted(frame)) return frame;
    }
  }

  /** Names of the events so far, after everything published before has arrived. */
  async heard(): Promise<string[]> {
    const mark = `mark.${this.#marks++}`;
    // An acknowledgement comes after all that was sent before it.
    await this.ask(`deregister ${mark}.x`);
    return this.frames
      .filter((frame) => frame.Type !== 'websocket')
      .map(({ Type, Action, Key }) => `${Type}.${Action}.${Key}`);
  }
}

const listen = (token: string | undefined = admin, headers?: Record<string, string>): Promise<Listener> =>
  new Listener(token, headers).ready();
const publish = (event: JsonObject, as?: string) =>
  server.call('POST', 'events', { body: event, ...(as === undefined ? {} : { as }) });

beforeAll(async () => {
  server = await startTestServer();
  admin = await server.tokenOf('rocketskates');
  await make(server, 'roles', { Name: 'stage-watch', Claims: [{ scope: 'stages', action: 'get', specific: '*' }] });
  await make(server, 'roles', { Name: 'everything', Claims: [{ scope: '*', action: '*', specific: '*' }] });
  for (const [name, role] of [
    ['watcher', 'stage-watch'],
    ['hidden', 'everything'],
    ['nobody', ''],
  ] as const)
    await make(server, 'users', { Name: name, Roles: role === '' ? [] : [role] });
  await make(server, 'tenants', { Name: 'tenant1', Users: ['hidden'], Members: { stages: ['seen-stage'] } });
});
afterAll(async () => {
  for (const one of open) one.socket.terminate();
  await server.stop();
});

describe('connecting', () => {
  it.each([
    ['without credentials', {}, '', 401],
    ['with a dead token', { authorization: 'Bearer dead' }, '', 403],
    ['with a wrong password', { authorization: `Basic ${Buffer.from('rocketskates:no').toString('base64')}` }, '', 403],
    ['with a dead token in the query', {}, '?token=dead', 403],
  ])('%s is refused', async (_name, headers, query, status) => {
    const listener = new Listener(undefined, headers, query);
    const [, response] = (await once(listener.socket, 'unexpected-response')) as [
      unknown,
      { statusCode: number; headers: Record<string, string> },
    ];
    expect(response.statusCode).toBe(status);
    expect(response.headers['www-authenticate']).toBe('dr-provision');
  });

  it('works with a token in the query, with Basic, and with Basic in the query', async () => {
    for (const [headers, query] of [
      [{}, `?token=${admin}`],
      [{ authorization: `Basic ${Buffer.from('rocketskates:r0cketsk8ts').toString('base64')}` }, ''],
      [{}, '?token=rocketskates:r0cketsk8ts'],
    ] as const) {
      const listener = await new Listener(undefined, headers, query).ready();
      expect(await listener.ask('register a.b.c')).toMatchObject({ Action: 'register' });
    }
  });
});

describe('registrations', () => {
  it('each one is acknowledged with its own text, also twice and when it means nothing', async () => {
    const listener = await listen();
    for (const text of ['machines.update.*', 'machines.update.*', 'odd', 'a.b.c.d.e'])
      for (const verb of ['register', 'deregister'])
        expect(await listener.ask(`${verb} ${text}`)).toEqual({
          Time: expect.any(String),
          Type: 'websocket',
          Action: verb,
          Key: text,
          Object: null,
        });
  });

  it('what is no registration is ignored', async () => {
    const listener = await listen();
    listener.send('hello');
    listener.send('{"register":"x"}');
    await listener.ask('register a.b.c');
    expect(listener.frames).toHaveLength(1);
  });

  it('stars, lists and escapes choose; the key is all after the second dot', async () => {
    const listener = await listen();
    for (const text of ['one.*.k1', 'two,three.go.*', 'four.go.a\\1b\\2c', 'five.go.x.y.z'])
      await listener.ask(`register ${text}`);
    for (const [Type, Action, Key] of [
      ['one', 'any', 'k1'],
      ['one', 'any', 'k2'],
      ['two', 'go', 'x'],
      ['three', 'go', 'x'],
      ['three', 'stop', 'x'],
      ['four', 'go', 'a.b,c'],
      ['four', 'go', 'a'],
      ['five', 'go', 'x.y.z'],
      ['five', 'go', 'x'],
    ] as const)
      await publish({ Type, Action, Key });
    expect(await listener.heard()).toEqual(['one.any.k1', 'two.go.x', 'three.go.x', 'four.go.a.b,c', 'five.go.x.y.z']);
  });

  it('a deregistered one is silent', async () => {
    const listener = await listen();
    await listener.ask('register quiet.*.*');
    await listener.ask('deregister quiet.*.*');
    await publish({ Type: 'quiet', Action: 'x', Key: 'y' });
    expect(await listener.heard()).toEqual([]);
  });
});

describe('what is told', () => {
  it('creation, change and removal of an object, with the object', async () => {
    const listener = await listen();
    await listener.ask('register profiles.*.told');
    await make(server, 'profiles', { Name: 'told' });
    await server.call('PATCH', 'profiles/told', { body: [{ op: 'replace', path: '/Description', value: 'x' }] });
    await server.call('POST', 'profiles/told/params/ab', { body: 1 });
    await server.call('DELETE', 'profiles/told');
    expect(await listener.heard()).toEqual([
      'profiles.create.told',
      'profiles.update.told',
      'profiles.update.told',
      'profiles.delete.told',
    ]);
    expect(listener.frames.at(2)?.Object).toMatchObject({ Name: 'told', Description: 'x' });
    expect(listener.frames.at(2)?.Time).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  it('an object of a tenant changed along the way is saved', async () => {
    const listener = await listen();
    await listener.ask('register tenants.*.*');
    await server.call('POST', 'stages', { as: await server.tokenOf('hidden'), body: { Name: 'joined' } });
    expect(await listener.heard()).toEqual(['tenants.save.tenant1']);
  });

  it('users without their hash', async () => {
    const listener = await listen();
    await listener.ask('register users.*.*');
    await make(server, 'users', { Name: 'fresh' });
    await server.call('PUT', 'users/fresh/password', { body: { Password: 'pw' } });
    expect(await listener.heard()).toEqual(['users.create.fresh', 'users.update.fresh']);
    expect(JSON.stringify(listener.frames)).not.toContain('PasswordHash');
  });

  it('fields of the client’s own generation', async () => {
    const newer = await listen(admin, { 'cache-control': 'no-store' });
    const older = await listen(admin, { 'user-agent': 'Go-http-client/1.1' });
    for (const one of [newer, older]) await one.ask('register stages.create.*');
    await make(server, 'stages', { Name: 'both-gens' });
    await Promise.all([newer.heard(), older.heard()]);
    expect(newer.frames[1]).toMatchObject({ Principal: 'rocketskates', Object: { Params: {} } });
    expect(older.frames[1]).not.toHaveProperty('Principal');
    expect(older.frames[1]?.Object).not.toHaveProperty('Params');
  });

  it('contents, actions aside', async () => {
    const listener = await listen();
    await listener.ask('register contents.*.*');
    await server.call('POST', 'contents', { body: { meta: { Name: 'told-pack' }, sections: {} } });
    await server.call('PUT', 'contents/told-pack', { body: { meta: { Name: 'told-pack' }, sections: {} } });
    await server.call('DELETE', 'contents/told-pack');
    expect(await listener.heard()).toEqual([
      'contents.create.told-pack',
      'contents.update.told-pack',
      'contents.delete.told-pack',
    ]);
    expect(listener.frames[1]?.Object).toMatchObject({ meta: { Name: 'told-pack' }, Counts: {} });
  });

  it('no log line about a user whom the tenant hides', async () => {
    await make(server, 'users', { Name: 'blind-watcher', Roles: ['superuser'] });
    await make(server, 'users', { Name: 'unseen' });
    await make(server, 'tenants', { Name: 'blind', Users: ['blind-watcher'], Members: { users: ['rocketskates'] } });
    await server.call('PUT', 'users/unseen/password', { body: { Password: 'unseenpw' } });
    const listener = await new Listener(await server.tokenOf('blind-watcher')).ready();
    await listener.ask('register log.*.*');
    for (const as of ['unseen:unseenpw', ADMIN]) expect((await server.call('GET', 'info', { as })).status).toBe(200);
    await listener.find((one) => JSON.stringify(one).includes('Authenticated user rocketskates'));
    expect(JSON.stringify(listener.frames)).not.toContain('unseen');
    await server.call('DELETE', 'tenants/blind?force=true');
  });

  it('log lines', async () => {
    const listener = await listen();
    await listener.ask('register log.*.*');
    await server.call('GET', 'info', { as: 'rocketskates:r0cketsk8ts' });
    const frame = await listener.find((one) => one.Type === 'log');
    expect(frame).toMatchObject({
      Action: 'audit',
      Key: 'frontend',
      Object: { Message: 'Authenticated user rocketskates from 127.0.0.1' },
    });
  });
});

describe('who is told', () => {
  it('only who may read the object', async () => {
    const watcher = await listen(await server.tokenOf('watcher'));
    const nobody = await listen(await server.tokenOf('nobody'));
    for (const one of [watcher, nobody]) await one.ask('register *.*.*');
    await make(server, 'stages', { Name: 'for-watcher' });
    await make(server, 'tasks', { Name: 'not-for-watcher' });
    expect(await watcher.heard()).toEqual(['stages.create.for-watcher']);
    expect(await nobody.heard()).toEqual([]);
  });

  it('only where the tenant shows it', async () => {
    const hidden = await listen(await server.tokenOf('hidden'));
    await hidden.ask('register stages.*.*');
    await make(server, 'stages', { Name: 'unseen-stage' });
    await make(server, 'stages', { Name: 'seen-stage' });
    await server.call('DELETE', 'stages/unseen-stage');
    expect(await hidden.heard()).toEqual(['stages.create.seen-stage']);
  });

  it('without the name of a user whom the tenant hides', async () => {
    await make(server, 'users', { Name: 'apart', Roles: ['superuser'] });
    await make(server, 'tenants', { Name: 'no-users', Users: ['apart'], Members: { users: [] } });
    const newer = { 'cache-control': 'no-store' };
    const apart = await listen(await server.tokenOf('apart'), newer);
    const open = await listen(admin, newer);
    for (const one of [apart, open]) await one.ask('register stages.create.*');
    await make(server, 'stages', { Name: 'whose' });
    await Promise.all([apart.heard(), open.heard()]);
    expect(apart.frames[1]).toMatchObject({ Key: 'whose', Principal: '***' });
    expect(open.frames[1]).toMatchObject({ Key: 'whose', Principal: 'rocketskates' });
  });

  it('not any more once the role is taken away, and a dead token is told goodbye', async () => {
    const listener = await listen(await server.tokenOf('watcher'));
    await listener.ask('register stages.*.*');
    await server.call('PATCH', 'users/watcher', { body: [{ op: 'replace', path: '/Roles', value: [] }] });
    await make(server, 'stages', { Name: 'too-late' });
    expect(await listener.heard()).toEqual([]);
    const closed = once(listener.socket, 'close');
    await server.call('PUT', 'users/watcher/password', { body: { Password: 'new' } });
    await make(server, 'stages', { Name: 'far-too-late' });
    expect((await closed)[0]).toBe(4403);
  });
});

describe('publishing', () => {
  follow(
    () => server,
    [
      {
        name: 'an event',
        ask: 'POST events',
        send: { body: { Type: 'a', Action: 'b', Key: 'c', Object: { x: 1 }, Time: 'whatever' } },
        status: 204,
        headers: { 'content-type': /^application\/json/ },
      },
      {
        name: 'no body',
        ask: 'POST events',
        send: { raw: '', headers: { 'content-type': 'application/json' } },
        status: 400,
      },
      { name: 'garbled', ask: 'POST events', send: { raw: '{"Type"' }, status: 400 },
      { name: 'not an object', ask: 'POST events', send: { body: [] }, status: 400 },
      { name: 'fields of the wrong type', ask: 'POST events', send: { body: { Type: 5 } }, status: 400 },
      {
        name: 'without the claim',
        ask: 'POST events',
        send: async (s) => ({ as: await s.tokenOf('nobody'), body: { Type: 'a' } }),
        status: 403,
        error: 'AUTH:\n  Cannot access /api/v3/events\n  Requires: events post *',
      },
    ],
  );
});

describe('many and slow clients', () => {
  it('a hundred hear the same', async () => {
    const listeners = await Promise.all(Array.from({ length: 100 }, () => listen()));
    await Promise.all(listeners.map((one) => one.ask('register crowd.*.*')));
    for (let i = 0; i < 5; i++) await publish({ Type: 'crowd', Action: 'go', Key: String(i) });
    const heard = await Promise.all(listeners.map((one) => one.heard()));
    for (const one of heard) expect(one).toEqual([0, 1, 2, 3, 4].map((i) => `crowd.go.${i}`));
    for (const one of listeners) one.socket.terminate();
  });

  it('one that does not read is cut off with a reason; the others hear everything', async () => {
    const slow = await listen();
    const quick = await listen();
    for (const one of [slow, quick]) await one.ask('register flood.*.*');
    const transport = (slow.socket as unknown as { _socket: Socket })._socket;
    transport.pause();
    const closed = once(slow.socket, 'close') as Promise<[number, Buffer]>;
    const load = 'x'.repeat(1024 * 1024);
    const isCut = async (): Promise<boolean> =>
      ((await server.call('GET', 'logs')).body as { Message: string }[]).some(
        (line) => line.Message === 'event client is too slow, cut off',
      );
    let flood = 0;
    // How much the system takes before the server notices differs; far less than this it is everywhere.
    while (flood < 200 && !(await isCut()))
      await publish({ Type: 'flood', Action: 'go', Key: String(flood++), Object: load });
    transport.resume();
    const [code, reason] = await closed;
    expect(code).toBe(1013);
    expect(String(reason)).toContain('Too slow');
    expect(slow.frames.filter((frame) => frame.Type === 'flood').length).toBeLessThan(flood);
    expect(await quick.heard()).toHaveLength(flood);
  }, 20_000);
});
