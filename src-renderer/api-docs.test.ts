import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Row {
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly operation: Record<string, unknown>;
}
interface Page {
  operationsOf(api: unknown): Row[];
  fits(row: Row, query: string): boolean;
  typeName(schema: unknown, schemas: unknown): string;
  curlFor(row: Row): string;
}
const file = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
// A plain script of the public folder, not part of the bundle: read as what it is.
const page = (await import(`data:text/javascript,${encodeURIComponent(file('./public/api-docs.js'))}`)) as Page;

const api = {
  paths: {
    '/machines': {
      post: {
        operationId: 'postMachines',
        tags: ['machines'],
        summary: 'Creates one',
        responses: {},
        requestBody: { content: { 'application/json': {} } },
      },
      get: { operationId: 'getMachines', tags: ['machines'], summary: 'Lists machines', responses: {} },
    },
    '/openapi.json': {
      get: { operationId: 'getOpenapi', tags: ['info'], summary: 'This document', responses: {}, security: [] },
    },
  },
};

describe('the page of the API', () => {
  const rows = page.operationsOf(api);

  it('has one row for each operation, reads first', () => {
    expect(rows.map(({ method, path, tag }) => `${method} ${path} ${tag}`)).toEqual([
      'get /machines machines',
      'post /machines machines',
      'get /openapi.json info',
    ]);
  });

  it('finds operations by all words of a query, anywhere, in any case', () => {
    const found = (query: string): string[] =>
      rows.filter((row) => page.fits(row, query)).map(({ operation }) => String(operation['operationId']));
    expect(found('')).toHaveLength(3);
    expect(found('MACHINES list')).toEqual(['getMachines']);
    expect(found('post machines')).toEqual(['postMachines']);
    expect(found('nothing')).toEqual([]);
  });

  it('names types in words', () => {
    const schemas = { Machine: { type: 'object', properties: {} } };
    const named = (schema: unknown): string => page.typeName(schema, schemas);
    expect(named({ $ref: '#/components/schemas/Machine' })).toBe('Machine');
    expect(named({ type: 'array', items: { $ref: '#/components/schemas/Machine' } })).toBe('array of Machine');
    expect(named({ type: ['string', 'null'] })).toBe('string or null');
    expect(named({ type: 'object', additionalProperties: { type: 'integer' } })).toBe('map of integer');
    expect(named({ anyOf: [{ const: 'add' }, { const: 'test' }] })).toBe('"add" or "test"');
    expect(named({})).toBe('any value');
  });

  it('shows a command that has what the operation needs and no more', () => {
    const commands = rows.map((row) => page.curlFor(row));
    expect(commands[0]).toMatch(/^curl -sk -H "Authorization: Bearer \$TOKEN" "/);
    expect(commands[1]).toContain(
      "-X POST -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' -d '…'",
    );
    expect(commands[2]).not.toContain('Authorization');
  });

  it('has the colours of the screens', () => {
    const colours = (css: string, selector: string): Record<string, string> => {
      const block = css.slice(css.indexOf(`${selector} {`)).split('}')[0] ?? '';
      return Object.fromEntries(
        [...block.matchAll(/(--pv-[a-z0-9-]+): (#[0-9a-f]{6});/g)].map((found) => [found[1] ?? '', found[2] ?? '']),
      );
    };
    for (const selector of [':root', ':root[data-mantine-color-scheme="dark"]']) {
      const own = colours(file('./public/api-docs.css'), selector);
      expect(Object.keys(own).length).toBeGreaterThan(15);
      expect(colours(file('./theme.css'), selector)).toMatchObject(own);
    }
  });

  it('runs under a policy that allows no script in the page', () => {
    const html = file('./public/api-docs.html');
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)/);
    expect(html).not.toMatch(/\son[a-z]+=|style=|https?:\/\//);
    expect(file('./public/api-docs.js')).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write/);
  });
});
