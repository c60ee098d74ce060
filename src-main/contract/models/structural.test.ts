import { describe, expect, test } from 'vitest';
import { decode } from '../decode.ts';
import { MODELS, PREFIXES, type Prefix, structuralErrors } from './index.ts';

/** The sentences about a body, read as the server does. */
function faults(prefix: Prefix, body: object): string[] {
  return structuralErrors(MODELS[prefix], decode(MODELS[prefix], body));
}

const subnet = {
  Name: 'lab',
  Subnet: '192.168.124.0/24',
  ActiveStart: '192.168.124.10',
  ActiveEnd: '192.168.124.20',
};

describe('a sound object has no faults', () => {
  const rows: readonly (readonly [Prefix, object])[] = [
    [
      'bootenvs',
      { Name: 'ubuntu-install', Loaders: { 'amd64-uefi': 'x' }, Templates: [{ Name: 'ipxe', Path: 'a', ID: 'b2' }] },
    ],
    ['interfaces', { Name: 'eth0' }],
    ['jobs', { State: 'created' }],
    ['jobs', { State: 'failed', ExitState: 'reboot' }],
    ['leases', { Addr: '10.0.0.1' }],
    ['machines', { Name: '1st.example.org', HardwareAddrs: ['de:ad:be:ef:00:01'], Arch: 'arm64', PoolStatus: 'Free' }],
    [
      'machines',
      {
        Name: 'abc',
        Workflow: 'wf',
        Tasks: ['stage:s1', 'bootenv:b1', 't1', 'action:reboot', 'chroot:/x', 'context:c'],
      },
    ],
    ['params', { Name: 'a/b.c', Schema: { type: 'string' } }],
    ['plugins', { Name: 'callback', Provider: 'callback', Params: { 'callback/skip': true } }],
    ['profiles', { Name: 'global', Params: { 'a/b': null }, Profiles: ['p2'] }],
    ['reservations', { Addr: '10.0.0.1', Token: 'x', Strategy: 'MAC', NextServer: '0.0.0.0' }],
    [
      'roles',
      { Name: 'ops', Claims: [{ scope: 'machines, users', action: 'get,update:/Params/a,action:x', specific: '' }] },
    ],
    ['roles', { Name: 'validButUseless', Claims: [{ scope: '*', action: '*', specific: '' }] }],
    ['roles', { Name: 'secure', Claims: [{ scope: 'machines,params', action: 'getSecure', specific: '*' }] }],
    [
      'stages',
      {
        Name: 'st',
        BootEnv: 'local',
        Tasks: ['t1', 'action:reboot'],
        Templates: [{ Name: 'tt', Path: 'p', Contents: 'c' }],
      },
    ],
    ['subnets', subnet],
    ['subnets', { ...subnet, Strategy: 'NewStrat' }],
    ['subnets', { Name: 'lab', Subnet: '10.0.0.0/8', OnlyReservations: true }],
    ['subnets', { Name: 'lab', Subnet: '10.0.0.0/8', Proxy: true }],
    ['tasks', { Name: 'tt', Templates: [{ Name: 't1', Contents: 'c' }], RequiredParams: ['a/b'] }],
    ['templates', { ID: '1st.tmpl' }],
    ['tenants', { Name: 'tt', Members: { machines: ['x'], plugin_providers: [] } }],
    ['users', { Name: 'a.b@example.org' }],
    ['workflows', { Name: 'wf', Stages: ['s1'] }],
  ];
  test.each(rows)('%s %j', (prefix, body) => {
    expect(faults(prefix, body)).toEqual([]);
  });

  test('and every type with checks of its own is among them', () => {
    const covered = new Set(rows.map(([prefix]) => prefix));
    expect(PREFIXES.filter((prefix) => !covered.has(prefix))).toEqual(['plugin_providers', 'preferences']);
  });
});

describe('a fault is named in the words clients know', () => {
  const rows: readonly (readonly [Prefix, object, readonly string[]])[] = [
    ['profiles', { Name: 'a{b' }, ['Invalid Name `a{b`']],
    ['templates', { ID: 'a{b' }, ['Invalid ID `a{b`']],
    ['machines', { Name: 'a{b' }, ['Invalid Name `a{b`']],
    ['params', { Name: '{b' }, ['Invalid Name `{b`']],
    ['params', { Name: 'ab', Schema: 5 }, ['Invalid Schema: must be a JSON Schema object or null']],
    ['plugins', { Name: '{asdgasdg' }, ['Invalid Name `{asdgasdg`', 'Invalid Provider ``']],
    ['plugin_providers', { Name: '!' }, ['Invalid Name `!`']],
    [
      'profiles',
      { Name: 'ab', Params: { '1x': 1 }, Profiles: ['!'] },
      ['Invalid Profile `!`', 'Invalid Param Name `1x`'],
    ],
    ['roles', { Name: 'r1', Claims: [{ scope: 'bar', action: 'get' }] }, ["No such scope 'bar'"]],
    ['roles', { Name: 'r1', Claims: [{ action: 'get' }] }, ["No such scope ''"]],
    ['roles', { Name: 'r1', Claims: [{ scope: 'machines', action: 'bar' }] }, ["No such action 'bar'"]],
    ['roles', { Name: 'r1', Claims: [{ scope: 'machines' }] }, ["No such action ''"]],
    ['roles', { Name: 'r1', Claims: [{ scope: '*', action: 'bar' }] }, ["No such action 'bar'"]],
    [
      'roles',
      { Name: 'r1', Claims: [{ scope: 'machines,bar', action: 'get,foo' }] },
      ["No such scope 'bar'", "No such action 'foo'"],
    ],
    ['roles', { Name: 'r1', Claims: [{ scope: 'machines', action: 'get:x' }] }, ["No such action 'get:x'"]],
    ['tenants', { Name: 't1', Members: { bogus: [] } }, ['Invalid ']],
    ['jobs', { State: 'fred' }, ['Invalid State `fred`']],
    ['jobs', { State: 'failed', ExitState: 'x' }, ['Invalid ExitState `x`']],
    ['workflows', { Name: 'wf', Stages: ['!'] }, ['Invalid Stage `!`']],
    [
      'tasks',
      { Name: 'tt', RequiredParams: ['!'], OptionalParams: ['?'], Prerequisites: ['-'] },
      ['Invalid Required Param `!`', 'Invalid Optional Param `?`', 'Invalid Task `-`'],
    ],
    [
      'stages',
      {
        Name: 'tt',
        BootEnv: '!',
        Profiles: ['!'],
        Tasks: ['!'],
        Templates: [{}, { Name: 'a!', ID: '!', Contents: 'c', Path: 'p' }],
      },
      [
        'Invalid BootEnv `!`',
        'Invalid Profile `!`',
        'Invalid Task `!`',
        'Template[0] is missing a Name',
        'Template[0] is missing a Path',
        'Template[0] must have either an ID or Contents set',
        'Invalid Template Name `a!`',
        'Template[1] has both an ID and Contents',
        'Invalid Template ID `!`',
      ],
    ],
    [
      'bootenvs',
      { Name: 'be', Loaders: { arm: 'x' } },
      ['Invalid Loader `arm`: use 386-pcbios, amd64-uefi, arm64-uefi'],
    ],
    [
      'machines',
      {
        Name: 'abc',
        HardwareAddrs: ['fred'],
        Profiles: ['jill', 'joe', 'jill'],
        Tasks: ['!', 'stage:s1', 'odd:x'],
        Arch: 'x86_64',
        PoolStatus: 'Lost',
        Stage: '!',
        BootEnv: '!',
      },
      [
        'Invalid Stage `!`',
        'Invalid BootEnv `!`',
        'Duplicate profile jill: at 0 and 2',
        'Invalid Task `!`',
        'Invalid Task `stage:s1`',
        'Invalid Task Step odd:x',
        'Invalid Hardware Address `fred`: address fred: invalid MAC address',
        'Please use amd64 for Arch instead of x86_64',
        'Invalid PoolStatus `Lost`',
      ],
    ],
    ['machines', { Name: 'abc', Arch: 'vax', Workflow: '!' }, ['Invalid Workflow `!`', 'Unsupported arch vax']],
    ['machines', { Name: 'abc', Arch: 'AMD64' }, ['Please use amd64 for Arch instead of AMD64']],
    ['reservations', {}, ['IP Address is nil', 'Token must have a value', 'Strategy must have a value']],
    [
      'reservations',
      { Addr: '127.0.0.1', NextServer: '224.0.0.1', Token: 'x', Strategy: 'y' },
      ['127.0.0.1 is not a valid IP address for dr-provision', '224.0.0.1 is not a valid IP address for dr-provision'],
    ],
    ['leases', { Addr: '0.0.0.0' }, ['0.0.0.0 is not a valid IP address for dr-provision']],
    ['subnets', { Name: 'lab', Subnet: 'fred' }, ['Invalid subnet fred: invalid CIDR address: fred']],
    ['subnets', { Name: 'lab', Subnet: '10.0.0.0/8' }, ['IP Address is nil', 'IP Address is nil']],
    ['subnets', { ...subnet, ActiveStart: '10.0.0.1' }, ['ActiveStart 10.0.0.1 not in subnet range 192.168.124.0/24']],
    ['subnets', { ...subnet, ActiveEnd: '193.0.0.1' }, ['ActiveEnd 193.0.0.1 not in subnet range 192.168.124.0/24']],
    [
      'subnets',
      { ...subnet, ActiveEnd: '192.168.124.10' },
      ['ActiveStart 192.168.124.10 must be less than ActiveEnd 192.168.124.10'],
    ],
    [
      'subnets',
      { ...subnet, ActiveLeaseTime: 59 },
      ['ActiveLeaseTime must be greater than or equal to 60 seconds, not 59'],
    ],
    [
      'subnets',
      { ...subnet, ReservedLeaseTime: 7199 },
      ['ReservedLeaseTime must be greater than or equal to 7200 seconds, not 7199'],
    ],
    ['subnets', { ...subnet, Proxy: true, Unmanaged: true }, ['Unmanaged and Proxy cannot both be true']],
    ['subnets', { ...subnet, NextServer: '127.0.0.1' }, ['127.0.0.1 is not a valid IP address for dr-provision']],
  ];
  test.each(rows)('%s %j', (prefix, body, expected) => {
    expect(faults(prefix, body)).toEqual(expected);
  });
});

test('a strategy cannot be taken away from a subnet that was stored without', () => {
  const value = { ...decode(MODELS.subnets, subnet), Strategy: '' };
  expect(structuralErrors(MODELS.subnets, value)).toEqual(['Strategy must have a value']);
});

test('scopes and actions are those of the registry given', () => {
  const role = decode(MODELS.roles, { Name: 'r1', Claims: [{ scope: 'moons', action: 'orbit', specific: '*' }] });
  expect(structuralErrors(MODELS.roles, role)).toEqual(["No such scope 'moons'"]);
  expect(structuralErrors(MODELS.roles, role, { scopes: new Map([['moons', new Set(['orbit'])]]) })).toEqual([]);
});
