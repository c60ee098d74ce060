/** What goes wrong between us and an external service, each over a real socket. */
import type { LookupFunction } from 'node:net';
import { describe, expect, test } from 'vitest';
import { certificate } from './testing/certificate.ts';
import { FakeClock } from './testing/fake-clock.ts';
import { go } from './testing/harness.ts';
import { answer, inTurn, unusedPort } from './testing/receiver.ts';
import { closeAfterEach, refusal, room, service, sockets } from './testing/rooms.ts';

closeAfterEach();

describe('no answer', () => {
  test('a refused connection is a failed attempt without a status', async () => {
    const h = await room();
    await h.plugin(go({ Url: `http://127.0.0.1:${await unusedPort()}/`, Retry: 1 }));
    const problem = await refusal(h.run('go'));
    expect(problem).toMatchObject({ status: 400, type: 'rpc' });
    expect(problem.messages[0]).toMatch(/refused the connection$/);
    expect(h.rows()[0]).toMatchObject({ State: 'failed', AttemptCount: 2 });
  });

  test('a connection reset in the middle of the answer is retried', async () => {
    const h = await room();
    let connections = 0;
    const r = await sockets((socket) => {
      socket.once('data', () => {
        if (++connections === 1) {
          socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf');
          setImmediate(() => socket.resetAndDestroy());
        } else socket.end('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfull');
      });
    });
    await h.plugin(go({ Url: r.url, Retry: 1, StringResponse: true }));
    expect(await h.run('go')).toBe('full');
    expect(h.rows()[0]?.Attempts[0]?.Error).toMatch(/^the connection to .* broke/);
  });

  test.each([
    ['accepts and never answers', () => undefined],
    [
      'drips its answer',
      (socket: { write(text: string): void }) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx'),
    ],
  ])('a service that %s is cut at the Timeout', async (_name, behave) => {
    const clock = new FakeClock();
    const h = await room({ clock });
    const r = await sockets((socket) => {
      socket.once('data', () => {
        behave(socket);
        setImmediate(() => clock.advance(3_000));
      });
    });
    await h.plugin(go({ Url: r.url, Timeout: 3, Retry: 5 }));
    expect((await refusal(h.run('go'))).messages).toEqual(['Callback go did not finish within its Timeout of 3 s']);
    expect(h.rows()[0]).toMatchObject({ State: 'failed', AttemptCount: 1 });
  });

  test('a connection that is never made is cut at the Timeout', async () => {
    const clock = new FakeClock();
    const h = await room({ clock });
    const r = await sockets(() => setImmediate(() => clock.advance(2_000)));
    await h.plugin(go({ Url: r.url.replace('http:', 'https:'), Timeout: 2 }));
    expect((await refusal(h.run('go'))).messages[0]).toContain('Timeout of 2 s');
  });

  test('a wait between retries ends at the Timeout, and is not begun when it would end after it', async () => {
    const clock = new FakeClock();
    const h = await room({ clock });
    const r = await service(answer(500));
    await h.plugin(go({ Url: r.url, Timeout: 1300, Retry: 3, Delay: 500 }));
    const call = refusal(h.run('go'));
    await clock.timerOf(500_000);
    clock.advance(500_000);
    await r.received(2);
    await clock.timerOf(500_000);
    clock.advance(500_000);
    expect(await call).toMatchObject({
      status: 500,
      messages: ['Callback API returned 500', 'out: ok', expect.stringContaining('after the Timeout of 1300 s')],
    });
    expect(r.requests).toHaveLength(3);
  });

  test('a wall clock that jumps moves no deadline and no wait', async () => {
    const clock = new FakeClock();
    const h = await room({ clock });
    const r = await service(inTurn(answer(500), answer(200, 'ok')));
    await h.plugin(go({ Url: r.url, Timeout: 100, Retry: 1, Delay: 50, StringResponse: true }));
    const call = h.run('go');
    await clock.timerOf(50_000);
    clock.jump(365 * 24 * 3_600_000);
    clock.advance(49_999);
    expect(r.requests).toHaveLength(1);
    clock.jump(-2 * 365 * 24 * 3_600_000);
    clock.advance(1);
    expect(await call).toBe('ok');
  });

  test('a name that cannot be resolved is said so', async () => {
    const lookup: LookupFunction = (_host, _options, callback) =>
      callback(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }), '');
    const h = await room({ lookup });
    await h.plugin(go({ Url: 'http://no.such.example/' }));
    expect((await refusal(h.run('go'))).messages[0]).toContain('cannot be resolved (ENOTFOUND)');
  });
});

describe('answers', () => {
  test('429 with Retry-After waits that long before the retry', async () => {
    const clock = new FakeClock();
    const h = await room({ clock });
    const r = await service(inTurn(answer(429, '', { 'retry-after': '17' }), answer(200, 'ok')));
    await h.plugin(go({ Url: r.url, Retry: 1, Delay: 3, StringResponse: true }));
    const call = h.run('go');
    await clock.timerOf(17_000);
    clock.advance(17_000);
    expect(await call).toBe('ok');
  });

  test('429 with a Retry-After beyond the Timeout ends at once', async () => {
    const h = await room();
    const r = await service(answer(429, '', { 'retry-after': '3600' }));
    await h.plugin(go({ Url: r.url, Retry: 5, Timeout: 60 }));
    expect((await refusal(h.run('go'))).status).toBe(429);
    expect(r.requests).toHaveLength(1);
  });

  test.each([
    ['by its length', { 'content-length': '5000' }],
    ['chunk by chunk', {}],
  ])('an answer that is too long is refused %s and not asked for again', async (_name, headers) => {
    const h = await room({ settings: { maxAnswerBytes: 1000 } });
    const r = await service(answer(200, 'x'.repeat(5000), headers));
    await h.plugin(go({ Url: r.url, Retry: 3 }));
    expect((await refusal(h.run('go'))).messages[0]).toMatch(/is longer than 1000 bytes$/);
    expect(r.requests).toHaveLength(1);
  });

  test('a huge answer to an event is cut, because nobody reads it', async () => {
    const h = await room();
    const r = await service(answer(200, 'x'.repeat(1_000_000)));
    await h.plugin({ 'callback/callbacks': { jobfail: { Url: r.url } } });
    await h.failJob();
    await h.until(([row]) => row?.State === 'ok');
  });

  test('a 100 Continue that nobody asked for is said so', async () => {
    const h = await room();
    const r = await sockets((socket) =>
      socket.once('data', () =>
        socket.end('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'),
      ),
    );
    await h.plugin(go({ Url: r.url }));
    expect((await refusal(h.run('go'))).messages[0]).toMatch(
      /sent an answer that nobody asked for, such as 100 Continue$/,
    );
  });

  test('something that is not HTTP is said so', async () => {
    const h = await room();
    const r = await sockets((socket) => socket.end('SSH-2.0-OpenSSH\r\n'));
    await h.plugin(go({ Url: r.url }));
    expect((await refusal(h.run('go'))).messages[0]).toContain('does not speak HTTP');
  });
});

describe('redirects', () => {
  test('within the origin they are followed with method and body for 307', async () => {
    const h = await room();
    const r = await service(inTurn(answer(307, '', { location: '/next' }), answer(200)));
    await h.plugin(go({ Url: r.url, Headers: { Authorization: 'x' } }));
    await h.run('go');
    expect(r.requests.map(({ method, url, body }) => [method, url, body !== ''])).toEqual([
      ['POST', '/', true],
      ['POST', '/next', true],
    ]);
  });

  test('to another origin they are followed only without credentials', async () => {
    const h = await room();
    const other = await service(answer(200));
    const r = await service(answer(302, '', { location: `${other.url}/x` }));
    await h.plugin({
      'callback/callbacks': { bare: { Url: r.url }, secret: { Url: r.url, Headers: { Authorization: 'Bearer t' } } },
    });
    await h.run('bare');
    expect(other.requests.map(({ method, body }) => [method, body])).toEqual([['GET', '']]);
    expect((await refusal(h.run('secret'))).messages[0]).toContain('carries credentials');
    expect(other.requests).toHaveLength(1);
  });

  test.each([
    ['a loop', '/'],
    ['an endless chain', '/{n}'],
    ['another scheme', 'file:///etc/passwd'],
  ])('%s ends with an error', async (_name, location) => {
    const h = await room();
    const r = await service((request, response, n) =>
      answer(308, '', { location: location.replace('{n}', `${n}`) })(request, response, n),
    );
    await h.plugin(go({ Url: r.url, Retry: 9 }));
    expect((await refusal(h.run('go'))).messages[0]).toMatch(/redirect/);
    expect(r.requests.length).toBeLessThanOrEqual(6);
  });
});

describe('TLS', () => {
  test('a certificate nobody vouches for is refused, accepted with its authority, and accepted when told to', async () => {
    const tls = await certificate('127.0.0.1');
    const h = await room();
    const r = await service(answer(200, 'ok'), tls);
    await h.plugin(go({ Url: r.url, StringResponse: true }));
    expect((await refusal(h.run('go'))).messages[0]).toMatch(/certificate of .* is not trusted .* callback\/ca/);
    expect(r.requests).toEqual([]);
    await h.plugin(go({ Url: r.url, StringResponse: true }, { 'callback/ca': tls.cert }));
    expect(await h.run('go')).toBe('ok');
    expect(h.rows().at(-1)?.Attempts[0]?.Timing?.Tls).toBeGreaterThan(0);
    await h.plugin(go({ Url: r.url, StringResponse: true }, { 'callback/insecure': true }));
    expect(await h.run('go')).toBe('ok');
  });

  test('a certificate for another host is refused', async () => {
    const tls = await certificate('other.example.com');
    const h = await room();
    const r = await service(answer(200), tls);
    await h.plugin(go({ Url: r.url }, { 'callback/ca': tls.cert }));
    expect((await refusal(h.run('go'))).messages[0]).toContain('is not trusted');
  });

  test('a service that speaks no TLS is said so', async () => {
    const h = await room();
    const r = await service(answer(200));
    await h.plugin(go({ Url: r.url.replace('http:', 'https:') }));
    expect((await refusal(h.run('go'))).messages[0]).toContain('does not speak TLS');
  });
});

describe('proxy', () => {
  test('requests go through it', async () => {
    const h = await room();
    const proxy = await service((request, response) => answer(200, `via ${request.url}`)(request, response, 0));
    await h.plugin(go({ Url: 'http://inner.example/x', StringResponse: true }, { 'callback/proxy': proxy.url }));
    expect(await h.run('go')).toBe('via http://inner.example/x');
  });

  test('one that is down is an error that names it', async () => {
    const h = await room();
    const proxy = `http://127.0.0.1:${await unusedPort()}`;
    await h.plugin(go({ Url: 'http://inner.example/' }, { 'callback/proxy': proxy }));
    expect((await refusal(h.run('go'))).messages[0]).toMatch(/through the proxy refused the connection/);
  });

  test('one that refuses a tunnel is an error', async () => {
    const h = await room();
    const proxy = await sockets((socket) => socket.once('data', () => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')));
    await h.plugin(go({ Url: 'https://inner.example/' }, { 'callback/proxy': proxy.url }));
    expect((await refusal(h.run('go'))).messages[0]).toContain('403');
  });
});
