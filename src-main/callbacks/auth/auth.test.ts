/** Auth methods as a callback meets them (service.md, Callback authentication). */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../kit/json.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { go } from '../testing/harness.ts';
import { answer, inTurn, type Received, type Reply, unusedPort } from '../testing/receiver.ts';
import { closeAfterEach, refusal, room, service } from '../testing/rooms.ts';

closeAfterEach();
const dir = mkdtempSync(join(tmpdir(), 'auth-'));
afterAll(() => rmSync(dir, { recursive: true }));

function program(name: string, script: string): string {
  const path = join(dir, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

const basic = (Password: string): JsonObject => ({ AuthType: 'basic', Username: 'u', Password });
const basicHeader = (password: string): string => `Basic ${Buffer.from(`u:${password}`).toString('base64')}`;

/** Lets in whoever has the header. */
const guarded =
  (isGood: (request: Received) => boolean, refused = 401): Reply =>
  (request, response, index) =>
    answer(isGood(request) ? 200 : refused, 'body')(request, response, index);

const callback = (url: string, fields: JsonObject, auths: JsonObject): JsonObject =>
  go({ Url: url, StringResponse: true, ...fields }, { 'callback/auths': auths });

describe('the order of methods', () => {
  test.each([401, 403])('Auth comes first, then Auths; %d moves on without using up retries', async (status) => {
    const h = await room();
    const r = await service(guarded(({ headers }) => headers.authorization === basicHeader('c'), status));
    await h.plugin(callback(r.url, { Auth: 'a', Auths: ['b', 'c'] }, { a: basic('a'), b: basic('b'), c: basic('c') }));
    expect(await h.run('go')).toBe('body');
    expect(r.requests.map(({ headers }) => headers.authorization)).toEqual(['a', 'b', 'c'].map(basicHeader));
    expect(h.rows()[0]?.Attempts.map(({ Auth, Attempt }) => [Auth, Attempt])).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ]);
  });

  test('a method that gives no credentials is passed over', async () => {
    const h = await room();
    const r = await service(answer(200, 'body'));
    const auths = { a: { AuthType: 'exec', Path: join(dir, 'missing') }, b: basic('b') };
    await h.plugin(callback(r.url, { Auths: ['a', 'b'] }, auths));
    expect(await h.run('go')).toBe('body');
    expect(r.requests.map(({ headers }) => headers.authorization)).toEqual([basicHeader('b')]);
    expect(h.rows()[0]?.Attempts[0]?.Error).toContain('cannot be started (ENOENT)');
  });

  test('another error of the service does not switch methods', async () => {
    const h = await room();
    const r = await service(inTurn(answer(500), answer(200, 'body')));
    await h.plugin(callback(r.url, { Auths: ['a', 'b'], Retry: 1 }, { a: basic('a'), b: basic('b') }));
    await h.run('go');
    expect(r.requests.map(({ headers }) => headers.authorization)).toEqual([basicHeader('a'), basicHeader('a')]);
  });

  test('when they were changed during a Delay the new ones have their turn', async () => {
    const clock = new FakeClock();
    const h = await room({ clock });
    const r = await service(inTurn(answer(401), answer(500), answer(200, 'body')));
    const auths = { a: basic('a'), b: basic('b'), c: basic('c') };
    await h.plugin(callback(r.url, { Auth: 'a', Auths: ['b'], Retry: 1, Delay: 60 }, auths));
    const call = h.run('go');
    await clock.timerOf(60_000);
    await h.plugin(callback(r.url, { Auth: 'c' }, auths));
    clock.advance(60_000);
    await call;
    expect(r.requests.map(({ headers }) => headers.authorization)).toEqual(['a', 'b', 'c'].map(basicHeader));
  });

  test('when all are turned down the status of the last one is the error', async () => {
    const h = await room();
    const r = await service(inTurn(answer(401), answer(403)));
    await h.plugin(callback(r.url, { Auths: ['a', 'b'] }, { a: basic('a'), b: basic('b') }));
    expect((await refusal(h.run('go'))).status).toBe(403);
    expect(r.requests).toHaveLength(2);
  });

  test('without any method 401 is an error like others', async () => {
    const h = await room();
    const r = await service(answer(401));
    await h.plugin(callback(r.url, {}, {}));
    expect((await refusal(h.run('go'))).status).toBe(401);
    expect(r.requests).toHaveLength(1);
  });
});

describe('json-token', () => {
  const auth = (url: string, fields: JsonObject = {}): JsonObject => ({
    t: { AuthType: 'json-token', Url: url, TokenField: 'tok', ...fields },
  });

  test('sends Data and Query untemplated and the token in both headers', async () => {
    const h = await room();
    const tokens = await service(answer(200, { tok: 'T1', life: 60 }));
    const r = await service(answer(200, 'body'));
    const fields = { Method: 'PUT', Data: '{"u":"{{.Name}}"}', Query: 'a=1&b={{x}}' };
    await h.plugin(callback(r.url, { Auth: 't' }, auth(`${tokens.url}/t?z=0`, fields)));
    await h.run('go');
    expect(tokens.requests[0]).toMatchObject({ method: 'PUT', body: '{"u":"{{.Name}}"}' });
    expect(decodeURIComponent(tokens.requests[0]?.url ?? '')).toBe('/t?z=0&a=1&b={{x}}');
    expect(r.requests[0]?.headers).toMatchObject({ authorization: 'Bearer T1', authentication: 'Bearer T1' });
  });

  test('is cached for DurationField seconds, to the second', async () => {
    const clock = new FakeClock();
    const h = await room({ clock });
    const tokens = await service((_request, response, n) =>
      answer(200, { tok: `T${n}`, life: 10 })(_request, response, n),
    );
    const r = await service(answer(200, 'body'));
    await h.plugin(callback(r.url, { Auth: 't' }, auth(tokens.url, { DurationField: 'life' })));
    await h.run('go');
    clock.advance(9_999);
    await h.run('go');
    clock.advance(1);
    await h.run('go');
    expect(r.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer T0', 'Bearer T0', 'Bearer T1']);
  });

  test('without DurationField it is asked for each time', async () => {
    const h = await room();
    const tokens = await service(answer(200, { tok: 'T', life: 60 }));
    const r = await service(answer(200));
    await h.plugin(callback(r.url, { Auth: 't' }, auth(tokens.url)));
    await h.run('go');
    await h.run('go');
    expect(tokens.requests).toHaveLength(2);
  });

  test('many callbacks at once ask for it once', async () => {
    const h = await room();
    const tokens = await service(answer(200, { tok: 'T', life: 60 }));
    const r = await service(answer(200));
    await h.plugin(callback(r.url, { Auth: 't' }, auth(tokens.url, { DurationField: 'life' })));
    await Promise.all(Array.from({ length: 20 }, () => h.run('go')));
    expect(tokens.requests).toHaveLength(1);
    expect(r.requests).toHaveLength(20);
  });

  test('is refreshed once when the service turns it down', async () => {
    const h = await room();
    const tokens = await service((request, response, n) =>
      answer(200, { tok: `T${n}`, life: 60 })(request, response, n),
    );
    let good = 'Bearer T0';
    const r = await service(guarded(({ headers }) => headers.authorization === good));
    await h.plugin(callback(r.url, { Auth: 't' }, auth(tokens.url, { DurationField: 'life' })));
    await h.run('go');
    good = 'Bearer T1';
    expect(await h.run('go')).toBe('body');
    good = 'Bearer none';
    expect((await refusal(h.run('go'))).status).toBe(401);
    expect(tokens.requests).toHaveLength(3);
    expect(r.requests).toHaveLength(5);
  });

  test('is asked for once by fifty at once, and once more when all of them are turned down', async () => {
    const h = await room();
    const tokens = await service((request, response, n) =>
      answer(200, { tok: `T${n}`, life: 60 })(request, response, n),
    );
    let good = 'Bearer T0';
    const r = await service(guarded(({ headers }) => headers.authorization === good));
    await h.plugin(callback(r.url, { Auth: 't' }, auth(tokens.url, { DurationField: 'life' })));
    const fifty = (): Promise<unknown[]> => Promise.all(Array.from({ length: 50 }, () => h.run('go')));
    await fifty();
    expect(tokens.requests).toHaveLength(1);
    good = 'Bearer T1';
    expect(new Set(await fifty())).toEqual(new Set(['body']));
    expect(tokens.requests).toHaveLength(2);
    expect(r.requests).toHaveLength(150);
  });

  test('a service that is down fails the method after its own retries', async () => {
    const h = await room();
    const tokens = await service(inTurn(answer(500), answer(500), answer(200, { tok: 'T' })));
    const r = await service(answer(200, 'body'));
    await h.plugin(callback(r.url, { Auth: 't' }, auth(tokens.url, { Retry: 1 })));
    expect((await refusal(h.run('go'))).messages[0]).toBe('auth t: the token service answered with status 500');
    expect(r.requests).toEqual([]);
    await h.plugin(callback(r.url, { Auth: 't' }, auth(tokens.url)));
    expect(await h.run('go')).toBe('body');
    await h.plugin(callback(r.url, { Auth: 't' }, auth(`http://127.0.0.1:${await unusedPort()}/`)));
    expect((await refusal(h.run('go'))).messages[0]).toContain('refused the connection');
  });

  test.each([
    ['not JSON', '<html>', 'is not JSON'],
    ['no object', [1], 'not an object'],
    ['without the field', { other: 'T' }, 'no text in its field "tok"'],
    ['an empty token', { tok: '' }, 'gave no token'],
    ['a token that breaks headers', { tok: 'a\r\nX: y' }, 'cannot carry'],
  ])('an answer that is %s is a failed method', async (_name, body, message) => {
    const h = await room();
    const tokens = await service(answer(200, body));
    await h.plugin(callback('http://127.0.0.1:1', { Auth: 't' }, auth(tokens.url)));
    expect((await refusal(h.run('go'))).messages[0]).toContain(message);
  });

  test('its own Timeout ends a service that hangs', async () => {
    const clock = new FakeClock();
    const h = await room({ clock });
    const tokens = await service(() => setImmediate(() => clock.advance(4_000)));
    await h.plugin(callback('http://127.0.0.1:1', { Auth: 't' }, auth(tokens.url, { Timeout: 4 })));
    expect((await refusal(h.run('go'))).messages[0]).toBe('auth t: no token came within the Timeout of 4 s');
  });
});

describe('exec', () => {
  const auths = (Path: string): JsonObject => ({ x: { AuthType: 'exec', Path } });

  test('the trimmed output is the token; complaints are not part of it', async () => {
    const h = await room();
    const r = await service(answer(200));
    const path = program('token', "printf '\\n  tok-123 \\n'; echo warning >&2");
    await h.plugin(callback(`${r.url}/{{.GetAuthString "x"}}`, { Auth: 'x' }, auths(path)));
    await h.run('go');
    expect(r.requests[0]?.url).toBe('/tok-123');
    expect(r.requests[0]?.headers.authorization).toBe('Bearer tok-123');
    expect(JSON.stringify(h.rows()[0]?.Attempts[0]?.Request?.Headers)).not.toContain('tok-123');
  });

  test('the environment of the server stays out', async () => {
    process.env['PROVISO_TEST_SECRET'] = 'leak';
    const h = await room();
    const r = await service(answer(200));
    await h.plugin(callback(r.url, { Auth: 'x' }, auths(program('env', 'echo "t-$PROVISO_TEST_SECRET"'))));
    await h.run('go');
    delete process.env['PROVISO_TEST_SECRET'];
    expect(r.requests[0]?.headers.authorization).toBe('Bearer t-');
  });

  test('the path is a program, never a line for a shell', async () => {
    const h = await room();
    await h.plugin(callback('http://127.0.0.1:1', { Auth: 'x' }, auths(`${program('one', 'echo t')}; echo two`)));
    expect((await refusal(h.run('go'))).messages[0]).toContain('cannot be started (ENOENT)');
  });

  test.each([
    ['fails', 'echo no luck >&2; exit 3', 'ended with status 3: no luck'],
    ['is silent', 'true', 'gave no token'],
    ['never stops talking', 'while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done', 'wrote more than'],
  ])('a program that %s is a failed method', async (name, script, message) => {
    const h = await room();
    await h.plugin(callback('http://127.0.0.1:1', { Auth: 'x' }, auths(program(name.replaceAll(' ', '-'), script))));
    expect((await refusal(h.run('go'))).messages[0]).toContain(message);
  });

  test('a path that no program can have is a failed method', async () => {
    const h = await room();
    await h.plugin(callback('http://127.0.0.1:1', { Auth: 'x' }, auths('/bin/e\0cho')));
    expect((await refusal(h.run('go'))).messages[0]).toContain('cannot be started');
  });

  test('a program that hangs is ended with all it started', async () => {
    const h = await room({ settings: { execTimeoutMs: 100 } });
    await h.plugin(callback('http://127.0.0.1:1', { Auth: 'x' }, auths(program('hang', 'sleep 300 & wait'))));
    expect((await refusal(h.run('go'))).messages[0]).toContain('did not end within 0.1 s');
  });

  test('GetAuthString knows exec only', async () => {
    const h = await room();
    await h.plugin(callback('http://h/{{.GetAuthString (print "a")}}', {}, { a: basic('secret-password') }));
    const problem = await refusal(h.run('go'));
    expect(problem.messages[0]).toContain('works with exec only');
    expect(problem.messages.join()).not.toContain('secret-password');
  });

  describe('GetAuthString', () => {
    const withToken = async (Url: string, extra: JsonObject = {}) => {
      const h = await room();
      await h.plugin(callback(Url, {}, { e: { AuthType: 'exec', Path: program('token', 'echo tok-4711-xyz') } }));
      return { h, done: h.run('go', extra).catch((error: unknown) => String(error)) };
    };

    test('its output is sent, and recorded nowhere', async () => {
      const r = await service((request, response) => answer(500, request.body)(request, response, 0));
      const override = { 'callback/data-override': 'it is {{.GetAuthString "e"}}' };
      const { h, done } = await withToken(`${r.url}/{{.GetAuthString "e"}}/x`, override);
      expect(await done).not.toContain('tok-4711-xyz');
      expect(r.requests.map(({ url, body }) => [url, body])).toEqual([['/tok-4711-xyz/x', '"it is tok-4711-xyz"']]);
      expect(h.rows()[0]?.Attempts[0]?.Request).toMatchObject({ Url: `${r.url}/***/x`, Body: '"it is ***"' });
      expect(JSON.stringify(h.rows())).not.toContain('tok-4711-xyz');
    });

    test('its output stays out of what is said about a template that fails', async () => {
      const { h, done } = await withToken('{{.ParseUrl "host" (print "http://a b/" (.GetAuthString "e"))}}');
      expect(await done).toContain('***');
      expect(JSON.stringify([await done, h.rows()])).not.toContain('tok-4711-xyz');
    });

    test('the time its program takes counts for events as well', async () => {
      const clock = new FakeClock();
      const h = await room({ clock });
      const auths = { e: { AuthType: 'exec', Path: program('slow', 'sleep 300') } };
      const jobfail = { Url: 'http://127.0.0.1:1/{{.GetAuthString "e"}}', Timeout: 7 };
      await h.plugin({ 'callback/callbacks': { jobfail }, 'callback/auths': auths });
      await h.failJob();
      await clock.timerOf(30_000);
      clock.advance(7_000);
      await h.until(([row]) => row?.State === 'failed');
      expect(h.rows()[0]).toMatchObject({ Error: expect.stringContaining('Timeout of 7 s'), AttemptCount: 0 });
    });
  });
});
