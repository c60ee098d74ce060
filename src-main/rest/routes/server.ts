/** Info, preferences, indexes, prefixes: what the server says of itself (wire-format.md 3.10, 4.20, 12). */
import Type from 'typebox';
import { Problem } from '../../contract/errors.ts';
import { Info, MODELS, publishedIndexes } from '../../contract/models/index.ts';
import type { JsonObject } from '../../kit/json.ts';
import type { Objects } from '../../objects/index.ts';
import { type Context, created, ok, type Route } from '../http.ts';

const TEXT_MAP = Type.Record(Type.String(), Type.String());
const INDEX = Type.Object({
  Type: Type.String(),
  Unique: Type.Boolean(),
  Unordered: Type.Boolean(),
  Regex: Type.Boolean(),
});

type IndexEntry = { Type: string; Unique: boolean; Unordered?: boolean; Regex?: boolean };

function indexesOf(prefix: string, context: Context): Record<string, IndexEntry> | undefined {
  const published = publishedIndexes(prefix);
  if (!published || context.shape !== 'v3') return published;
  return Object.fromEntries(
    Object.entries(published).map(([name, { Type: type, Unique }]) => [name, { Type: type, Unique }]),
  );
}

const noIndexes = (what: string): Problem => new Problem('not-found', `index get: not found: ${what}`);

export function serverRoutes(objects: Objects, info: (context: Context) => JsonObject): Route[] {
  return [
    {
      method: 'GET',
      path: '/info',
      tag: 'info',
      summary: 'What this endpoint is and offers',
      answer: { status: 200, schema: Info },
      handler(context) {
        objects.guard.demand(context.call, [{ scope: 'info', action: 'get', specific: '' }]);
        return ok(info(context));
      },
    },
    {
      method: 'GET',
      path: '/prefs',
      tag: 'preferences',
      summary: 'All preferences in force',
      answer: { status: 200, schema: TEXT_MAP },
      handler: (context) => ok(objects.readPreferences(context.call)),
    },
    {
      method: 'POST',
      path: '/prefs',
      tag: 'preferences',
      summary: 'Sets some preferences, all or nothing',
      body: TEXT_MAP,
      answer: { status: 201, schema: TEXT_MAP },
      handler: async (context) => created(await objects.writePreferences(context.call, context.json() ?? {})),
    },
    {
      method: 'GET',
      path: '/indexes',
      tag: 'indexes',
      summary: 'Indexes of every object type',
      answer: { status: 200, schema: Type.Record(Type.String(), Type.Record(Type.String(), INDEX)) },
      handler(context) {
        objects.guard.demand(context.call, [{ scope: 'indexes', action: 'list', specific: '*' }]);
        const all = Object.keys(MODELS).flatMap((prefix) => {
          const found = indexesOf(prefix, context);
          return found ? [[prefix, found] as const] : [];
        });
        return ok(Object.fromEntries(all));
      },
    },
    {
      method: 'GET',
      path: '/indexes/:prefix',
      tag: 'indexes',
      summary: 'Indexes of one object type',
      answer: { status: 200, schema: Type.Record(Type.String(), INDEX) },
      handler(context) {
        const prefix = context.params['prefix'] ?? '';
        objects.guard.demand(context.call, [{ scope: 'indexes', action: 'get', specific: prefix }]);
        const found = indexesOf(prefix, context);
        if (!found) throw noIndexes(prefix);
        return ok(found);
      },
    },
    {
      method: 'GET',
      path: '/indexes/:prefix/:index',
      tag: 'indexes',
      summary: 'One index',
      answer: { status: 200, schema: INDEX },
      handler(context) {
        const { prefix = '', index = '' } = context.params;
        objects.guard.demand(context.call, [{ scope: 'indexes', action: 'get', specific: prefix }]);
        const found = indexesOf(prefix, context)?.[index];
        if (!found) throw noIndexes(`${prefix}:${index}`);
        return ok(found);
      },
    },
    {
      method: 'GET',
      path: '/objects',
      tag: 'info',
      summary: 'Names of the object types',
      answer: { status: 200, schema: Type.Array(Type.String()) },
      handler(context) {
        objects.guard.demand(context.call, [{ scope: 'objects', action: 'list', specific: '*' }]);
        return ok(Object.keys(MODELS).toSorted((a, b) => (a < b ? -1 : 1)));
      },
    },
  ];
}
