import { describe, expect, test } from 'vitest';
import type { Json } from '../../kit/json.ts';
import { derive } from './derive.ts';
import { eventClaims } from './events.ts';
import { routeTable } from './route-table.ts';
import type { DeriveContext, StoredObject } from './routes.ts';

const UUID = '3e7031fe-3062-45f1-835c-92541bc9cbd3';
const machine = {
  Name: 'bob',
  Uuid: UUID,
  Description: '',
  Stage: 'none',
  Profiles: [],
  Params: { a: { x: 1 }, 'b/c': 2 },
  Meta: { color: 'blue' },
  Runnable: true,
  Errors: ['old'],
};

const stored: Record<string, StoredObject> = {
  [`machines/${UUID}`]: { key: UUID, authKey: UUID, value: machine },
  'machines/Name:bob': { key: UUID, authKey: UUID, value: machine },
  'jobs/job-1': { key: 'job-1', authKey: UUID, value: { Uuid: 'job-1', Machine: UUID } },
};
const context: DeriveContext = { find: (scope, typed) => stored[`${scope}/${typed}`] };

function needs(line: string, body?: Json): string[] | string {
  const [method = '', path = ''] = line.split(' ');
  const found = derive({ method, path: `/api/v3${path}`, ...(body === undefined ? {} : { body }) }, context);
  switch (found.kind) {
    case 'claims':
      return found.claims.map(({ scope, action, specific }) => `${scope} ${action} ${specific}`);
    case 'wrong-method':
      return `allow ${found.allow.join(' ')}`;
    case 'unreadable':
      return found.message;
    default:
      return found.kind;
  }
}

describe('a request derives the claims of its row', () => {
  const rows: [string, string[] | string, Json?][] = [
    ['GET /machines', ['machines list *']],
    ['HEAD /machines?Name=bob', ['machines list *']],
    ['GET /machines/', ['machines list *']],
    ['GET /machines?decode=true', ['machines list *', 'machines getSecure ']],
    ['GET /machines?decode=false', ['machines list *']],
    ['GET /interfaces', ['interfaces list *']],
    [`GET /machines/${UUID}`, [`machines get ${UUID}`]],
    ['HEAD /machines/Name:bob', [`machines get ${UUID}`]],
    ['GET /machines/Name%3Abob?decode=true', [`machines get ${UUID}`, `machines getSecure ${UUID}`]],
    ['GET /machines/unknown', ['machines get unknown']],
    ['GET /leases/192.168.100.103', ['leases get C0A86467']],
    ['POST /machines', ['machines create '], { Name: 'x' }],
    ['POST /jobs', [`jobs create ${UUID}`], { Machine: UUID }],
    ['POST /reservations', ['reservations create '], { addr: '192.168.100.103' }],
    ['DELETE /machines/Name:bob', [`machines delete ${UUID}`]],
    ['DELETE /leases/C0A86467', ['leases delete C0A86467']],
    ['DELETE /jobs?dryrun=true', ['jobs delete *']],
    ['GET /jobs/job-1', [`jobs get ${UUID}`]],
    ['PATCH /jobs/job-1', [`jobs update:/State ${UUID}`], [{ op: 'replace', path: '/State', value: 'running' }]],
    ['GET /machines/Name:bob/params?aggregate=true', [`machines get ${UUID}`]],
    ['GET /profiles/p/params/a/b?decode=true', ['profiles get p', 'profiles getSecure p']],
    ['POST /profiles/p/params/a/b', ['profiles update:/Params/a~1b p'], 5],
    ['POST /profiles/p/params/a%2Fb', ['profiles update:/Params/a~1b p'], 5],
    ['DELETE /profiles/p/params/a~b', ['profiles update:/Params/a~0b p']],
    ['POST /profiles/p/params', ['profiles update:/Params/a p'], { a: 1 }],
    [`POST /machines/${UUID}/params`, [`machines update:/Params/b~1c ${UUID}`], { a: { x: 1 } }],
    [`POST /machines/${UUID}/params`, [`machines get ${UUID}`], { a: { x: 1 }, 'b/c': 2 }],
    ['PATCH /profiles/p/params', ['profiles update:/Params/a/x p'], [{ op: 'add', path: '/a/x', value: 1 }]],
    ['GET /profiles/p/pubkey', ['profiles updateSecure p']],
    ['GET /machines/Name:bob/actions', [`machines actions ${UUID}`]],
    ['GET /machines/Name:bob/actions/callbackDo', [`machines action:callbackDo ${UUID}`]],
    ['POST /machines/Name:bob/actions/callbackDo?plugin=x', [`machines action:callbackDo ${UUID}`], {}],
    ['GET /jobs/job-1/actions', [`jobs actions ${UUID}`]],
    ['PUT /jobs/job-1/log', [`jobs log ${UUID}`]],
    ['POST /jobs/job-1/plugin_actions/increment', [`jobs action:increment ${UUID}`]],
    ['GET /system/actions', ['system actions global']],
    ['POST /system/actions/incrstatus', ['system action:incrstatus global'], {}],
    ['POST /system/upgrade', ['system upgrade global']],
    ['GET /meta/machines/Name:bob', [`machines get ${UUID}`]],
    ['PATCH /meta/machines/Name:bob', [`machines update:/Meta/color ${UUID}`], [{ op: 'remove', path: '/color' }]],
    ['GET /params/a/b', ['params get a/b']],
    ['GET /params/a%2Fb', ['params get a/b']],
    ['GET /meta/params/a/b', ['params get a/b']],
    ['DELETE /params/a/b/c', ['params delete a/b/c']],
    ['GET /users/ann/token?roles=a', ['users token ann']],
    ['PUT /users/ann/password', ['users password ann'], { Password: 'x' }],
    [`GET /machines/${UUID}/token?ttl=1h`, [`machines token ${UUID}`]],
    ['GET /prefs', ['preferences list *']],
    [
      'POST /prefs',
      ['preferences post defaultStage', 'preferences post logLevel'],
      { defaultStage: 'x', logLevel: 'y' },
    ],
    ['POST /prefs', ['preferences list *'], {}],
    ['GET /contents', ['contents list *']],
    ['GET /contents/pack', ['contents get pack']],
    ['POST /contents', ['contents create pack'], { meta: { Name: 'pack' }, sections: {} }],
    ['PUT /contents/pack', ['contents update pack'], {}],
    ['DELETE /contents/pack', ['contents delete pack']],
    ['GET /files?path=a', ['files list *']],
    ['GET /files/a/b.txt', ['files get a/b.txt']],
    ['POST /isos/x.iso', ['isos post x.iso']],
    ['DELETE /files/a/b.txt', ['files delete a/b.txt']],
    ['POST /plugin_providers/callback', ['plugin_providers post callback']],
    ['DELETE /plugin_providers/callback', ['plugin_providers delete callback']],
    ['GET /plugin_providers/callback', ['plugin_providers get callback']],
    ['POST /events', ['events post *'], {}],
    ['GET /info', ['info get ']],
    ['GET /logs', ['logs get ']],
    ['GET /indexes', ['indexes list *']],
    ['GET /indexes/machines/Name', ['indexes get machines']],
    ['GET /ws', []],
    ['POST /x/access/explain', ['users list *', 'roles list *'], {}],
    ['POST /x/callbacks/render', [`machines get ${UUID}`], { Machine: 'Name:bob' }],
    ['POST /x/deliveries/d-1/replay', ['deliveries replay d-1']],
    ['GET /nonsense', 'no-route'],
    ['GET /machines/a/b/c/d', 'no-route'],
    ['PUT /machines', 'allow GET HEAD POST'],
    ['PATCH /leases/C0A86467', 'allow GET HEAD DELETE'],
    ['GET /machines/%E0%A4%A', "the path segment '%E0%A4%A' is not valid percent-encoding"],
  ];

  test.each(rows)('%s', (line, expected, body) => {
    expect(needs(line, body)).toEqual(expected);
  });

  test('and where a machine asks, a reservation is created by its address', () => {
    const request = { method: 'POST', path: '/api/v3/reservations', body: { addr: '192.168.100.103' } };
    expect(derive(request, { ...context, asMachine: true })).toMatchObject({
      claims: [{ scope: 'reservations', action: 'create', specific: 'C0A86467' }],
    });
  });

  test('nothing outside of the API prefix is a route', () => {
    expect(derive({ method: 'GET', path: '/machines' }).kind).toBe('no-route');
    expect(derive({ method: 'GET', path: '/api/v3x/machines' }).kind).toBe('no-route');
  });
});

describe('a PATCH', () => {
  const patch = (body: Json) => needs(`PATCH /machines/${UUID}`, body);

  test('needs one claim per changed field; tests change nothing, a move changes both ends', () => {
    expect(
      patch([
        { op: 'test', path: '', value: {} },
        { op: 'test', path: '/Name', from: '', value: 'bob' },
        { op: 'replace', path: '/Name', from: '', value: 'x' },
        { op: 'remove', path: '/Params/a~1b', from: '', value: null },
        { op: 'move', path: '/Params/new', from: '/Params/old' },
        { op: 'copy', path: '/Meta/x', from: '/Meta/color' },
        { op: 'replace', path: '/Name', value: 'y' },
      ]),
    ).toEqual([
      `machines update:/Name ${UUID}`,
      `machines update:/Params/a~1b ${UUID}`,
      `machines update:/Params/new ${UUID}`,
      `machines update:/Params/old ${UUID}`,
      `machines update:/Meta/x ${UUID}`,
    ]);
  });

  test('that changes nothing is a read, since it is answered with the object', () => {
    for (const body of [null, [], [{ op: 'test', path: '/Name', value: 'bob' }]]) {
      expect(patch(body)).toEqual([`machines get ${UUID}`]);
    }
  });

  test('that cannot be understood says which operation', () => {
    expect(patch({})).toBe('the body must be a JSON Patch, a list of operations');
    expect(patch([{ op: 'frob', path: '/Name' }])).toMatch(/^operation 0 has no known op/);
    expect(patch([{ op: 'test', path: '' }, { op: 'add' }])).toBe('operation 1 has no path');
    expect(patch([{ op: 'move', path: '/a' }])).toBe('operation 0 moves from nowhere');
  });
});

describe('a PUT', () => {
  const put = (body: Json) => needs(`PUT /machines/${UUID}`, body);

  test('needs one claim per field that differs, down to the member that does', () => {
    const body = { ...machine, Stage: 'x', Params: { a: { x: 2 }, n: 1 }, Profiles: ['p'] };
    expect(put(body)).toEqual([
      `machines update:/Stage ${UUID}`,
      `machines update:/Profiles ${UUID}`,
      `machines update:/Params/a/x ${UUID}`,
      `machines update:/Params/b~1c ${UUID}`,
      `machines update:/Params/n ${UUID}`,
    ]);
  });

  test('of what was read, in any spelling and with the computed fields changed, is a read', () => {
    expect(put({ ...machine, Errors: [], Available: true })).toEqual([`machines get ${UUID}`]);
    const { Description: _zero, Name, ...rest } = machine;
    expect(put({ ...rest, name: Name })).toEqual([`machines get ${UUID}`]);
  });

  test('that leaves a set field out changes it, and a field nobody sent before counts when it is not zero', () => {
    const { Stage: _set, ...rest } = machine;
    expect(put({ ...rest, PasswordHash: 'x', Unknown: '' })).toEqual([
      `machines update:/Stage ${UUID}`,
      `machines update:/PasswordHash ${UUID}`,
    ]);
  });

  test('of an object that is not there needs the whole update', () => {
    expect(needs('PUT /machines/other', {})).toEqual(['machines update other']);
  });
});

test('the objects a request touches are named, so that the tenant can be asked first', () => {
  const touches = (method: string, path: string, body?: Json) => {
    const found = derive({ method, path: `/api/v3${path}`, ...(body === undefined ? {} : { body }) }, context);
    return found.kind === 'claims' ? found.touches : found.kind;
  };
  expect(touches('GET', '/machines/Name:bob/params')).toEqual([{ scope: 'machines', key: UUID }]);
  expect(touches('GET', '/jobs/job-1/log')).toEqual([{ scope: 'jobs', key: 'job-1', machine: UUID }]);
  expect(touches('POST', '/jobs', { Machine: UUID })).toEqual([{ scope: 'machines', key: UUID }]);
  expect(touches('GET', '/machines')).toEqual([]);
});

test('every row can be reached: none stands behind a wider one', () => {
  for (const row of routeTable) {
    const type = row.types ? [...row.types][0] : 'machines';
    const path = row.pattern.replace(':type', type ?? '').replaceAll(/[:*](\w+)/g, 'one');
    for (const method of row.methods) {
      const found = derive({ method, path: `/api/v3${path}`, body: method === 'PATCH' ? [] : {} });
      expect([method, path, found.kind === 'claims' && found.row.pattern]).toEqual([method, path, row.pattern]);
    }
  }
});

test('an event may be received by its own claim, or by whoever may read the object', () => {
  const all = (type: string, action: string, key: string) =>
    eventClaims(type, action, key).map((one) => `${one.scope} ${one.action} ${one.specific}`);
  expect(all('machines', 'save', 'm1')).toEqual(['machines save m1', 'machines get m1']);
  expect(all('params', 'update', 'a/b')).toEqual(['params update a/b', 'params get a/b']);
  expect(all('machines', 'callbackDo', 'm1')).toEqual(['machines callbackDo m1']);
  expect(all('custom', 'update', 'x')).toEqual(['custom update x']);
  expect(all('log', 'info', 'frontend')).toEqual(['logs get ']);
});
