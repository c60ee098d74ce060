import { describe, expect, test } from 'vitest';
import { go, MACHINE, ORIGIN } from './testing/harness.ts';
import { answer, inTurn } from './testing/receiver.ts';
import { closeAfterEach, refusal, room, service } from './testing/rooms.ts';

closeAfterEach();

describe('callbackDo', () => {
  test('posts the machine as JSON with the default headers and answers the body in base64', async () => {
    const h = await room();
    const r = await service(answer(200, 'hello'));
    await h.plugin(go({ Url: `${r.url}/{{.Machine.Name}}?x={{.Param "a/b"}}` }));
    expect(await h.run('go')).toBe(Buffer.from('hello').toString('base64'));
    const [request] = r.requests;
    expect(request).toMatchObject({ method: 'POST', url: '/web01.example.com?x=value' });
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      accept: 'application/json',
      'x-delivery-attempt': '1',
      'x-delivery-id': h.rows()[0]?.Id,
    });
    expect(JSON.parse(request?.body ?? '')).toEqual(h.store.get('machines', MACHINE)?.value);
  });

  test.each([
    [{ JsonResponse: true }, { a: [1] }],
    [{ StringResponse: true }, '{"a":[1]}'],
    [{ JsonResponse: true, StringResponse: true }, { a: [1] }],
    [{}, Buffer.from('{"a":[1]}').toString('base64')],
  ])('answers as %j asks', async (fields, expected) => {
    const h = await room();
    const r = await service(answer(200, { a: [1] }));
    await h.plugin(go({ Url: r.url, ...fields }));
    expect(await h.run('go')).toEqual(expected);
  });

  test('an answer that is not JSON is an error of the action, and is not asked for again', async () => {
    const h = await room();
    const r = await service(answer(200, '<html>'));
    await h.plugin(go({ Url: r.url, JsonResponse: true, Retry: 3 }));
    expect((await refusal(h.run('go'))).messages[0]).toContain('not JSON');
    expect(r.requests).toHaveLength(1);
    expect(h.rows()[0]).toMatchObject({ State: 'failed' });
  });

  test('an unknown action is an error that names the known ones; nothing is recorded', async () => {
    const h = await room();
    await h.plugin({ 'callback/callbacks': { b: { Url: 'http://h' }, a: { Url: 'http://h' } } });
    expect(await refusal(h.run('nope'))).toMatchObject({
      status: 400,
      type: 'rpc',
      model: 'plugin',
      key: 'callback',
      messages: ['Action nope is not in callback/callbacks of plugin callback: it has a, b'],
    });
    expect(h.rows()).toEqual([]);
  });

  test('a status of 400 or above is answered with that status and a bounded part of the body', async () => {
    const h = await room();
    const r = await service(answer(418, 'x'.repeat(100_000)));
    await h.plugin(go({ Url: r.url }));
    const problem = await refusal(h.run('go'));
    expect(problem).toMatchObject({ status: 418, type: 'rpc' });
    expect(problem.messages[0]).toBe('Callback API returned 418');
    expect(problem.messages[1]).toBe(`out: ${'x'.repeat(16_384)}`);
  });

  test.each([
    ['text is rendered and sent as a JSON string', 'n={{.Machine.Name}}', {}, '"n=web01.example.com"'],
    ['text with RawBody is sent as rendered', 'n={{.Machine.Name}}', { RawBody: true }, 'n=web01.example.com'],
    ['an object is sent unrendered', { t: '{{.Machine.Name}}' }, {}, '{"t":"{{.Machine.Name}}"}'],
    ['null is an override too', null, {}, 'null'],
    ['NoBody wins', 'x', { NoBody: true }, ''],
  ])('data-override: %s', async (_name, override, fields, expected) => {
    const h = await room();
    const r = await service(answer(200));
    await h.plugin(go({ Url: r.url, ...fields }));
    await h.run('go', { 'callback/data-override': override });
    expect(r.requests[0]?.body).toBe(expected);
  });

  test.each([
    [{}, { 'a/b': 'value' }],
    [{ Aggregate: true }, { 'a/b': 'value', 'from/profile': 1 }],
    [
      { Aggregate: true, Decode: true, ExcludeParams: ['a/b'] },
      { 'from/profile': 1, pin: 'opened-pin' },
    ],
  ])('params for %j', async (fields, expected) => {
    const h = await room({ aggregated: { 'from/profile': 1 }, secure: { pin: 'opened-pin' } });
    const r = await service(answer(200));
    await h.plugin(go({ Url: r.url, ...fields }));
    await h.run('go');
    expect((JSON.parse(r.requests[0]?.body ?? '') as { Params: unknown }).Params).toEqual(expected);
    expect(JSON.stringify(h.rows())).not.toContain('opened-pin');
  });

  test('a GET carries the machine too, unless NoBody', async () => {
    const h = await room();
    const r = await service(answer(200));
    await h.plugin({
      'callback/callbacks': { a: { Url: r.url, Method: 'GET' }, b: { Url: r.url, Method: 'get', NoBody: true } },
    });
    await h.run('a');
    await h.run('b');
    expect(r.requests.map(({ method, body }) => [method, body.length > 0])).toEqual([
      ['GET', true],
      ['GET', false],
    ]);
    expect(r.requests[1]?.headers['content-type']).toBeUndefined();
  });

  test('configured headers replace the defaults whatever their letter case', async () => {
    const h = await room();
    const r = await service(answer(200));
    await h.plugin(go({ Url: r.url, Headers: { 'content-TYPE': 'text/x', ACCEPT: 'text/y', 'X-One': '1' } }));
    await h.run('go');
    expect(r.requests[0]?.headers).toMatchObject({ 'content-type': 'text/x', accept: 'text/y', 'x-one': '1' });
  });

  test('retries carry the same id and count the attempts', async () => {
    const h = await room();
    const r = await service(inTurn(answer(500), answer(404), answer(200, 'done')));
    await h.plugin(go({ Url: r.url, Retry: 2, StringResponse: true }));
    expect(await h.run('go')).toBe('done');
    expect(r.requests.map(({ headers }) => headers['x-delivery-attempt'])).toEqual(['1', '2', '3']);
    expect(new Set(r.requests.map(({ headers }) => headers['x-delivery-id'])).size).toBe(1);
    expect(h.rows()[0]).toMatchObject({
      State: 'ok',
      Retries: 2,
      AttemptCount: 3,
      Attempts: [
        { Attempt: 1, State: 'failed', Status: 500 },
        { Attempt: 2, State: 'failed', Status: 404 },
        { Attempt: 3, State: 'ok', Status: 200 },
      ],
    });
  });

  test('without retries one failure is final', async () => {
    const h = await room();
    const r = await service(inTurn(answer(500), answer(200)));
    await h.plugin(go({ Url: r.url }));
    expect((await refusal(h.run('go'))).status).toBe(500);
    expect(r.requests).toHaveLength(1);
  });

  test('a template that fails is a recorded failed attempt and sends nothing', async () => {
    const h = await room();
    await h.plugin(go({ Url: 'http://127.0.0.1:1/{{.Nope}}', Retry: 5 }));
    expect((await refusal(h.run('go'))).messages[0]).toMatch(/^Err: template: tmp:1/);
    expect(h.rows()[0]).toMatchObject({ State: 'failed', AttemptCount: 1 });
  });

  test('a change of the configuration takes effect at the next call', async () => {
    const h = await room();
    const r = await service(answer(200));
    await h.plugin(go({ Url: `${r.url}/one` }));
    await h.run('go');
    await h.plugin(go({ Url: `${r.url}/two` }));
    await h.run('go');
    expect(r.requests.map(({ url }) => url)).toEqual(['/one', '/two']);
  });
});

describe('deliveries', () => {
  test('every attempt shows its timing, request and answer, without secrets', async () => {
    const h = await room({ secure: { pin: 'opened-pin' } });
    const r = await service((request, response) => {
      response.writeHead(200, { 'set-cookie': 'session=s3cr3t-cookie' });
      response.end(`{"token":"other","echo":${JSON.stringify(request.headers.authorization)},"pin":"opened-pin"}`);
    });
    const auths = { a: { AuthType: 'basic', Username: 'u', Password: 'basic-password' } };
    await h.plugin(
      go(
        { Url: `${r.url}/?token=query-token`, Decode: true, Auth: 'a', Headers: { 'X-Api-Key': 'header-key' } },
        { 'callback/auths': auths },
      ),
    );
    await h.run('go');
    const stored = JSON.stringify(h.rows());
    for (const secret of ['opened-pin', 'basic-password', 'query-token', 'header-key', 's3cr3t-cookie', '"other"'])
      expect(stored).not.toContain(secret);
    expect(stored).not.toContain(Buffer.from('u:basic-password').toString('base64'));
    const attempt = h.rows()[0]?.Attempts[0];
    expect(attempt).toMatchObject({
      Auth: 'a',
      Request: { Method: 'POST', Url: `${r.url}/?token=***`, Headers: { Authorization: '***', 'X-Api-Key': '***' } },
      Response: { Status: 200, Headers: { 'set-cookie': '***' } },
    });
    expect(attempt?.Timing?.Total).toBeGreaterThan(0);
    expect(attempt?.Timing?.Connect).toBeGreaterThan(0);
  });

  test('a replay keeps the id and counts on', async () => {
    const h = await room();
    const r = await service(inTurn(answer(500), answer(200)));
    await h.plugin(go({ Url: r.url }));
    await refusal(h.run('go', { 'callback/data-override': { n: 1 } }));
    const id = h.rows()[0]?.Id ?? '';
    await h.callbacks.deliveries.replay(id, ORIGIN);
    await h.until(([row]) => row?.State === 'ok');
    expect(
      r.requests.map(({ headers, body }) => [headers['x-delivery-id'], headers['x-delivery-attempt'], body]),
    ).toEqual([
      [id, '1', '{"n":1}'],
      [id, '2', '{"n":1}'],
    ]);
    expect(h.rows()[0]).toMatchObject({ Replays: 1, AttemptCount: 2 });
  });

  test('a range is counted before it is replayed, and only what failed is sent again', async () => {
    const h = await room();
    const r = await service(inTurn(answer(200), answer(500), answer(500), answer(200)));
    await h.plugin(go({ Url: r.url }));
    await h.run('go');
    await refusal(h.run('go'));
    await refusal(h.run('go'));
    expect(await h.callbacks.deliveries.preview({ action: 'go' })).toMatchObject({
      Count: 2,
      Machines: 1,
      Callbacks: { 'callback/go': 2 },
    });
    expect(await h.callbacks.deliveries.replayRange({ action: 'go' }, ORIGIN)).toBe(2);
    await h.until((rows) => rows.every((row) => row.State === 'ok'));
    expect(r.requests).toHaveLength(5);
  });

  test('an unknown delivery is not found, an unfinished one cannot be replayed, a finished one not cancelled', async () => {
    const h = await room();
    const r = await service(answer(200));
    await h.plugin(go({ Url: r.url }));
    await h.run('go');
    const id = h.rows()[0]?.Id ?? '';
    const { deliveries } = h.callbacks;
    expect((await refusal(deliveries.replay('none', ORIGIN))).code).toBe('not-found');
    expect((await refusal(deliveries.cancel('none', ORIGIN))).code).toBe('not-found');
    expect((await refusal(deliveries.cancel(id, ORIGIN))).code).toBe('conflict');
    expect(deliveries.get(id)).toMatchObject({ Id: id, Machine: MACHINE, Plugin: 'callback', Trigger: 'callbackDo' });
  });

  test('metrics and counts follow', async () => {
    const h = await room();
    const r = await service(inTurn(answer(200), answer(500)));
    await h.plugin(go({ Url: r.url }));
    await h.run('go');
    await refusal(h.run('go'));
    expect(h.callbacks.counts()).toMatchObject({ ok: 1, failed: 1, waiting: 0, sending: 0 });
    expect(h.callbacks.metrics()).toContain('proviso_callback_attempts_total{state="failed",answer="5xx"} 1\n');
    expect(h.callbacks.metrics()).toContain('proviso_callback_deliveries{state="ok"} 1\n');
  });
});

test('an attempt that ends before anything is sent is counted too', async () => {
  const h = await room();
  await h.plugin(go({ Url: 'http://h/{{.ParseUrl "host" "http://a b"}}' }));
  await refusal(h.run('go'));
  expect(h.callbacks.metrics()).toContain('proviso_callback_attempts_total{state="failed",answer="none"} 1\n');
});

test('a dry run shows the request and sends nothing', async () => {
  const h = await room();
  const r = await service(answer(200, { token: 't' }));
  const auths = {
    t: { AuthType: 'json-token', Url: `${r.url}/token`, TokenField: 'token' },
    x: { AuthType: 'exec', Path: '/does/not/exist' },
  };
  await h.plugin(
    go({ Url: `${r.url}/{{.GetAuthString "x"}}`, Auths: ['t'], Method: 'PUT' }, { 'callback/auths': auths }),
  );
  const shown = await h.callbacks.dryRun({
    machine: MACHINE,
    plugin: 'callback',
    action: 'go',
    override: { value: 'o' },
    mayDecode: true,
  });
  expect(shown).toMatchObject({
    Method: 'PUT',
    Url: `${r.url}/***`,
    Headers: { Authorization: '***', 'X-Delivery-Attempt': '1' },
    Body: '"o"',
    Auth: 't',
  });
  expect(r.requests).toEqual([]);
  expect(h.rows()).toEqual([]);
});
