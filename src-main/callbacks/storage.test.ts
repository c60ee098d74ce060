/** What happens to deliveries when the store refuses to write. */
import { expect, test } from 'vitest';
import { memoryDatabase, memoryDriver, openStore, type Store, StoreError } from '../store/index.ts';
import { FakeClock } from './testing/fake-clock.ts';
import { answer } from './testing/receiver.ts';
import { closeAfterEach, refusal, room, service } from './testing/rooms.ts';

closeAfterEach();

/** A store whose commits by this room fail while `full` is set. */
async function fillable(): Promise<{ store: Store; full: boolean }> {
  const real = await openStore({ driver: memoryDriver(memoryDatabase()) });
  const state = { store: real, full: false };
  state.store = new Proxy(real, {
    get(target, name) {
      if (name === 'transact') {
        return (...args: Parameters<Store['transact']>) =>
          state.full && args[0].actor === 'callbacks'
            ? Promise.reject(new StoreError('disk-full', 'The disk is full.'))
            : target.transact(...args);
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return state;
}

test('an action whose start cannot be recorded is refused, and nothing is sent', async () => {
  const disk = await fillable();
  const h = await room({ store: disk.store });
  const r = await service(answer(200));
  await h.plugin({ 'callback/callbacks': { go: { Url: r.url } } });
  disk.full = true;
  expect(await refusal(h.run('go'))).toMatchObject({ code: 'storage-failed' });
  expect(r.requests).toEqual([]);
  disk.full = false;
});

test('an event whose start cannot be recorded waits until it can', async () => {
  const clock = new FakeClock();
  const disk = await fillable();
  const h = await room({ store: disk.store, clock });
  const r = await service(answer(200));
  await h.plugin({ 'callback/callbacks': { jobfail: { Url: r.url } } });
  disk.full = true;
  await h.failJob();
  await clock.timerOf(1_000);
  expect(r.requests).toEqual([]);
  disk.full = false;
  clock.advance(1_000);
  // The recorder pauses after a failure, too.
  await clock.timerOf(100);
  clock.advance(100);
  await h.until(([row]) => row?.State === 'ok');
  expect(r.requests.map(({ headers }) => headers['x-delivery-attempt'])).toEqual(['1']);
});

test('an outcome that cannot be recorded is recorded later, and nothing is sent twice', async () => {
  const clock = new FakeClock();
  const disk = await fillable();
  const h = await room({ store: disk.store, clock });
  const r = await service((request, response, n) => {
    disk.full = true;
    answer(200, 'ok')(request, response, n);
  });
  await h.plugin({ 'callback/callbacks': { go: { Url: r.url, StringResponse: true } } });
  const call = h.run('go');
  await clock.timerOf(100);
  disk.full = false;
  clock.advance(100);
  expect(await call).toBe('ok');
  expect(r.requests).toHaveLength(1);
  expect(h.rows()[0]).toMatchObject({ State: 'ok', AttemptCount: 1 });
});
