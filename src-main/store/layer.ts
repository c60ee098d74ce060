/**
 * A layer of uncommitted changes over a state below it. Two of them stack:
 *
 *   transaction (Layer)  what one `work` wrote so far       thrown away when it throws
 *        over
 *   pending (Layer)      accepted, on its way to the disk   entries leave one by one as commits become durable
 *        over
 *   Committed            durable                            what other readers see
 */
import { StoreError } from './errors.ts';
import type { IndexDefinitions } from './indexes.ts';
import { compareKeys } from './key-order.ts';
import { StoredObject, Tombstone } from './stored.ts';
import type { Reader } from './types.ts';

/** A change of one object, resolved: both sides at hand. */
export interface ObjectChange {
  readonly prefix: string;
  readonly key: string;
  readonly before: StoredObject | undefined;
  readonly after: StoredObject | undefined;
  readonly revision: number;
}

/** What a layer needs from the state below. */
export interface Below extends Reader {
  get(prefix: string, key: string): StoredObject | undefined;
  holder(prefix: string, position: number, value: string): string | undefined;
  entries(prefix: string): Iterable<StoredObject>;
}

interface PrefixLayer {
  readonly objects: Map<string, StoredObject | Tombstone>;
  /** Objects created minus objects removed. */
  growth: number;
  /** Per index: value -> who has it now; no key: given up by the object that has it below. */
  readonly unique: readonly Map<string, { readonly key: string | undefined; readonly revision: number }>[];
}

const NOTHING: [number, string | null][] = [];

export class Layer implements Below {
  readonly #below: Below;
  readonly #indexes: IndexDefinitions;
  readonly #prefixes = new Map<string, PrefixLayer>();

  constructor(below: Below, indexes: IndexDefinitions) {
    this.#below = below;
    this.#indexes = indexes;
  }

  get(prefix: string, key: string): StoredObject | undefined {
    const entry = this.#prefixes.get(prefix)?.objects.get(key);
    if (entry === undefined) return this.#below.get(prefix, key);
    return entry instanceof StoredObject ? entry : undefined;
  }

  find(prefix: string, index: string, value: string): StoredObject | undefined {
    const key = this.holder(prefix, this.#indexes.position(prefix, index), value);
    return key === undefined ? undefined : this.get(prefix, key);
  }

  holder(prefix: string, position: number, value: string): string | undefined {
    const entry = this.#prefixes.get(prefix)?.unique[position]?.get(value);
    return entry ? entry.key : this.#below.holder(prefix, position, value);
  }

  count(prefix: string): number {
    return this.#below.count(prefix) + (this.#prefixes.get(prefix)?.growth ?? 0);
  }

  entries(prefix: string): Iterable<StoredObject> {
    const own = this.#prefixes.get(prefix)?.objects;
    if (!own || own.size === 0) return this.#below.entries(prefix);
    return merge(
      this.#below.entries(prefix),
      [...own].sort(([a], [b]) => compareKeys(a, b)),
    );
  }

  prefixes(): readonly string[] {
    const names = new Set(this.#below.prefixes());
    for (const prefix of this.#prefixes.keys()) {
      if (this.count(prefix) > 0) names.add(prefix);
      else names.delete(prefix);
    }
    return [...names].sort(compareKeys);
  }

  /** True when this layer itself wrote or removed the object. */
  changed(prefix: string, key: string): boolean {
    return this.#prefixes.get(prefix)?.objects.has(key) ?? false;
  }

  /** Takes in checked changes that belong together. */
  apply(changes: readonly ObjectChange[]): void {
    // All values are given up before any is taken: within one transaction objects may have traded them.
    for (const { prefix, before, revision } of changes)
      for (const [position, value] of valuesOf(before))
        if (value !== null) this.#layer(prefix).unique[position]?.set(value, { key: undefined, revision });
    for (const change of changes) {
      const { prefix, key, after, revision } = change;
      const layer = this.#layer(prefix);
      for (const [position, value] of valuesOf(after))
        if (value !== null) layer.unique[position]?.set(value, { key, revision });
      layer.objects.set(key, after ?? new Tombstone(revision));
      layer.growth += growthOf(change);
    }
  }

  /** Drops what the durable commit `change` put here, unless a later change has replaced it. */
  settle(change: ObjectChange): void {
    const layer = this.#prefixes.get(change.prefix);
    if (!layer) return;
    layer.growth -= growthOf(change);
    if (layer.objects.get(change.key)?.revision === change.revision) layer.objects.delete(change.key);
    for (const side of [change.before, change.after])
      for (const [position, value] of valuesOf(side)) {
        if (value !== null && layer.unique[position]?.get(value)?.revision === change.revision)
          layer.unique[position]?.delete(value);
      }
  }

  clear(): void {
    this.#prefixes.clear();
  }

  #layer(prefix: string): PrefixLayer {
    let layer = this.#prefixes.get(prefix);
    if (!layer) {
      layer = { objects: new Map(), growth: 0, unique: this.#indexes.names(prefix).map(() => new Map()) };
      this.#prefixes.set(prefix, layer);
    }
    return layer;
  }
}

/** Throws `conflict` when, in `state`, another object has one of the unique values that `change` would set. */
export function checkUnique(state: Below, indexes: IndexDefinitions, change: ObjectChange): void {
  const { prefix, key, after } = change;
  for (const [position, value] of valuesOf(after)) {
    if (value === null) continue;
    const holder = state.holder(prefix, position, value);
    if (holder !== undefined && holder !== key) throw uniqueConflict(indexes, change, position, value, holder);
  }
}

/** Positions and values; most objects have none, and no iterator is made for them. */
function valuesOf(object: StoredObject | undefined): Iterable<[number, string | null]> {
  return object === undefined || object.indexed.length === 0 ? NOTHING : object.indexed.entries();
}

function growthOf({ before, after }: ObjectChange): number {
  return (after ? 1 : 0) - (before ? 1 : 0);
}

function uniqueConflict(
  indexes: IndexDefinitions,
  { prefix, key }: ObjectChange,
  position: number,
  value: string,
  holder: string,
): StoreError {
  const index = indexes.names(prefix)[position] ?? '';
  return new StoreError('conflict', `${prefix}/${key} cannot have ${index} "${value}": ${prefix}/${holder} has it.`, {
    conflict: { kind: 'unique', prefix, key, index, value, holder },
  });
}

function* merge(
  below: Iterable<StoredObject>,
  own: readonly (readonly [string, StoredObject | Tombstone])[],
): Generator<StoredObject> {
  let i = 0;
  for (const object of below) {
    for (let entry = own[i]; entry && compareKeys(entry[0], object.key) < 0; entry = own[++i])
      if (entry[1] instanceof StoredObject) yield entry[1];
    if (own[i]?.[0] === object.key) {
      const replaced = own[i++]?.[1];
      if (replaced instanceof StoredObject) yield replaced;
    } else yield object;
  }
  for (let entry = own[i]; entry; entry = own[++i]) if (entry[1] instanceof StoredObject) yield entry[1];
}
