import type { Json, JsonObject } from '../kit/json.ts';
import type { RawRecord, VerifyProblem, VerifyReport } from './driver.ts';
import { chainHash, parseBody } from './log-record.ts';
import { fitsMask } from './mask.ts';
import type { ObjectRow } from './stored.ts';

/** A place in the chain: a record and its hash. */
export interface ChainLink {
  readonly seq: number;
  readonly hash: string;
}

interface LastWrite {
  readonly prefix: string;
  readonly key: string;
  readonly seq: number;
  /** Index values as the table has them; undefined when the object was removed. */
  readonly indexed: string | undefined;
  /** The JSON shown. */
  readonly after: string | undefined;
  readonly isMasked: boolean;
}

export interface VerifyBounds {
  /** The last record dropped by compaction, from which the first one left continues. */
  readonly anchor: ChainLink;
  /** Up to here the objects hold what the records say; after it they hold the masked changes only, which no record could restore. */
  readonly appliedSeq: number;
  /** Up to here index values were made anew, with other definitions than when the records were written. */
  readonly indexedSeq: number;
}

const MAX_PROBLEMS = 100;

/**
 * Checks a log: feed it every record in ascending order, tell where it should end, feed it every object, then ask for the report. Finds a record
 * that was changed, inserted or taken out, a log whose end was cut off, and an object that is not what the last record
 * about it says. It cannot tell a log that was rewritten from the start, one whose beginning was taken out and its bounds moved
 * along, or an object older than the first record: compare `head` and `firstSeq` with a copy kept elsewhere.
 */
export class LogVerifier {
  readonly #bounds: VerifyBounds;
  #last: ChainLink;
  #records = 0;
  #objects = 0;
  #problemCount = 0;
  readonly #problems: VerifyProblem[] = [];
  /** By number of the object: what the table must hold. */
  readonly #lastWrites = new Map<number, LastWrite>();
  /** Objects whose removal the table has yet to see; another may have taken their name. */
  readonly #leaving = new Set<number>();
  readonly #names = new Set<string>();

  constructor(bounds: VerifyBounds) {
    this.#bounds = bounds;
    this.#last = bounds.anchor;
  }

  record(record: RawRecord): void {
    this.#records++;
    const { seq } = record;
    if (seq !== this.#last.seq + 1) {
      this.#report({
        kind: 'missing-record',
        seq: this.#last.seq + 1,
        detail: `Records ${this.#last.seq + 1} to ${seq - 1} are missing.`,
      });
    } else if (chainHash(this.#last.hash, record) !== record.hash) {
      this.#report({ kind: 'changed-record', seq, detail: `The hash of record ${seq} does not fit its content.` });
    }
    // Continues from the hash as stored, so that one change is reported once.
    this.#last = { seq, hash: record.hash };
    this.#note(record);
  }

  object(object: ObjectRow): void {
    this.#objects++;
    const { id, prefix, key } = object;
    const last = this.#lastWrites.get(id);
    this.#lastWrites.delete(id);
    const fault = this.#faultOf(object, last);
    if (fault !== undefined) this.#report({ kind: 'changed-object', prefix, key, detail: fault });
  }

  /** A sentence that repeats no stored value. */
  #faultOf(object: ObjectRow, last: LastWrite | undefined): string | undefined {
    const { id, prefix, key, revision, indexed, text } = object;
    const name = `${prefix}/${key}`;
    const value = parsed(text);
    if (value === undefined) return `${name} is not readable.`;
    if (!this.#leaving.has(id)) {
      const unique = JSON.stringify([prefix, key]);
      if (this.#names.has(unique)) return `${name} is there twice.`;
      this.#names.add(unique);
    }
    if (!last) {
      // Its record may be among those that compaction dropped.
      const isOlder = Number.isInteger(revision) && revision >= 1 && revision <= this.#bounds.anchor.seq;
      return isOlder ? undefined : `No record says who wrote revision ${revision} of ${name}.`;
    }
    if (last.prefix !== prefix || last.key !== key) return `Record ${last.seq} gives ${name} another name.`;
    if (last.after === undefined) return `Record ${last.seq} removed ${name}, yet it is there.`;
    if (last.seq !== revision) return `${name} has revision ${revision}, its last record is ${last.seq}.`;
    const isSame = last.after === text || (last.isMasked && sameButMasked(JSON.parse(last.after), value));
    if (!isSame) return `${name} is not what record ${last.seq} wrote.`;
    if (last.seq > this.#bounds.indexedSeq && last.indexed !== indexed)
      return `${name} has other index values than record ${last.seq} wrote.`;
    return undefined;
  }

  /** Between records and objects. `headSeq`: the newest record there should be. */
  endOfLog(headSeq: number): void {
    const first = this.#last.seq + 1;
    if (headSeq < first) return;
    this.#report({ kind: 'missing-record', seq: first, detail: `Records ${first} to ${headSeq} are missing.` });
  }

  /** Call once, at the end. */
  report(): VerifyReport {
    for (const { prefix, key, seq, after } of this.#lastWrites.values()) {
      if (after === undefined) continue;
      const detail = `Record ${seq} wrote ${prefix}/${key}, yet it is not there.`;
      this.#report({ kind: 'changed-object', prefix, key, detail });
    }
    return {
      ok: this.#problemCount === 0,
      records: this.#records,
      firstSeq: this.#bounds.anchor.seq + 1,
      lastSeq: this.#last.seq,
      head: this.#last.hash,
      objects: this.#objects,
      problems: this.#problems,
    };
  }

  #note({ seq, body }: RawRecord): void {
    let content: ReturnType<typeof parseBody>;
    try {
      content = parseBody(body);
    } catch {
      this.#report({ kind: 'changed-record', seq, detail: `Record ${seq} is not readable.` });
      return;
    }
    for (const { prefix, key, id, index, masked, after } of content.changes ?? []) {
      const isMasked = masked === true;
      if (seq > this.#bounds.appliedSeq && !isMasked) {
        if (!after) this.#leaving.add(id);
        continue;
      }
      const indexed = after && (index ? JSON.stringify(index) : '');
      this.#lastWrites.set(id, { prefix, key, seq, indexed, after: after && JSON.stringify(after), isMasked });
    }
  }

  #report(problem: VerifyProblem): void {
    this.#problemCount++;
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(problem);
  }
}

/** Undefined when it is no JSON; what it holds instead is nobody's business. */
function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Equal but for places where the log has a mask. */
function sameButMasked(shown: unknown, actual: unknown): boolean {
  if (fitsMask(shown as Json, actual as Json)) return true;
  if (typeof shown !== 'object' || shown === null) return shown === actual;
  if (typeof actual !== 'object' || actual === null || Array.isArray(shown) !== Array.isArray(actual)) return false;
  const left = shown as JsonObject;
  const right = actual as JsonObject;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && sameButMasked(left[key], right[key]));
}
