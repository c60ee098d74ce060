/** The resumable stream tells what its reader may hear now, not when it connected (service.md Authentication 4, Tenant). */

import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { make } from './rows.ts';

let server: TestServer;
const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
beforeAll(async () => {
  server = await startTestServer();
  await make(server, 'roles', { Name: 'stage-reader', Claims: [{ scope: 'stages', action: 'get', specific: '*' }] });
});
afterAll(async () => {
  await dispatcher.destroy();
  await server.stop();
});

/** Reads on until `wanted` shows up or the stream ends; resolves to everything read. */
async function listen(token: string, query = ''): Promise<{ until(wanted: string): Promise<string> }> {
  const answer = await request(`${server.server.url}/api/v3/x/events${query}`, {
    dispatcher,
    headers: { authorization: `Bearer ${token}` },
  });
  const pieces = answer.body[Symbol.asyncIterator]();
  let text = '';
  return {
    async until(wanted) {
      while (!text.includes(wanted)) {
        const piece = await pieces.next();
        if (piece.done) break;
        text += String(piece.value);
      }
      return text;
    },
  };
}

it('a role that is taken away ends what it let through, a tenant hides from then on', async () => {
  await make(server, 'users', { Name: 'reader', Roles: ['stage-reader'] });
  const stream = await listen(await server.tokenOf('reader'));
  await stream.until('connected');
  await make(server, 'stages', { Name: 'before' });
  expect(await stream.until('"before"')).toContain('"before"');
  await make(server, 'tenants', { Name: 'around', Users: ['reader'], Members: { stages: [] } });
  await make(server, 'stages', { Name: 'hidden' });
  await server.call('DELETE', 'stages/before');
  await server.call('PATCH', 'tenants/around', { body: [{ op: 'add', path: '/Members', value: {} }] });
  await make(server, 'stages', { Name: 'shown-again' });
  const read = await stream.until('"shown-again"');
  expect(read).toContain('"shown-again"');
  expect(read).not.toContain('"hidden"');
  expect(read).not.toContain('delete');
});

it('ends with its token, and says why', async () => {
  await make(server, 'users', { Name: 'leaver', Roles: ['superuser'] });
  const stream = await listen(await server.tokenOf('leaver'));
  await stream.until('connected');
  await server.call('DELETE', 'users/leaver');
  await make(server, 'stages', { Name: 'after' });
  const read = await stream.until('never said');
  expect(read).toContain('event: ended');
  expect(read).not.toContain('"after"');
});

it('goes on after the event a listener saw last, and misses none that had no commit', async () => {
  await make(server, 'users', { Name: 'resumer', Roles: ['superuser'] });
  const token = await server.tokenOf('resumer');
  const post = (Key: string): Promise<unknown> =>
    server.call('POST', 'events', { body: { Type: 'lab', Action: 'ping', Key } });
  const first = await listen(token);
  await first.until('connected');
  await make(server, 'stages', { Name: 'seen-last' });
  const id = /id: (\S+)\ndata: \{[^\n]*"seen-last"/.exec(await first.until('"seen-last"'))?.[1];
  await post('one');
  await post('two');
  const read = await (await listen(token, `?from=${id}`)).until('connected');
  expect([...read.matchAll(/"Key":"(one|two|seen-last)"/g)].map((match) => match[1])).toEqual(['one', 'two']);
  expect((await server.call('GET', 'x/events?from=abc')).status).toBe(400);
});

it('does not name who did it where the tenant hides users, but for the reader itself', async () => {
  await make(server, 'users', { Name: 'apart', Roles: ['superuser'] });
  await make(server, 'tenants', { Name: 'without-users', Users: ['apart'], Members: { users: [] } });
  const token = await server.tokenOf('apart');
  const stream = await listen(token);
  await stream.until('connected');
  await make(server, 'stages', { Name: 'by-the-admin' });
  await server.call('POST', 'stages', { as: token, body: { Name: 'by-itself' } });
  const read = await stream.until('"by-itself"');
  expect(read).toMatch(/"Key":"by-the-admin","Principal":"\*\*\*"/);
  expect(read).toMatch(/"Key":"by-itself","Principal":"apart"/);
  expect(read).not.toContain('rocketskates');
});
