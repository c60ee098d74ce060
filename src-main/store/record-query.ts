import type { RawRecord, RecordQuery } from './driver.ts';
import { StoreError } from './errors.ts';
import { parseBody } from './log-record.ts';
import type { HistoryQuery } from './types.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 10_000;
/** Of one answer: what is read ahead of whoever handles it, and parsed in one turn of the event loop. */
const MAX_TEXT = 1024 * 1024;

/** Fills in the defaults. Throws `StoreError` `validation` for a time that is none. */
export function toRecordQuery(query: HistoryQuery): RecordQuery {
  return {
    from: query.from ?? 0,
    to: query.to ?? Number.MAX_SAFE_INTEGER,
    sinceMs: toMs('since', query.since, Number.MIN_SAFE_INTEGER),
    untilMs: toMs('until', query.until, Number.MAX_SAFE_INTEGER),
    limit: Math.max(0, Math.min(MAX_LIMIT, Math.trunc(query.limit ?? DEFAULT_LIMIT))),
    maxText: MAX_TEXT,
    prefix: query.prefix,
    key: query.key,
    actor: query.actor,
    requestId: query.requestId,
    noteKind: query.noteKind,
    newestFirst: query.newestFirst ?? false,
  };
}

function toMs(name: string, time: string | undefined, otherwise: number): number {
  if (time === undefined) return otherwise;
  const ms = Date.parse(time);
  if (Number.isNaN(ms)) throw new StoreError('validation', `"${name}" must be a time like 2026-01-31T12:00:00Z.`);
  return ms;
}

/** What is left of a query once it was answered with `page`; undefined when that was all. */
export function afterPage(query: RecordQuery, page: readonly RawRecord[]): RecordQuery | undefined {
  const last = page.at(-1);
  const text = page.reduce((sum, { body }) => sum + body.length, 0);
  // Short of both bounds, the driver came to the end of the log: searching the rest once more would find nothing.
  if (!last || (page.length < query.limit && text < query.maxText)) return undefined;
  return query.newestFirst ? { ...query, to: last.seq - 1 } : { ...query, from: last.seq + 1 };
}

/** The part of a query that needs the body of a record. */
export function matchesBody(query: RecordQuery, body: string): boolean {
  const { prefix, key, noteKind } = query;
  if (prefix === undefined && key === undefined && noteKind === undefined) return true;
  const { changes = [], note } = parseBody(body);
  if (noteKind !== undefined && note?.kind !== noteKind) return false;
  if (prefix === undefined && key === undefined) return true;
  return changes.some((c) => (prefix === undefined || c.prefix === prefix) && (key === undefined || c.key === key));
}

/** The whole query except its bounds on the answer and the order. */
export function matchesQuery(query: RecordQuery, record: RawRecord): boolean {
  return (
    record.seq >= query.from &&
    record.seq <= query.to &&
    record.time >= query.sinceMs &&
    record.time <= query.untilMs &&
    (query.actor === undefined || record.actor === query.actor) &&
    (query.requestId === undefined || record.requestId === query.requestId) &&
    matchesBody(query, record.body)
  );
}

/**
 * Texts that the body of every matching record contains, to leave out most others without parsing. A record may contain
 * them by chance: `matchesBody` decides.
 */
export function bodyNeedles(query: RecordQuery): string[] {
  const needles: string[] = [];
  if (query.prefix !== undefined) needles.push(`"prefix":${JSON.stringify(query.prefix)}`);
  if (query.key !== undefined) needles.push(`"key":${JSON.stringify(query.key)}`);
  if (query.noteKind !== undefined) needles.push(JSON.stringify(query.noteKind));
  return needles;
}
