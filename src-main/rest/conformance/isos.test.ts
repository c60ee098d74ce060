/** wire-format.md 4.7: a boot environment whose iso is missing is there, but not available. */
import { afterAll, beforeAll, describe } from 'vitest';
import type { JsonObject } from '../../kit/json.ts';
import { startTestServer, type TestRequest, type TestServer } from '../../testing/server.ts';
import { follow, type Row } from './rows.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const env = (Name: string, OS: JsonObject): JsonObject => ({ Name, OS: { Name, ...OS } });
const iso: TestRequest = { raw: 'iso', headers: { 'content-type': 'application/octet-stream' } };
const judged = (name: string, missing: readonly string[]): Row => ({
  name: `${name} lacks ${missing.join() || 'nothing'}`,
  ask: `GET bootenvs/${name}`,
  status: 200,
  body: { Available: missing.length === 0, Errors: missing.map((one) => `Missing ISO file ${one}`) },
});
const arms = { IsoFile: 'a.iso', SupportedArchitectures: { arm64: { IsoFile: 'b.iso' }, amd64: { IsoFile: 'a.iso' } } };

describe('the isos of boot environments', () => {
  follow(
    () => server,
    [
      { name: 'one', ask: 'POST bootenvs', send: { body: env('own', arms) }, status: 201, body: { Available: false } },
      {
        name: 'without',
        ask: 'POST bootenvs',
        send: { body: env('bare', {}) },
        status: 201,
        body: { Available: true },
      },
      { name: 'out', ask: 'POST bootenvs', send: { body: env('out', { IsoFile: '../proviso.json' }) }, status: 201 },
      judged('out', ['../proviso.json']),
      {
        name: 'one of a pack',
        ask: 'POST contents',
        send: { body: { meta: { Name: 'envs' }, sections: { bootenvs: { packed: env('packed', arms) } } } },
        status: 201,
      },
      ...['own', 'packed'].map((name) => judged(name, ['a.iso', 'b.iso'])),
      { name: 'no machine can go there', ask: 'POST machines', send: { body: { Name: 'box' } }, status: 201 },
      {
        name: 'as long as it is missing',
        ask: 'PATCH machines/Name:box',
        send: { body: [{ op: 'replace', path: '/BootEnv', value: 'packed' }] },
        status: 422,
        error: /wants BootEnv packed, which is not available/,
      },
      { name: 'an upload', ask: 'POST isos/a.iso', send: iso, status: 201 },
      ...['own', 'packed'].map((name) => judged(name, ['b.iso'])),
      { name: 'and the other', ask: 'POST isos/b.iso', send: iso, status: 201 },
      ...['own', 'packed'].map((name) => judged(name, [])),
      { name: 'taken away', ask: 'DELETE isos/a.iso', status: 204 },
      ...['own', 'packed'].map((name) => judged(name, ['a.iso'])),
    ],
  );
});
