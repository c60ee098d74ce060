/** `GET /x/audit`: who did what, and who was refused; filtered, and as a file. */
import Type from 'typebox';
import {
  AUDIT_QUERY,
  type AuditEntry,
  auditCsvHead,
  auditCsvLines,
  type Objects,
  readAuditQuery,
} from '../../objects/index.ts';
import { type Context, one, type Route } from '../http.ts';
import { textBody } from '../text-body.ts';

const CHANGE = Type.Object({
  Prefix: Type.String(),
  Key: Type.String(),
  Action: Type.String(),
  Before: Type.Unknown(),
  After: Type.Unknown(),
});
const ENTRY = Type.Object({
  Seq: Type.Integer(),
  Time: Type.String(),
  Actor: Type.String(),
  RequestId: Type.String(),
  Changes: Type.Array(CHANGE),
  Note: Type.Unknown(),
  Hash: Type.String(),
});

type Entries = AsyncIterable<AuditEntry>;

async function* json(entries: Entries): AsyncGenerator<string> {
  let before = '[';
  for await (const entry of entries) {
    yield before + JSON.stringify(entry);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

async function* jsonLines(entries: Entries): AsyncGenerator<string> {
  for await (const entry of entries) yield `${JSON.stringify(entry)}\n`;
}

async function* csv(entries: Entries, filter: string): AsyncGenerator<string> {
  yield auditCsvHead(filter);
  for await (const entry of entries) yield auditCsvLines(entry);
}

/** What was asked for, without who asked: the file is passed on, the token must not be. */
function filterText(query: Readonly<Record<string, string | undefined>>): string {
  const told = Object.entries(query).flatMap(([name, value]) =>
    name === 'token' || value === undefined ? [] : [[name, value]],
  );
  return new URLSearchParams(told).toString();
}

export function auditRoutes(objects: Objects): Route[] {
  return [
    {
      method: 'GET',
      path: '/x/audit',
      tag: 'audit',
      summary: 'The change log and denied requests',
      query: AUDIT_QUERY,
      answer: { status: 200, schema: Type.Array(ENTRY), otherTypes: ['text/csv', 'application/jsonl'] },
      async handler({ call, query: given }: Context) {
        // Before the query is read: whoever may not list learns nothing of what is wrong with it.
        objects.guard.demand(call, [{ scope: 'audit', action: 'list', specific: '*' }]);
        const query = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, one(value)]));
        const entries = objects.readAudit(call, readAuditQuery(query));
        switch (query['format']) {
          case 'csv':
            return {
              status: 200,
              contentType: 'text/csv; charset=utf-8',
              headers: { 'Content-Disposition': 'attachment; filename="audit.csv"' },
              ...(await textBody(csv(entries, filterText(query)))),
            };
          case 'jsonl':
            return {
              status: 200,
              contentType: 'application/jsonl; charset=utf-8',
              headers: { 'Content-Disposition': 'attachment; filename="audit.jsonl"' },
              ...(await textBody(jsonLines(entries))),
            };
          default:
            return { status: 200, ...(await textBody(json(entries))) };
        }
      },
    },
  ];
}
