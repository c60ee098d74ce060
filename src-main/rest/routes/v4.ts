/** What newer clients of this API ask for and this server has none of (wire-format.md 14): empty lists, absent items, no match. */
import Type, { type TSchema } from 'typebox';
import { Problem } from '../../contract/errors.ts';
import type { JsonObject } from '../../kit/json.ts';
import type { Objects } from '../../objects/index.ts';
import { jsonObject } from '../body.ts';
import { type Context, listCounts, ok, type Route } from '../http.ts';

/** Types of newer servers that have no objects here. */
const EMPTY_TYPES = ['contexts', 'endpoints', 'version_sets', 'catalog_items'] as const;

const NO_OBJECTS = listCounts({ total: 0, filtered: 0, answered: 0 });

const ANY_OBJECT: TSchema = Type.Record(Type.String(), Type.Unknown());
const WHOAMI = Type.Object({
  Result: Type.Object({ Score: Type.Integer(), Uuid: Type.String(), Token: Type.String() }),
  Fingerprint: Type.Optional(Type.Unknown()),
  MacAddrs: Type.Optional(Type.Unknown()),
  OnDiskUUID: Type.Optional(Type.Unknown()),
});

function emptyType(objects: Objects, scope: string): Route[] {
  const list = (context: Context): void => {
    const demand = [{ scope, action: 'list', specific: '*' }];
    // A concealed denial is an empty list, which is what this answers anyway.
    if (!objects.guard.conceals()) objects.guard.demand(context.call, demand);
  };
  const absent = (context: Context): never => {
    if (!objects.guard.conceals())
      objects.guard.demand(context.call, [{ scope, action: 'get', specific: context.params['key'] ?? '' }]);
    throw new Problem('not-found', 'Not Found', { model: scope, key: context.params['key'] ?? '' });
  };
  return [
    {
      method: 'GET',
      path: `/${scope}`,
      tag: scope,
      summary: `None: this server has no ${scope}`,
      answer: { status: 200, schema: Type.Array(ANY_OBJECT) },
      handler(context) {
        list(context);
        return ok([], NO_OBJECTS);
      },
    },
    {
      method: 'HEAD',
      path: `/${scope}`,
      tag: scope,
      summary: `Counts ${scope}: none`,
      answer: { status: 200 },
      handler(context) {
        list(context);
        return { status: 200, headers: NO_OBJECTS };
      },
    },
    ...(['GET', 'HEAD'] as const).map(
      (method): Route => ({
        method,
        path: `/${scope}/:key`,
        tag: scope,
        summary: `Never there: this server has no ${scope}`,
        answer: method === 'GET' ? { status: 200, schema: ANY_OBJECT } : { status: 200 },
        handler: absent,
      }),
    ),
  ];
}

/** A body as sent with the `Result` of no match; member names in any letter case. */
function unmatched(body: JsonObject): JsonObject {
  const sent = Object.fromEntries(
    ['Fingerprint', 'MacAddrs', 'OnDiskUUID'].flatMap((name) => {
      const found = Object.entries(body).find(([key]) => key.toLowerCase() === name.toLowerCase());
      return found ? [[name, found[1]]] : [];
    }),
  ) as JsonObject;
  return { ...sent, Result: { Score: 0, Uuid: '', Token: '' } };
}

export function newerClientRoutes(objects: Objects): Route[] {
  return [
    ...EMPTY_TYPES.flatMap((scope) => emptyType(objects, scope)),
    {
      method: 'POST',
      path: '/whoami',
      tag: 'machines',
      summary: 'Which machine a fingerprint belongs to: always none (score 0)',
      body: ANY_OBJECT,
      answer: { status: 200, schema: WHOAMI },
      handler(context) {
        objects.guard.demand(context.call, [{ scope: 'machines', action: 'whoami', specific: '' }]);
        return ok(unmatched(jsonObject(context.json() ?? {})));
      },
    },
  ];
}
