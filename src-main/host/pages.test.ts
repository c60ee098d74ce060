import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPages } from './pages.ts';

const base = mkdtempSync(join(tmpdir(), 'proviso-pages-'));
let pages: FastifyInstance;
beforeAll(async () => {
  const uiDir = join(base, 'ui');
  mkdirSync(join(uiDir, 'assets'), { recursive: true });
  writeFileSync(join(uiDir, 'index.html'), '<title>Proviso</title>');
  writeFileSync(join(uiDir, 'assets/a-1.js'), '1');
  writeFileSync(join(base, 'outside.txt'), 'not for anybody');
  pages = await createPages({ uiDir, state: () => ({ version: '1' }) as never });
});
afterAll(async () => {
  await pages.close();
  rmSync(base, { recursive: true });
});

it.each([
  ['the page', '/ui/', 200, 'no-cache'],
  ['an address of a screen', '/ui/machines/abc', 200, 'no-cache'],
  ['a built file', '/ui/assets/a-1.js', 200, 'public, max-age=31536000, immutable'],
  ['the state', '/host/state', 200, 'no-store'],
])('sends %s', async (_, url, status, cache) => {
  const answer = await pages.inject({ url });
  expect([answer.statusCode, answer.headers['cache-control']]).toEqual([status, cache]);
});

it.each([
  '/ui/../outside.txt',
  '/ui/%2e%2e/outside.txt',
  '/ui/..%2foutside.txt',
  '/ui/assets/../../outside.txt',
  '/ui/missing.js',
  '/nowhere',
])('has nothing at %s, and says so in the words of the API', async (url) => {
  const { statusCode, body } = await pages.inject({ url });
  expect(statusCode).toBe(404);
  expect(JSON.parse(body)).toEqual({
    Model: '',
    Key: expect.any(String),
    Type: 'GET',
    Messages: ['No route'],
    Code: 404,
    RequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

it('lets a page load from its own origin only', async () => {
  const policy = (await pages.inject({ url: '/ui/' })).headers['content-security-policy'];
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
});
