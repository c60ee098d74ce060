/** wire-format.md 5.6, 10.4, 11.3 (TestAuth): what a licence opens, and what keeps working without. */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { makeLabLicense } from '../../access/license/index.ts';
import type { JsonObject } from '../../kit/json.ts';
import { startTestServer, type TestAnswer, type TestServer } from '../../testing/server.ts';
import { follow, type Row } from './rows.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ features: [] });
});
afterAll(() => server.stop());

const GATE = 'is a licensed enterprise feature.  Contact support@rackn.com';
const unlicensed = (url: string, what: string): string => `AUTH:\n  Cannot access /api/v3/${url}\n  ${what} ${GATE}`;
const named = (answer: TestAnswer): string[] => (answer.body as JsonObject[]).map((one) => String(one['Name']));
const EVERYTHING = { scope: '*', action: '*', specific: '*' };
const asUser = (user: string, rest: object = {}) => ({ as: `${user}:${user}pw`, ...rest });

const licence = (s: TestServer): JsonObject => ({
  meta: { Name: 'rackn-license', Version: 'v1' },
  sections: {
    profiles: {
      'rackn-license': {
        Name: 'rackn-license',
        Params: {
          'rackn/license': makeLabLicense(s.dataDir, {
            features: ['rbac', 'secure-params'],
            days: 30,
            now: Date.now(),
          }),
        },
      },
    },
  },
});

describe('without a licence', () => {
  follow(
    () => server,
    [
      {
        name: 'roles are listed',
        ask: 'GET roles',
        status: 200,
        check: (a) => expect(named(a)).toEqual(['superuser']),
      },
      { name: 'and read', ask: 'GET roles/superuser', status: 200, body: { ReadOnly: true, Claims: [EVERYTHING] } },
      {
        name: 'but not created',
        ask: 'POST roles',
        send: { body: { Name: 'stage' } },
        status: 403,
        error: unlicensed('roles', 'roles create'),
      },
      {
        name: 'nor tenants',
        ask: 'POST tenants',
        send: { body: { Name: 'tenant1' } },
        status: 403,
        error: unlicensed('tenants', 'tenants create'),
      },
      {
        name: 'nor removed',
        ask: 'DELETE roles/superuser',
        status: 403,
        error: unlicensed('roles/superuser', 'roles delete'),
      },
      {
        name: 'nor changed',
        ask: 'PATCH roles/superuser',
        send: { body: [{ op: 'replace', path: '/Description', value: 'x' }] },
        status: 403,
        error: unlicensed('roles/superuser', 'roles patch'),
      },
      {
        name: 'the licence layer is uploaded',
        ask: 'POST contents',
        send: (s) => ({ body: licence(s) }),
        status: 201,
        body: { meta: { Name: 'rackn-license', Type: 'dynamic' }, Counts: { profiles: 1 }, Warnings: [] },
      },
      {
        name: 'and works at once',
        ask: 'POST roles',
        send: { body: { Name: 'stage', Claims: [{ scope: 'stages', action: '*', specific: '*' }] } },
        status: 201,
      },
      {
        name: 'info shows two active licences',
        ask: 'GET info',
        status: 200,
        check: (a) =>
          expect(
            (a.body as { License: { Licenses: JsonObject[] } }).License.Licenses.map((one) => [
              one['Name'],
              one['Active'],
            ]),
          ).toEqual([
            ['rbac', true],
            ['secure-params', true],
          ]),
      },
    ],
  );
});

describe('with it', () => {
  follow(
    () => server,
    [
      {
        name: 'a tenant',
        ask: 'POST tenants',
        send: { body: { Name: 'tenant1', Users: ['t1-0'], Members: { stages: ['stage1'] } } },
        status: 201,
      },
      ...['t1-0', 'st', 'none-role'].flatMap((name): Row[] => [
        {
          name: `user ${name}`,
          ask: 'POST users',
          send: { body: { Name: name, Roles: name === 't1-0' ? ['superuser'] : name === 'st' ? ['stage'] : [] } },
          status: 201,
        },
        {
          name: `password of ${name}`,
          ask: `PUT users/${name}/password`,
          send: { body: { Password: `${name}pw` } },
          status: 200,
        },
      ]),
      { name: 'a stage of nobody', ask: 'POST stages', send: { body: { Name: 'stage2' } }, status: 201 },
    ],
  );
});

describe('when the licence goes', () => {
  follow(
    () => server,
    [
      { name: 'the layer is removed', ask: 'DELETE contents/rackn-license', status: 204 },
      {
        name: 'roles are not created any more',
        ask: 'POST roles',
        send: { body: { Name: 'more' } },
        status: 403,
        error: unlicensed('roles', 'roles create'),
      },
      {
        name: 'the licence is named even when the claim is missing too',
        ask: 'POST roles',
        send: asUser('none-role', { body: { Name: 'more' } }),
        status: 403,
        error: unlicensed('roles', 'roles create'),
      },
      { name: 'tenants keep hiding', ask: 'GET stages/stage2', send: asUser('t1-0'), status: 404 },
      { name: 'roles keep granting', ask: 'GET stages/stage2', send: asUser('st'), status: 200 },
    ],
  );
});
