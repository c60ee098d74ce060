import { randomUUID } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import type { Delivery } from '../../contract/deliveries.ts';
import type { Json, JsonObject } from '../../kit/json.ts';
import { SILENT } from '../../kit/log.ts';
import { type MemoryDatabase, memoryDatabase, memoryDriver, openStore, type Store } from '../../store/index.ts';
import { type Callbacks, createCallbacks } from '../callbacks.ts';
import { systemClock } from '../clock.ts';
import { type CallbackEvent, type CallbackSettings, type Clock, DEFAULT_SETTINGS } from '../ports.ts';
import { DELIVERIES, deliveryOf } from '../records.ts';

export const MACHINE = '3e7031fe-5b02-4f80-94d4-1b9ed1f6ad9f';
export const ORIGIN = { actor: 'test', requestId: 'test' };

export interface HarnessOptions {
  readonly clock?: Clock;
  readonly settings?: Partial<CallbackSettings>;
  readonly lookup?: LookupFunction;
  readonly database?: MemoryDatabase;
  readonly store?: Store;
  /** False: `callbacks.start` is left to the test. */
  readonly start?: boolean;
  /** Params of a machine when aggregated; default: its own. */
  readonly aggregated?: JsonObject;
  /** Names of secure params; their stored value is `sealed`, their opened one as given. */
  readonly secure?: Readonly<Record<string, Json>>;
}

export interface Harness {
  readonly callbacks: Callbacks;
  readonly store: Store;
  readonly events: CallbackEvent[];
  plugin(params: JsonObject, name?: string, available?: boolean): Promise<void>;
  machine(uuid: string, fields?: JsonObject): Promise<void>;
  /** Runs the action on the default machine. */
  run(action: string, extra?: JsonObject, plugin?: string): Promise<Json>;
  /** The current job of the machine fails; resolves when that is committed. */
  failJob(machine?: string): Promise<void>;
  rows(): Delivery[];
  /** Resolves when the rows are as asked. */
  until(test: (rows: Delivery[]) => boolean): Promise<void>;
  stop(): Promise<void>;
}

/** The room on a store in memory, with one machine. */
export async function harness(options: HarnessOptions = {}): Promise<Harness> {
  const store = options.store ?? (await openStore({ driver: memoryDriver(options.database ?? memoryDatabase()) }));
  const events: CallbackEvent[] = [];
  const secure = options.secure ?? {};
  const callbacks = createCallbacks({
    store,
    *plugins() {
      for (const { value } of store.entries('plugins')) {
        const { Name, Params, Available } = value as { Name: string; Params: JsonObject; Available: boolean };
        yield { Name, Params, Available };
      }
    },
    machine: (uuid) => store.get('machines', uuid)?.value,
    machineParams(uuid, { aggregate, decode }) {
      const own = (store.get('machines', uuid)?.value['Params'] ?? {}) as JsonObject;
      const params = aggregate ? { ...options.aggregated, ...own } : own;
      return decode ? { ...params, ...secure } : params;
    },
    isSecureParam: (name) => Object.hasOwn(secure, name),
    paramDefault: () => undefined,
    info: () => ({ address: '127.0.0.1', api_port: 8092, file_port: 8091 }),
    publishEvent: (event) => void events.push(event),
    clock: options.clock ?? systemClock,
    newId: () => randomUUID(),
    random: () => 0.5,
    log: SILENT,
    settings: { ...DEFAULT_SETTINGS, ...options.settings },
    ...(options.lookup && { lookup: options.lookup }),
  });
  const rows = (): Delivery[] => [...store.entries(DELIVERIES)].map(({ value }) => deliveryOf(value));
  const machine = async (uuid: string, fields: JsonObject = {}): Promise<void> => {
    const value = { Uuid: uuid, Name: 'web01.example.com', Address: '192.168.124.11', Params: {}, Meta: {}, ...fields };
    await store.transact(ORIGIN, (tx) => tx.put('machines', uuid, value));
  };
  if (!store.get('machines', MACHINE)) await machine(MACHINE, { Params: { 'a/b': 'value' } });
  if (options.start !== false) await callbacks.start();
  return {
    callbacks,
    store,
    events,
    rows,
    machine,
    async plugin(params, name = 'callback', available = true) {
      const value = { Name: name, Provider: 'callback', Params: params, Available: available };
      await store.transact(ORIGIN, (tx) => tx.put('plugins', name, value));
    },
    run: (action, extra = {}, plugin = 'callback') =>
      callbacks.callbackDo({ machine: MACHINE, plugin, params: { 'callback/action': action, ...extra } }),
    async failJob(uuid = MACHINE) {
      const Uuid = randomUUID();
      const job = { Uuid, Machine: uuid, State: 'running' };
      await store.transact(ORIGIN, (tx) => {
        tx.put('machines', uuid, { ...tx.get('machines', uuid)?.value, CurrentJob: Uuid });
        tx.put('jobs', Uuid, job);
      });
      await store.transact(ORIGIN, (tx) => {
        const failed = { ...job, State: 'failed' };
        tx.put('jobs', Uuid, failed);
        callbacks.onJobChange(tx, job, failed);
      });
    },
    until: (test) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!test(rows())) return;
          unwatch();
          resolve();
        };
        const unwatch = store.watch(look);
        look();
      }),
    async stop() {
      await callbacks.stop(0);
      await store.close();
    },
  };
}

/** Params with one callback named `go`. */
export function go(callback: JsonObject, params: JsonObject = {}): JsonObject {
  return { 'callback/callbacks': { go: callback }, ...params };
}
