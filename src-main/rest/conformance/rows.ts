/**
 * HTTP cases as rows. Rows of one list run in order against one server, so a list can tell a story. Errors are compared the way
 * the command-line clients of this API print them (wire-format.md 2.1), since that is what their users and scripts see.
 */
import { expect, it } from 'vitest';
import type { JsonObject } from '../../kit/json.ts';
import type { TestAnswer, TestRequest, TestServer } from '../../testing/server.ts';

export interface Row {
  readonly name: string;
  /** `METHOD path`, the path below `/api/v3/`. */
  readonly ask: string | ((server: TestServer) => string | Promise<string>);
  readonly send?: TestRequest | ((server: TestServer) => TestRequest | Promise<TestRequest>);
  readonly status: number;
  /** Whole text of an error as clients print it after `Error: `. */
  readonly error?: string | RegExp;
  /** Parts that the body must have. */
  readonly body?: unknown;
  /** The body, whole. */
  readonly exactly?: unknown;
  readonly headers?: Readonly<Record<string, string | RegExp | undefined>>;
  readonly check?: (answer: TestAnswer) => void;
}

interface ErrorBody {
  readonly Model: string;
  readonly Key: string;
  readonly Type: string;
  readonly Messages: readonly string[];
  readonly Code: number;
}

/** An error as clients print it. */
function printed(body: unknown): string {
  const { Model, Key, Type, Messages } = body as ErrorBody;
  const place = [Model, Key].filter((part) => part !== '').join('/');
  const head = place === '' ? Type : `${Type}: ${place}`;
  if (Messages.length === 0) return head;
  return Messages.length === 1
    ? `${head}: ${Messages[0]}`
    : `${head}:\n${Messages.map((one) => `  ${one}`).join('\n')}`;
}

export async function run(server: TestServer, row: Row): Promise<TestAnswer> {
  const ask = typeof row.ask === 'string' ? row.ask : await row.ask(server);
  const blank = ask.indexOf(' ');
  const send = typeof row.send === 'function' ? await row.send(server) : row.send;
  return server.call(ask.slice(0, blank), ask.slice(blank + 1), send);
}

export function verify(row: Row, answer: TestAnswer): void {
  expect(answer.status, `${row.name}: ${answer.text.slice(0, 500)}`).toBe(row.status);
  if (row.error !== undefined) {
    expect(answer.headers['content-type']).toContain('application/json');
    const text = printed(answer.body);
    if (typeof row.error === 'string') expect(text).toBe(row.error);
    else expect(text).toMatch(row.error);
    expect((answer.body as ErrorBody).Code).toBe(row.status);
  }
  if (row.body !== undefined) {
    if (typeof row.body === 'object' && row.body !== null && !Array.isArray(row.body))
      expect(answer.body).toMatchObject(row.body);
    else expect(answer.body).toEqual(row.body);
  }
  if ('exactly' in row) expect(answer.body).toEqual(row.exactly);
  for (const [name, value] of Object.entries(row.headers ?? {})) {
    const found = answer.headers[name.toLowerCase()];
    if (value instanceof RegExp) expect(found).toMatch(value);
    else expect(found).toBe(value);
  }
  row.check?.(answer);
}

/** Creates an object that a test needs; fails at once when it is refused. */
export async function make(server: TestServer, path: string, body: JsonObject): Promise<TestAnswer> {
  const answer = await server.call('POST', path, { body });
  if (answer.status !== 201) throw new Error(`${path} was not created: ${answer.text}`);
  return answer;
}

/** Names in one order, for comparing sets of fields. */
export function inOrder(names: Iterable<string>): string[] {
  return [...names].sort((a, b) => a.localeCompare(b, 'en'));
}

/** Field names of an object, in one order. */
export function fieldsOf(value: unknown): string[] {
  return inOrder(Object.keys(value as object));
}

/** One test for each row. */
export function follow(server: () => TestServer, rows: readonly Row[]): void {
  it.each(rows.map((row, i) => ({ ...row, title: `${i + 1}. ${row.name}` })))('$title', async (row) => {
    verify(row, await run(server(), row));
  });
}

/** Headers of the two generations of command-line clients. */
export const V3_CLIENT = { 'user-agent': 'Go-http-client/1.1', accept: 'application/json' } as const;
export const V4_CLIENT = { ...V3_CLIENT, 'cache-control': 'no-store' } as const;
