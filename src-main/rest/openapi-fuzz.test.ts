/**
 * Random requests made from the OpenAPI document, valid ones and broken ones: no 5xx, no hang, and no body that breaks the schema the
 * document promises. Seeds are fixed, so a failure repeats.
 */

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../kit/json.ts';
import { startTestServer, type TestAnswer, type TestServer } from '../testing/server.ts';

type Schema = JsonObject;
interface Operation {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly body: Schema | undefined;
  readonly upload: boolean;
  readonly success: ReadonlyMap<number, ValidateFunction | undefined>;
}

const SEED = 20_240_711;
const RUNS = 500;
const HANG_MS = 5_000;
/** Endless by design; it is tested on its own. */
const STREAMS = new Set(['/x/events']);

let server: TestServer;
let schemas: Record<string, Schema>;
let operations: Operation[] = [];
let errorAnswer: ValidateFunction;

function newAjv(components: JsonObject): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true });
  (addFormats as unknown as (ajv: unknown) => void)(ajv);
  ajv.addSchema({ $id: 'https://proviso.invalid/api', components });
  return ajv;
}

const absolute = (schema: unknown): Schema =>
  JSON.parse(
    JSON.stringify(schema).replaceAll('"#/components/', '"https://proviso.invalid/api#/components/'),
  ) as Schema;

beforeAll(async () => {
  server = await startTestServer();
  const document = (await server.call('GET', 'openapi.json')).body as {
    paths: Record<string, Record<string, Record<string, unknown>>>;
    components: { schemas: Record<string, Schema> };
  };
  schemas = document.components.schemas;
  const ajv = newAjv(absolute(document.components));
  errorAnswer = ajv.compile({ $ref: 'https://proviso.invalid/api#/components/schemas/ErrorAnswer' });
  operations = Object.entries(document.paths)
    .filter(([path]) => !STREAMS.has(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): Operation => {
        const content = ((operation['requestBody'] as JsonObject | undefined)?.['content'] ?? {}) as Record<
          string,
          { schema?: Schema }
        >;
        const responses = operation['responses'] as Record<string, { content?: Record<string, { schema?: Schema }> }>;
        return {
          method: method.toUpperCase(),
          path,
          query: (operation['parameters'] as { name: string; in: string }[])
            .filter((one) => one.in === 'query')
            .map((one) => one.name),
          body: content['application/json']?.schema,
          upload: content['application/octet-stream'] !== undefined,
          success: new Map(
            Object.entries(responses)
              .filter(([status]) => status.startsWith('2'))
              .map(([status, response]) => {
                const schema = response.content?.['application/json']?.schema;
                return [Number(status), schema ? ajv.compile(absolute(schema)) : undefined];
              }),
          ),
        };
      }),
    );
  // Something to find.
  for (const [prefix, body] of Object.entries({
    machines: { Name: 'bob', Uuid: '3e7031fe-3062-45f1-835c-92541bc9cbd3', Params: { rack: 'r1' } },
    profiles: { Name: 'bob' },
    stages: { Name: 'bob' },
    users: { Name: 'bob' },
    params: { Name: 'rack', Schema: { type: 'string' } },
  }))
    await server.call('POST', prefix, { body });
});
afterAll(() => server.stop());

const KEYS = [
  'bob',
  'Name:bob',
  'Key:global',
  'global',
  '3e7031fe-3062-45f1-835c-92541bc9cbd3',
  'local',
  'none',
  'Name',
  '10.0.0.1',
  'callback',
  'callbackDo',
  'rack',
  'machines',
];
const key = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...KEYS) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }) },
);
const word = fc.oneof(
  fc.constantFrom('', 'true', '1', '-1', '2', 'Meta', 'Params', 'Name', 'bob', 'Re(a|b)', 'Between(1,2)', 'Eq(', '*'),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);
const anyJson = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...KEYS, '', '00:11:22:33:44:55', '2020-01-02T03:04:05Z', 'AAAA') },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
);

/** Values of a schema; members are left out at random. */
function valuesOf(schema: Schema, depth = 0): fc.Arbitrary<Json> {
  const reference = schema['$ref'];
  if (typeof reference === 'string') return valuesOf(schemas[reference.split('/').at(-1) ?? ''] ?? {}, depth);
  if (depth > 4) return fc.constant(null);
  const options = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(options)) return fc.oneof(...options.map((one) => valuesOf(one as Schema, depth + 1)));
  if (schema['const'] !== undefined) return fc.constant(schema['const'] as Json);
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as Json[]));
  const types = ([] as Json[]).concat(schema['type'] ?? []);
  const type = types.find((one) => one !== 'null');
  switch (type) {
    case 'string':
      return text;
    case 'integer':
    case 'number':
      return fc.integer({ min: -5, max: 1000 });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(valuesOf((schema['items'] ?? {}) as Schema, depth + 1), { maxLength: 3 });
    case 'object': {
      const properties = (schema['properties'] ?? {}) as Record<string, Schema>;
      const names = Object.keys(properties);
      if (names.length === 0)
        return fc.dictionary(text, valuesOf((schema['additionalProperties'] ?? {}) as Schema, depth + 1), {
          maxKeys: 3,
        });
      const known = fc.record(
        Object.fromEntries(names.map((name) => [name, valuesOf(properties[name] ?? {}, depth + 1)])),
        { requiredKeys: [] },
      );
      return known as fc.Arbitrary<Json>;
    }
    default:
      return anyJson;
  }
}

interface Sent {
  readonly operation: Operation;
  readonly target: string;
  readonly headers: Record<string, string>;
  readonly raw: string | undefined;
}

const requests = (): fc.Arbitrary<Sent> =>
  fc.constantFrom(...operations).chain((operation) => {
    const names = [...operation.path.matchAll(/\{([A-Za-z]+)\}/g)].map((found) => found[1] ?? '');
    const valid = operation.body ? valuesOf(operation.body).map((one) => JSON.stringify(one)) : fc.constant(undefined);
    const broken = fc.oneof(
      anyJson.map((one) => JSON.stringify(one)),
      fc.string({ maxLength: 20 }),
      fc.constant(''),
    );
    const isRead = operation.method === 'GET' || operation.method === 'HEAD';
    return fc
      .record({
        keys: fc.tuple(...names.map(() => key)),
        query: fc.dictionary(
          fc.oneof(
            fc.constantFrom('Name', 'Available', 'rack', 'Meta.x', ...operation.query),
            fc.string({ maxLength: 8 }),
          ),
          word,
          { maxKeys: 3 },
        ),
        raw: isRead
          ? fc.constant(undefined)
          : operation.upload
            ? fc.string({ maxLength: 50 })
            : fc.oneof({ weight: 3, arbitrary: valid }, { weight: 1, arbitrary: broken }),
        type: fc.oneof(
          { weight: 9, arbitrary: fc.constant(operation.upload ? 'application/octet-stream' : 'application/json') },
          {
            weight: 1,
            arbitrary: fc.constantFrom('text/plain', 'application/json; charset=utf-8', 'application/octet-stream'),
          },
        ),
        match: fc.option(fc.constantFrom('"1"', '"0"', '*', 'W/"1"', 'odd'), { freq: 6, nil: undefined }),
        older: fc.boolean(),
      })
      .map(({ keys, query, raw, type, match, older }): Sent => {
        let i = 0;
        const path = operation.path.replaceAll(/\{[A-Za-z]+\}/g, () =>
          encodeURIComponent((keys as string[])[i++] ?? '').replaceAll('.', '%2E'),
        );
        const search = new URLSearchParams(query).toString();
        return {
          operation,
          target: `/api/v3${path}${search === '' ? '' : `?${search}`}`,
          raw,
          headers: {
            ...(raw === undefined ? {} : { 'content-type': type }),
            ...(match === undefined ? {} : { 'if-match': match, 'if-none-match': match }),
            'user-agent': older ? 'Go-http-client/1.1' : 'test',
          },
        };
      });
  });

function timely(answer: Promise<TestAnswer>, what: string): Promise<TestAnswer> {
  let timer: NodeJS.Timeout | undefined;
  const hung = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer to ${what}`)), HANG_MS);
  });
  return Promise.race([answer, hung]).finally(() => clearTimeout(timer));
}

/** The one 500 that clients know by its words: content with objects that cannot be read (wire-format.md 10.3). */
const isKnownContentRefusal = (sent: Sent, answer: TestAnswer): boolean =>
  sent.operation.path.startsWith('/contents') &&
  answer.status === 500 &&
  answer.text.includes('error unmarshaling JSON');

async function check(sent: Sent): Promise<void> {
  const { operation, target, headers, raw } = sent;
  const what = `${operation.method} ${target} ${JSON.stringify(headers)} ${raw ?? ''}`;
  const answer = await timely(
    server.call(operation.method, target, { headers, ...(raw === undefined ? {} : { raw }) }),
    what,
  );
  const said = `${what}\n-> ${answer.status} ${answer.text.slice(0, 600)}`;
  if (answer.status >= 500 && !isKnownContentRefusal(sent, answer)) throw new Error(`a 5xx: ${said}`);
  if (answer.status >= 400) {
    if (operation.method === 'HEAD') return;
    if (!errorAnswer(answer.body)) throw new Error(`no Error body: ${said}`);
    expect((answer.body as { Code: number }).Code).toBe(answer.status);
    return;
  }
  if (answer.status === 304) return;
  const promised = operation.success.get(answer.status);
  if (!operation.success.has(answer.status) && answer.status !== 202 && answer.status !== 206)
    throw new Error(`a status the document does not know: ${said}`);
  // Older clients get the fields of their generation; the document shows the present ones.
  if (promised && operation.method !== 'HEAD' && headers['user-agent'] === 'test' && !promised(answer.body))
    throw new Error(`a body that breaks its schema (${JSON.stringify(promised.errors)}): ${said}`);
}

describe('random requests from the document', () => {
  it('reads', async () => {
    const reads = requests().filter(({ operation }) => operation.method === 'GET' || operation.method === 'HEAD');
    await fc.assert(fc.asyncProperty(reads, check), { seed: SEED, numRuns: RUNS, endOnFailure: true });
  }, 30_000);

  it('writes, valid and broken', async () => {
    // The administrator must stay able to ask.
    const locksOut = /users\/(?:Name%3A|Key%3A)?rocketskates/;
    const writes = requests().filter(
      ({ operation, target }) => operation.method !== 'GET' && operation.method !== 'HEAD' && !locksOut.test(target),
    );
    await fc.assert(fc.asyncProperty(writes, check), { seed: SEED, numRuns: RUNS, endOnFailure: true });
  }, 30_000);
});
