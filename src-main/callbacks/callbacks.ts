/** Puts the room together and speaks the words of the API: Problems out, JSON in and out. */
import { Problem } from '../contract/errors.ts';
import type { Json, JsonObject } from '../kit/json.ts';
import { StoreError, type Transaction } from '../store/index.ts';
import { AuthMethods } from './auth/methods.ts';
import { Breakers } from './breaker.ts';
import { ConfigBook } from './config-book.ts';
import type { DeliverDeps, Delivered } from './deliver.ts';
import { Deliveries } from './deliveries.ts';
import { createDeliveryIds } from './delivery-ids.ts';
import { dryRun } from './dry-run.ts';
import { Engine } from './engine.ts';
import { Refused } from './http/failures.ts';
import { Pools } from './http/pools.ts';
import { type Counts, Meters } from './metrics.ts';
import { recordJobFailure } from './outbox.ts';
import type { CallbackPorts } from './ports.ts';
import { Recorder } from './recorder.ts';
import { newDelivery } from './records.ts';
import { readArguments } from './request.ts';
import { readSetup, type Setup } from './setup.ts';

export interface CallbackCall {
  /** Uuid. */
  readonly machine: string;
  /** The plugin instance that runs the action. */
  readonly plugin: string;
  /** `callback/action`, and `callback/data-override` if given. */
  readonly params: JsonObject;
}

export interface DryRunCall {
  readonly machine: string;
  readonly plugin: string;
  readonly action: string;
  readonly override?: { readonly value: Json };
  /** False: secure params stay sealed, for who may not open them. What is masked could still be taken apart by a template. */
  readonly mayDecode: boolean;
}

export interface Callbacks {
  /** Takes up unfinished deliveries. Resolves when all of them are known; they are sent as their turn comes. */
  start(): Promise<void>;
  /** Lets attempts under way finish for up to `drainMs`. What is unfinished goes on at the next start. */
  stop(drainMs: number): Promise<void>;
  /**
   * Runs the action and resolves to the decoded answer (service.md, Callback action). Rejects with Problem
   * `callback-failed` (Type rpc, Model plugin, Key its name): unknown action, refusal of the service with its status, Timeout.
   */
  callbackDo(call: CallbackCall): Promise<Json>;
  /** Call in the transaction of every write of a job, with the job before and after it. */
  onJobChange(
    tx: Pick<Transaction, 'get' | 'put'>,
    before: JsonObject | undefined,
    after: JsonObject | undefined,
  ): void;
  /** `{Method, Url, Headers, Body, Auth, ...}` of what would be sent. Rejects with Problem `callback-failed`. */
  dryRun(call: DryRunCall): Promise<JsonObject>;
  readonly deliveries: Deliveries;
  /** Safe mode: while on, deliveries for events wait. Actions are not concerned. */
  hold(on: boolean): void;
  /** Prometheus text. */
  metrics(): string;
  counts(): Counts;
}

const problem = (plugin: string, messages: readonly string[], status = 400): Problem =>
  new Problem('callback-failed', messages, { model: 'plugin', key: plugin, status });

export function createCallbacks(ports: CallbackPorts): Callbacks {
  const { settings, clock, store, log } = ports;
  const pools = new Pools({
    connections: settings.perDestination * 2,
    connectTimeoutMs: settings.connectTimeoutMs,
    lookup: ports.lookup,
  });
  const http = { pools, lookup: ports.lookup };
  const book = new ConfigBook(() => ports.plugins());
  const ids = createDeliveryIds(ports.newId);
  const meters = new Meters();
  const breakers = new Breakers(clock, ({ plugin, origin, to }) => {
    log.warn({ plugin, origin }, to === 'open' ? 'circuit breaker tripped' : 'circuit breaker recovered');
    const Action = to === 'open' ? 'breaker-open' : 'breaker-closed';
    ports.publishEvent({ Type: 'callbacks', Action, Key: origin, Object: { Plugin: plugin, Destination: origin } });
  });
  const deps: DeliverDeps = {
    ports,
    book,
    http,
    auth: new AuthMethods({ http, clock, execTimeoutMs: settings.execTimeoutMs }),
    breakers,
    recorder: new Recorder(store, clock, log),
    meters,
  };
  const engine = new Engine(deps, ids);
  const now = (): number => clock.now();
  const time = (): string => new Date(now()).toISOString();

  const setupOf = (plugin: string, action: string): Setup => {
    const reading = readSetup(book, plugin, action);
    if (!reading.ok) throw problem(plugin, [reading.problem]);
    return reading.setup;
  };

  return {
    start: () => engine.start(),
    async stop(drainMs) {
      await engine.stop(drainMs);
      await pools.destroy();
    },
    async callbackDo({ machine, plugin, params }) {
      const wanted = readArguments(params);
      if (!wanted) throw problem(plugin, ['callback/action must be the name of a callback']);
      const { action, override } = wanted;
      setupOf(plugin, action);
      const id = ids.next(now());
      const row = newDelivery({ id, time: time(), machine, plugin, action, trigger: 'callbackDo', override });
      return answerOf(await engine.deliverNow(row).catch(refusedByStore));
    },
    onJobChange: (tx, before, after) => recordJobFailure({ book, ids, now }, tx, before, after),
    async dryRun({ machine, plugin, action, override, mayDecode }) {
      const sealed: CallbackPorts = {
        ...ports,
        machineParams: (uuid, reading) =>
          ports.machineParams(uuid, { ...reading, decode: reading.decode && mayDecode }),
      };
      const setup = setupOf(plugin, action);
      try {
        return await dryRun(setup, machine, override, sealed);
      } catch (error) {
        if (error instanceof Refused) throw problem(plugin, [error.message]);
        throw error;
      }
    },
    deliveries: new Deliveries(store, engine, time),
    hold: (on) => engine.hold(on),
    metrics: () =>
      meters.render({ counts: engine.counts, queued: engine.queued, openBreakers: breakers.open, pools: pools.size }),
    counts: () => engine.counts,
  };
}

function refusedByStore(error: unknown): never {
  if (error instanceof StoreError) throw new Problem('storage-failed', error.message, { cause: error });
  throw error;
}

function answerOf(delivered: Delivered): Json {
  const { Plugin, Id } = delivered.row;
  switch (delivered.kind) {
    case 'ok':
      return delivered.answer;
    case 'failed':
      throw problem(Plugin, delivered.failure.messages, delivered.failure.code);
    case 'cancelled':
      throw problem(Plugin, [`delivery ${Id} was cancelled`], 409);
    case 'shutdown':
      throw new Problem('service-unavailable', `The service stops; delivery ${Id} goes on when it is back`, {
        model: 'plugin',
        key: Plugin,
      });
  }
}
