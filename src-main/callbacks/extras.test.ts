/** Backoff, circuit breaker, signatures and egress rules: off unless `callback/delivery` turns them on. */
import { createHmac, randomUUID } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../kit/json.ts';
import { parseRule } from './egress.ts';
import { FakeClock } from './testing/fake-clock.ts';
import { go, ORIGIN } from './testing/harness.ts';
import { answer, inTurn, type Received } from './testing/receiver.ts';
import { closeAfterEach, refusal, room, service } from './testing/rooms.ts';

closeAfterEach();

const delivery = (extras: JsonObject): JsonObject => ({ 'callback/delivery': extras });

test('waits grow with backoff', async () => {
  const clock = new FakeClock();
  const h = await room({ clock });
  const r = await service(inTurn(answer(500), answer(500), answer(500), answer(200)));
  await h.plugin(go({ Url: r.url, Retry: 3, Delay: 2 }, delivery({ Backoff: { Factor: 3, MaxSeconds: 10 } })));
  const call = h.run('go');
  for (const ms of [2_000, 6_000, 10_000]) {
    await clock.timerOf(ms);
    clock.advance(ms);
  }
  await call;
  expect(r.requests).toHaveLength(4);
});

test('one attempt may have a time limit of its own, and is retried', async () => {
  const clock = new FakeClock();
  const h = await room({ clock });
  const r = await service((request, response, n) => {
    if (n === 0) setImmediate(() => clock.advance(1_000));
    else answer(200, 'ok')(request, response, n);
  });
  await h.plugin(go({ Url: r.url, Retry: 1, StringResponse: true }, delivery({ AttemptTimeout: 1 })));
  expect(await h.run('go')).toBe('ok');
  expect(h.rows()[0]?.Attempts[0]).toMatchObject({ State: 'failed', Error: expect.stringContaining('AttemptTimeout') });
});

describe('circuit breaker', () => {
  const breaker = delivery({ Breaker: { Failures: 2, CooldownSeconds: 30 } });

  test('trips, refuses actions, holds events, lets one through after the cool-down, and recovers', async () => {
    const clock = new FakeClock();
    const h = await room({ clock });
    const r = await service(inTurn(answer(500), answer(503), answer(500), answer(200)));
    const callbacks = { go: { Url: r.url }, jobfail: { Url: r.url } };
    await h.plugin({ 'callback/callbacks': callbacks, ...breaker });
    await refusal(h.run('go'));
    await refusal(h.run('go'));
    expect((await refusal(h.run('go'))).messages[0]).toContain('circuit breaker');
    expect(r.requests).toHaveLength(2);
    expect(h.events).toMatchObject([{ Type: 'callbacks', Action: 'breaker-open', Key: r.url }]);

    const machines = [randomUUID(), randomUUID(), randomUUID()];
    for (const machine of machines) {
      await h.machine(machine);
      await h.failJob(machine);
    }
    await h.until((rows) => rows.filter((row) => row.State === 'held').length === 3);
    clock.advance(30_000);
    await h.until((rows) => rows.filter((row) => row.State === 'failed').length === 4);
    expect(r.requests).toHaveLength(3);
    clock.advance(30_000);
    await h.until((rows) => rows.filter((row) => row.State === 'ok').length === 2);
    expect(h.events.map(({ Action }) => Action)).toEqual(['breaker-open', 'breaker-closed']);
  });

  /** Two events on two machines, held by the open breaker of a service that answers with 500 once. */
  const tripped = async (name = 'callback') => {
    const clock = new FakeClock();
    const h = await room({ clock });
    const r = await service(inTurn(answer(500), answer(200)));
    const callbacks = (url: string): JsonObject => ({
      'callback/callbacks': { go: { Url: url }, jobfail: { Url: url } },
      ...delivery({ Breaker: { Failures: 1, CooldownSeconds: 30 } }),
    });
    await h.plugin(callbacks(r.url), name);
    await refusal(h.run('go', {}, name));
    const machines = ['machine-1', 'machine-2'];
    for (const machine of machines) await h.machine(machine);
    for (const machine of machines) await h.failJob(machine);
    await h.until((rows) => rows.filter((row) => row.State === 'held').length === 2);
    const states = (): string[] => h.rows().flatMap((row) => (row.Trigger === 'jobfail' ? row.State : []));
    return { clock, h, r, callbacks, states };
  };

  test('a new address ends the wait for the old one', async () => {
    const { h, r, callbacks, states } = await tripped();
    const other = await service(answer(200));
    await h.plugin(callbacks(other.url));
    await h.until(() => states().every((state) => state === 'ok'));
    expect([r.requests.length, other.requests.length]).toEqual([1, 2]);
  });

  test('egress rules that came meanwhile hold for what waits', async () => {
    const { h, r, callbacks, states } = await tripped();
    const Egress = { Deny: ['127.0.0.0/8'] };
    await h.plugin({ ...callbacks(r.url), ...delivery({ Egress }) });
    await h.until(() => states().every((state) => state === 'failed'));
    expect(r.requests).toHaveLength(1);
    expect(h.rows().at(-1)?.Error).toContain('Egress Deny rule');
  });

  test('what waits ends with its plugin', async () => {
    const { h, states } = await tripped();
    await h.store.transact(ORIGIN, (tx) => tx.remove('plugins', 'callback'));
    await h.until(() => states().every((state) => state === 'failed'));
    expect(h.rows().at(-1)?.Error).toBe('plugin callback does not exist');
  });

  test('what lost its machine is not sent, and leaves its chance to the next', async () => {
    const { clock, h, r, states } = await tripped();
    await h.store.transact(ORIGIN, (tx) => tx.remove('machines', 'machine-1'));
    clock.advance(30_000);
    await h.until(() => states().join() === 'failed,ok');
    expect(h.rows()[1]?.Error).toBe('machine machine-1 does not exist any more');
    expect(r.requests).toHaveLength(2);
  });

  test('what is cancelled with a chance in its hand leaves it to the next', async () => {
    const { clock, h, states } = await tripped();
    h.callbacks.hold(true);
    clock.advance(30_000);
    await h.callbacks.deliveries.cancel(h.rows()[1]?.Id ?? '', ORIGIN);
    h.callbacks.hold(false);
    await h.until(() => states().join() === 'cancelled,ok');
  });

  test('its news name plugin and destination, whatever the plugin is called', async () => {
    const { h, r } = await tripped('my own plugin');
    expect(h.events).toMatchObject([{ Key: r.url, Object: { Plugin: 'my own plugin', Destination: r.url } }]);
  });

  test('a refusal of the service is no sign of illness', async () => {
    const h = await room();
    const r = await service(answer(404));
    await h.plugin(go({ Url: r.url }, breaker));
    for (let i = 0; i < 4; i++) await refusal(h.run('go'));
    expect(r.requests).toHaveLength(4);
  });
});

test('requests are signed with every active secret', async () => {
  const h = await room();
  const r = await service(answer(200));
  const keys = [Buffer.alloc(24, 1), Buffer.alloc(32, 2)];
  const Secrets = keys.map((key) => `whsec_${key.toString('base64')}`);
  await h.plugin(go({ Url: r.url }, delivery({ Signing: { Secrets } })));
  await h.run('go');
  const { headers, body } = r.requests[0] as Received;
  expect(headers['webhook-id']).toBe(headers['x-delivery-id']);
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const expected = keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  expect(headers['webhook-signature']).toBe(expected.join(' '));
  expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60);
});

describe('egress rules', () => {
  const resolving =
    (...addresses: string[]): LookupFunction =>
    (_host, options, callback) => {
      const all = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      if (options.all) callback(null, all);
      else callback(null, all[0]?.address ?? '', 4);
    };
  const egress = (rules: JsonObject): JsonObject => delivery({ Egress: rules });

  test.each([
    ['the address it resolves to', { Deny: ['127.0.0.0/8'] }, '"127.0.0.0/8" refuses inner.example (127.0.0.1)'],
    ['its name', { Deny: ['*.example'] }, '"*.example" refuses inner.example'],
    [
      'not being allowed',
      { Allow: ['10.0.0.0/8', 'other.example'] },
      '("10.0.0.0/8", "other.example") covers inner.example',
    ],
  ])('a host is refused by %s, and the refusal names the rule', async (_name, rules, message) => {
    const h = await room({ lookup: resolving('127.0.0.1') });
    const r = await service(answer(200));
    await h.plugin(go({ Url: `http://inner.example:${r.port}/`, Retry: 3 }, egress(rules)));
    expect((await refusal(h.run('go'))).messages[0]).toContain(message);
    expect(r.requests).toEqual([]);
    expect(h.rows()[0]?.AttemptCount).toBe(1);
  });

  test.each([
    ['its network', { Allow: ['127.0.0.0/8'] }],
    ['its name', { Allow: ['inner.example'] }],
    ['another of its addresses', { Deny: ['::1'] }],
  ])('a host is reached because of %s', async (_name, rules) => {
    const h = await room({ lookup: resolving('::1', '127.0.0.1') });
    const r = await service(answer(200));
    await h.plugin(go({ Url: `http://inner.example:${r.port}/` }, egress(rules)));
    await h.run('go');
  });

  test.each([
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '[::ffff:127.0.0.1]',
    '[::1]',
    'localhost',
    '0.0.0.0',
    '0',
    '[::]',
    '[::ffff:0:0]',
  ])('the loopback as %s is refused', async (host) => {
    const h = await room();
    const r = await service(answer(200));
    await h.plugin(go({ Url: `http://${host}:${r.port}/` }, egress({ Deny: ['127.0.0.0/8', '::1'] })));
    expect((await refusal(h.run('go'))).messages[0]).toContain('Egress Deny rule');
    expect(r.requests).toEqual([]);
  });

  test.each([
    ['127.0.0.0/8', '0.0.0.0', true],
    ['127.0.0.0/8', '::ffff:7f00:1', true],
    ['127.0.0.0/8', '::ffff:127.0.0.1', true],
    ['127.0.0.0/8', '::', true],
    ['::1', '::', true],
    ['10.0.0.0/8', '64:ff9b::a00:1', true],
    ['10.0.0.0/8', '64:ff9b::10.0.0.1', true],
    ['::ffff:10.0.0.0/104', '10.1.2.3', true],
    ['fe80::/10', 'fe80::1%eth0', true],
    ['127.0.0.0/8', '0.0.0.1', false],
    ['10.0.0.0/8', '2001:db8::a00:1', false],
    ['::1', '127.0.0.1', false],
  ])('the network %s and the address %s: %s', (rule, address, covered) => {
    expect(parseRule(rule)?.matches(address, address)).toBe(covered);
  });

  test('a redirect does not lead around them', async () => {
    const h = await room({ lookup: resolving('127.0.0.1') });
    const inner = await service(answer(200));
    const r = await service(answer(307, '', { location: `http://inner.example:${inner.port}/` }));
    await h.plugin(go({ Url: r.url }, egress({ Deny: ['inner.example'] })));
    expect((await refusal(h.run('go'))).messages[0]).toContain('"inner.example"');
  });

  test('a proxy does not lead around them', async () => {
    const h = await room({ lookup: resolving('10.1.2.3') });
    const proxy = await service(answer(200));
    const rules = { ...egress({ Deny: ['10.0.0.0/8'] }), 'callback/proxy': proxy.url };
    await h.plugin(go({ Url: 'http://inner.example/' }, rules));
    expect((await refusal(h.run('go'))).messages[0]).toContain('"10.0.0.0/8" refuses inner.example (10.1.2.3)');
    expect(proxy.requests).toEqual([]);
  });

  test('token services are under the same rules', async () => {
    const h = await room();
    const tokens = await service(answer(200, { t: 'x' }));
    const auths = { a: { AuthType: 'json-token', Url: tokens.url, TokenField: 't' } };
    await h.plugin(go({ Url: tokens.url, Auth: 'a' }, { 'callback/auths': auths, ...egress({ Deny: ['127.0.0.1'] }) }));
    expect((await refusal(h.run('go'))).messages[0]).toContain('Egress Deny rule');
    expect(tokens.requests).toEqual([]);
  });
});
