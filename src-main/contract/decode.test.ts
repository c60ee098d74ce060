import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../kit/json.ts';
import { DecodeError, decode, decodeSchema } from './decode.ts';
import { blank, ContentSummary, MODELS, NewPassword } from './models/index.ts';

const { machines, profiles, stages, bootenvs, subnets, users, jobs, roles } = MODELS;

describe('field names', () => {
  test('match in any letter case', () => {
    expect(decode(machines, { name: 'abc', HARDWAREADDRS: ['x'] })).toMatchObject({
      Name: 'abc',
      HardwareAddrs: ['x'],
    });
    expect(decode(roles, { Claims: [{ Scope: 'machines', ACTION: 'get', specific: '*' }] })).toMatchObject({
      Claims: [{ scope: 'machines', action: 'get', specific: '*' }],
    });
  });

  test('in their exact spelling win over any other, whichever comes first', () => {
    expect(decode(profiles, { Name: 'exact', name: 'other' })['Name']).toBe('exact');
    expect(decode(profiles, { name: 'other', Name: 'exact' })['Name']).toBe('exact');
  });

  test('that no model has are ignored, map keys are kept as they are', () => {
    const decoded = decode(profiles, { Unknown: 1, Params: { 'a/B': 1 }, Meta: { Color: 'x', color: 'y' } });
    expect(decoded).not.toHaveProperty('Unknown');
    expect(decoded).toMatchObject({ Params: { 'a/B': 1 }, Meta: { Color: 'x', color: 'y' } });
  });
});

describe('null', () => {
  test('empties lists, maps, structs and free values, and leaves scalars at their Fill value', () => {
    const nothing = { Name: null, Arch: null, Params: null, Profiles: null, Fingerprint: null, Locked: null };
    expect(decode(machines, nothing)).toEqual(blank(machines));
    expect(decode(subnets, { ActiveLeaseTime: null, Strategy: null })).toMatchObject({
      ActiveLeaseTime: 60,
      Strategy: 'MAC',
    });
  });

  test('as a whole body is an object nothing was said about', () => {
    expect(decode(machines, null)).toEqual(blank(machines));
  });

  test('inside a list is the zero value', () => {
    expect(decode(bootenvs, { Initrds: [null], Templates: [null] })).toMatchObject({
      Initrds: [''],
      Templates: [{ Name: '', Path: '', ID: '', Contents: '', Link: '', Meta: {} }],
    });
  });
});

describe('a value of the wrong kind is refused in words clients know', () => {
  const rows: readonly (readonly [keyof typeof MODELS, unknown, string])[] = [
    [
      'profiles',
      { Params: 5 },
      'json: cannot unmarshal number into Go struct field Profile.Params of type map[string]interface {}',
    ],
    ['profiles', { Name: true }, 'json: cannot unmarshal bool into Go struct field Profile.Name of type string'],
    ['profiles', { Meta: { a: 1 } }, 'json: cannot unmarshal number into Go struct field Profile.Meta of type string'],
    ['profiles', { Meta: [] }, 'json: cannot unmarshal array into Go struct field Profile.Meta of type models.Meta'],
    [
      'machines',
      { Profiles: 'a' },
      'json: cannot unmarshal string into Go struct field Machine.Profiles of type []string',
    ],
    [
      'machines',
      { Profiles: [{}] },
      'json: cannot unmarshal object into Go struct field Machine.Profiles of type string',
    ],
    [
      'machines',
      { CurrentTask: 1.5 },
      'json: cannot unmarshal number 1.5 into Go struct field Machine.CurrentTask of type int',
    ],
    ['machines', { Runnable: 'x' }, 'json: cannot unmarshal string into Go struct field Machine.Runnable of type bool'],
    ['machines', { Uuid: 5 }, 'json: cannot unmarshal number into Go struct field Machine.Uuid of type uuid.UUID'],
    ['machines', { Uuid: 'fred' }, 'invalid UUID format: fred'],
    ['machines', { Address: 'fred' }, 'invalid IP address: fred'],
    [
      'machines',
      { Profile: { Params: 5 } },
      'json: cannot unmarshal number into Go struct field Profile.Profile.Params of type map[string]interface {}',
    ],
    ['bootenvs', { OS: 'x' }, 'json: cannot unmarshal string into Go struct field BootEnv.OS of type models.OsInfo'],
    [
      'bootenvs',
      { OS: { Name: 1 } },
      'json: cannot unmarshal number into Go struct field OsInfo.OS.Name of type string',
    ],
    [
      'stages',
      { Templates: [{ Path: 1 }] },
      'json: cannot unmarshal number into Go struct field TemplateInfo.Templates.Path of type string',
    ],
    [
      'subnets',
      { Options: [{ Code: 256 }] },
      'json: cannot unmarshal number 256 into Go struct field DhcpOption.Options.Code of type uint8',
    ],
    [
      'subnets',
      { ActiveLeaseTime: 2 ** 31 },
      'json: cannot unmarshal number 2147483648 into Go struct field Subnet.ActiveLeaseTime of type int32',
    ],
    [
      'roles',
      { Claims: 'x' },
      'json: cannot unmarshal string into Go struct field Role.Claims of type []*models.Claim',
    ],
    [
      'users',
      { PasswordHash: 1 },
      'json: cannot unmarshal number into Go struct field User.PasswordHash of type []uint8',
    ],
    ['users', { PasswordHash: 'ab*=' }, 'illegal base64 data at input byte 2'],
    [
      'users',
      { PasswordHash: [256] },
      'json: cannot unmarshal number 256 into Go struct field User.PasswordHash of type []uint8',
    ],
    [
      'users',
      { PasswordHash: ['a'] },
      'json: cannot unmarshal string into Go struct field User.PasswordHash of type []uint8',
    ],
    [
      'jobs',
      { StartTime: 'fred' },
      'parsing time "fred" as "2006-01-02T15:04:05Z07:00": cannot parse "fred" as "2006"',
    ],
    ['machines', [], 'json: cannot unmarshal array into Go value of type models.Machine'],
    ['machines', 'x', 'json: cannot unmarshal string into Go value of type models.Machine'],
  ];
  test.each(rows)('%s %j', (prefix, input, message) => {
    expect(() => decode(MODELS[prefix], input)).toThrow(new DecodeError(message));
  });
});

describe('hostile input', () => {
  test('cannot bring a prototype along, wherever it stands', () => {
    const body: unknown = JSON.parse(
      '{"__proto__":{"Name":"evil"},"Name":"good","Params":{"__proto__":{"x":1},"a":{"__proto__":{"y":1},"b":[{"__proto__":1}]}},"Meta":{"__proto__":"z"}}',
    );
    const decoded = decode(profiles, body);
    expect(JSON.stringify(decoded)).not.toContain('__proto__');
    expect(decoded).toMatchObject({ Name: 'good', Params: { a: { b: [{}] } }, Meta: {} });
    expect(Object.getPrototypeOf(decoded['Params'])).toBe(Object.prototype);
  });

  test('that names methods of objects reaches no field', () => {
    expect(decode(profiles, { constructor: 1, toString: 2, hasOwnProperty: 3, Name: 'abc' })).toEqual(
      decode(profiles, { Name: 'abc' }),
    );
  });

  test('cannot nest deeper than what walks it later can bear', () => {
    const deep = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
    expect(() => decode(profiles, { Params: { a: deep(100_000) } })).toThrow(
      new DecodeError('json: exceeded max depth'),
    );
    expect(decode(profiles, { Params: { a: deep(200) } })['Params']).toEqual({ a: deep(200) });
  });

  test('of any shape is an object or a DecodeError', () => {
    const names = Object.keys(MODELS.machines.schema.properties);
    const body = fc.dictionary(fc.constantFrom(...names, 'name', '__proto__'), fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(body, fc.constantFrom(...Object.values(MODELS)), (input, definition) => {
        try {
          const decoded = decode(definition, input);
          expect(decode(definition, JSON.parse(JSON.stringify(decoded)))).toEqual(decoded);
        } catch (error) {
          expect(error).toBeInstanceOf(DecodeError);
        }
      }),
      { seed: 11, numRuns: 600 },
    );
  });
});

test('bytes may come as a list of numbers', () => {
  expect(decode(MODELS.users, { Name: 'jo', PasswordHash: [0, 127, 255, null] })['PasswordHash']).toBe('AH//AA==');
  const sent = decode(MODELS.machines, { Name: 'm1', Fingerprint: { CSNHash: [], SSNHash: [1] } });
  expect(sent['Fingerprint']).toMatchObject({ CSNHash: '', SSNHash: 'AQ==' });
});

test('identifiers get their canonical form', () => {
  const uuid = '3E7031FE-3062-45F1-835C-92541BC9CBD3';
  expect(decode(machines, { Uuid: uuid, CurrentJob: `urn:uuid:${uuid}` })).toMatchObject({
    Uuid: uuid.toLowerCase(),
    CurrentJob: uuid.toLowerCase(),
  });
});

test('params of the embedded profile become those of the machine, its own ones first', () => {
  const decoded = decode(machines, { Params: { a: 1 }, Profile: { Name: 'x', Params: { a: 2, b: 3 } } });
  expect(decoded['Params']).toEqual({ a: 1, b: 3 });
  expect(decoded).not.toHaveProperty('Profile');
});

test('a body may be read over an object: only what it names changes', () => {
  const base: JsonObject = decode(bootenvs, { Name: 'abc', OS: { Name: 'x', Family: 'y' }, Kernel: 'k' });
  expect(decode(bootenvs, { OS: { Name: 'z' }, Kernel: null }, base)).toEqual({
    ...base,
    OS: { ...(base['OS'] as JsonObject), Name: 'z' },
  });
});

test('bodies that are no object type are read by the same rules', () => {
  expect(decodeSchema(NewPassword, { password: 'x' })).toEqual({ Password: 'x' });
  expect(decodeSchema(ContentSummary, { meta: { name: 'abc' }, Counts: { users: 1 } })).toMatchObject({
    meta: { Name: 'abc', Writable: false },
    Counts: { users: 1 },
    Warnings: [],
  });
});

test('an absent hash stays absent, a given one is kept', () => {
  expect(decode(users, { Name: 'abc', PasswordHash: null })).not.toHaveProperty('PasswordHash');
  expect(decode(users, { Name: 'abc', PasswordHash: 'YWJj' })['PasswordHash']).toBe('YWJj');
});

test('a stage waits for its runner whatever is sent', () => {
  expect(decode(stages, { Name: 'abc', RunnerWait: false })['RunnerWait']).toBe(true);
});

test('a job without a predecessor names the nil one', () => {
  expect(decode(jobs, {})['Previous']).toBe('00000000-0000-0000-0000-000000000000');
});
