import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestAnswer, type TestServer } from '../testing/server.ts';

let server: TestServer;
let guest: string;
beforeAll(async () => {
  server = await startTestServer();
  await server.call('POST', 'profiles', { body: { Name: 'rack-1', Params: { rack: 1 } } });
  await server.call('POST', 'users', { body: { Name: 'guest' } });
  guest = await server.tokenOf('guest');
});
afterAll(() => server.stop());

/** What must not differ; times and request ids do by nature. */
function essence({ status, headers, body }: TestAnswer): object {
  const { RequestId: _id, ...rest } = (typeof body === 'object' && body !== null ? body : { body }) as Record<
    string,
    unknown
  >;
  // The sentence repeats the address as requested.
  const told = JSON.stringify(rest).replaceAll('?"', '"');
  return { status, type: headers['content-type'], etag: headers['etag'], auth: headers['www-authenticate'], told };
}

describe('the fast lane answers as the ordinary way does', () => {
  // A question mark without a query sends the same request the ordinary way.
  it.each([
    ['an object', 'profiles/rack-1', undefined],
    ['an object of a content layer', 'stages/none', undefined],
    ['an absent object', 'profiles/nope', undefined],
    ['a denied object', 'profiles/rack-1', 'guest'],
    ['the own user', 'users/guest', 'guest'],
    ['a dead token', 'profiles/rack-1', 'dead'],
    ['a key with a colon', 'profiles/Name:rack-1', undefined],
  ])('%s', async (_name, path, who) => {
    const as = who === 'guest' ? guest : who;
    const ask = as === undefined ? {} : { as };
    const fast = await server.call('GET', path, ask);
    const ordinary = await server.call('GET', `${path}?`, ask);
    expect(essence(fast)).toEqual(essence(ordinary));
    expect(fast.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('an unchanged object', async () => {
    const first = await server.call('GET', 'profiles/rack-1');
    const etag = String(first.headers['etag']);
    const again = await server.call('GET', 'profiles/rack-1', { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
    expect(again.text).toBe('');
  });
});
