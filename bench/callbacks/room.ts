/** The callbacks room on a real database in a directory of its own, with machines of 4 KB. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Callbacks, createCallbacks, DEFAULT_SETTINGS, systemClock } from '../../src-main/callbacks/index.ts';
import { DELIVERIES, newDelivery, packed } from '../../src-main/callbacks/records.ts';
import { SILENT } from '../../src-main/kit/log.ts';
import { createSqliteDriver, openStore, type Store } from '../../src-main/store/index.ts';

const MACHINES = 2_000;
const ORIGIN = { actor: 'bench', requestId: '' };

const machineOf = (uuid: string) => ({
  Uuid: uuid,
  Name: 'bench.example.com',
  Address: '192.168.124.11',
  Meta: {},
  Params: { 'bench/filler': 'x'.repeat(3_900) },
});
const MACHINE = machineOf('00000000-0000-4000-8000-000000000000');

export interface BenchRoom {
  readonly callbacks: Callbacks;
  readonly store: Store;
  /** Puts deliveries into the outbox, as many events do, in commits of up to 500. Answers their ids. */
  enqueue(count: number): Promise<string[]>;
  /** Resolves when no delivery is unfinished. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

export interface RoomOptions {
  readonly url: string;
  readonly concurrency: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** False: deliveries stay where they are. */
  readonly start: boolean;
}

export async function benchRoom(options: RoomOptions): Promise<BenchRoom> {
  const dir = mkdtempSync(join(tmpdir(), 'proviso-bench-'));
  const store = await openStore({
    driver: createSqliteDriver({ path: join(dir, 'bench.db') }),
  });
  const params = {
    'callback/callbacks': { jobfail: { Url: options.url, ...(options.headers && { Headers: options.headers }) } },
  };
  const callbacks = createCallbacks({
    store,
    plugins: () => [{ Name: 'callback', Params: params, Available: true }],
    machine: () => MACHINE,
    machineParams: () => MACHINE.Params,
    isSecureParam: () => false,
    paramDefault: () => undefined,
    info: () => ({}),
    publishEvent: () => undefined,
    clock: systemClock,
    newId: randomUUID,
    random: Math.random,
    log: SILENT,
    settings: { ...DEFAULT_SETTINGS, concurrency: options.concurrency, perDestination: options.concurrency },
  });
  let wake = (): void => undefined;
  // Counts are brought up to date right after the commit has been announced.
  store.watch(() => queueMicrotask(() => queueMicrotask(() => wake())));
  if (options.start) await callbacks.start();
  let serial = 0;
  return {
    callbacks,
    store,
    async enqueue(count) {
      const ids: string[] = [];
      for (let left = count; left > 0; left -= 500) {
        await store.transact(ORIGIN, (tx) => {
          for (let i = 0; i < Math.min(left, 500); i++) {
            const id = `0190aaaa-0000-7000-8000-${String(serial).padStart(12, '0')}`;
            const machine = `00000000-0000-4000-8000-${String(serial++ % MACHINES).padStart(12, '0')}`;
            const wanted = { id, machine, plugin: 'callback', action: 'jobfail', trigger: 'jobfail' } as const;
            tx.put(DELIVERIES, id, packed(newDelivery({ ...wanted, time: new Date().toISOString() })));
            ids.push(id);
          }
        });
      }
      return ids;
    },
    idle: () =>
      new Promise((resolve) => {
        wake = () => {
          const { waiting, sending, held } = callbacks.counts();
          if (waiting + sending + held > 0) return;
          wake = () => undefined;
          resolve();
        };
        wake();
      }),
    async close() {
      await callbacks.stop(0);
      await store.close();
      rmSync(dir, { recursive: true });
    },
  };
}
