/** Callbacks caused by events: the outbox, order, fairness, recovery. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { memoryDatabase } from '../store/index.ts';
import { attemptStarted, DELIVERIES, deliveryOf, newDelivery } from './records.ts';
import { FakeClock } from './testing/fake-clock.ts';
import { harness, MACHINE, ORIGIN } from './testing/harness.ts';
import { answer, inTurn, type Received } from './testing/receiver.ts';
import { closeAfterEach, room, service } from './testing/rooms.ts';

closeAfterEach();

const jobfail = (Url: string, fields: object = {}) => ({ 'callback/callbacks': { jobfail: { Url, ...fields } } });
const machineOf = (request: Received): string => (JSON.parse(request.body) as { Uuid: string }).Uuid;
const allOk = (rows: readonly { State: string }[]): boolean =>
  rows.length > 0 && rows.every((row) => row.State === 'ok');

describe('jobfail', () => {
  test('sends the machine once per failure', async () => {
    const h = await room();
    const r = await service(answer(200));
    await h.plugin(jobfail(r.url));
    await h.failJob();
    await h.until(allOk);
    expect(r.requests.map(machineOf)).toEqual([MACHINE]);
    expect(h.rows()[0]).toMatchObject({ Machine: MACHINE, Action: 'jobfail', Trigger: 'jobfail', AttemptCount: 1 });
    expect(h.rows()[0]?.Job).toBe(h.store.get('machines', MACHINE)?.value['CurrentJob']);
  });

  test('fires for every instance that has it, and for none that has not', async () => {
    const h = await room();
    const r = await service(answer(200));
    await h.plugin(jobfail(`${r.url}/one`), 'one');
    await h.plugin(jobfail(`${r.url}/two`), 'two');
    await h.plugin({ 'callback/callbacks': { complete: { Url: r.url } } }, 'three');
    await h.failJob();
    await h.until((rows) => rows.length === 2 && allOk(rows));
    expect(r.requests.map(({ url }) => url)).toEqual(['/one', '/two']);
  });

  test.each([
    ['a job that is not the current one', 'running', 'failed', false],
    ['a job that was finished', 'finished', 'failed', true],
    ['a later write of a failed job', 'failed', 'failed', true],
    ['a job that runs', 'created', 'running', true],
  ])('does not fire for %s', async (_name, before, after, current) => {
    const h = await room();
    await h.plugin(jobfail('http://127.0.0.1:1'));
    const Uuid = randomUUID();
    await h.store.transact(ORIGIN, (tx) => {
      tx.put('machines', MACHINE, { Uuid: MACHINE, CurrentJob: current ? Uuid : randomUUID() });
      const job = { Uuid, Machine: MACHINE };
      h.callbacks.onJobChange(tx, { ...job, State: before }, { ...job, State: after });
    });
    expect(h.rows()).toEqual([]);
  });

  test('is written with the change or not at all', async () => {
    const h = await room();
    const r = await service(answer(200));
    await h.plugin(jobfail(r.url));
    const Uuid = randomUUID();
    const refused = h.store.transact(ORIGIN, (tx) => {
      tx.put('machines', MACHINE, { Uuid: MACHINE, CurrentJob: Uuid });
      h.callbacks.onJobChange(tx, undefined, { Uuid, Machine: MACHINE, State: 'failed' });
      throw new Error('the job cannot be written');
    });
    await expect(refused).rejects.toThrow('the job cannot be written');
    await h.failJob();
    await h.until(allOk);
    expect(r.requests).toHaveLength(1);
  });

  test('waits while its plugin is not available, and goes out when it is', async () => {
    const h = await room();
    const r = await service(answer(200));
    await h.plugin(jobfail(r.url), 'callback', false);
    await h.failJob();
    await h.until(([row]) => row?.State === 'held');
    expect(h.rows()[0]?.Error).toContain('not available');
    await new Promise((resolve) => setImmediate(resolve));
    expect(h.callbacks.counts().held).toBe(1);
    await h.plugin(jobfail(r.url));
    await h.until(allOk);
  });

  test('ends when its callback was taken out of the configuration', async () => {
    const h = await room();
    await h.plugin(jobfail('http://127.0.0.1:1'), 'callback', false);
    await h.failJob();
    await h.until(([row]) => row?.State === 'held');
    await h.plugin({});
    await h.until(([row]) => row?.State === 'failed');
    expect(h.rows()[0]?.Error).toBe('Action jobfail is not in callback/callbacks of plugin callback: it has none');
  });
});

describe('order', () => {
  test('is kept per machine, also over retries, while other machines go ahead', async () => {
    const clock = new FakeClock();
    const h = await room({ clock });
    const other = randomUUID();
    await h.machine(other);
    const r = await service(inTurn(answer(500), answer(200)));
    await h.plugin(jobfail(r.url, { Retry: 1, Delay: 60 }));
    await h.failJob();
    await r.received(1);
    await h.failJob();
    await h.failJob(other);
    await r.received(2);
    await clock.timerOf(60_000);
    expect(r.requests.map(machineOf)).toEqual([MACHINE, other]);
    clock.advance(60_000);
    await h.until(allOk);
    const ids = h.rows().map((row) => row.Id);
    expect(r.requests.map(({ headers }) => headers['x-delivery-id'])).toEqual([ids[0], ids[2], ids[0], ids[1]]);
  });

  test('of ids is that of creation when the clock goes backwards', async () => {
    const clock = new FakeClock();
    const h = await room({ clock });
    await h.plugin(jobfail('http://127.0.0.1:1'), 'callback', false);
    await h.failJob();
    clock.jump(-3_600_000);
    await h.failJob();
    const jobs = h.rows().map((row) => row.Job);
    expect(jobs[1]).toBe(h.store.get('machines', MACHINE)?.value['CurrentJob']);
  });

  test('a destination that hangs does not hold up the others', async () => {
    const h = await room({ settings: { concurrency: 4, perDestination: 2 } });
    const slow = await service(() => undefined);
    const quick = await service(answer(200));
    await h.plugin(jobfail(slow.url), 'a-slow');
    await h.plugin(jobfail(quick.url), 'b-quick');
    const machines = Array.from({ length: 6 }, () => randomUUID());
    for (const machine of machines) await h.machine(machine);
    // The slow ones come first in every lane of their own machines; other machines have only the quick one.
    for (const machine of machines.slice(0, 3)) await h.failJob(machine);
    await slow.received(2);
    await h.plugin({}, 'a-slow-2');
    await h.store.transact(ORIGIN, (tx) => {
      for (const machine of machines.slice(3)) {
        const wanted = { machine, plugin: 'b-quick', action: 'jobfail', trigger: 'jobfail' } as const;
        const id = `ffffffff-ffff-7000-8000-${machine.slice(24)}`;
        tx.put(DELIVERIES, id, newDelivery({ ...wanted, id, time: new Date().toISOString() }));
      }
    });
    await h.until((rows) => rows.filter((row) => row.State === 'ok').length === 3);
    expect(slow.requests).toHaveLength(2);
  });
});

describe('recovery', () => {
  test('takes up what was under way under the same id with the next attempt, once', async () => {
    const database = memoryDatabase();
    const first = await harness({ database });
    const r = await service(answer(200));
    await first.plugin(jobfail(r.url), 'callback', false);
    await first.failJob();
    await first.until(([row]) => row?.State === 'held');
    const [row] = first.rows();
    if (!row) throw new Error('no row');
    // As a process leaves it that is killed in the middle of an attempt.
    await first.store.transact(ORIGIN, (tx) => {
      const waiting = { ...row, State: 'waiting' as const };
      tx.put(DELIVERIES, row.Id, attemptStarted(waiting, new Date().toISOString()));
    });
    await first.plugin(jobfail(r.url));
    await first.store.close();

    const second = await room({ database });
    await second.until(allOk);
    expect(r.requests.map(({ headers }) => [headers['x-delivery-id'], headers['x-delivery-attempt']])).toEqual([
      [row.Id, '2'],
    ]);
    expect(second.rows()[0]?.Attempts).toMatchObject([
      { Attempt: 1, State: 'interrupted', Error: expect.stringContaining('may have arrived') },
      { Attempt: 2, State: 'ok' },
    ]);
  });

  test('a process that ends without a word leaves its attempts to the next one', async () => {
    const database = memoryDatabase();
    const first = await harness({ database });
    const hanging = await service(() => undefined);
    await first.plugin(jobfail(hanging.url, { Retry: 1, Delay: 5 }));
    await first.failJob();
    await hanging.received(1);
    const [id] = first.rows().map((row) => row.Id);
    expect(first.callbacks.deliveries.get(id ?? '')).toMatchObject({
      State: 'sending',
      Attempts: [{ State: 'sending' }],
    });
    await first.store.close();

    const second = await room({ database });
    await hanging.received(2);
    expect(hanging.requests.map(({ headers }) => [headers['x-delivery-id'], headers['x-delivery-attempt']])).toEqual([
      [id, '1'],
      [id, '2'],
    ]);
    await second.callbacks.deliveries.cancel(id ?? '', ORIGIN);
    expect(second.rows()[0]).toMatchObject({
      State: 'cancelled',
      Attempts: [
        { Attempt: 1, State: 'interrupted' },
        { Attempt: 2, State: 'cancelled' },
      ],
    });
    expect([...second.store.entries('delivery_claims')]).toEqual([]);
    await first.callbacks.stop(0);
  });

  test('what was cancelled before the start goes out when it is replayed', async () => {
    const r = await service(answer(200));
    const h = await room({ start: false });
    await h.plugin(jobfail(r.url));
    await h.failJob();
    const [row] = h.rows();
    await h.callbacks.deliveries.cancel(row?.Id ?? '', ORIGIN);
    await h.callbacks.start();
    await h.callbacks.deliveries.replay(row?.Id ?? '', ORIGIN);
    await h.until(allOk);
    expect(r.requests.map(({ headers }) => headers['x-delivery-id'])).toEqual([row?.Id]);
  });

  test('a stop in the middle of an attempt leaves it to the next start', async () => {
    const database = memoryDatabase();
    const first = await harness({ database });
    const r = await service((request, response, n) => (n === 0 ? undefined : answer(200)(request, response, n)));
    await first.plugin({ 'callback/callbacks': { go: { Url: r.url } } });
    const call = first.run('go').catch((error: unknown) => error);
    await r.received(1);
    await first.stop();
    expect(await call).toMatchObject({ code: 'service-unavailable' });

    const second = await room({ database });
    await second.until(allOk);
    expect(r.requests.map(({ headers }) => headers['x-delivery-attempt'])).toEqual(['1', '2']);
    expect(second.rows()[0]?.Attempts[0]).toMatchObject({ State: 'interrupted' });
  });

  test('a stop lets attempts under way finish when there is time', async () => {
    const h = await harness();
    let finish = (): void => undefined;
    const r = await service((request, response, n) => {
      finish = () => answer(200, 'late')(request, response, n);
    });
    await h.plugin({ 'callback/callbacks': { go: { Url: r.url, StringResponse: true } } });
    const call = h.run('go');
    await r.received(1);
    const stopped = h.callbacks.stop(10_000);
    finish();
    expect(await call).toBe('late');
    await stopped;
    await h.store.close();
  });

  test('ten thousand that wait are all delivered, each once, from a restart', async () => {
    const database = memoryDatabase();
    const first = await harness({ database });
    const r = await service(answer(200));
    await first.plugin(jobfail(r.url, { NoBody: true }));
    await first.callbacks.stop(0);
    const count = 10_000;
    await first.store.transact(ORIGIN, (tx) => {
      for (let i = 0; i < count; i++) {
        const id = `00000000-0000-7000-8000-${String(i).padStart(12, '0')}`;
        const machine = `machine-${i % 500}`;
        if (i < 500) tx.put('machines', machine, { Uuid: machine, Params: {} });
        const wanted = { id, machine, plugin: 'callback', action: 'jobfail', trigger: 'jobfail' } as const;
        tx.put(DELIVERIES, id, newDelivery({ ...wanted, time: new Date().toISOString() }));
      }
    });
    await first.store.close();

    const second = await room({ database });
    await r.received(count);
    await second.until((rows) => rows.every((row) => row.State === 'ok'));
    expect(new Set(r.requests.map(({ headers }) => headers['x-delivery-id'])).size).toBe(count);
    expect(r.requests).toHaveLength(count);
  }, 60_000);
});

test('in safe mode events wait and actions do not', async () => {
  const h = await room();
  const r = await service(answer(200));
  await h.plugin({ 'callback/callbacks': { jobfail: { Url: `${r.url}/event` }, go: { Url: `${r.url}/action` } } });
  h.callbacks.hold(true);
  await h.failJob();
  await h.run('go');
  expect(r.requests.map(({ url }) => url)).toEqual(['/action']);
  h.callbacks.hold(false);
  await h.until(allOk);
});

test('old deliveries go, unfinished ones stay', async () => {
  const clock = new FakeClock();
  const h = await room({ clock, settings: { retentionCount: 3, retentionMs: 3_600_000 } });
  const r = await service(answer(200));
  await h.plugin({ 'callback/callbacks': { go: { Url: r.url } } });
  await h.plugin(jobfail(r.url), 'off', false);
  await h.failJob();
  await h.until(([row]) => row?.State === 'held');
  for (let i = 0; i < 5; i++) await h.run('go');
  clock.advance(10 * 60_000);
  await h.until((rows) => rows.length === 3);
  expect(h.rows().map((row) => row.State)).toEqual(['held', 'ok', 'ok']);
  await new Promise((resolve) => setImmediate(resolve));
  clock.jump(2 * 3_600_000);
  clock.advance(10 * 60_000);
  await h.until((rows) => rows.length === 1);
  expect(deliveryOf([...h.store.entries(DELIVERIES)][0]?.value ?? {}).State).toBe('held');
});
