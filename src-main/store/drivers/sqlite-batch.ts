/** How a batch crosses to the storage thread: some numbers and one text, see mailbox.ts. */
import type { Batch } from '../driver.ts';

const REMOVED = -1;
/** The text of the object follows its names, because the body of the record does not contain it. */
const BESIDE_BODY = -1;
const FORGOTTEN = -1;

export function packBatch(expectedSeq: number, { commits, cursors }: Batch): { numbers: number[]; text: string } {
  const numbers = [expectedSeq, commits.length, cursors.length, statementCount({ commits, cursors })];
  let text = '';
  for (const { seq, time, actor, requestId, body, changes } of commits) {
    numbers.push(seq, time, actor.length, requestId.length, body.length, changes.length);
    text += actor + requestId + body;
    for (const { id, prefix, key, text: value, indexed, textAt } of changes) {
      numbers.push(id, prefix.length, key.length, indexed.length, value?.length ?? REMOVED, textAt);
      text += prefix + key + indexed;
      if (value !== undefined && textAt === BESIDE_BODY) text += value;
    }
  }
  for (const { name, seq } of cursors) {
    numbers.push(name.length, seq ?? FORGOTTEN);
    text += name;
  }
  return { numbers, text };
}

/** How many statements writing it will take, at least: with one, no transaction has to be begun and ended around it. */
function statementCount({ commits, cursors }: Batch): number {
  const beside = commits.some(({ changes }) => changes.some((c) => c.text !== undefined && c.textAt === BESIDE_BODY));
  return commits.length + cursors.length + (beside ? 1 : 0);
}

interface UnpackedChange {
  readonly id: number;
  readonly prefix: string;
  readonly key: string;
  readonly indexed: string;
  readonly text: string | undefined;
  /** The value is in the body of the record, so it can be written to the object table later. */
  readonly inLog: boolean;
}

/** Reads a packed batch front to back, without building it up in memory. */
export class BatchReader {
  readonly expectedSeq: number;
  readonly commitCount: number;
  readonly cursorCount: number;
  readonly statementCount: number;
  readonly #numbers: ArrayLike<number>;
  readonly #text: string;
  #number = 4;
  #char = 0;
  #body = '';

  constructor(numbers: ArrayLike<number>, text: string) {
    this.#numbers = numbers;
    this.#text = text;
    this.expectedSeq = numbers[0] ?? 0;
    this.commitCount = numbers[1] ?? 0;
    this.cursorCount = numbers[2] ?? 0;
    this.statementCount = numbers[3] ?? 0;
  }

  /** To be followed by `changeCount` calls of `change`. */
  commit(): { seq: number; time: number; actor: string; requestId: string; body: string; changeCount: number } {
    const seq = this.#next();
    const time = this.#next();
    const lengths = [this.#next(), this.#next(), this.#next()] as const;
    const changeCount = this.#next();
    const actor = this.#take(lengths[0]);
    const requestId = this.#take(lengths[1]);
    this.#body = this.#take(lengths[2]);
    return { seq, time, actor, requestId, body: this.#body, changeCount };
  }

  change(): UnpackedChange {
    const id = this.#next();
    const lengths = [this.#next(), this.#next(), this.#next()] as const;
    const length = this.#next();
    const textAt = this.#next();
    const prefix = this.#take(lengths[0]);
    const key = this.#take(lengths[1]);
    const indexed = this.#take(lengths[2]);
    if (length === REMOVED) return { id, prefix, key, indexed, text: undefined, inLog: true };
    const inLog = textAt !== BESIDE_BODY;
    const text = inLog ? this.#body.slice(textAt, textAt + length) : this.#take(length);
    return { id, prefix, key, indexed, text, inLog };
  }

  cursor(): { name: string; seq: number | undefined } {
    const length = this.#next();
    const seq = this.#next();
    return { name: this.#take(length), seq: seq === FORGOTTEN ? undefined : seq };
  }

  #next(): number {
    return this.#numbers[this.#number++] ?? 0;
  }

  #take(length: number): string {
    const start = this.#char;
    this.#char += length;
    return this.#text.slice(start, this.#char);
  }
}
