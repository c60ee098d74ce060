import { isJsonObject, type JsonObject } from '../kit/json.ts';
import { StoreError } from './errors.ts';
import type { IndexDefinitions } from './indexes.ts';
import { checkName } from './key-order.ts';
import { type Below, checkUnique, Layer, type ObjectChange } from './layer.ts';
import { StoredObject } from './stored.ts';
import type { Expectation, Stored, Transaction } from './types.ts';

/** Half of what V8 allows a string: the log record holds the value before and after. */
const MAX_VALUE_LENGTH = 128 * 1024 * 1024;

/** The `tx` that one run of `work` gets. `seal` it afterwards: a kept reference must not write into a later state. */
export class WorkingTransaction implements Transaction {
  readonly #below: Below;
  /** Made for the second use: a transaction that only writes one object, as most do, is checked against what is below. */
  #layer: Layer | undefined;
  readonly #indexes: IndexDefinitions;
  readonly #revision: number;
  readonly #newId: () => number;
  /** Net change per object, in the order of the first write. */
  readonly #changes: ObjectChange[] = [];
  #positions: Map<string, Map<string, number>> | undefined;
  #positioned = 0;
  #sealed = false;

  constructor(below: Below, indexes: IndexDefinitions, revision: number, newId: () => number) {
    this.#below = below;
    this.#indexes = indexes;
    this.#revision = revision;
    this.#newId = newId;
  }

  get(prefix: string, key: string): Stored | undefined {
    return this.#state().get(prefix, key);
  }

  find(prefix: string, index: string, value: string): Stored | undefined {
    return this.#state().find(prefix, index, value);
  }

  count(prefix: string): number {
    return this.#state().count(prefix);
  }

  entries(prefix: string): Iterable<Stored> {
    return this.#state().entries(prefix);
  }

  prefixes(): readonly string[] {
    return this.#state().prefixes();
  }

  put(prefix: string, key: string, value: JsonObject, expect?: Expectation): void {
    this.#checkOpen();
    checkName('prefix', prefix);
    checkName('key', key);
    const before = this.#state().get(prefix, key);
    if (expect !== undefined) checkExpectation(prefix, key, before, expect);
    const text = toText(`The value of ${prefix}/${key}`, value);
    const indexed = this.#indexes.values(prefix, value);
    const id = before?.id ?? this.#removedId(prefix, key) ?? this.#newId();
    const after = new StoredObject(prefix, key, this.#revision, id, indexed, text);
    this.#record({ prefix, key, before, after, revision: this.#revision });
  }

  remove(prefix: string, key: string, expect?: { readonly revision: number }): void {
    this.#checkOpen();
    const before = this.#state().get(prefix, key);
    checkExpectation(prefix, key, before, expect ?? 'present');
    this.#record({ prefix, key, before, after: undefined, revision: this.#revision });
  }

  /** Ends the transaction and answers what it changed: at most one change per object, no-ops left out. */
  seal(): readonly ObjectChange[] {
    this.#sealed = true;
    return this.#changes.filter((c) => c.before !== undefined || c.after !== undefined);
  }

  #record(change: ObjectChange): void {
    const { prefix, key, after, revision } = change;
    checkUnique(this.#state(), this.#indexes, change);
    const again = this.#layer?.changed(prefix, key) ?? false;
    this.#layer?.apply([change]);
    if (!again) {
      this.#changes.push(change);
      return;
    }
    const positions = this.#changePositions();
    const at = positions.get(prefix)?.get(key) ?? 0;
    this.#changes[at] = { prefix, key, before: this.#changes[at]?.before, after, revision };
  }

  /** An object removed and put back in one transaction is one change of one object: it keeps its number. */
  #removedId(prefix: string, key: string): number | undefined {
    if (!this.#layer?.changed(prefix, key)) return undefined;
    return this.#changes[this.#changePositions().get(prefix)?.get(key) ?? -1]?.before?.id;
  }

  /** What this transaction sees. */
  #state(): Below {
    if (this.#changes.length === 0) return this.#below;
    if (!this.#layer) {
      this.#layer = new Layer(this.#below, this.#indexes);
      this.#layer.apply(this.#changes);
    }
    return this.#layer;
  }

  /** Made at the first second write of an object and extended from then on: most transactions never need it. */
  #changePositions(): ReadonlyMap<string, ReadonlyMap<string, number>> {
    this.#positions ??= new Map();
    for (; this.#positioned < this.#changes.length; this.#positioned++) {
      const { prefix, key } = this.#changes[this.#positioned] as ObjectChange;
      const ofPrefix = this.#positions.get(prefix);
      if (ofPrefix) ofPrefix.set(key, this.#positioned);
      else this.#positions.set(prefix, new Map([[key, this.#positioned]]));
    }
    return this.#positions;
  }

  #checkOpen(): void {
    if (this.#sealed)
      throw new StoreError(
        'validation',
        'This transaction has ended; write only inside the function given to transact.',
      );
  }
}

/** The JSON of an object to be stored; `what` names it. Throws `StoreError` `validation` when it is none, or too large. */
export function toText(what: string, value: JsonObject): string {
  if (!isJsonObject(value)) throw new StoreError('validation', `${what} must be a JSON object.`);
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new StoreError('validation', `${what} cannot be written as JSON.`, { cause });
  }
  if (text === undefined || text[0] !== '{') throw new StoreError('validation', `${what} must be a JSON object.`);
  if (text.length > MAX_VALUE_LENGTH)
    throw new StoreError('validation', `${what} is larger than ${MAX_VALUE_LENGTH} characters.`);
  return text;
}

function checkExpectation(prefix: string, key: string, before: StoredObject | undefined, expect: Expectation): void {
  if (expect === 'absent') {
    if (before)
      throw new StoreError('conflict', `${prefix}/${key} exists already.`, {
        conflict: { kind: 'exists', prefix, key },
      });
    return;
  }
  if (!before)
    throw new StoreError('conflict', `${prefix}/${key} does not exist.`, {
      conflict: { kind: 'missing', prefix, key },
    });
  if (expect !== 'present' && expect.revision !== before.revision) {
    const detail = { kind: 'revision', prefix, key, expected: expect.revision, actual: before.revision } as const;
    throw new StoreError(
      'conflict',
      `${prefix}/${key} was changed meanwhile: expected revision ${expect.revision}, found ${before.revision}.`,
      { conflict: detail },
    );
  }
}
