import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../kit/json.ts';
import { decode } from '../decode.ts';
import { blank, fill, fillSchema, LicenseBundle, MODELS, PREFIXES, present, presentSchema, slim } from './index.ts';

const { machines, users, jobs, stages, tasks, subnets } = MODELS;

/** The fields of release 3.9, as its clients know them (wire-format.md 4). */
const V3_FIELDS: Readonly<Record<string, readonly string[]>> = {
  machines:
    'Address Available BootEnv CurrentJob CurrentTask Description Errors HardwareAddrs Meta Name OS Params Profile Profiles ReadOnly Runnable Secret Stage Tasks Uuid Validated Workflow'.split(
      ' ',
    ),
  jobs: 'Archived Available BootEnv Current CurrentIndex EndTime Errors ExitState Machine Meta NextIndex Previous ReadOnly Stage StartTime State Task Uuid Validated Workflow'.split(
    ' ',
  ),
  users: 'Available Description Errors Meta Name ReadOnly Roles Secret Validated'.split(' '),
  stages:
    'Available BootEnv Description Documentation Errors Meta Name OptionalParams Profiles ReadOnly Reboot RequiredParams RunnerWait Tasks Templates Validated'.split(
      ' ',
    ),
  tasks:
    'Available Description Documentation Errors Meta Name OptionalParams ReadOnly RequiredParams Templates Validated'.split(
      ' ',
    ),
  leases: 'Addr Available Errors ExpireTime Meta ReadOnly State Strategy Token Validated'.split(' '),
  preferences: ['Meta', 'Name', 'Val'],
  interfaces: 'ActiveAddress Addresses DnsDomain DnsServers Gateway Index Meta Name ReadOnly'.split(' '),
  tenants: 'Available Description Documentation Errors Members Meta Name ReadOnly Users Validated'.split(' '),
};

test.each(Object.entries(V3_FIELDS))('%s show a release 3 client exactly the fields it knows', (prefix, fields) => {
  const definition = MODELS[prefix as keyof typeof MODELS];
  expect(new Set(Object.keys(present(definition, blank(definition), 'v3')))).toEqual(new Set(fields));
});

test('a new machine shows the values a client expects of fields not given', () => {
  expect(present(machines, decode(machines, { Name: 'abc' }), 'v3')).toEqual({
    Address: '',
    Available: false,
    BootEnv: '',
    CurrentJob: '',
    CurrentTask: 0,
    Description: '',
    Errors: [],
    HardwareAddrs: [],
    Meta: {},
    Name: 'abc',
    OS: '',
    Params: {},
    Profile: {
      Available: false,
      Description: '',
      Documentation: '',
      Errors: null,
      Meta: null,
      Name: '',
      Params: null,
      ReadOnly: false,
      Validated: false,
    },
    Profiles: [],
    ReadOnly: false,
    Runnable: false,
    Secret: '',
    Stage: '',
    Tasks: [],
    Uuid: '',
    Validated: false,
    Workflow: '',
  });
});

test('release 4 fields come filled, and the embedded profile is gone', () => {
  const shown = present(machines, blank(machines), 'v4');
  expect(shown).toMatchObject({
    Arch: 'amd64',
    Locked: false,
    Context: '',
    Fingerprint: { SSNHash: '', CSNHash: '', CloudInstanceID: '', SystemUUID: '', MemoryIds: [] },
    TaskErrorStacks: [],
    Endpoint: '',
    Bundle: '',
    Partial: false,
  });
  expect(shown).not.toHaveProperty('Profile');
});

describe('a shown object', () => {
  test('never has the hash of a password', () => {
    const user = decode(users, { Name: 'abc', PasswordHash: 'YWJj' });
    expect(user).toHaveProperty('PasswordHash');
    for (const shape of ['v3', 'v4'] as const) expect(present(users, user, shape)).not.toHaveProperty('PasswordHash');
  });

  test('leaves out fields that are omitted when empty, and only then', () => {
    expect(present(jobs, decode(jobs, { ExtraClaims: [], Token: '' }), 'v4')).not.toHaveProperty('Token');
    const job = decode(jobs, { ExtraClaims: [{ scope: 'a', action: 'b', specific: 'c' }], Token: 'x' });
    expect(present(jobs, job, 'v4')).toMatchObject({ ExtraClaims: [{ scope: 'a' }], Token: 'x' });
    expect(present(jobs, job, 'v3')).not.toHaveProperty('Token');
  });

  test('shows release 3 clients nested objects without release 4 fields', () => {
    const task = decode(tasks, {
      Name: 'abc',
      Templates: [{ Name: 't1', Contents: 'x', Link: 'y', Meta: { OS: 'linux' } }],
    });
    expect(present(tasks, task, 'v3')['Templates']).toEqual([{ Name: 't1', Path: '', ID: '', Contents: 'x' }]);
    expect(present(tasks, task, 'v4')['Templates']).toBe(task['Templates']);
  });

  test('is the stored one itself when there is nothing to change', () => {
    const stored = decode(stages, { Name: 'abc', Tasks: ['t1'] });
    expect(present(stages, stored, 'v4')).toBe(stored);
    expect(present(stages, { ...stored, Surplus: 1 }, 'v4')).toEqual(stored);
  });

  test('is complete even when what is stored is not', () => {
    expect(present(stages, { Name: 'abc' }, 'v4')).toEqual(decode(stages, { Name: 'abc' }));
    const broken: JsonObject = { Name: 'abc', Tasks: 'no list', Meta: 5, Reboot: 'x' };
    expect(present(stages, broken, 'v3')).toMatchObject({ Tasks: [], Meta: {}, Reboot: false });
  });
});

describe('filling', () => {
  test.each(PREFIXES)('an object of %s a second time changes nothing', (prefix) => {
    const definition = MODELS[prefix];
    const filled = blank(definition);
    expect(fill(definition, filled)).toBe(filled);
  });

  test('takes an unset scalar for an absent one', () => {
    expect(fill(subnets, { ActiveLeaseTime: 0, ReservedLeaseTime: 0, Strategy: '' })).toMatchObject({
      ActiveLeaseTime: 60,
      ReservedLeaseTime: 7200,
      Strategy: 'MAC',
    });
    expect(fill(subnets, { ActiveLeaseTime: 5 })['ActiveLeaseTime']).toBe(5);
  });

  test('hands out values that nobody can change for everybody', () => {
    expect(() => (blank(machines)['Profiles'] as unknown as string[]).push('x')).toThrow(TypeError);
  });

  test('works for what is no object type', () => {
    const bundle = fillSchema(LicenseBundle, { Owner: 'abc' });
    expect(bundle).toMatchObject({ Owner: 'abc', Contact: '', Licenses: null, Endpoints: [] });
    expect(presentSchema(LicenseBundle, bundle, 'v3')).not.toHaveProperty('Endpoints');
  });
});

describe('a subnet', () => {
  test('gets netmask and broadcast address from its network', () => {
    const subnet = decode(subnets, { Subnet: '192.168.124.0/24', Options: [{ Code: 3, Value: '192.168.124.1' }] });
    expect(subnet['Options']).toEqual([
      { Code: 3, Value: '192.168.124.1' },
      { Code: 1, Value: '255.255.255.0' },
      { Code: 28, Value: '192.168.124.255' },
    ]);
    expect(fill(subnets, { ...subnet, Subnet: '10.0.0.0/8' })['Options']).toEqual([
      { Code: 3, Value: '192.168.124.1' },
      { Code: 1, Value: '255.0.0.0' },
      { Code: 28, Value: '10.255.255.255' },
    ]);
  });

  test('picks addresses unless it has reservations only', () => {
    expect(decode(subnets, {})['Pickers']).toEqual(['hint', 'nextFree', 'mostExpired']);
    expect(decode(subnets, { OnlyReservations: true })['Pickers']).toEqual(['none']);
    expect(decode(subnets, { Pickers: ['hint'] })['Pickers']).toEqual(['hint']);
  });
});

test('a slim object keeps its fields and says so where it can', () => {
  const machine = decode(machines, { Name: 'abc', Params: { a: 1 }, Meta: { b: 'c' } });
  const v4 = present(machines, machine, 'v4');
  expect(slim(v4, { Meta: true, Params: true })).toEqual({ ...v4, Meta: {}, Params: {}, Partial: true });
  const v3 = present(machines, machine, 'v3');
  expect(slim(v3, { Meta: false, Params: true })).toEqual({ ...v3, Params: {} });
  expect(slim(v3, { Meta: false, Params: false })).toBe(v3);
});
