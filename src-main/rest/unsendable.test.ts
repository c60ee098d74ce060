/** An answer that cannot be put on the wire fails for its caller, not for everybody. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Access, SYSTEM_ACTOR } from '../access/index.ts';
import { SILENT } from '../kit/log.ts';
import type { Answer, Route } from './http.ts';
import { createRest } from './server.ts';

/** What JSON cannot be made of; a text beyond the longest there may be fails the same way. */
const unsendable: Answer = { status: 200, body: { n: 1n } };
const badHeader: Answer = { status: 200, body: {}, headers: { 'x-note': 'two\nlines' } };
async function* one(): AsyncIterable<string> {
  yield 'piece';
}

const row = (path: string, handler: Route['handler'], open = true): Route => ({
  method: 'GET',
  path,
  tag: 'test',
  summary: path,
  open,
  answer: { status: 200 },
  handler,
});

let rest: Awaited<ReturnType<typeof createRest>>;
let url: string;
const lost: unknown[] = [];
const onLost = (reason: unknown): unknown => lost.push(reason);
const server = createServer((request, response) => rest.handle(request, response));

beforeAll(async () => {
  rest = await createRest({
    access: { bearer: () => SYSTEM_ACTOR } as unknown as Access,
    routes: [
      row('/sync', () => unsendable),
      row('/async', async () => unsendable),
      row('/header', async () => badHeader),
      row('/chunks', async () => ({ status: 200, chunks: one(), headers: { 'x-note': 'two\nlines' } })),
      row('/things/:key', async () => unsendable, false),
      row('/names/:key', () => badHeader, false),
    ],
    log: SILENT,
    version: '0',
    compat: 'auto',
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v3`;
  process.on('unhandledRejection', onLost);
});
afterAll(async () => {
  process.off('unhandledRejection', onLost);
  server.closeAllConnections();
  server.close();
  await rest.close();
});

describe('an answer that cannot be sent', () => {
  it.each([
    ['at once', '/sync'],
    ['later', '/async'],
    ['on the fast lane', '/things/a'],
    ['on the fast lane for its headers', '/names/a'],
  ])('%s is a 500 that names the request', async (_when, path) => {
    const answer = await fetch(url + path, {
      headers: { authorization: 'Bearer t' },
      signal: AbortSignal.timeout(3000),
    });
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ Code: 500, RequestId: answer.headers.get('x-request-id') });
    expect(answer.headers.get('x-note')).toBeNull();
    expect(lost).toEqual([]);
  });

  it('for its headers is a 500, with the words of the framework', async () => {
    const answer = await fetch(`${url}/header`, { signal: AbortSignal.timeout(3000) });
    expect(answer.status).toBe(500);
    expect(lost).toEqual([]);
  });

  it('in chunks is cut off', async () => {
    await expect(fetch(`${url}/chunks`, { signal: AbortSignal.timeout(3000) })).rejects.toMatchObject({
      name: 'TypeError',
    });
    expect(lost).toEqual([]);
  });
});
