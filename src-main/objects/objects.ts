/** Assembles the room: view, guard, committer, content stack, and the operations on top of them. */
import { Problem } from '../contract/errors.ts';
import type { ListQuery } from '../contract/list-query.ts';
import { fill, MODELS, type ModelDefinition } from '../contract/models/index.ts';
import type { Json, JsonObject } from '../kit/json.ts';
import { jsonEquals, type PatchOperation } from '../kit/json-patch.ts';
import type { HistoryQuery, Store, Stored } from '../store/index.ts';
import { pastRequests } from './access-views.ts';
import { readAudit } from './audit.ts';
import { BUILT_IN_LAYERS } from './basic-layer.ts';
import { createCommitter } from './committer.ts';
import * as contents from './contents.ts';
import { createEventStream } from './events.ts';
import { createGuard, type DenialReason } from './guard.ts';
import { isoRules, isosOf } from './isos.ts';
import { buildStack, decodeLayer, type Layer, type LayerStack } from './layers.ts';
import { type ListResult, listObjects } from './list.ts';
import { createListCache } from './list-cache.ts';
import { createLiveObjects, type LiveSources } from './live.ts';
import { demandOn, type Granted, lookupFor } from './lookup.ts';
import { createParamRules } from './param-rules.ts';
import * as params from './params.ts';
import { preferenceOf, readPreferences, writePreferences } from './preferences.ts';
import { createRevalidator } from './revalidate.ts';
import { GENERIC_RULES, joinRules } from './rules.ts';
import { clearSecrets } from './sealed-values.ts';
import { createSecureKeys } from './secure-keys.ts';
import type { Call, Demand, RuleTable } from './types.ts';
import { finalize } from './unit.ts';
import { createView } from './view.ts';
import { createObject, patchObject, removeObject, replaceObject } from './write.ts';

interface ObjectsOptions {
  readonly store: Store;
  readonly clock: () => number;
  readonly hasFeature: (feature: string) => boolean;
  /** Rules of the rooms above, by prefix. */
  readonly rules: RuleTable;
  /** Whether an iso is there; without it all are. */
  readonly hasIso?: (name: string) => boolean;
  /** Layers of plugin providers. */
  readonly pluginLayers: readonly Layer[];
  /** Types whose objects nobody stores. */
  readonly live?: LiveSources;
  /** Told when the content stack was swapped: read-only objects changed without commits of their own. */
  readonly onContentSwap: () => void;
  readonly onDenied: (call: Call, demand: Demand, reason: DenialReason) => void;
}

export type Objects = ReturnType<typeof createObjects>;

export function createObjects(options: ObjectsOptions) {
  const { store, clock } = options;
  const rules = joinRules(GENERIC_RULES, isoRules(options.hasIso ?? (() => true)), options.rules);
  const paramRules = createParamRules();
  const empty: LayerStack = buildStack([], (_p, _k, value) => value, 0);
  let stack = empty;
  const live = createLiveObjects(options.live ?? {});
  const unitDeps = { layers: () => stack, rules, paramRules, live };
  const view = createView(store, () => stack, live);
  const guard = createGuard({
    hasFeature: options.hasFeature,
    conceals: () => preferenceOf(view, 'deniedReads') === 'conceal',
    onDenied: options.onDenied,
  });
  const committer = createCommitter(store, unitDeps);
  const secureKeys = createSecureKeys(view, committer);
  const events = createEventStream(clock, store.seq);
  const cache = createListCache(view, (prefix) => live.entries(prefix) !== undefined);
  const stopWatching = store.watch((commit) => {
    cache.changed(commit);
    events.commit(commit, committer.subjectOf(commit));
  });
  const revalidator = createRevalidator(store, view, committer, unitDeps);
  const deps = { cache, view, guard, committer, rules, clock, paramRules, secureKeys };

  /**
   * Builds a whole stack and checks it: objects are judged against the stack they will live in. What the present stack has is not
   * refused for a param that was defined since, unless that makes a secret of it; at the start nothing is, or the service could not
   * start any more.
   */
  const build = (packs: readonly Layer[]): LayerStack => {
    const layers = [...BUILT_IN_LAYERS, ...options.pluginLayers, ...packs].map(decodeLayer);
    const revision = store.seq + 1;
    const raw = buildStack(
      layers,
      (prefix, _key, value) => fill(MODELS[prefix as keyof typeof MODELS], value),
      revision,
    );
    const future = createView(store, () => raw, live);
    return buildStack(
      layers,
      (prefix, key, value, layer) => {
        const definition: ModelDefinition = MODELS[prefix as keyof typeof MODELS];
        const isSafe = !definition.hasParams || clearSecrets(paramRules, value, future).length === 0;
        const before = stack === empty ? value : isSafe ? stack.get(prefix, key)?.value : undefined;
        const judged = finalize(definition, key, value, future, unitDeps, before);
        const marked = definition.hasAccess ? { ...judged, ReadOnly: true } : judged;
        return 'Bundle' in definition.schema.properties ? { ...marked, Bundle: layer.name } : marked;
      },
      revision,
    );
  };
  stack = build(contents.storedLayers(store));

  /** What of an object those that name it depend on: whether it is available; of a Param what values it takes. */
  const weight = (definition: ModelDefinition, value: JsonObject | undefined): Json =>
    definition.prefix === 'params'
      ? [value?.['Available'] ?? null, value?.['Schema'] ?? null, value?.['Secure'] ?? null]
      : (value?.['Available'] ?? null);

  /** Runs a change; when it matters to the objects that name the changed one, they are judged again. */
  const mended = async (
    definition: ModelDefinition,
    typed: string,
    change: () => Promise<JsonObject>,
  ): Promise<JsonObject> => {
    const before = weight(definition, view.resolve(definition, typed)?.value);
    const after = await change();
    if (!jsonEquals(before, weight(definition, after)))
      await revalidator.after(definition.prefix, definition.keyOf(after));
    return after;
  };

  // Content changes go one at a time: each builds on the stack the one before left.
  let contentTurn: Promise<unknown> = Promise.resolve();
  const inTurn = <R>(work: () => Promise<R>): Promise<R> => {
    const turn = contentTurn.then(work, work);
    contentTurn = turn.catch(() => undefined);
    return turn;
  };
  const contentDeps: contents.ContentDeps = {
    store,
    guard,
    view,
    committer,
    stack: () => stack,
    build,
    swap: (next) => {
      stack = next;
      cache.clear();
      options.onContentSwap();
    },
    revalidate: () => revalidator.everything(),
    async wouldBreak(packs) {
      let future: LayerStack;
      try {
        future = build(packs);
      } catch (error) {
        if (error instanceof Problem) return [];
        throw error;
      }
      return revalidator.wouldBreak(createView(store, () => future, live));
    },
    publish: (action, key, summary, principal) =>
      events.publish({ type: contents.CONTENTS, action, key, object: summary, principal }),
  };

  return {
    view,
    guard,
    committer,
    events,
    paramRules,

    get: (call: Call, definition: ModelDefinition, typed: string, decode = false): Granted =>
      lookupFor(deps, call, definition, typed, (key) => [
        ...demandOn(definition, 'get')(key),
        ...(decode ? demandOn(definition, 'getSecure')(key) : []),
      ]),
    list: (call: Call, definition: ModelDefinition, readQuery: () => ListQuery): Promise<ListResult> =>
      listObjects(deps, call, definition, readQuery, (stored, name) =>
        params.effectiveParam(deps, stored, name, false),
      ),
    async create(call: Call, definition: ModelDefinition, body: unknown): Promise<JsonObject> {
      const value = await createObject(deps, call, definition, body);
      await revalidator.after(definition.prefix, definition.keyOf(value));
      return view.get(definition.prefix, definition.keyOf(value))?.value ?? value;
    },
    patch: (
      call: Call,
      definition: ModelDefinition,
      typed: string,
      operations: readonly PatchOperation[],
    ): Promise<JsonObject> => mended(definition, typed, () => patchObject(deps, call, definition, typed, operations)),
    replace: (call: Call, definition: ModelDefinition, typed: string, body: unknown): Promise<JsonObject> =>
      mended(definition, typed, () => replaceObject(deps, call, definition, typed, body)),
    async remove(call: Call, definition: ModelDefinition, typed: string): Promise<JsonObject> {
      const value = await removeObject(deps, call, definition, typed);
      await revalidator.after(definition.prefix, definition.keyOf(value));
      return value;
    },

    readParams: (call: Call, d: ModelDefinition, typed: string, reading: params.ParamReading) =>
      params.readParams(deps, call, d, typed, reading),
    readParam: (call: Call, d: ModelDefinition, typed: string, name: string, reading: params.ParamReading) =>
      params.readParam(deps, call, d, typed, name, reading),
    replaceParams: (call: Call, d: ModelDefinition, typed: string, body: JsonObject) =>
      params.replaceParams(deps, call, d, typed, body),
    setParam: (call: Call, d: ModelDefinition, typed: string, name: string, value: Json) =>
      params.setParam(deps, call, d, typed, name, value),
    removeParam: (call: Call, d: ModelDefinition, typed: string, name: string) =>
      params.removeParam(deps, call, d, typed, name),
    patchParams: (call: Call, d: ModelDefinition, typed: string, ops: readonly PatchOperation[]) =>
      params.patchParams(deps, call, d, typed, ops),
    publicKey: (call: Call, d: ModelDefinition, typed: string) => params.publicKey(deps, call, d, typed),
    readMeta: (call: Call, d: ModelDefinition, typed: string) => params.readMeta(deps, call, d, typed),
    patchMeta: (call: Call, d: ModelDefinition, typed: string, ops: readonly PatchOperation[]) =>
      params.patchMeta(deps, call, d, typed, ops),
    /** Params without asking anybody: for the product's own use. */
    effectiveParams: (stored: Stored, reading: params.ParamReading): JsonObject =>
      params.effectiveParams(deps, stored, reading),
    effectiveParam: (stored: Stored, name: string, decode: boolean): Json | undefined =>
      params.effectiveParam(deps, stored, name, decode),

    readAudit: (call: Call, query: HistoryQuery) => readAudit(store, guard, call, query),
    /** Requests of the past, from the change log: for simulations. */
    pastRequests: (count: number) => pastRequests(store, count),

    readPreferences: (call: Call) => readPreferences(deps, call),
    writePreferences: (call: Call, body: unknown) => writePreferences(deps, call, body),
    preference: (name: string): string | undefined => preferenceOf(view, name),

    listContents: (call: Call) => contents.listContents(contentDeps, call),
    getContent: (call: Call, name: string, mask: (prefix: string, value: JsonObject) => JsonObject) =>
      contents.getContent(contentDeps, call, name, mask),
    putContent: (call: Call, body: JsonObject, put: contents.PutContentOptions) =>
      inTurn(() => contents.putContent(contentDeps, call, body, put)),
    removeContent: (call: Call, name: string) => inTurn(() => contents.removeContent(contentDeps, call, name)),

    /** Once at the start, before requests come: finishes what a stop interrupted, and sees what changed outside. */
    settle: () => revalidator.settle(),
    /** After an iso came or went: judges the boot environments that are made from it. */
    isoChanged: (name: string): Promise<void> =>
      inTurn(async () => {
        await revalidator.afterIso(name);
        const layered = (): Stored[] =>
          stack.keys('bootenvs').flatMap((key) => {
            const found = view.isReadOnly('bootenvs', key) ? view.get('bootenvs', key) : undefined;
            return found && isosOf(found.value).includes(name) ? [found] : [];
          });
        const before = new Map(layered().map(({ key, value }) => [key, value]));
        if (before.size === 0) return;
        contentDeps.swap(build(contents.storedLayers(store)));
        for (const { key, value } of layered()) {
          const original = before.get(key);
          if (value['Available'] === original?.['Available']) continue;
          events.publish({ type: 'bootenvs', action: 'save', key, object: value, principal: 'system' });
        }
      }),
    close: stopWatching,
  };
}
