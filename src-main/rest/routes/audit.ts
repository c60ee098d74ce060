/** `GET /x/audit`: who did what, and who was refused; filtered, and as a file. */
import Type from 'typebox';
import { AUDIT_QUERY, auditCsv, type Objects, readAuditQuery } from '../../objects/index.ts';
import { type Context, ok, one, type Route } from '../http.ts';

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

export function auditRoutes(objects: Objects): Route[] {
  return [
    {
      method: 'GET',
      path: '/x/audit',
      tag: 'audit',
      summary: 'The change log and denied requests',
      query: AUDIT_QUERY,
      answer: { status: 200, schema: Type.Array(ENTRY) },
      async handler(context: Context) {
        // Before the query is read: whoever may not list learns nothing of what is wrong with it.
        objects.guard.demand(context.call, [{ scope: 'audit', action: 'list', specific: '*' }]);
        const query = Object.fromEntries(Object.entries(context.query).map(([name, value]) => [name, one(value)]));
        const entries = await objects.readAudit(context.call, readAuditQuery(query));
        const filter = context.call.url.split('?')[1] ?? '';
        switch (query['format'] ?? 'json') {
          case 'csv':
            return {
              status: 200,
              contentType: 'text/csv; charset=utf-8',
              headers: { 'Content-Disposition': 'attachment; filename="audit.csv"' },
              body: Buffer.from(auditCsv(entries, filter)),
            };
          case 'jsonl':
            return {
              status: 200,
              contentType: 'application/jsonl; charset=utf-8',
              headers: { 'Content-Disposition': 'attachment; filename="audit.jsonl"' },
              body: Buffer.from(entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')),
            };
          default:
            return ok(entries);
        }
      },
    },
  ];
}
