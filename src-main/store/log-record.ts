/**
 * The text of a log record. Its body is one line of JSON,
 *
 *   {"changes":[{"prefix":"machines","key":"k","id":7,"index":["name"],"after":{...},"before":{...}}]}
 *   {"note":{"kind":"denied",...}}
 *
 * `after` is the very text of the stored object, so a driver may rebuild the object from the log; `"masked":true`
 * says that it is not. Without `after` the object was removed, without `before` it was created.
 */
import { hash } from 'node:crypto';
import type { JsonObject } from '../kit/json.ts';
import type { RawRecord, WriteChange, WriteCommit } from './driver.ts';
import { StoreError } from './errors.ts';
import { encodeIndexValues } from './indexes.ts';
import type { ObjectChange } from './layer.ts';
import type { Mask } from './mask.ts';
import type { Change, LogRecord, Note, Origin } from './types.ts';

/** What the first record of a log has for the hash of its predecessor. */
export const GENESIS_HASH = '0'.repeat(64);

/** Hex SHA-256 that ties a record to everything before it. */
export function chainHash(
  previous: string,
  record: { seq: number; time: number; actor: string; requestId: string; body: string },
): string {
  const head = JSON.stringify([record.seq, record.time, record.actor, record.requestId]);
  return hash('sha256', `${previous}\n${head}\n${record.body}`, 'hex');
}

/** Throws `StoreError` `validation` unless the commits are numbered one after the other from `expectedSeq` on. */
export function checkNumbers(expectedSeq: number, commits: readonly WriteCommit[]): void {
  const wrong = commits.findIndex(({ seq }, i) => seq !== expectedSeq + 1 + i);
  if (wrong < 0) return;
  const message = `Commit ${commits[wrong]?.seq} was handed over where ${expectedSeq + 1 + wrong} comes next.`;
  throw new StoreError('validation', message);
}

export function changesCommit(
  seq: number,
  time: number,
  origin: Origin,
  changes: readonly ObjectChange[],
  mask: Mask,
): WriteCommit {
  let body = '{"changes":[';
  const writes: WriteChange[] = [];
  for (const change of changes) {
    const { prefix, key, before, after } = change;
    const id = after?.id ?? before?.id ?? 0;
    const indexed = after ? encodeIndexValues(after.indexed) : '';
    body += `${writes.length > 0 ? ',' : ''}{"prefix":${JSON.stringify(prefix)},"key":${JSON.stringify(key)},"id":${id}`;
    if (indexed !== '') body += `,"index":${indexed}`;
    const text = after?.text;
    let textAt = -1;
    const shown = mask.covers(prefix) ? maskedTexts(change, mask) : { before: before?.text, after: text };
    if (text !== undefined && shown.after !== undefined) {
      if (shown.after !== text) body += ',"masked":true';
      body += ',"after":';
      if (shown.after === text) textAt = body.length;
      body += shown.after;
    }
    if (shown.before !== undefined) body += `,"before":${shown.before}`;
    body += '}';
    writes.push({ id, prefix, key, text, indexed, textAt });
  }
  body += ']}';
  return { seq, time, actor: origin.actor, requestId: origin.requestId, body, changes: writes };
}

function maskedTexts({ prefix, before, after }: ObjectChange, mask: Mask): { before?: string; after?: string } {
  const shown = mask.pair(prefix, before?.value, after?.value);
  const textOf = (side: typeof before, value: JsonObject): string =>
    side?.value === value ? side.text : JSON.stringify(value);
  return {
    ...(shown.before && { before: textOf(before, shown.before) }),
    ...(shown.after && { after: textOf(after, shown.after) }),
  };
}

export function noteCommit(seq: number, time: number, origin: Origin, noteText: string): WriteCommit {
  const { actor, requestId } = origin;
  return { seq, time, actor, requestId, body: `{"note":${noteText}}`, changes: [] };
}

/** A change as it stands in a body. */
interface BodyChange {
  readonly prefix: string;
  readonly key: string;
  readonly id: number;
  readonly index?: readonly (string | null)[];
  readonly masked?: true;
  readonly before?: JsonObject;
  readonly after?: JsonObject;
}

interface Body {
  readonly changes?: readonly BodyChange[];
  readonly note?: Note;
}

/** Throws `StoreError` `corrupt` when it is not JSON; what it holds instead is not repeated. */
export function parseBody(body: string): Body {
  try {
    return JSON.parse(body) as Body;
  } catch {
    throw new StoreError('corrupt', 'A record of the change log is not readable: it was damaged. Restore a backup.');
  }
}

export function toLogRecord({ seq, time, actor, requestId, hash: recordHash, body }: RawRecord): LogRecord {
  const { changes = [], note } = parseBody(body);
  return {
    seq,
    time: new Date(time).toISOString(),
    actor,
    requestId,
    changes: changes.map(toChange),
    ...(note && { note }),
    hash: recordHash,
  };
}

function toChange({ prefix, key, before, after }: BodyChange): Change {
  return { prefix, key, ...(before && { before }), ...(after && { after }) };
}
