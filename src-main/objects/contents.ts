/**
 * Content layers (wire-format.md 10): packs are records of their own in the store; a change builds the whole new stack first and
 * swaps it in with the commit, so that a bad pack changes nothing.
 */
import { Problem } from '../contract/errors.ts';
import { MODELS, PREFIXES } from '../contract/models/index.ts';
import type { JsonObject } from '../kit/json.ts';
import type { Store, Stored } from '../store/index.ts';
import { BACKING_META, BUILT_IN_LAYERS } from './basic-layer.ts';
import { type Committer, originOf } from './committer.ts';
import { accessDemands, contentLockOut, showsEntry } from './content-access.ts';
import type { Guard } from './guard.ts';
import {
  isOverwritable,
  type Layer,
  type LayerStack,
  type Pack,
  readPack,
  UndecodableObject,
  withoutUndecodable,
} from './layers.ts';
import type { Call, Unit, View } from './types.ts';

export const CONTENTS = 'contents';

/** Types with stored objects: BackingStore counts every one of them. */
const STORABLE = PREFIXES.filter((prefix) => prefix !== 'interfaces' && prefix !== 'plugin_providers');

export type ContentSummary = {
  readonly meta: JsonObject;
  readonly Counts: Readonly<Record<string, number>>;
  readonly Warnings: readonly string[];
};

export interface ContentDeps {
  readonly store: Store;
  readonly guard: Guard;
  readonly view: View;
  readonly committer: Committer;
  readonly stack: () => LayerStack;
  /** Builds and checks the stack of these packs; throws Problem when it cannot be. */
  readonly build: (packs: readonly Layer[]) => LayerStack;
  /** Makes a checked stack the current one. */
  readonly swap: (stack: LayerStack) => void;
  /** Flags what the swap broke or mended; answers one sentence for each object newly broken. */
  readonly revalidate: () => Promise<readonly string[]>;
  /** Sentences of objects that would be newly broken on the stack of these packs; none when there can be no such stack. */
  readonly wouldBreak: (packs: readonly Layer[]) => Promise<readonly string[]>;
  readonly publish: (action: string, key: string, summary: ContentSummary, principal: string) => void;
}

function layerOf(pack: Pack): Layer {
  return {
    name: String(pack.meta['Name'] ?? ''),
    type: 'dynamic',
    pack: { ...pack, meta: { ...pack.meta, Type: 'dynamic' } },
  };
}

/** Packs that were uploaded, as layers. */
export function storedLayers(store: Store): Layer[] {
  return [...store.entries(CONTENTS)].map((stored: Stored) => layerOf(readPack(stored.value)));
}

function metaOf(layer: Layer): JsonObject {
  return {
    Documentation: '',
    Source: '',
    Version: '',
    Description: '',
    ...layer.pack.meta,
    Type: layer.type,
    Writable: false,
    Overwritable: isOverwritable(layer.type),
  };
}

type Shown = (prefix: string, key: string, value: JsonObject) => boolean;

const shownTo =
  ({ guard, view }: ContentDeps, call: Call): Shown =>
  (prefix, key, value) =>
    showsEntry(guard, view, call, prefix, key, value);

function summarize(layer: Layer, shown: Shown, warnings: readonly string[] = []): ContentSummary {
  const counts: Record<string, number> = {};
  for (const [prefix, section] of Object.entries(layer.pack.sections)) {
    const n = Object.entries(section).filter(([key, value]) => shown(prefix, key, value)).length;
    if (n > 0) counts[prefix] = n;
  }
  return { meta: metaOf(layer), Counts: counts, Warnings: warnings };
}

function summarizeBacking({ store }: ContentDeps, call: Call, shown: Shown): ContentSummary {
  const count = (prefix: string): number => {
    if (!call.actor.restricts(prefix)) return store.count(prefix);
    let n = 0;
    for (const { key, value } of store.entries(prefix)) if (shown(prefix, key, value)) n++;
    return n;
  };
  return {
    meta: BACKING_META,
    Counts: Object.fromEntries(STORABLE.map((prefix) => [prefix, count(prefix)])),
    Warnings: [],
  };
}

const noSuch = (name: string): Problem =>
  new Problem('not-found', 'No such content store', { model: CONTENTS, key: name });

export function listContents(deps: ContentDeps, call: Call): ContentSummary[] {
  deps.guard.demand(call, [{ scope: CONTENTS, action: 'list', specific: '*' }]);
  const shown = shownTo(deps, call);
  return [summarizeBacking(deps, call, shown), ...deps.stack().layers.map((layer) => summarize(layer, shown))];
}

/** A pack as far as the caller's tenant shows its objects. `mask` removes what no answer may show. */
export function getContent(
  deps: ContentDeps,
  call: Call,
  name: string,
  mask: (prefix: string, value: JsonObject) => JsonObject,
): JsonObject {
  deps.guard.demand(call, [{ scope: CONTENTS, action: 'get', specific: name }]);
  const isShown = shownTo(deps, call);
  const shown = (prefix: string, entries: Iterable<readonly [string, JsonObject]>): JsonObject =>
    Object.fromEntries(
      [...entries].flatMap(([key, value]) => (isShown(prefix, key, value) ? [[key, mask(prefix, value)]] : [])),
    );
  if (name === BACKING_META.Name) {
    const sections = STORABLE.map(
      (prefix) =>
        [
          prefix,
          shown(
            prefix,
            [...deps.store.entries(prefix)].map((s) => [s.key, s.value] as const),
          ),
        ] as const,
    );
    return { meta: { ...BACKING_META }, sections: Object.fromEntries(sections) };
  }
  const layer = deps.stack().layers.find((one) => one.name === name);
  if (!layer) throw noSuch(name);
  const sections = Object.entries(layer.pack.sections).map(
    ([prefix, section]) => [prefix, shown(prefix, Object.entries(section))] as const,
  );
  return { meta: metaOf(layer), sections: Object.fromEntries(sections) };
}

function stored(pack: Pack): JsonObject {
  return { meta: pack.meta, sections: pack.sections };
}

function others(deps: ContentDeps, name: string): Layer[] {
  return storedLayers(deps.store).filter((layer) => layer.name !== name);
}

/** The pack as it was uploaded. */
function packOf(deps: ContentDeps, name: string): Pack | undefined {
  const found = deps.store.get(CONTENTS, name);
  return found && readPack(found.value);
}

function refuseLockOut(
  unit: Unit,
  name: string,
  next: LayerStack,
  taken: readonly (readonly [string, string])[],
): void {
  const sentence = contentLockOut(unit, next, new Set(taken.map(([prefix, key]) => `${prefix}/${key}`)));
  if (sentence !== undefined) throw new Problem('last-superuser', sentence, { model: CONTENTS, key: name });
}

/**
 * Objects of a pack that the writable layer holds too. Preferences never count: those in force are the writable ones alone, so a pack
 * (say, an export under another name) may carry copies, and can neither set nor remove any.
 */
function shadowed(deps: ContentDeps, pack: Pack): [string, string][] {
  const found: [string, string][] = [];
  for (const [prefix, section] of Object.entries(pack.sections)) {
    if (!Object.hasOwn(MODELS, prefix) || prefix === 'preferences') continue;
    for (const key of Object.keys(section)) if (deps.store.get(prefix, key)) found.push([prefix, key]);
  }
  return found;
}

/**
 * Clients know the refusal of an object that cannot be read by its words, and by a status of 500; for an update it goes on with what
 * would break without the object (wire-format.md 10.3).
 */
async function buildWith(
  deps: ContentDeps,
  layers: readonly Layer[],
  mode: 'create' | 'update',
  name: string,
): Promise<LayerStack> {
  try {
    return deps.build(layers);
  } catch (error) {
    if (!(error instanceof UndecodableObject)) throw error;
    if (mode === 'create')
      throw new Problem('invalid', error.message, { status: 500, type: 'Failed to load backing objects from cache' });
    const soft = await deps.wouldBreak(layers.map(withoutUndecodable));
    throw new Problem('invalid', [error.message, ...soft], { status: 500, type: 'METHOD', model: CONTENTS, key: name });
  }
}

export interface PutContentOptions {
  readonly mode: 'create' | 'update';
  /** Path key of an update. */
  readonly name?: string;
  /** Objects of the writable layer that the pack provides too are removed from it. */
  readonly replaceWritable: boolean;
}

/** Adds or replaces a pack. Throws before anything changed. */
export async function putContent(
  deps: ContentDeps,
  call: Call,
  body: JsonObject,
  options: PutContentOptions,
): Promise<ContentSummary> {
  const pack = readPack(body);
  const layer = layerOf(pack);
  const { name } = layer;
  const { mode } = options;
  deps.guard.demand(call, [{ scope: CONTENTS, action: mode, specific: options.name ?? name }]);
  if (name === '') throw new Problem('empty-key', 'Empty key not allowed', { model: CONTENTS });
  const exists = deps.stack().layers.some((one) => one.name === name) || name === BACKING_META.Name;
  if (mode === 'create' && exists)
    throw new Problem('already-exists', `Content ${name} already exists`, {
      model: CONTENTS,
      key: name,
      type: 'METHOD',
    });
  if (mode === 'update' && options.name !== name)
    throw new Problem('bad-request', `Cannot change name from ${options.name} to ${name}`, {
      model: CONTENTS,
      key: options.name ?? name,
    });
  if (mode === 'update' && !deps.store.get(CONTENTS, name))
    throw new Problem('not-found', `Cannot find ${name}`, { model: CONTENTS, key: name });
  deps.guard.demand(call, accessDemands(packOf(deps, name), pack, deps.view));
  const taken = shadowed(deps, pack);
  // What the caller does not see is not the caller's to replace.
  const isShown = shownTo(deps, call);
  const hidden = taken.some(([prefix, key]) => !isShown(prefix, key, deps.store.get(prefix, key)?.value ?? {}));
  if (taken.length > 0 && (hidden || !options.replaceWritable)) {
    throw new Problem(
      'invalid',
      taken.map(
        ([, key]) => `New layer violates key restrictions: keysCannotBeOverridden: ${key} is already in layer 0`,
      ),
    );
  }
  const next = await buildWith(deps, [...others(deps, name), layer], mode, name);
  await deps.committer.commit(originOf(call), undefined, (unit) => {
    refuseLockOut(unit, name, next, taken);
    for (const [prefix, key] of taken) unit.remove(prefix, key);
    unit.put(CONTENTS, name, stored(pack));
  });
  deps.swap(next);
  const summary = summarize(layer, isShown, await deps.revalidate());
  deps.publish(mode, name, summary, call.actor.name);
  return summary;
}

export async function removeContent(deps: ContentDeps, call: Call, name: string): Promise<void> {
  deps.guard.demand(call, [{ scope: CONTENTS, action: 'delete', specific: name }]);
  if (!deps.store.get(CONTENTS, name)) {
    if (
      name === BACKING_META.Name ||
      BUILT_IN_LAYERS.some((one) => one.name === name) ||
      deps.stack().layers.some((one) => one.name === name)
    )
      throw new Problem('read-only', `Content ${name} is built in and cannot be removed`, {
        model: CONTENTS,
        key: name,
      });
    throw noSuch(name);
  }
  deps.guard.demand(call, accessDemands(packOf(deps, name), undefined, deps.view));
  const layer = deps.stack().layers.find((one) => one.name === name);
  const next = deps.build(others(deps, name));
  await deps.committer.commit(originOf(call), undefined, (unit) => {
    refuseLockOut(unit, name, next, []);
    unit.remove(CONTENTS, name);
  });
  deps.swap(next);
  await deps.revalidate();
  if (layer)
    deps.publish(
      'delete',
      name,
      summarize(layer, () => true),
      call.actor.name,
    );
}
