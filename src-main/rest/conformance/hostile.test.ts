/** What no honest client sends: always an answer that says what is wrong, never a 5xx, never a server that stands still. */
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { follow, make } from './rows.ts';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.tokenOf('rocketskates');
  await make(server, 'machines', { Name: 'target', Params: { 'pp/list': [1] } });
});
afterAll(() => server.stop());

/** Sends bytes as they are; resolves to what came back until the peer closed. */
function raw(bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(server.server.url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () =>
      socket.write(bytes),
    );
    let text = '';
    socket.on('data', (data) => {
      text += data.toString('latin1');
    });
    socket.on('close', () => resolve(text));
    socket.on('error', (error: NodeJS.ErrnoException) => (text === '' ? reject(error) : resolve(text)));
  });
}

describe('bytes that are no request get a reason', () => {
  const post = 'POST /api/v3/machines HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  it.each<readonly [string, string | Buffer, number]>([
    ['garbage', '\x00\x01garbage\r\n\r\n', 400],
    ['an unknown method', 'FOO /api/v3/info HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['another protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    [
      'raw bytes in the address',
      Buffer.from('GET /api/v3/machines/\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n', 'latin1'),
      400,
    ],
    ['two lengths', `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
    ['a negative length', `${post}Content-Length: -1\r\n\r\n`, 400],
    ['an address of 100 kB', `GET /api/v3/machines/${'a'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ['a header of 100 kB', `GET /api/v3/info HTTP/1.1\r\nHost: x\r\nX-A: ${'b'.repeat(100_000)}\r\n\r\n`, 431],
  ])('%s', async (_name, bytes, status) => {
    const answer = await raw(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as { Code: number; Messages: string[] };
    expect(body.Code).toBe(status);
    expect(body.Messages[0]).not.toBe('');
  });
});

describe('bodies', () => {
  follow(
    () => server,
    [
      {
        name: 'compressed',
        ask: 'POST machines',
        send: { raw: Buffer.from('1f8b0800', 'hex'), headers: { 'content-encoding': 'gzip' } },
        status: 415,
        error: 'POST: A body in the encoding gzip is not read: send it as it is',
      },
      {
        name: 'of a content type that is none',
        ask: 'POST machines',
        send: { raw: '{}', headers: { 'content-type': ';;;===' } },
        status: 400,
        error: 'POST: Invalid content type: ;;;===',
      },
      {
        name: 'with half a surrogate pair: it becomes the replacement character',
        ask: 'POST machines',
        send: { raw: '{"Name":"half","Description":"a\\ud800b \\ud83d\\ude00","Meta":{"k\\udc00":"\\udfff"}}' },
        status: 201,
        body: { Description: 'a\ufffdb 😀', Meta: { 'k\ufffd': '\ufffd' } },
      },
      {
        name: 'with a number beyond all numbers',
        ask: 'POST machines',
        send: { raw: '{"Name":"m1","Params":{"pp/x":1e400}}' },
        status: 400,
        error: 'POST: json: unsupported value: Infinity',
      },
      {
        name: 'with names that objects have anyway',
        ask: 'POST machines',
        send: { raw: '{"Name":"methods","constructor":1,"Params":{"constructor":{"prototype":1},"toString":2}}' },
        status: 201,
        body: { Params: { constructor: { prototype: 1 }, toString: 2 } },
      },
      {
        name: 'that say a thing twice: the last one counts',
        ask: 'POST machines',
        send: { raw: '{"Name":"first","Name":"second"}' },
        status: 201,
        body: { Name: 'second' },
      },
    ],
  );
});

describe('patches', () => {
  const copies = Array.from({ length: 60 }, () => ({
    op: 'copy',
    from: '/Params/pp~1list',
    path: '/Params/pp~1list/-',
  }));
  follow(
    () => server,
    [
      {
        name: 'that copy a list into itself without end',
        ask: 'PATCH machines/Name:target',
        send: { body: copies },
        status: 409,
        error: /Patch error at line \d+: The patch copies or moves more than one request may/,
      },
      {
        name: 'the same through the params',
        ask: 'PATCH machines/Name:target/params',
        send: { body: copies.map(({ op }) => ({ op, from: '/pp~1list', path: '/pp~1list/-' })) },
        status: 409,
        error: /The patch copies or moves more than one request may/,
      },
      {
        name: 'that reach for a prototype',
        ask: 'PATCH machines/Name:target',
        send: { body: [{ op: 'add', path: '/Params/__proto__/x', value: 1 }] },
        status: 409,
        error: /Selector __proto__ not a member/,
      },
      {
        name: 'leave the object as it was',
        ask: 'GET machines/Name:target/params',
        status: 200,
        exactly: { 'pp/list': [1] },
      },
    ],
  );
});

it('a listener that registers without end is told, not lied to', async () => {
  const socket = new WebSocket(`${server.server.url.replace('https', 'wss')}/api/v3/ws`, {
    headers: { authorization: `Bearer ${token}` },
    rejectUnauthorized: false,
  });
  const closed = new Promise<readonly [number, string]>((resolve) => {
    socket.on('close', (code, reason) => resolve([code, reason.toString()]));
  });
  await new Promise((resolve) => {
    socket.on('open', resolve);
  });
  for (let i = 0; i <= 10_000; i++) socket.send(`register machines.update.k${i}`);
  expect(await closed).toEqual([1008, 'More than 10000 registrations on one connection']);
});
