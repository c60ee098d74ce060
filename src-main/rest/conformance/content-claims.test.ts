/** Claims on content layers (wire-format.md 5.5, 10). */
import { afterAll, beforeAll, describe } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { follow, make } from './rows.ts';

const PACK = { meta: { Name: 'mine', Version: 'v1' }, sections: {} };
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

describe('claims on content', () => {
  const as = async (s: TestServer): Promise<{ as: string }> => ({ as: await s.tokenOf('packer') });
  beforeAll(async () => {
    await make(server, 'roles', {
      Name: 'packer',
      Claims: [{ scope: 'contents', action: 'get,create', specific: 'mine' }],
    });
    await make(server, 'users', { Name: 'packer', Roles: ['packer'] });
  });
  follow(
    () => server,
    [
      {
        name: 'create one’s own',
        ask: 'POST contents',
        send: async (s) => ({ ...(await as(s)), body: PACK }),
        status: 201,
      },
      { name: 'read it', ask: 'GET contents/mine', send: as, status: 200 },
      { name: 'no other', ask: 'GET contents/john', send: as, status: 403, error: /Requires: contents get john/ },
      { name: 'no list', ask: 'GET contents', send: as, status: 403, error: /Requires: contents list / },
      {
        name: 'no update',
        ask: 'PUT contents/mine',
        send: async (s) => ({ ...(await as(s)), body: PACK }),
        status: 403,
        error: /Requires: contents update mine/,
      },
      {
        name: 'no removal',
        ask: 'DELETE contents/mine',
        send: as,
        status: 403,
        error: /Requires: contents delete mine/,
      },
    ],
  );
});
