/**
 * First in, first out. An array and not a Set or Map: the tables those outgrow keep what was in them, and their successors,
 * until the old generation is collected, and looking for the first member walks over all that were taken out before it.
 */
const COMPACT_AT = 256;

export class Fifo<T> {
  readonly #items: (T | undefined)[] = [];
  #first = 0;

  get length(): number {
    return this.#items.length - this.#first;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  /** Takes out the first; undefined when there is none. */
  shift(): T | undefined {
    const item = this.#items[this.#first];
    if (this.#first === this.#items.length) return undefined;
    this.#items[this.#first++] = undefined;
    if (this.#first === this.#items.length || this.#first === COMPACT_AT) {
      this.#items.splice(0, this.#first);
      this.#first = 0;
    }
    return item;
  }
}
