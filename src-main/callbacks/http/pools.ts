/**
 * Keep-alive connections, one pool per destination and way of reaching it. A change of proxy, authorities or egress rules
 * makes a new key, so that old connections are never used under new rules.
 */
import { createHash } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import { type Dispatcher, Pool, ProxyAgent } from 'undici';
import type { EgressRules } from '../egress.ts';
import {
  type ConnectNote,
  type ConnectSettings,
  directConnector,
  judgedLookup,
  measured,
  tlsOptions,
} from './connect.ts';

/** How requests of one plugin travel. */
export interface Transport {
  /** Empty: direct. */
  readonly proxy: string;
  readonly ca: string;
  readonly insecure: boolean;
  readonly egress: EgressRules | undefined;
}

interface Route {
  readonly dispatcher: Dispatcher;
  readonly note: ConnectNote;
}

interface PoolSettings {
  readonly connections: number;
  readonly connectTimeoutMs: number;
  readonly lookup: LookupFunction | undefined;
}

interface Entry extends Route {
  /** Of `monotonic`. */
  lastUsed: number;
  active: number;
}

/** Pools nobody used for this long are closed. */
const IDLE_MS = 5 * 60_000;

function keyOf(transport: Transport, origin: string): string {
  const rules =
    transport.egress && [transport.egress.allow, transport.egress.deny].map((list) => list.map((r) => r.text));
  const trust = JSON.stringify([transport.proxy, transport.ca, transport.insecure, rules ?? null]);
  return `${origin} ${createHash('sha256').update(trust).digest('base64')}`;
}

export class Pools {
  readonly #settings: PoolSettings;
  readonly #entries = new Map<string, Entry>();
  /** The digest of a transport is made once. */
  readonly #keys = new WeakMap<Transport, Map<string, string>>();

  constructor(settings: PoolSettings) {
    this.#settings = settings;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The route to an origin. Call `release` when the request is over. */
  acquire(transport: Transport, origin: string): Route & { readonly release: () => void } {
    const key = this.#key(transport, origin);
    let entry = this.#entries.get(key);
    if (!entry) {
      entry = this.#open(transport, origin);
      this.#entries.set(key, entry);
    }
    entry.active++;
    const used = entry;
    return {
      dispatcher: entry.dispatcher,
      note: entry.note,
      release: () => {
        used.active--;
        used.lastUsed = performance.now();
      },
    };
  }

  /** Closes pools that are idle. */
  sweep(): void {
    const limit = performance.now() - IDLE_MS;
    for (const [key, entry] of this.#entries) {
      if (entry.active > 0 || entry.lastUsed > limit) continue;
      this.#entries.delete(key);
      void entry.dispatcher.destroy();
    }
  }

  async destroy(): Promise<void> {
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    await Promise.all(entries.map((entry) => entry.dispatcher.destroy()));
  }

  #key(transport: Transport, origin: string): string {
    let byOrigin = this.#keys.get(transport);
    if (!byOrigin) {
      byOrigin = new Map();
      this.#keys.set(transport, byOrigin);
    }
    let key = byOrigin.get(origin);
    if (key === undefined) {
      key = keyOf(transport, origin);
      byOrigin.set(origin, key);
    }
    return key;
  }

  #open(transport: Transport, origin: string): Entry {
    const note: ConnectNote = { fresh: undefined };
    const { connections, connectTimeoutMs, lookup } = this.#settings;
    const settings: ConnectSettings = {
      timeoutMs: connectTimeoutMs,
      ca: transport.ca,
      insecure: transport.insecure,
      egress: transport.egress,
      lookup,
    };
    // Deadlines are ours; undici's own time limits would cut callbacks that may take hours.
    const limits = { connections, headersTimeout: 0, bodyTimeout: 0, allowH2: false };
    const dispatcher =
      transport.proxy === ''
        ? new Pool(origin, { ...limits, connect: directConnector(settings, note) })
        : proxied(transport.proxy, settings, limits, note);
    return { dispatcher, note, lastUsed: performance.now(), active: 0 };
  }
}

function proxied(
  proxy: string,
  settings: ConnectSettings,
  limits: { connections: number; headersTimeout: number; bodyTimeout: number; allowH2: boolean },
  note: ConnectNote,
): Dispatcher {
  const { lookup } = settings;
  return new ProxyAgent({
    ...limits,
    uri: proxy,
    connectTimeout: settings.timeoutMs,
    requestTls: { ...tlsOptions(settings), timeout: settings.timeoutMs },
    proxyTls: { ...tlsOptions(settings), timeout: settings.timeoutMs, ...(lookup && { lookup }) },
    factory(destination: URL, options: object) {
      const given = options as Pool.Options;
      const connect = typeof given.connect === 'function' ? measured(given.connect, note) : given.connect;
      return new Pool(destination, { ...given, ...limits, ...(connect && { connect }) });
    },
  });
}

/**
 * Resolves a host whose requests go through a proxy and judges the addresses: the proxy would reach what a direct request
 * may not. Rejects with EgressRefused, also when the name cannot be resolved here, since nothing can be said about it then.
 */
export function judgeBehindProxy(egress: EgressRules, host: string, lookup: LookupFunction | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    judgedLookup(egress, lookup)(host, { all: true }, (error) => (error ? reject(error) : resolve()));
  });
}
