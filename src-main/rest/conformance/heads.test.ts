/** `HEAD` follows the rules of `GET`, and comes without a body. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const uuid = '3e7031fe-3062-45f1-835c-92541bc9cbd4';
const read = ['info', 'prefs', 'logs', 'indexes', 'indexes/users', 'indexes/users/Name', 'contents', 'objects', 'files']
  .concat(['contents/BasicStore', 'x/audit', 'openapi.json', `meta/machines/${uuid}`, `machines/${uuid}/params`])
  .concat([`machines/${uuid}/params/rack`, 'contents/none', 'indexes/none', 'x/audit?limit=x', 'meta/machines/none']);
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await server.call('POST', 'machines', { body: { Name: 'headed', Uuid: uuid } });
  await server.call('POST', 'users', { body: { Name: 'heads' } });
});
afterAll(() => server.stop());

it.each(read)('%s: the same status and headers, no body', async (path) => {
  const nobody = await server.tokenOf('heads');
  for (const as of [undefined, nobody, null]) {
    const ask = as === undefined ? {} : { as };
    const [get, head] = [await server.call('GET', path, ask), await server.call('HEAD', path, ask)];
    expect(head.status).toBe(get.status);
    expect(head.text).toBe('');
    for (const name of ['content-type', 'www-authenticate', 'etag']) expect(head.headers[name]).toBe(get.headers[name]);
  }
});

it.each(['users/rocketskates/token', 'x/events', `machines/${uuid}/pubkey`, `machines/${uuid}/actions`])(
  '%s has none: a GET makes something, runs something or does not end',
  async (path) => {
    const answer = await server.call('HEAD', path);
    expect(answer.status).toBe(405);
    expect(answer.headers['allow']).toContain('GET');
  },
);
