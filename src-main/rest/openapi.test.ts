import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { matchRoute, routeTable } from '../contract/claims/index.ts';
import type { JsonObject } from '../kit/json.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly security?: readonly unknown[];
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Record<string, JsonObject>;
}

let server: TestServer;
let document: { paths: Record<string, Record<string, Operation>> } & JsonObject;
beforeAll(async () => {
  server = await startTestServer();
  document = (await server.call('GET', 'openapi.json', { as: null })).body as typeof document;
});
afterAll(() => server.stop());

const operations = (): { method: string; path: string; operation: Operation }[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

/** An example path: placeholders filled so that a route of the claims table could match. */
const example = (path: string): string =>
  `/api/v3${path
    .replace('{prefix}', 'machines')
    .replace('{index}', 'Name')
    .replaceAll(/\{[A-Za-z]+\}/g, 'x')}`;

describe('the OpenAPI document', () => {
  it('is a valid OpenAPI 3.1 document', async () => {
    const result = await new Validator().validate(structuredClone(document));
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
    expect(document['openapi']).toBe('3.1.0');
  });

  it('names itself, open to everybody, and the forms of an export', () => {
    expect(document.paths['/openapi.json']?.['get']).toMatchObject({ operationId: 'getOpenapiJson', security: [] });
    const audit = document.paths['/x/audit']?.['get']?.responses['200'] as { content: JsonObject };
    expect(Object.keys(audit.content)).toEqual(
      expect.arrayContaining(['application/json', 'application/jsonl', 'text/csv']),
    );
  });

  it('names every operation once', () => {
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]*$/.test(id))).toEqual([]);
  });

  it('says of every operation what it does and what it answers', () => {
    for (const { method, path, operation } of operations()) {
      const name = `${method} ${path}`;
      expect(operation.summary, name).toMatch(/.{5,}/);
      expect(operation.tags, name).toHaveLength(1);
      expect(
        Object.keys(operation.responses).some((status) => status.startsWith('2')),
        name,
      ).toBe(true);
      expect(operation.responses['default'], name).toBeDefined();
    }
  });

  it('declares every placeholder of a path', () => {
    for (const { path, operation } of operations()) {
      const placeholders = [...path.matchAll(/\{([A-Za-z]+)\}/g)].map((found) => found[1]);
      const declared = operation.parameters.filter((one) => one.in === 'path').map((one) => one.name);
      expect(declared, path).toEqual(placeholders);
    }
  });

  it('has no reference that leads nowhere', () => {
    const schemas = (document['components'] as { schemas: JsonObject }).schemas;
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((found) => found[1] ?? '');
    expect(references.length).toBeGreaterThan(100);
    for (const reference of new Set(references)) {
      expect(reference.startsWith('#/components/schemas/')).toBe(true);
      expect(schemas).toHaveProperty([reference.slice('#/components/schemas/'.length)]);
    }
  });

  it('has every route that is served: what it lacks is no route', async () => {
    for (const { method, path } of operations()) {
      // Asked without credentials: known and unknown routes alike are 401, so ask with them, for something absent.
      const wrong = method === 'GET' ? 'PATCH' : 'GET';
      const methods = Object.keys(document.paths[path] ?? {}).map((one) => one.toUpperCase());
      if (methods.includes(wrong)) continue;
      const answer = await server.call(wrong, example(path));
      expect([405, 404], `${wrong} ${path}: ${answer.text}`).toContain(answer.status);
      if (answer.status === 405)
        expect(String(answer.headers['allow']).split(', ')).toEqual(expect.arrayContaining(methods));
    }
  });

  it('has a row in the table of claims for every route', () => {
    const missing = operations()
      .filter(({ method, path }) => matchRoute(routeTable, method, example(path)).kind !== 'row')
      .map(({ method, path }) => `${method} ${path}`);
    expect(missing).toEqual([]);
  });

  it('needs no credentials to be read, and only it says so', async () => {
    for (const { method, path, operation } of operations()) {
      if (method !== 'GET') continue;
      const isOpen = (await server.call('GET', example(path), { as: null })).status !== 401;
      expect(isOpen, path).toBe(path === '/openapi.json');
      expect(operation.security !== undefined && operation.security.length === 0, path).toBe(isOpen);
    }
  });
});
