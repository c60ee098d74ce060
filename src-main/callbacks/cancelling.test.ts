import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../kit/json.ts';
import { FakeClock } from './testing/fake-clock.ts';
import { go, type Harness, MACHINE, ORIGIN } from './testing/harness.ts';
import { answer } from './testing/receiver.ts';
import { closeAfterEach, refusal, room, service } from './testing/rooms.ts';

closeAfterEach();

describe('a mistake of ours ends the delivery with a sentence, once', () => {
  /** Reading its params throws. */
  const broken = Object.defineProperty({}, 'x', {
    enumerable: true,
    get: () => {
      throw new Error('out of order');
    },
  }) as JsonObject;
  /** The client library takes no such address; validation keeps it out as a rule. */
  const proxy = { 'callback/proxy': 'http://127.0.0.1:1/path' };

  test.each<[string, JsonObject, number, RegExp]>([
    ['before an attempt', {}, 0, /^unexpected error: out of order$/],
    ['during one', proxy, 1, /^unexpected error: invalid url$/],
  ])('%s', async (_name, extra, attempts, sentence) => {
    const h = await room({ aggregated: broken });
    const callback = { Url: 'http://h/', Aggregate: attempts === 0, Retry: 3 };
    await h.plugin({ 'callback/callbacks': { go: callback, jobfail: callback }, ...extra });
    const problem = await refusal(h.run('go'));
    expect([problem.status, problem.messages[0]]).toEqual([500, expect.stringMatching(sentence)]);
    await h.failJob();
    await h.until((rows) => rows.every((row) => row.State === 'failed'));
    expect(h.rows()).toMatchObject([{ AttemptCount: attempts }, { AttemptCount: attempts }]);
    expect(h.rows()[1]?.Error).toMatch(sentence);
    if (attempts > 0) expect(h.rows()[1]?.Attempts).toMatchObject([{ State: 'failed', Error: h.rows()[1]?.Error }]);
    // Counted as soon as the commit is.
    await new Promise((resolve) => setImmediate(resolve));
    expect(h.callbacks.counts()).toMatchObject({ waiting: 0, sending: 0, failed: 2 });
  });
});

describe('cancelling', () => {
  test('ends an attempt under way', async () => {
    const h = await room();
    const r = await service(() => undefined);
    await h.plugin(go({ Url: r.url }));
    const call = refusal(h.run('go'));
    await r.received(1);
    const id = h.rows()[0]?.Id ?? '';
    expect(await h.callbacks.deliveries.cancel(id, ORIGIN)).toMatchObject({
      State: 'cancelled',
      Attempts: [{ State: 'cancelled' }],
    });
    expect(await call).toMatchObject({ status: 409 });
  });

  test('takes a waiting delivery out of its lane', async () => {
    const h = await room();
    const r = await service(() => undefined);
    await h.plugin({ 'callback/callbacks': { jobfail: { Url: r.url } } });
    await h.failJob();
    await h.failJob();
    await r.received(1);
    const [first, second] = h.rows();
    await h.callbacks.deliveries.cancel(second?.Id ?? '', ORIGIN);
    await h.callbacks.deliveries.cancel(first?.Id ?? '', ORIGIN);
    expect(h.rows().map(({ State, AttemptCount }) => [State, AttemptCount])).toEqual([
      ['cancelled', 1],
      ['cancelled', 0],
    ]);
    expect(h.callbacks.counts()).toMatchObject({ waiting: 0, sending: 0, cancelled: 2 });
  });
});

describe('cancelling what waits', () => {
  test('for its retry ends it at once', async () => {
    const h = await room();
    const r = await service(answer(500));
    await h.plugin({ 'callback/callbacks': { jobfail: { Url: r.url, Retry: 5, Delay: 3600 } } });
    await h.failJob();
    await h.failJob();
    await h.until(([row]) => row?.NextAttempt !== '');
    const [first, second] = h.rows();
    await h.callbacks.deliveries.cancel(first?.Id ?? '', ORIGIN);
    // The lane of the machine is open again.
    await h.until((rows) => rows[1]?.AttemptCount === 1);
    expect(h.rows()[0]).toMatchObject({ State: 'cancelled', AttemptCount: 1, NextAttempt: '' });
    expect(r.requests.map(({ headers }) => headers['x-delivery-id'])).toEqual([first?.Id, second?.Id]);
  });

  test('for its plugin ends it at once', async () => {
    const h = await room();
    await h.plugin({ 'callback/callbacks': { jobfail: { Url: 'http://127.0.0.1:1/' } } }, 'callback', false);
    await h.failJob();
    await h.until(([row]) => row?.State === 'held');
    await h.callbacks.deliveries.cancel(h.rows()[0]?.Id ?? '', ORIGIN);
    expect(h.rows()[0]).toMatchObject({ State: 'cancelled', AttemptCount: 0 });
  });
});

describe('a retry that waits for a place', () => {
  /** Its Delay has passed, and there is none: in safe mode as when all of them are taken. */
  const stuck = async (): Promise<{ h: Harness; clock: FakeClock; id: string }> => {
    const clock = new FakeClock();
    const h = await room({ clock });
    const r = await service(answer(500));
    await h.plugin({ 'callback/callbacks': { jobfail: { Url: r.url, Retry: 5, Delay: 60, Timeout: 100 } } });
    await h.failJob();
    await h.failJob();
    await clock.timerOf(60_000);
    h.callbacks.hold(true);
    clock.advance(60_000);
    await new Promise((resolve) => setImmediate(resolve));
    return { h, clock, id: h.rows()[0]?.Id ?? '' };
  };

  test('is cancelled at once, and the next of its machine has its turn', async () => {
    const { h, id } = await stuck();
    expect(await h.callbacks.deliveries.cancel(id, ORIGIN)).toMatchObject({ State: 'cancelled', AttemptCount: 1 });
    h.callbacks.hold(false);
    await h.until((rows) => rows[1]?.AttemptCount === 1);
  });

  test('ends at its Timeout', async () => {
    const { h, clock } = await stuck();
    clock.advance(40_000);
    await h.until(([row]) => row?.State === 'failed');
    expect(h.rows()[0]?.Error).toContain('Timeout of 100 s');
  });

  test('does not keep the service from stopping', async () => {
    const { h } = await stuck();
    await h.callbacks.stop(0);
    expect(h.rows()[0]).toMatchObject({ State: 'waiting', AttemptCount: 1 });
  });
});

describe('while deliveries wait', () => {
  test('for a retry, a new address is used for it', async () => {
    const clock = new FakeClock();
    const h = await room({ clock });
    const [old, young] = [await service(answer(500)), await service(answer(200))];
    const jobfail = (Url: string): JsonObject => ({ 'callback/callbacks': { jobfail: { Url, Retry: 1, Delay: 60 } } });
    await h.plugin(jobfail(old.url));
    await h.failJob();
    await clock.timerOf(60_000);
    await h.plugin(jobfail(young.url));
    clock.advance(60_000);
    await h.until(([row]) => row?.State === 'ok');
    expect([old.requests.length, young.requests.length]).toEqual([1, 1]);
  });

  test.each([
    [
      'the plugin',
      (h: Harness) => h.store.transact(ORIGIN, (tx) => tx.remove('plugins', 'callback')),
      'plugin callback does not exist',
    ],
    [
      'the machine',
      (h: Harness) => h.store.transact(ORIGIN, (tx) => tx.remove('machines', MACHINE)),
      `machine ${MACHINE} does not exist any more`,
    ],
  ])('and %s goes, they end with a sentence', async (_name, remove, sentence) => {
    const clock = new FakeClock();
    const h = await room({ clock });
    const r = await service(answer(500));
    await h.plugin({ 'callback/callbacks': { jobfail: { Url: r.url, Retry: 1, Delay: 60 } } });
    await h.failJob();
    await h.failJob();
    await clock.timerOf(60_000);
    await remove(h);
    clock.advance(60_000);
    await h.until((rows) => rows.every(({ State }) => State === 'failed'));
    expect(h.rows().map((row) => row.Error)).toEqual([sentence, sentence]);
    expect(r.requests).toHaveLength(1);
  });
});

test('a machine that is gone ends its delivery with a sentence', async () => {
  const h = await room();
  await h.plugin(go({ Url: 'http://127.0.0.1:1/' }));
  await h.store.transact(ORIGIN, (tx) => tx.remove('machines', MACHINE));
  expect((await refusal(h.run('go'))).messages[0]).toBe(`machine ${MACHINE} does not exist any more`);
});
