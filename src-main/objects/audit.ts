/**
 * The audit trail: the change log and the notes beside it (denied requests, sign-ins), as far as the caller's tenant shows the objects
 * concerned. Secrets were masked before they were written.
 */
import { Problem } from '../contract/errors.ts';
import type { JsonObject } from '../kit/json.ts';
import type { HistoryQuery, LogRecord, Store } from '../store/index.ts';
import type { Guard } from './guard.ts';
import { SECURE_KEYS } from './secure-keys.ts';
import { startSlice } from './slices.ts';
import type { Call } from './types.ts';

/** Prefixes that are records of the server itself and no object of anybody. */
const INTERNAL = new Set([SECURE_KEYS]);

export interface AuditEntry {
  readonly Seq: number;
  readonly Time: string;
  readonly Actor: string;
  readonly RequestId: string;
  readonly Changes: readonly {
    Prefix: string;
    Key: string;
    Action: string;
    Before: JsonObject | null;
    After: JsonObject | null;
  }[];
  /** Of a record without changes: what happened. */
  readonly Note: JsonObject | null;
  readonly Hash: string;
}

type Change = LogRecord['changes'][number];

/** A change as far as the tenant shows it: of a pack the objects that are visible, of a delivery none when its machine is hidden. */
function shownChange({ actor }: Call, change: Change): Change | undefined {
  const { prefix, key, before, after } = change;
  if (INTERNAL.has(prefix)) return undefined;
  if (actor.restricts(prefix) && !actor.sees(prefix, key)) return undefined;
  if (prefix === 'deliveries' && actor.restricts('machines')) {
    if (!actor.sees('machines', String((after ?? before)?.['Machine']))) return undefined;
  }
  if (prefix !== 'contents' || actor.tenant === undefined) return change;
  return {
    prefix,
    key,
    ...(before ? { before: shownPack(actor, before) } : {}),
    ...(after ? { after: shownPack(actor, after) } : {}),
  };
}

function shownPack(actor: Call['actor'], pack: JsonObject): JsonObject {
  const sections = Object.entries((pack['sections'] ?? {}) as Record<string, JsonObject>).map(
    ([prefix, section]) =>
      [
        prefix,
        Object.fromEntries(
          Object.entries(section).filter(([key]) => !actor.restricts(prefix) || actor.sees(prefix, key)),
        ),
      ] as const,
  );
  return { ...pack, sections: Object.fromEntries(sections) };
}

/** A denial names what was asked for, a sign-in a user: neither is told of what the tenant hides. */
function showsNote({ actor }: Call, note: JsonObject): boolean {
  const hides = (scope: string, key: string): boolean => actor.restricts(scope) && !actor.sees(scope, key);
  if (note['kind'] === 'sign-in') return note['user'] === actor.name || !hides('users', String(note['user']));
  if (note['kind'] !== 'denied') return true;
  const specific = String(note['specific'] ?? '');
  if (specific === '' || specific === '*') return true;
  const scope = String(note['scope'] ?? '');
  // Jobs and deliveries are asked for by their machine, or shown with it.
  return !hides(scope, specific) && !(scope === 'jobs' && hides('machines', specific));
}

/** Stands for a name the caller may not see. */
const HIDDEN = '***';

/** Whose name the caller may see as the one who did it: a name is not told from that of a machine, so a tenant that lists users hides these too. */
const showsActor = ({ actor }: Call, name: string): boolean =>
  name === actor.name || name === 'system' || actor.sees('users', name);

/** The name of who did something, as far as the caller's tenant shows it. */
export const shownActor = (call: Call, name: string): string => (showsActor(call, name) ? name : HIDDEN);

function entry(call: Call, record: LogRecord): AuditEntry | undefined {
  const shown = record.changes.flatMap((change) => shownChange(call, change) ?? []);
  if (shown.length === 0 && !(record.note && showsNote(call, record.note))) return undefined;
  return {
    Seq: record.seq,
    Time: record.time,
    Actor: shownActor(call, record.actor),
    RequestId: record.requestId,
    Changes: shown.map(({ prefix, key, before, after }) => ({
      Prefix: prefix,
      Key: key,
      Action: !before ? 'create' : !after ? 'delete' : 'update',
      Before: before ?? null,
      After: after ?? null,
    })),
    Note: record.note ?? null,
    Hash: record.hash,
  };
}

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 10_000;
/** One request looks at no more records than this, however few of them its caller may see. */
const MAX_READ = 100_000;

const WHOLE_NUMBERS = ['from', 'to', 'limit'] as const;
const TEXTS = ['since', 'until', 'prefix', 'key', 'actor', 'requestId'] as const;
export const AUDIT_QUERY = {
  from: 'Lowest record number',
  to: 'Highest record number',
  since: 'Earliest time, RFC 3339',
  until: 'Latest time, RFC 3339',
  prefix: 'Object type',
  key: 'Key of the object',
  actor: 'Who',
  requestId: 'Request',
  kind: 'Notes of one kind: denied, sign-in',
  order: 'newest (default) or oldest first',
  limit: 'Most records to answer: default 100, at most 10000; no more than 100000 are searched for them',
  format: 'json (default), jsonl or csv',
} as const;

const FORMATS = new Set(['json', 'jsonl', 'csv']);

/** Reads the query parameters; throws Problem `bad-filter` that names the one it cannot read. */
export function readAuditQuery(query: Readonly<Record<string, string | undefined>>): HistoryQuery {
  const bad = (sentence: string): Problem => new Problem('bad-filter', sentence, { model: 'audit' });
  for (const name of Object.keys(query)) {
    if (!Object.hasOwn(AUDIT_QUERY, name) && name !== 'token') throw bad(`Filter not found: ${name}`);
  }
  const numbers = WHOLE_NUMBERS.flatMap((name) => {
    const text = query[name];
    if (text === undefined) return [];
    if (!/^[0-9]+$/.test(text)) throw bad(`${name} must be a whole number, not ${text}`);
    return [[name, Number(text)] as const];
  });
  const texts = TEXTS.flatMap((name) => {
    const text = query[name];
    if (text === undefined) return [];
    if ((name === 'since' || name === 'until') && Number.isNaN(Date.parse(text)))
      throw bad(`${name} is no time: ${text}`);
    return [[name, name === 'since' || name === 'until' ? new Date(text).toISOString() : text] as const];
  });
  const { order = 'newest', kind, format = 'json' } = query;
  if (!FORMATS.has(format)) throw bad(`format is json, jsonl or csv, not ${format}`);
  if (order !== 'newest' && order !== 'oldest') throw bad(`order is newest or oldest, not ${order}`);
  return {
    ...Object.fromEntries(numbers),
    ...Object.fromEntries(texts),
    ...(kind === undefined ? {} : { noteKind: kind }),
    newestFirst: order === 'newest',
  };
}

/** Records that fit the query and that the caller may see, up to its limit; read from the log as they are taken. */
export function readAudit(store: Store, guard: Guard, call: Call, query: HistoryQuery): AsyncIterable<AuditEntry> {
  guard.demand(call, [{ scope: 'audit', action: 'list', specific: '*' }]);
  return visibleEntries(store, call, query);
}

async function* visibleEntries(store: Store, call: Call, query: HistoryQuery): AsyncGenerator<AuditEntry> {
  let wanted = Math.min(query.limit ?? DEFAULT_LIMIT, MAX_LIMIT);
  let unread = MAX_READ;
  if (wanted <= 0 || (query.actor !== undefined && !showsActor(call, query.actor))) return;
  const slice = startSlice();
  for await (const record of store.records(query)) {
    const shown = entry(call, record);
    if (shown) yield shown;
    if ((shown && --wanted === 0) || --unread === 0) return;
    if (slice.isOver()) await slice.next();
  }
}

function cell(text: string): string {
  // A leading = + - @ would be run as a formula by spreadsheet programs.
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`;

/** The lines before the entries. `filter` is stated in the first. */
export function auditCsvHead(filter: string): string {
  const names = ['Seq', 'Time', 'Actor', 'RequestId', 'Action', 'Prefix', 'Key', 'Before', 'After'];
  return `# filter: ${filter || 'none'}\n${csvLine(names)}`;
}

/** One line per changed object, for spreadsheets. */
export function auditCsvLines({ Seq, Time, Actor, RequestId, Changes, Note }: AuditEntry): string {
  const common = [String(Seq), Time, Actor, RequestId];
  const rows = Changes.map((c) => [
    ...common,
    c.Action,
    c.Prefix,
    c.Key,
    JSON.stringify(c.Before),
    JSON.stringify(c.After),
  ]);
  if (Note) rows.push([...common, String(Note['kind']), '', '', '', JSON.stringify(Note)]);
  return rows.map(csvLine).join('');
}
