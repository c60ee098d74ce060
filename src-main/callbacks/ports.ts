/** What this room needs from outside. The one who assembles the server hands it in; tests hand in smaller things. */
import type { LookupFunction } from 'node:net';
import type { Json, JsonObject } from '../kit/json.ts';
import type { Log } from '../kit/log.ts';
import type { Store } from '../store/index.ts';

/** A plugin instance of the provider `callback`. */
export interface PluginInstance {
  readonly Name: string;
  /** Secure values opened. */
  readonly Params: JsonObject;
  /** False while the instance has validation errors. */
  readonly Available: boolean;
}

export interface Clock {
  /** Wall clock, milliseconds since 1970. Only for what people read. */
  now(): number;
  /** Milliseconds that never jump. Everything that is waited for is measured with it. */
  monotonic(): number;
  /** Calls back once after `ms`; answers how to call it off. */
  after(ms: number, callback: () => void): () => void;
}

export interface CallbackEvent {
  readonly Type: string;
  readonly Action: string;
  readonly Key: string;
  readonly Object: JsonObject;
}

export interface CallbackSettings {
  /** Longest answer of an external service, in bytes. */
  readonly maxAnswerBytes: number;
  /** Event-triggered deliveries under way at the same time, over all destinations. */
  readonly concurrency: number;
  /** The same, towards one destination; also the number of connections to it. */
  readonly perDestination: number;
  /** Milliseconds a connection may take to be made, TLS included. */
  readonly connectTimeoutMs: number;
  /** Milliseconds an auth program may run. */
  readonly execTimeoutMs: number;
  /** Finished deliveries are kept this long ... */
  readonly retentionMs: number;
  /** ... and at most this many of them. */
  readonly retentionCount: number;
}

export const DEFAULT_SETTINGS: CallbackSettings = {
  maxAnswerBytes: 32 * 1024 * 1024,
  concurrency: 128,
  perDestination: 64,
  connectTimeoutMs: 30_000,
  execTimeoutMs: 30_000,
  retentionMs: 30 * 24 * 3600 * 1000,
  retentionCount: 10_000,
};

export interface CallbackPorts {
  readonly store: Store;
  /** Every instance of the provider, as committed now. */
  plugins(): Iterable<PluginInstance>;
  /** The machine as the API shows it to those who may see it; undefined when it is gone. */
  machine(uuid: string): JsonObject | undefined;
  machineParams(uuid: string, options: { readonly aggregate: boolean; readonly decode: boolean }): JsonObject;
  /** True when values of the param are kept sealed; they are masked wherever they are recorded. */
  isSecureParam(name: string): boolean;
  /** Default of a defined param; undefined without definition or default. */
  paramDefault(name: string): Json | undefined;
  /** The endpoint's info structure, by its JSON names. */
  info(): JsonObject;
  publishEvent(event: CallbackEvent): void;
  readonly clock: Clock;
  /** Random UUID. */
  newId(): string;
  /** Uniform in [0, 1). */
  random(): number;
  readonly log: Log;
  readonly settings: CallbackSettings;
  /** Resolves host names; default: the system's resolver. */
  readonly lookup?: LookupFunction;
}

/** Arguments of the action and of a dry run. */
export interface CallbackArguments {
  readonly action: string;
  /** Present only when it was given: null is an override too. */
  readonly override?: { readonly value: Json };
}
