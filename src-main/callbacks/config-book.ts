/** The configurations in force, read once per change of their plugin. */
import { type PluginConfig, readPluginConfig } from './config.ts';
import type { Transport } from './http/pools.ts';
import { createMasker, type Masker, secretsOf } from './mask.ts';
import type { PluginInstance } from './ports.ts';

export interface PluginEntry {
  readonly name: string;
  readonly available: boolean;
  readonly config: PluginConfig;
  readonly transport: Transport;
  readonly secrets: readonly string[];
  readonly masker: Masker;
}

function entryOf(instance: PluginInstance): PluginEntry {
  const { config } = readPluginConfig(instance.Name, instance.Params);
  const secrets = secretsOf(config);
  return {
    name: instance.Name,
    available: instance.Available,
    config,
    transport: { proxy: config.proxy, ca: config.ca, insecure: config.insecure, egress: config.extras.egress },
    secrets,
    masker: createMasker(secrets),
  };
}

export class ConfigBook {
  readonly #plugins: () => Iterable<PluginInstance>;
  readonly #listeners = new Set<() => void>();
  #entries: ReadonlyMap<string, PluginEntry> | undefined;

  constructor(plugins: () => Iterable<PluginInstance>) {
    this.#plugins = plugins;
  }

  get(plugin: string): PluginEntry | undefined {
    return this.#all().get(plugin);
  }

  entries(): Iterable<PluginEntry> {
    return this.#all().values();
  }

  /** Plugins, or what their params rest on, changed. */
  changed(): void {
    this.#entries = undefined;
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener();
  }

  /** Calls back once after the next change. Answers how to stop listening. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #all(): ReadonlyMap<string, PluginEntry> {
    this.#entries ??= new Map([...this.#plugins()].map((instance) => [instance.Name, entryOf(instance)]));
    return this.#entries;
  }
}
