/** A store in memory with the rules of this room, for tests: users of it ask as the system. */
import { SYSTEM_ACTOR } from '../access/index.ts';
import { MODELS, type ModelDefinition } from '../contract/models/index.ts';
import type { Json, JsonObject } from '../kit/json.ts';
import type { PatchOperation } from '../kit/json-patch.ts';
import { type Call, createObjects, isStoreIndex, type Objects } from '../objects/index.ts';
import { memoryDriver, openStore, type Store } from '../store/index.ts';
import type { JobLogs, RunMachineAction, StartOutcome } from './index.ts';
import { startJob, WORKFLOW_RULES } from './index.ts';

export const CALL: Call = { actor: SYSTEM_ACTOR, requestId: 'test', url: '/api/v3/test', force: false };
/** Where the clock stands when a world is made. */
export const NOW = Date.parse('2030-01-02T03:04:05Z');

const UNIQUE_INDEXES = Object.fromEntries(
  Object.values(MODELS).map((definition: ModelDefinition) => [
    definition.prefix,
    Object.fromEntries(
      Object.entries(definition.indexes)
        .filter(([index]) => isStoreIndex(definition, index))
        .map(([index, spec]) => [
          index,
          { version: 1, value: (value: JsonObject) => String(spec.value(value)) || undefined },
        ]),
    ),
  ]),
);

export interface World {
  readonly objects: Objects;
  /** Below the rules: for states that only older data directories have. */
  readonly store: Store;
  /** Texts appended to logs, by job. */
  readonly logged: Map<string, string>;
  create(prefix: keyof typeof MODELS, body: JsonObject): Promise<JsonObject>;
  patch(prefix: keyof typeof MODELS, key: string, fields: JsonObject, call?: Partial<Call>): Promise<JsonObject>;
  get(prefix: keyof typeof MODELS, key: string): JsonObject;
  start(body: JsonObject, call?: Partial<Call>): Promise<StartOutcome>;
  /** The job of an outcome that has one. */
  startJob(machine: string): Promise<JsonObject>;
  advance(ms: number): void;
  now(): number;
}

export async function createWorld(runAction?: RunMachineAction): Promise<World> {
  let now = NOW;
  const clock = (): number => now;
  const store = await openStore({ driver: memoryDriver(), clock, uniqueIndexes: UNIQUE_INDEXES });
  const objects = createObjects({
    store,
    clock,
    hasFeature: () => true,
    rules: WORKFLOW_RULES,
    pluginLayers: [],
    onContentSwap: () => undefined,
    onDenied: () => undefined,
  });
  const logged = new Map<string, string>();
  const logs: JobLogs = {
    append: async (job, chunk) => {
      logged.set(job, `${logged.get(job) ?? ''}${String(chunk)}`);
    },
    read: () => Promise.reject(new Error('not read here')),
    remove: async () => undefined,
  };
  const refuseActions: RunMachineAction = () => Promise.reject(new Error('no action here'));
  const deps = { objects, logs, clock, runAction: runAction ?? refuseActions };
  const of = (prefix: keyof typeof MODELS): ModelDefinition => MODELS[prefix];
  const start: World['start'] = (body, call = {}) => startJob(deps, { ...CALL, ...call }, body);
  return {
    objects,
    store,
    logged,
    create: (prefix, body) => objects.create(CALL, of(prefix), body),
    patch(prefix, key, fields, call = {}) {
      const operations = Object.entries(fields).map(
        ([name, value]): PatchOperation => ({ op: 'replace', path: `/${name}`, value: value as Json }),
      );
      return objects.patch({ ...CALL, ...call }, of(prefix), key, operations);
    },
    get(prefix, key) {
      const stored = objects.view.get(prefix, key);
      if (!stored) throw new Error(`${prefix}/${key} is not there`);
      return stored.value;
    },
    start,
    async startJob(machine) {
      const outcome = await start({ Machine: machine });
      if (outcome.kind === 'nothing-to-do') throw new Error('there was nothing to do');
      return outcome.job;
    },
    advance(ms) {
      now += ms;
    },
    now: clock,
  };
}
