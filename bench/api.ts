/**
 * `bench -- api`: the API against a bare node:https server that answers the same bytes with the same headers, both in processes of their own.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { WebSocket } from 'ws';
import type { Stored } from '../src-main/objects/index.ts';
import { createRuns } from '../src-main/rest/list-runs.ts';
import type { Bench, Measured } from './frame.ts';
import { createLoad, type Load } from './support/load.ts';

const MACHINES = 10_000;
const RUNS = createRuns();
const ADMIN = `Basic ${Buffer.from('rocketskates:r0cketsk8ts').toString('base64')}`;
const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });

function child(file: string, args: readonly string[]): ChildProcess {
  return fork(join(import.meta.dirname, 'support', file), args, {
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

async function message<T>(process: ChildProcess): Promise<T> {
  const [value] = (await once(process, 'message')) as [T];
  return value;
}

async function fetchBytes(url: string, token: string): Promise<{ bytes: Buffer; headers: Record<string, string> }> {
  const answer = await request(url, { dispatcher, headers: { authorization: token } });
  const bytes = Buffer.from(await answer.body.arrayBuffer());
  if (answer.statusCode !== 200)
    throw new Error(`${url} answered ${answer.statusCode}: ${bytes.toString('utf8').slice(0, 200)}`);
  const headers = Object.fromEntries(
    Object.entries(answer.headers).filter(
      ([name]) => !['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length'].includes(name),
    ),
  ) as Record<string, string>;
  return { bytes, headers };
}

async function seed(url: string, token: string): Promise<string[]> {
  const uuids: string[] = [];
  const body = (n: number): string =>
    JSON.stringify({
      Name: `web${String(n).padStart(5, '0')}.rack${n % 100}.example.com`,
      Address: `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
      Description: `machine in rack ${n % 100}`,
      OS: n % 100 === 0 ? 'wanted' : 'other',
      Params: { rack: n % 100, note: 'x'.repeat(120), tags: ['a', 'b', 'c'] },
    });
  let next = 0;
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      for (let n = next++; n < MACHINES; n = next++) {
        const answer = await request(`${url}/api/v3/machines`, {
          dispatcher,
          method: 'POST',
          headers: { authorization: token, 'content-type': 'application/json' },
          body: body(n),
        });
        const made = (await answer.body.json()) as { Uuid: string };
        if (answer.statusCode !== 201) throw new Error(`machine ${n}: ${answer.statusCode}`);
        uuids[n] = made.Uuid;
      }
    }),
  );
  return uuids;
}

export const bench: Bench = {
  name: 'api',
  async run(b) {
    const dir = mkdtempSync(join(tmpdir(), 'proviso-bench-api-'));
    const proviso = child('proviso-server.ts', [join(dir, 'data'), 'sqlite']);
    const bare = child('bare-https.ts', [dir]);
    const loads: Load[] = [];
    try {
      const [{ url }, { port }] = await Promise.all([
        message<{ url: string }>(proviso),
        message<{ port: number }>(bare),
      ]);
      const bareUrl = `https://127.0.0.1:${port}`;
      const tokenAnswer = await request(`${url}/api/v3/users/rocketskates/token?ttl=86400`, {
        dispatcher,
        headers: { authorization: ADMIN },
      });
      const { Token } = (await tokenAnswer.body.json()) as { Token: string };
      const token = `Bearer ${Token}`;
      const uuids = await seed(url, token);
      b.note(`${MACHINES} machines made`);

      const itemPath = `/api/v3/machines/${uuids[0]}`;
      const listPath = '/api/v3/machines';
      const mirror = async (path: string): Promise<Buffer> => {
        const { bytes, headers } = await fetchBytes(`${url}${path}`, token);
        bare.send({ reply: { path, bytes, headers } });
        await message(bare);
        return bytes;
      };
      await mirror(itemPath);
      const named = '/api/v3/machines?Name=Between(web00000,web00099.z)';
      for (const path of [named, listPath]) await mirror(path);
      const whole = await mirror(listPath);

      const load = (
        origin: string,
        connections: number,
        path: (n: number) => string,
        headers = (): Record<string, string> => ({ authorization: token }),
      ): Load => {
        const made = createLoad(origin, connections, { method: 'GET', path, headers });
        loads.push(made);
        return made;
      };
      const rate = async (
        name: string,
        mine: Load,
        peer: Load,
        rounds: number,
        roundMs: number,
      ): Promise<[Measured, Measured]> => {
        const found = await b.measure(
          [
            { name, run: (n) => mine.run(n) },
            { name: `bare ${name}`, run: (n) => peer.run(n) },
          ],
          { rounds, roundMs },
        );
        return [found.get(name) as Measured, found.get(`bare ${name}`) as Measured];
      };

      const [get, bareGet] = await rate(
        'get',
        load(url, 16, () => itemPath),
        load(bareUrl, 16, () => itemPath),
        15,
        400,
      );
      b.ratio('api.get', get, bareGet, 0.85);

      const tokens = await manyTokens(url, token, 4_000);
      let used = 0;
      const fresh = load(
        url,
        16,
        () => itemPath,
        () => ({ authorization: `Bearer ${tokens[used++ % tokens.length]}` }),
      );
      const [getNew, bareNew] = await rate(
        'get-new-token',
        fresh,
        load(bareUrl, 16, () => itemPath),
        7,
        250,
      );
      b.ratio('api.get-new-token', getNew, bareNew, 0.45);

      const [list100, bare100] = await rate(
        'list-100-of-10000',
        load(url, 8, () => named),
        load(bareUrl, 8, () => named),
        9,
        400,
      );
      b.ratio('api.list-100-of-10000', list100, bare100, 0.7);

      const [listAll, bareAll] = await rate(
        'list-10000',
        load(url, 2, () => listPath),
        load(bareUrl, 2, () => listPath),
        7,
        600,
      );
      b.ratio('api.list-10000', listAll, bareAll, 0.5);
      // What our own part of a list is: the body from cached bytes, against making it from the objects.
      const objects = JSON.parse(whole.toString('utf8')) as unknown[];
      const list = objects.map((object) => ({ bytes: Buffer.from(JSON.stringify(object)) }));
      const body = await b.measure(
        [
          {
            name: 'body from cached bytes',
            run: (n) => {
              for (let i = 0; i < n; i++) joinList(list);
            },
          },
          {
            name: 'JSON.stringify',
            run: (n) => {
              for (let i = 0; i < n; i++) Buffer.from(JSON.stringify(objects));
            },
          },
        ],
        { rounds: 7 },
      );
      b.ratio(
        'api.list-10000-body',
        body.get('body from cached bytes') as Measured,
        body.get('JSON.stringify') as Measured,
        3,
      );

      const patch = createLoad(url, 64, {
        method: 'PATCH',
        path: (n) => `/api/v3/machines/${uuids[n % uuids.length]}`,
        headers: () => ({ authorization: token, 'content-type': 'application/json' }),
        body: (n) => JSON.stringify([{ op: 'replace', path: '/Description', value: `patched ${n}` }]),
      });
      loads.push(patch);
      const patched = await b.measure([{ name: 'patch-64', run: (n) => patch.run(n) }], { rounds: 5, roundMs: 500 });
      b.note(
        `patch-64: ${Math.round((patched.get('patch-64') as Measured).perSecond).toLocaleString('en')}/s (compare store.group-64)`,
      );

      await websockets(b, url, bareUrl, token, bare);

      proviso.send({ pauses: true });
      const { p999 } = await message<{ p999: number; max: number }>(proviso);
      b.number('api.pause-p99.9-ms', p999, {
        better: 'lower',
        budget: 50,
        against: 'main thread of the server over the whole run',
      });
    } finally {
      await Promise.all(loads.map((one) => one.close()));
      await dispatcher.close();
      proviso.send({ stop: true });
      bare.kill();
      await once(proviso, 'exit');
      rmSync(dir, { recursive: true, force: true });
    }
  },
};

async function manyTokens(url: string, token: string, count: number): Promise<string[]> {
  const tokens: string[] = [];
  for (let i = 0; i < count; i += 16) {
    tokens.push(
      ...(await Promise.all(
        Array.from({ length: 16 }, async () => {
          const answer = await request(`${url}/api/v3/users/rocketskates/token?ttl=86400`, {
            dispatcher,
            headers: { authorization: token },
          });
          return ((await answer.body.json()) as { Token: string }).Token;
        }),
      )),
    );
  }
  return tokens;
}

/** The body of a list, as the route makes it when it has no run of it yet. */
function joinList(list: readonly { bytes: Buffer }[]): Buffer {
  const bytesOf = (one: { bytes: Buffer }): Buffer => one.bytes;
  const parts: Buffer[] = [];
  for (let at = 0; at < list.length; ) {
    const run = RUNS.next(list as readonly Stored[], at, bytesOf);
    const bytes = RUNS.bytes(run, at === 0, bytesOf, false);
    at += run.items.length;
    parts.push(at === list.length ? bytes : bytes.subarray(0, -1));
  }
  return Buffer.concat(parts);
}

const LISTENERS = 100;

/** The same event to 100 clients, by us and by a bare broadcast of the same text. */
async function websockets(
  b: Parameters<Bench['run']>[0],
  url: string,
  bareUrl: string,
  token: string,
  bare: ChildProcess,
): Promise<void> {
  const open = async (origin: string, register: boolean): Promise<{ sockets: WebSocket[]; received: () => number }> => {
    let count = 0;
    const sockets = await Promise.all(
      Array.from({ length: LISTENERS }, async () => {
        const socket = new WebSocket(`${origin.replace('https', 'wss')}/api/v3/ws`, {
          headers: { authorization: token },
          rejectUnauthorized: false,
        });
        await once(socket, 'open');
        if (register) {
          socket.send('register bench.*.*');
          await once(socket, 'message');
        }
        socket.on('message', () => {
          count++;
        });
        return socket;
      }),
    );
    return { sockets, received: () => count };
  };
  const mine = await open(url, true);
  const peer = await open(bareUrl, false);
  const text = JSON.stringify({
    Time: new Date().toISOString(),
    Type: 'bench',
    Action: 'tick',
    Key: 'k',
    Object: { note: 'x'.repeat(200) },
    Principal: 'rocketskates',
    Original: null,
  });
  const until = async (received: () => number, target: number): Promise<void> => {
    while (received() < target) await new Promise((resolve) => setImmediate(resolve));
  };
  const eventBody = JSON.stringify({ Type: 'bench', Action: 'tick', Key: 'k', Object: { note: 'x'.repeat(200) } });
  const post = createLoad(url, 4, {
    method: 'POST',
    path: () => '/api/v3/events',
    headers: () => ({ authorization: token, 'content-type': 'application/json' }),
    body: () => eventBody,
    status: 204,
  });
  const barePost = createLoad(bareUrl, 4, {
    method: 'POST',
    path: () => '/',
    headers: () => ({ 'content-type': 'application/json' }),
    body: () => eventBody,
    status: 204,
  });
  bare.send({ broadcast: text });
  await once(bare, 'message');
  const found = await b.measure(
    [
      {
        name: 'ws-100',
        run: async (n) => {
          const target = mine.received() + n * LISTENERS;
          await post.run(n);
          await until(mine.received, target);
        },
      },
      {
        name: 'bare broadcast',
        run: async (n) => {
          const target = peer.received() + n * LISTENERS;
          await barePost.run(n);
          await until(peer.received, target);
        },
      },
    ],
    { rounds: 7, roundMs: 300 },
  );
  b.ratio('api.ws-100', found.get('ws-100') as Measured, found.get('bare broadcast') as Measured, 0.6);
  await post.close();
  await barePost.close();
  for (const socket of [...mine.sockets, ...peer.sockets]) socket.terminate();
}
