/** Params and meta are written beside other changes of their object (wire-format.md 3.11). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../kit/json.ts';
import { startTestServer, type TestAnswer, type TestServer } from '../../testing/server.ts';
import { make } from './rows.ts';

let server: TestServer;
const create = (path: string, body: JsonObject): Promise<TestAnswer> => make(server, path, body);
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
describe('parts of an object beside other changes of it', () => {
  it.each([
    ['PATCH', 'meta/profiles/guarded', [{ op: 'add', path: '/color', value: 'red' }]],
    ['PATCH', 'profiles/guarded/params', [{ op: 'add', path: '/free', value: 1 }]],
    ['POST', 'profiles/guarded/params/free', 1],
  ])('%s %s honours If-Match with the revision of the object', async (method, path, body) => {
    await create('profiles', { Name: 'guarded' });
    const tag = String((await server.call('GET', 'profiles/guarded')).headers['etag']);
    expect((await server.call(method, path, { headers: { 'if-match': '"0"' }, body })).status).toBe(412);
    expect((await server.call(method, path, { headers: { 'if-match': tag }, body })).status).toBe(200);
    await server.call('DELETE', 'profiles/guarded');
  });

  it.each([
    ['PATCH', 'meta/profiles/passing', [{ op: 'add', path: '/color', value: 'red' }]],
    ['PATCH', 'profiles/passing/params', [{ op: 'add', path: '/free', value: 1 }]],
    ['PATCH', 'profiles/passing', [{ op: 'add', path: '/Description', value: 'x' }]],
  ])('%s %s beside its deletion does not bring it back', async (method, path, body) => {
    for (let round = 0; round < 10; round++) {
      await create('profiles', { Name: 'passing' });
      const [gone] = await Promise.all([
        server.call('DELETE', 'profiles/passing'),
        server.call(method, path, { body }),
      ]);
      expect(gone.status).toBe(200);
      expect((await server.call('GET', 'profiles/passing')).status).toBe(404);
    }
  });
});
