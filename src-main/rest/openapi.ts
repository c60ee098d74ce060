/**
 * The route table as an OpenAPI 3.1 document: every row is in it because it is made from the rows. Models stand once under
 * `components`, as they are answered (all fields of the current generation) and as they may be sent.
 */
import type { TSchema } from 'typebox';
import { API_PREFIX } from '../contract/api-prefix.ts';
import * as models from '../contract/models/index.ts';
import type { JsonObject } from '../kit/json.ts';
import type { Route } from './http.ts';

const OCTETS = 'application/octet-stream';
const JSON_CONTENT = 'application/json';

/** Name of a schema that stands under components; undefined for one that is written out. */
type Naming = ReadonlyMap<TSchema, string>;

function isObjectSchema(value: unknown): value is TSchema & { properties: object; title?: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value as { type?: unknown }).type === 'object' &&
    'properties' in value
  );
}

/** Exported model schemas by identity. */
function namedModels(): Naming {
  const named = new Map<TSchema, string>();
  for (const [name, value] of Object.entries(models)) if (isObjectSchema(value)) named.set(value, name);
  return named;
}

function reference(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** A schema of a row as JSON, with models by reference. `suffix` is `Input` for what is sent. */
function toJson(schema: TSchema, named: Naming, suffix: string): JsonObject {
  const name = named.get(schema);
  if (name !== undefined) return reference(`${name}${suffix}`);
  const walk = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const known = named.get(value as TSchema);
    if (known !== undefined) return reference(`${known}${suffix}`);
    if (Array.isArray(value)) return value.map(walk);
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => key !== '$id' && !key.startsWith('~'))
        .map(([key, member]) => [key, walk(member)]),
    );
  };
  return walk(schema) as JsonObject;
}

/** `/machines/:key/params/*` becomes `/machines/{key}/params/{path}`. */
function openApiPath(path: string): { path: string; parameters: string[] } {
  const parameters: string[] = [];
  const named = path.replace(/:([A-Za-z]+)/g, (_all, name: string) => {
    parameters.push(name);
    return `{${name}}`;
  });
  if (!named.endsWith('/*')) return { path: named, parameters };
  return { path: `${named.slice(0, -1)}{path}`, parameters: [...parameters, 'path'] };
}

function operationId(route: Route): string {
  const words = route.path
    .split('/')
    .filter(Boolean)
    .map((part) => (part === '*' ? 'Path' : part.replace(/^:/, 'by-')))
    .map((part) => part.replace(/(^|[-_.])([a-z])/g, (_all, _sep, letter: string) => letter.toUpperCase()));
  return `${route.method.toLowerCase()}${words.join('')}`;
}

function operation(route: Route, named: Naming): JsonObject {
  const { parameters } = openApiPath(route.path);
  const { answer } = route;
  const query = Object.entries(route.query ?? {}).map(([name, description]) => ({
    name,
    in: 'query',
    description,
    schema: { type: 'string' },
  }));
  const contents: Record<string, JsonObject> = Object.fromEntries((answer.otherTypes ?? []).map((type) => [type, {}]));
  if (answer.schema) contents[answer.type ?? JSON_CONTENT] = { schema: toJson(answer.schema, named, '') };
  else if (answer.type) contents[answer.type] = {};
  const content: JsonObject = Object.keys(contents).length === 0 ? {} : { content: contents };
  const body: JsonObject = route.upload
    ? { requestBody: { required: true, content: { [OCTETS]: {} } } }
    : route.body
      ? { requestBody: { content: { [JSON_CONTENT]: { schema: toJson(route.body, named, 'Input') } } } }
      : {};
  return {
    operationId: operationId(route),
    tags: [route.tag],
    summary: route.summary,
    parameters: [
      ...parameters.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...query,
    ],
    ...body,
    ...(route.open ? { security: [] } : {}),
    responses: {
      [String(answer.status)]: { description: 'Done', ...content },
      default: {
        description: 'Refused; the body says why',
        content: { [JSON_CONTENT]: { schema: reference('ErrorAnswer') } },
      },
    },
  };
}

/** Builds the document. Pure; the server makes it once. */
export function openApiDocument(routes: readonly Route[], version: string): JsonObject {
  const named = namedModels();
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const route of routes) {
    const { path } = openApiPath(route.path);
    const row = paths[path] ?? {};
    paths[path] = row;
    row[route.method.toLowerCase()] = operation(route, named);
  }
  const schemas: Record<string, JsonObject> = {};
  for (const [schema, name] of named) {
    schemas[name] = models.answerSchema(schema as Parameters<typeof models.answerSchema>[0], 'v4');
    schemas[`${name}Input`] = models.requestSchema(schema as Parameters<typeof models.requestSchema>[0]);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Proviso',
      version,
      description:
        'Provisioning service: objects, access control, callbacks. Lists take every index of the type as a filter.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: API_PREFIX }],
    security: [{ token: [] }, { password: [] }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        password: { type: 'http', scheme: 'basic' },
      },
    },
  };
}
