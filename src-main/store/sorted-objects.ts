import { compareKeys } from './key-order.ts';
import type { StoredObject } from './stored.ts';

const LEAF_MAX = 256;

interface Leaf {
  /** Snapshots taken since the leaf was copied see the old one. */
  epoch: number;
  items: StoredObject[];
}

/**
 * Objects in key order: a list of short sorted arrays. An insertion moves at most `LEAF_MAX` pointers. Iterating takes
 * a snapshot that costs nothing; afterwards a leaf is copied once before its first change, so the snapshot stays whole.
 */
export class SortedObjects {
  #leaves: Leaf[] = [];
  #leavesEpoch = 0;
  #epoch = 0;

  /** For loading: `object` must come after everything added so far. */
  append(object: StoredObject): void {
    const last = this.#leaves.at(-1);
    // Half-full leaves leave room for insertions between.
    if (last && last.items.length < LEAF_MAX / 2) last.items.push(object);
    else this.#leaves.push({ epoch: this.#epoch, items: [object] });
  }

  last(): StoredObject | undefined {
    return this.#leaves.at(-1)?.items.at(-1);
  }

  /** Inserts the object or replaces the one with the same key. */
  set(object: StoredObject): void {
    const at = this.#leafFor(object.key);
    if (at < 0) {
      this.#ownLeaves().push({ epoch: this.#epoch, items: [object] });
      return;
    }
    const items = this.#ownLeaf(at).items;
    const i = lowerBound(items, object.key);
    if (items[i]?.key === object.key) items[i] = object;
    else if (i === items.length) items.push(object);
    else items.splice(i, 0, object);
    if (items.length > LEAF_MAX) {
      // Keys often come in ascending order: leave the left leaf full then.
      const cut = i === LEAF_MAX ? LEAF_MAX - 1 : LEAF_MAX / 2;
      this.#ownLeaves().splice(at + 1, 0, { epoch: this.#epoch, items: items.splice(cut) });
    }
  }

  delete(key: string): void {
    const at = this.#leafFor(key);
    if (at < 0) return;
    const items = this.#ownLeaf(at).items;
    const i = lowerBound(items, key);
    if (items[i]?.key !== key) return;
    items.splice(i, 1);
    if (items.length === 0) this.#ownLeaves().splice(at, 1);
  }

  /** A snapshot: later changes do not show in it. */
  snapshot(): Iterable<StoredObject> {
    this.#epoch++;
    return iterate(this.#leaves);
  }

  /** The last leaf whose first key is not after `key`, or the first leaf; -1 when there is none. */
  #leafFor(key: string): number {
    let low = 0;
    let high = this.#leaves.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareKeys(firstKey(this.#leaves[middle]), key) <= 0) low = middle + 1;
      else high = middle;
    }
    return low > 0 ? low - 1 : this.#leaves.length > 0 ? 0 : -1;
  }

  #ownLeaves(): Leaf[] {
    if (this.#leavesEpoch !== this.#epoch) {
      this.#leaves = this.#leaves.slice();
      this.#leavesEpoch = this.#epoch;
    }
    return this.#leaves;
  }

  #ownLeaf(at: number): Leaf {
    const leaf = this.#leaves[at] as Leaf;
    if (leaf.epoch === this.#epoch) return leaf;
    const copy = { epoch: this.#epoch, items: leaf.items.slice() };
    this.#ownLeaves()[at] = copy;
    return copy;
  }
}

function firstKey(leaf: Leaf | undefined): string {
  return leaf?.items[0]?.key ?? '';
}

function lowerBound(items: readonly StoredObject[], key: string): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareKeys((items[middle] as StoredObject).key, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function* iterate(leaves: readonly Leaf[]): Generator<StoredObject> {
  for (const leaf of leaves) yield* leaf.items;
}
