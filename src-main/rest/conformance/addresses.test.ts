/** wire-format.md 4.16, 4.17: subnets, reservations and leases. */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { JsonObject } from '../../kit/json.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { follow, make } from './rows.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

describe('subnets', () => {
  const subnet = {
    Name: 'sub-one',
    Subnet: '192.168.100.0/24',
    ActiveStart: '192.168.100.20',
    ActiveEnd: '192.168.100.100',
  };
  follow(
    () => server,
    [
      {
        name: 'get netmask and broadcast, lease times and pickers',
        ask: 'POST subnets',
        send: { body: subnet },
        status: 201,
        body: {
          Enabled: false,
          ActiveLeaseTime: 60,
          ReservedLeaseTime: 7200,
          Strategy: 'MAC',
          Pickers: ['hint', 'nextFree', 'mostExpired'],
          Options: [
            { Code: 1, Value: '255.255.255.0' },
            { Code: 28, Value: '192.168.100.255' },
          ],
        },
      },
      {
        name: 'netmask and broadcast follow the subnet',
        ask: 'PATCH subnets/sub-one',
        send: {
          body: [
            { op: 'replace', path: '/Subnet', value: '192.168.100.0/23' },
            { op: 'replace', path: '/Strategy', value: 'NewStrat' },
          ],
        },
        status: 200,
        check: (answer) => {
          const { Options, Strategy } = answer.body as { Options: JsonObject[]; Strategy: string };
          expect(Options).toContainEqual({ Code: 1, Value: '255.255.254.0' });
          expect(Options).toContainEqual({ Code: 28, Value: '192.168.101.255' });
          expect(Strategy).toBe('NewStrat');
        },
      },
      {
        name: 'only reservations: no pickers',
        ask: 'POST subnets',
        send: { body: { Name: 'sub-two', Subnet: '10.0.0.0/24', OnlyReservations: true } },
        status: 201,
        body: { Pickers: ['none'] },
      },
      { name: 'overlap', ask: 'POST subnets', send: { body: { ...subnet, Name: 'sub-three' } }, status: 422 },
      {
        name: 'start outside',
        ask: 'POST subnets',
        send: { body: { Name: 'sub-four', Subnet: '10.1.0.0/24', ActiveStart: '10.2.0.1', ActiveEnd: '10.1.0.9' } },
        status: 422,
        error: /ActiveStart 10\.2\.0\.1 not in subnet range 10\.1\.0\.0\/24/,
      },
      {
        name: 'end before start',
        ask: 'POST subnets',
        send: { body: { Name: 'sub-four', Subnet: '10.1.0.0/24', ActiveStart: '10.1.0.9', ActiveEnd: '10.1.0.2' } },
        status: 422,
        error: /ActiveStart 10\.1\.0\.9 must be less than/,
      },
      {
        name: 'a short lease',
        ask: 'POST subnets',
        send: {
          body: {
            Name: 'sub-four',
            Subnet: '10.1.0.0/24',
            ActiveStart: '10.1.0.2',
            ActiveEnd: '10.1.0.9',
            ActiveLeaseTime: 5,
          },
        },
        status: 422,
        error: /ActiveLeaseTime must be greater than or equal to 60 seconds, not 5/,
      },
      {
        name: 'a short reserved lease',
        ask: 'POST subnets',
        send: {
          body: {
            Name: 'sub-four',
            Subnet: '10.1.0.0/24',
            ActiveStart: '10.1.0.2',
            ActiveEnd: '10.1.0.9',
            ReservedLeaseTime: 60,
          },
        },
        status: 422,
        error: /ReservedLeaseTime must be greater than or equal to 7200 seconds, not 60/,
      },
      {
        name: 'unmanaged and proxy',
        ask: 'POST subnets',
        send: { body: { Name: 'sub-four', Subnet: '10.1.0.0/24', Unmanaged: true, Proxy: true } },
        status: 422,
        error: /Unmanaged and Proxy cannot both be true/,
      },
      {
        name: 'no subnet',
        ask: 'POST subnets',
        send: { body: { Name: 'sub-four' } },
        status: 422,
        error: /Invalid subnet/,
      },
      { name: 'found by Subnet:', ask: 'GET subnets/Subnet:10.0.0.0%2F24', status: 200, body: { Name: 'sub-two' } },
      {
        name: 'by an address in it',
        ask: 'GET subnets?Address=192.168.100.5',
        status: 200,
        check: (a) => expect((a.body as { Name: string }[]).map((s) => s.Name)).toEqual(['sub-one']),
      },
      {
        name: 'by an address in its active range',
        ask: 'GET subnets?ActiveAddress=192.168.100.5',
        status: 200,
        exactly: [],
      },
    ],
  );
});

describe('reservations go by address', () => {
  follow(
    () => server,
    [
      {
        name: 'created',
        ask: 'POST reservations',
        send: { body: { Addr: '192.168.100.103', Token: 'tok', Strategy: 'MAC' } },
        status: 201,
        body: { Addr: '192.168.100.103' },
      },
      {
        name: 'by a user with the claim that creating any type takes',
        ask: 'POST reservations',
        send: async (s) => {
          const Claims = [{ scope: 'reservations', action: 'create', specific: '' }];
          await make(s, 'roles', { Name: 'reserving', Claims });
          await make(s, 'users', { Name: 'reserver', Roles: ['reserving'] });
          const body = { Addr: '192.168.100.104', Token: 'other', Strategy: 'MAC' };
          return { as: await s.tokenOf('reserver'), body };
        },
        status: 201,
      },
      {
        name: 'and not without it',
        ask: 'POST reservations',
        send: async (s) => {
          await make(s, 'users', { Name: 'unreserved' });
          return { as: await s.tokenOf('unreserved'), body: { Addr: '192.168.100.105' } };
        },
        status: 403,
        error: 'AUTH:\n  Cannot access /api/v3/reservations\n  Requires: reservations create ',
      },
      {
        name: 'twice: the key in hex',
        ask: 'POST reservations',
        send: { body: { Addr: '192.168.100.103', Token: 'tok', Strategy: 'MAC' } },
        status: 409,
        error: 'CREATE: reservations/C0A86467: already exists',
      },
      {
        name: 'read by the dotted address',
        ask: 'GET reservations/192.168.100.103',
        status: 200,
        body: { Token: 'tok' },
      },
      { name: 'and in hex', ask: 'GET reservations/C0A86467', status: 200 },
      { name: 'removed', ask: 'DELETE reservations/192.168.100.103', status: 200 },
      {
        name: 'then absent, in hex',
        ask: 'GET reservations/192.168.100.103',
        status: 404,
        error: 'GET: reservations/C0A86467: Not Found',
      },
      {
        name: 'no address at all',
        ask: 'GET reservations/fred',
        status: 404,
        error: 'GET: reservations/fred: Not Found',
      },
      { name: 'HEAD of no address', ask: 'HEAD reservations/fred', status: 404 },
      {
        name: 'an empty one',
        ask: 'POST reservations',
        send: { body: {} },
        status: 400,
        error: 'CREATE: reservations: Empty key not allowed',
      },
      {
        name: 'a lease that is not there',
        ask: 'GET leases/192.168.100.110',
        status: 404,
        error: 'GET: leases/C0A8646E: Not Found',
      },
      {
        name: 'is not removed either',
        ask: 'DELETE leases/192.168.100.110',
        status: 404,
        error: 'DELETE: leases/C0A8646E: Not Found',
      },
    ],
  );
});
