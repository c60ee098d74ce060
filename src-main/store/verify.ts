import type { Json, JsonObject } from '../kit/json.ts';
import type { RawRecord, VerifyProblem, VerifyReport } from './driver.ts';
import { chainHash, parseBody } from './log-record.ts';
import { fitsMask } from './mask.ts';

/** A place in the chain: a record and its hash. */
export interface ChainLink {
  readonly seq: number;
  readonly hash: string;
}

interface LastWrite {
  readonly seq: number;
  /** Hash of the JSON shown, or the JSON itself when it is masked and must be compared field by field. */
  readonly after: string | undefined;
}

const MAX_PROBLEMS = 100;

/**
 * Checks a log: feed it every record in ascending order, tell where it should end, feed it every object, then ask for the report. Finds a record
 * that was changed, inserted or taken out, a log whose end was cut off, and an object that is not what the last record
 * about it says. It cannot tell a log that was rewritten from the start: compare `head` with a copy kept elsewhere.
 */
export class LogVerifier {
  readonly #anchor: ChainLink;
  readonly #firstSeq: number;
  #last: ChainLink;
  #records = 0;
  #objects = 0;
  #problemCount = 0;
  readonly #problems: VerifyProblem[] = [];
  readonly #lastWrites = new Map<string, LastWrite>();
  /** Above it, records are not yet reflected in the objects. */
  readonly #appliedSeq: number;

  /** `anchor`: the last record dropped by compaction, from which the first one left continues. */
  constructor(anchor: ChainLink, appliedSeq = Number.MAX_SAFE_INTEGER) {
    this.#anchor = anchor;
    this.#firstSeq = anchor.seq + 1;
    this.#last = anchor;
    this.#appliedSeq = appliedSeq;
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

  /** `text`: the JSON of the object. */
  object(object: { prefix: string; key: string; revision: number; text: string }): void {
    this.#objects++;
    const { prefix, key, revision, text } = object;
    const name = nameOf(prefix, key);
    const last = this.#lastWrites.get(name);
    this.#lastWrites.delete(name);
    if (revision <= this.#anchor.seq && last === undefined) return;
    const wrong = (detail: string): void => this.#report({ kind: 'changed-object', prefix, key, detail });
    if (last === undefined) wrong(`No record says who wrote revision ${revision} of ${prefix}/${key}.`);
    else if (last.seq > this.#appliedSeq) return;
    else if (last.after === undefined) wrong(`Record ${last.seq} removed ${prefix}/${key}, yet it is there.`);
    else if (last.seq !== revision) wrong(`${prefix}/${key} has revision ${revision}, its last record is ${last.seq}.`);
    else if (last.after !== text && !sameButMasked(JSON.parse(last.after), JSON.parse(text)))
      wrong(`${prefix}/${key} is not what record ${last.seq} wrote.`);
  }

  /** Between records and objects. `headSeq`: the newest record there should be. */
  endOfLog(headSeq: number): void {
    const first = this.#last.seq + 1;
    if (headSeq < first) return;
    this.#report({ kind: 'missing-record', seq: first, detail: `Records ${first} to ${headSeq} are missing.` });
  }

  /** Call once, at the end. */
  report(): VerifyReport {
    for (const [name, { seq, after }] of this.#lastWrites) {
      if (after === undefined || seq > this.#appliedSeq) continue;
      const [prefix, key] = JSON.parse(name) as [string, string];
      const detail = `Record ${seq} wrote ${prefix}/${key}, yet it is not there.`;
      this.#report({ kind: 'changed-object', prefix, key, detail });
    }
    return {
      ok: this.#problemCount === 0,
      records: this.#records,
      firstSeq: this.#firstSeq,
      lastSeq: this.#last.seq,
      head: this.#last.hash,
      objects: this.#objects,
      problems: this.#problems,
    };
  }

  #note({ seq, body }: RawRecord): void {
    let parsed: ReturnType<typeof parseBody>;
    try {
      parsed = parseBody(body);
    } catch {
      this.#report({ kind: 'changed-record', seq, detail: `Record ${seq} is not readable.` });
      return;
    }
    for (const { prefix, key, after } of parsed.changes ?? [])
      this.#lastWrites.set(nameOf(prefix, key), { seq, after: after && JSON.stringify(after) });
  }

  #report(problem: VerifyProblem): void {
    this.#problemCount++;
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(problem);
  }
}

function nameOf(prefix: string, key: string): string {
  return JSON.stringify([prefix, key]);
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
