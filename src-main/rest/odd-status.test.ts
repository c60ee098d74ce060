/** Answers that cannot be sent are mistakes of the server; none of them may end it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Access } from '../access/index.ts';
import { API_PREFIX } from '../contract/api-prefix.ts';
import { Problem } from '../contract/errors.ts';
import { SILENT } from '../kit/log.ts';
import type { Answer, Route } from './http.ts';
import { createRest } from './server.ts';

/** Its messages are no JSON. */
const unwritable = new Problem('bad-request', 'x');
Object.defineProperty(unwritable, 'messages', { value: [1n] });

const handlers: Readonly<Record<string, () => Promise<Answer>>> = {
  fine: () => Promise.resolve({ status: 200, body: 'fine' }),
  'odd-answer': () => Promise.resolve({ status: 600, body: 'x' }),
  'odd-problem': () => Promise.reject(new Problem('callback-failed', 'x', { status: 999 })),
  unwritable: () => Promise.reject(unwritable),
};

let rest: Awaited<ReturnType<typeof createRest>>;
let base = '';
const server = createServer((request, response) => rest.handle(request, response));
beforeAll(async () => {
  const routes = Object.entries(handlers).map(
    ([name, handler]): Route => ({
      method: 'GET',
      path: `/${name}`,
      tag: 'test',
      summary: name,
      open: true,
      answer: { status: 200 },
      handler,
    }),
  );
  rest = await createRest({ access: {} as Access, routes, log: SILENT, version: 'test', compat: 'v4' });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}${API_PREFIX}`;
});
afterAll(async () => {
  await rest.close();
  server.close();
});

it.each([
  ['an answer under a status that does not exist', 'odd-answer'],
  ['an error under one', 'odd-problem'],
])('%s goes out as 500', async (_name, path) => {
  const answer = await fetch(`${base}/${path}`);
  expect(answer.status).toBe(500);
  const body = (await answer.json()) as { Code?: number } | string;
  if (typeof body === 'object') expect(body.Code).toBe(500);
});

it('an error that cannot be written cuts its own connection and nothing else', async () => {
  await expect(fetch(`${base}/unwritable`)).rejects.toThrow();
  expect(await (await fetch(`${base}/fine`)).json()).toBe('fine');
});
