/** The generic routes of every object type (wire-format.md 3.2), and its params, pubkey and meta sub-resources (3.11). */
import Type, { type TSchema } from 'typebox';
import { Problem } from '../../contract/errors.ts';
import { parseListQuery } from '../../contract/list-query.ts';
import { MODELS, type ModelDefinition, type Slim, slim } from '../../contract/models/index.ts';
import { v4Hex } from '../../kit/ip-address.ts';
import type { Json, JsonObject } from '../../kit/json.ts';
import { readPatch } from '../../kit/json-patch.ts';
import { type Objects, type Shape, type Stored, shaped, shapedBytes } from '../../objects/index.ts';
import { jsonObject } from '../body.ts';
import { isKnownTag } from '../entity-tags.ts';
import { type Answer, type Context, created, flag, listCounts, ok, one, type Route } from '../http.ts';
import { plainBody, viewedBody } from '../list-body.ts';

const PATCH_SCHEMA = Type.Array(
  Type.Object({
    op: Type.Union(['add', 'remove', 'replace', 'move', 'copy', 'test'].map((op) => Type.Literal(op))),
    path: Type.String(),
    from: Type.Optional(Type.String()),
    value: Type.Optional(Type.Unknown()),
  }),
  { $id: 'JSONPatch' },
);

const ANY_MAP = Type.Record(Type.String(), Type.Unknown());
const LIST_QUERY = {
  limit: 'Most objects to answer; 0 answers none',
  offset: 'Objects to skip',
  sort: 'Index to sort by; may be repeated',
  reverse: 'Turns the order round',
  slim: 'Meta, Params: maps to leave empty',
  params: 'Only these params',
  decode: 'Opens secure params; needs getSecure',
  aggregate: 'Params with those of profiles, stage and global',
};

/** Strong tag of an object revision; every shape of an object has the same. */
function etag(stored: Pick<Stored, 'revision'>): string {
  return `"${stored.revision}"`;
}

interface ItemView {
  readonly slim: Slim;
  readonly aggregate: boolean;
  readonly decode: boolean;
  readonly params: readonly string[] | undefined;
}

function itemView(context: Context): ItemView {
  const names = (text: string | undefined): string[] | undefined => text?.split(',').map((name) => name.trim());
  const wanted = names(one(context.query['slim'])?.toLowerCase()) ?? [];
  return {
    slim: { Meta: wanted.includes('meta'), Params: wanted.includes('params') },
    aggregate: flag(context.query['aggregate']),
    decode: flag(context.query['decode']),
    params: names(one(context.query['params'])),
  };
}

const isPlain = (view: ItemView): boolean =>
  !view.slim.Meta && !view.slim.Params && !view.aggregate && !view.decode && view.params === undefined;

/** One object as the query wants it. */
function viewed(
  objects: Objects,
  definition: ModelDefinition,
  stored: Stored,
  view: ItemView,
  shape: Shape,
): JsonObject {
  let value = shaped(definition, stored.value, shape);
  if (definition.hasParams && (view.aggregate || view.decode || view.params)) {
    let params = objects.effectiveParams(stored, view);
    if (view.params)
      params = Object.fromEntries(
        view.params.filter((name) => Object.hasOwn(params, name)).map((name) => [name, params[name] as Json]),
      );
    value = { ...value, Params: params };
  }
  return view.slim.Meta || view.slim.Params ? slim(value, view.slim) : value;
}

async function list(objects: Objects, definition: ModelDefinition, context: Context): Promise<Answer> {
  const { call } = context;
  // A param that the tenant hides is none to filter by.
  const paramOf = (name: string): JsonObject | undefined =>
    call.actor.sees('params', name) ? objects.view.get('params', name)?.value : undefined;
  const result = await objects.list(call, definition, () => parseListQuery(definition, context.query, paramOf));
  const headers = listCounts({ total: result.total, filtered: result.filtered, answered: result.items.length });
  if (context.method === 'HEAD') return { status: 200, headers };
  const view = itemView(context);
  if (isPlain(view)) return { status: 200, headers, ...(await plainBody(definition, result.items, context.shape)) };
  const bytesOf = (stored: Stored): Buffer =>
    Buffer.from(JSON.stringify(viewed(objects, definition, stored, view, context.shape)));
  return { status: 200, headers, ...(await viewedBody(result.items, bytesOf)) };
}

/** Key of the object in the path; one that takes the rest of the path may come with slashes before it. */
function keyOf(context: Context): string {
  return context.params['key'] ?? (context.params['*'] ?? '').replace(/^\/+/, '');
}

function item(objects: Objects, definition: ModelDefinition, context: Context): Answer {
  const view = itemView(context);
  const { stored } = objects.get(context.call, definition, keyOf(context), view.decode);
  if (!isPlain(view)) return ok(viewed(objects, definition, stored, view, context.shape));
  const tag = etag(stored);
  const headers = { ETag: tag };
  if (isKnownTag(context.headers['if-none-match'], tag)) return { status: 304, headers };
  if (context.method === 'HEAD') return { status: 200, headers };
  return { status: 200, body: shapedBytes(definition, stored, context.shape), headers };
}

function operations(context: Context): ReturnType<typeof readOperations> {
  return readOperations(context.json());
}
function readOperations(body: unknown) {
  const patch = readPatch(body);
  if (!patch.ok) throw new Problem('malformed-json', patch.reason);
  return patch.operations;
}

/** Types without a generic DELETE: what the machine has, and uploads with routes of their own. */
const NOT_DELETABLE = new Set(['interfaces', 'plugin_providers']);

function genericRoutes(objects: Objects, definition: ModelDefinition): Route[] {
  const { prefix, name, schema } = definition;
  const tag = prefix;
  const base = `/${prefix}`;
  // Names of params have slashes, and clients send them as they are (wire-format.md 1.1).
  const place = prefix === 'params' ? '*' : ':key';
  const key = keyOf;
  /** PUT compares the body with the path, which may have an address where the key is its hex form. */
  const native = (context: Context): string =>
    definition.key === 'Addr' ? (v4Hex(key(context)) ?? key(context)) : key(context);
  const shapedOk = (context: Context, value: JsonObject): Answer => {
    const stored = objects.view.get(prefix, definition.keyOf(value));
    const body = shaped(definition, value, context.shape);
    return stored && stored.value === value ? ok(body, { ETag: etag(stored) }) : ok(body);
  };
  const rows: Route[] = [
    ...(['GET', 'HEAD'] as const).map(
      (method): Route => ({
        method,
        path: base,
        tag,
        summary: method === 'GET' ? `Lists ${prefix}` : `Counts ${prefix}`,
        query: LIST_QUERY,
        answer: method === 'GET' ? { status: 200, schema: Type.Array(schema) } : { status: 200 },
        handler: (context) => list(objects, definition, context),
      }),
    ),
    ...(['GET', 'HEAD'] as const).map(
      (method): Route => ({
        method,
        path: `${base}/${place}`,
        tag,
        summary: method === 'GET' ? `One of ${prefix}` : `Whether one of ${prefix} is there`,
        answer: method === 'GET' ? { status: 200, schema } : { status: 200 },
        handler: (context) => item(objects, definition, context),
      }),
    ),
  ];
  if (definition.creatable && prefix !== 'jobs') {
    rows.push({
      method: 'POST',
      path: base,
      tag,
      summary: `Creates one of ${prefix}`,
      body: schema,
      answer: { status: 201, schema },
      handler: async (context) =>
        created(shaped(definition, await objects.create(context.call, definition, context.json()), context.shape)),
    });
  }
  if (definition.writable) {
    rows.push(
      {
        method: 'PATCH',
        path: `${base}/${place}`,
        tag,
        summary: `Changes fields of one of ${prefix} (JSON Patch)`,
        body: PATCH_SCHEMA,
        answer: { status: 200, schema },
        handler: async (context) =>
          shapedOk(context, await objects.patch(context.call, definition, key(context), operations(context))),
      },
      {
        method: 'PUT',
        path: `${base}/${place}`,
        tag,
        summary: `Replaces one of ${prefix}`,
        body: schema,
        answer: { status: 200, schema },
        handler: async (context) =>
          shapedOk(context, await objects.replace(context.call, definition, native(context), context.json())),
      },
    );
  }
  if (!NOT_DELETABLE.has(prefix)) {
    rows.push({
      method: 'DELETE',
      path: `${base}/${place}`,
      tag,
      summary: `Removes one of ${prefix}; answers what it was`,
      answer: { status: 200, schema },
      handler: async (context) =>
        ok(shaped(definition, await objects.remove(context.call, definition, key(context)), context.shape)),
    });
  }
  if (definition.hasMeta) {
    rows.push({
      method: 'GET',
      path: `/meta/${prefix}/${place}`,
      tag,
      summary: `Meta of a ${name}`,
      answer: { status: 200, schema: ANY_MAP },
      handler: (context) => ok(objects.readMeta(context.call, definition, key(context))),
    });
  }
  if (definition.hasMeta && definition.writable) {
    rows.push({
      method: 'PATCH',
      path: `/meta/${prefix}/${place}`,
      tag,
      summary: `Changes Meta of a ${name} (JSON Patch)`,
      body: PATCH_SCHEMA,
      answer: { status: 200, schema: ANY_MAP },
      handler: async (context) =>
        ok(await objects.patchMeta(context.call, definition, key(context), operations(context))),
    });
  }
  return definition.hasParams ? [...rows, ...paramRoutes(objects, definition)] : rows;
}

function paramRoutes(objects: Objects, definition: ModelDefinition): Route[] {
  const { prefix: tag, name } = definition;
  const base = `/${definition.prefix}/:key`;
  const key = (context: Context): string => context.params['key'] ?? '';
  const param = (context: Context): string => (context.params['*'] ?? '').replace(/^\/+/, '');
  const reading = (context: Context): { aggregate: boolean; decode: boolean } => ({
    aggregate: flag(context.query['aggregate']),
    decode: flag(context.query['decode']),
  });
  const value: TSchema = Type.Unknown();
  const only = (context: Context, params: JsonObject): JsonObject => {
    const { params: names } = itemView(context);
    return names
      ? Object.fromEntries(names.filter((n) => Object.hasOwn(params, n)).map((n) => [n, params[n] as Json]))
      : params;
  };
  const bodyValue = (context: Context): Json => {
    const body = context.json();
    if (body === undefined) throw new Problem('malformed-json', 'A param value is any JSON value; the body is empty');
    return body as Json;
  };
  return [
    {
      method: 'GET',
      path: `${base}/params`,
      tag,
      summary: `Params of a ${name}`,
      query: { aggregate: LIST_QUERY.aggregate, decode: LIST_QUERY.decode, params: LIST_QUERY.params },
      answer: { status: 200, schema: ANY_MAP },
      handler: (context) =>
        ok(only(context, objects.readParams(context.call, definition, key(context), reading(context)))),
    },
    {
      method: 'POST',
      path: `${base}/params`,
      tag,
      summary: `Replaces all params of a ${name}`,
      body: ANY_MAP,
      answer: { status: 200, schema: ANY_MAP },
      handler: async (context) =>
        ok(
          await objects.replaceParams(
            context.call,
            definition,
            key(context),
            jsonObject(context.json() ?? {}, 'Params'),
          ),
        ),
    },
    {
      method: 'PATCH',
      path: `${base}/params`,
      tag,
      summary: `Changes params of a ${name} (JSON Patch)`,
      body: PATCH_SCHEMA,
      answer: { status: 200, schema: ANY_MAP },
      handler: async (context) =>
        ok(await objects.patchParams(context.call, definition, key(context), operations(context))),
    },
    {
      method: 'GET',
      path: `${base}/params/*`,
      tag,
      summary: `One param of a ${name}; null when nobody sets it`,
      query: { aggregate: LIST_QUERY.aggregate, decode: LIST_QUERY.decode },
      answer: { status: 200, schema: value },
      handler: (context) =>
        ok(objects.readParam(context.call, definition, key(context), param(context), reading(context))),
    },
    {
      method: 'POST',
      path: `${base}/params/*`,
      tag,
      summary: `Sets one param of a ${name}; answers the value`,
      body: value,
      answer: { status: 200, schema: value },
      handler: async (context) =>
        ok(await objects.setParam(context.call, definition, key(context), param(context), bodyValue(context))),
    },
    {
      method: 'DELETE',
      path: `${base}/params/*`,
      tag,
      summary: `Removes one param of a ${name}; answers the value it had`,
      answer: { status: 200, schema: value },
      handler: async (context) => ok(await objects.removeParam(context.call, definition, key(context), param(context))),
    },
    {
      method: 'GET',
      path: `${base}/pubkey`,
      tag,
      summary: `Public key to seal secure params of a ${name} with`,
      answer: { status: 200, schema: Type.String() },
      handler: async (context) => ok(await objects.publicKey(context.call, definition, key(context))),
    },
  ];
}

/** Prefixes with routes of their own kind: they are not objects of the generic set. */
const NOT_GENERIC = new Set(['preferences', 'contents']);

export function objectRoutes(objects: Objects): Route[] {
  return Object.values(MODELS)
    .filter((definition) => !NOT_GENERIC.has(definition.prefix))
    .flatMap((definition) => genericRoutes(objects, definition));
}
