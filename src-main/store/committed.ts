import { StoreError } from './errors.ts';
import type { IndexDefinitions } from './indexes.ts';
import { compareKeys } from './key-order.ts';
import { SortedObjects } from './sorted-objects.ts';
import type { IndexValues, StoredObject } from './stored.ts';
import type { Reader } from './types.ts';

interface Collection {
  readonly byKey: Map<string, StoredObject>;
  readonly sorted: SortedObjects;
  /** One map per declared index, in the order of the index names: value -> key. */
  readonly unique: readonly Map<string, string>[];
}

/** What every reader outside a transaction sees: the objects as of the last durable commit. */
export class Committed implements Reader {
  readonly #indexes: IndexDefinitions;
  readonly #collections = new Map<string, Collection>();

  constructor(indexes: IndexDefinitions) {
    this.#indexes = indexes;
  }

  get(prefix: string, key: string): StoredObject | undefined {
    return this.#collections.get(prefix)?.byKey.get(key);
  }

  find(prefix: string, index: string, value: string): StoredObject | undefined {
    const position = this.#indexes.position(prefix, index);
    const key = this.holder(prefix, position, value);
    return key === undefined ? undefined : this.get(prefix, key);
  }

  /** Key of the object that has `value` in the index at `position`. */
  holder(prefix: string, position: number, value: string): string | undefined {
    return this.#collections.get(prefix)?.unique[position]?.get(value);
  }

  count(prefix: string): number {
    return this.#collections.get(prefix)?.byKey.size ?? 0;
  }

  entries(prefix: string): Iterable<StoredObject> {
    return this.#collections.get(prefix)?.sorted.snapshot() ?? [];
  }

  prefixes(): readonly string[] {
    return [...this.#collections]
      .filter(([, collection]) => collection.byKey.size > 0)
      .map(([prefix]) => prefix)
      .sort(compareKeys);
  }

  /** Adds an object at start, so that it is found by its key and index values. `loadNext` must follow for all of them. */
  load(object: StoredObject): void {
    const { byKey, unique } = this.#collection(object.prefix);
    const { key, indexed } = object;
    if (byKey.has(key)) throw new StoreError('corrupt', `The database holds ${object.prefix}/${key} twice.`);
    byKey.set(key, object);
    this.#index(unique, key, indexed, true);
  }

  /** Adds an object that was loaded to the list of its prefix; keys must come in ascending order. */
  loadNext(object: StoredObject): void {
    this.#collection(object.prefix).sorted.append(object);
  }

  /** Applies one durable change: the new revision, or the removal of `before`. */
  apply(before: StoredObject | undefined, after: StoredObject | undefined): void {
    const object = after ?? before;
    if (!object) return;
    const collection = this.#collection(object.prefix);
    if (before && before.indexed.length > 0)
      for (const [i, value] of before.indexed.entries()) {
        if (value !== null && collection.unique[i]?.get(value) === before.key) collection.unique[i]?.delete(value);
      }
    if (after) {
      collection.byKey.set(after.key, after);
      collection.sorted.set(after);
      this.#index(collection.unique, after.key, after.indexed, false);
    } else {
      collection.byKey.delete(object.key);
      collection.sorted.delete(object.key);
    }
  }

  #index(unique: Collection['unique'], key: string, values: IndexValues, strict: boolean): void {
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      if (value === undefined || value === null) continue;
      const map = unique[i];
      const holder = strict ? map?.get(value) : undefined;
      if (holder !== undefined)
        throw new StoreError('corrupt', `The objects "${holder}" and "${key}" have the same unique value.`);
      map?.set(value, key);
    }
  }

  #collection(prefix: string): Collection {
    let collection = this.#collections.get(prefix);
    if (!collection) {
      const unique = this.#indexes.names(prefix).map(() => new Map<string, string>());
      collection = { byKey: new Map(), sorted: new SortedObjects(), unique };
      this.#collections.set(prefix, collection);
    }
    return collection;
  }
}
