import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../kit/json.ts';
import { decode } from '../decode.ts';
import { MODELS, present, wholeDocumentTestEquals } from './index.ts';

const { machines, jobs, users, leases, tasks } = MODELS;

const machine = decode(machines, {
  Name: 'abc',
  Uuid: '3e7031fe-3062-45f1-835c-92541bc9cbd3',
  Address: '10.0.0.1',
  Arch: 'arm64',
  Params: { a: { b: [1, null] } },
  CurrentTask: -1,
});

/** The machine as a release 3 client sends it back. */
const asKnownToV3 = present(machines, machine, 'v3');

function without(value: JsonObject, field: string): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== field));
}

describe('a client sends back what it knows', () => {
  const rows: readonly (readonly [what: string, sent: Json, equal: boolean])[] = [
    ['the release 3 fields, though the machine has others', asKnownToV3, true],
    ['the release 4 fields', present(machines, machine, 'v4'), true],
    ['null for what is empty', { ...asKnownToV3, Errors: null, Profiles: null, Meta: null, Stage: null }, true],
    ['an empty field left out', without(asKnownToV3, 'Profiles'), true],
    ['a field with a value left out', without(asKnownToV3, 'Name'), false],
    ['another name', { ...asKnownToV3, Name: 'other' }, false],
    ['another param value', { ...asKnownToV3, Params: { a: { b: [1, 0] } } }, false],
    ['one param more', { ...asKnownToV3, Params: { a: { b: [1, null] }, c: null } }, false],
    ['null where there is a number', { ...asKnownToV3, CurrentTask: null }, false],
    ['null for what is not empty', { ...asKnownToV3, Params: null }, false],
    ['another release 4 value', { ...asKnownToV3, Arch: 'amd64' }, false],
    ['an embedded profile with something in it', { ...asKnownToV3, Profile: { Name: 'x' } }, false],
    ['an empty field nobody knows here', { ...asKnownToV3, Future: {}, Other: [] }, true],
    ['a field nobody knows here', { ...asKnownToV3, Future: 1 }, false],
    ['the identifier in capitals', { ...asKnownToV3, Uuid: '3E7031FE-3062-45F1-835C-92541BC9CBD3' }, true],
    ['nothing', null, false],
    ['a list', [], false],
  ];
  test.each(rows)('%s', (_, sent, equal) => {
    expect(wholeDocumentTestEquals(machines, machine, sent)).toBe(equal);
  });
});

test('times are compared as instants', () => {
  const job = decode(jobs, { StartTime: '2024-01-01T00:00:00.120Z' });
  const sent = (time: string): JsonObject => ({ ...present(jobs, job, 'v3'), StartTime: time });
  expect(wholeDocumentTestEquals(jobs, job, sent('2024-01-01T00:00:00.12Z'))).toBe(true);
  expect(wholeDocumentTestEquals(jobs, job, sent('2024-01-01T00:00:00.13Z'))).toBe(false);
});

test('addresses are compared as addresses', () => {
  const lease = decode(leases, { Addr: '10.0.0.1' });
  expect(wholeDocumentTestEquals(leases, lease, { ...lease, Addr: '::ffff:10.0.0.1' })).toBe(true);
  expect(wholeDocumentTestEquals(leases, lease, { ...lease, Addr: '10.0.0.2' })).toBe(false);
});

test('a hash that was never shown is not expected back, but a wrong one is noticed', () => {
  const user = decode(users, { Name: 'abc', PasswordHash: 'YWJj' });
  const shown = present(users, user, 'v3');
  expect(wholeDocumentTestEquals(users, user, shown)).toBe(true);
  expect(wholeDocumentTestEquals(users, user, { ...shown, PasswordHash: 'eHl6' })).toBe(false);
});

test('nested objects are compared by the same rule', () => {
  const task = decode(tasks, { Name: 'abc', Templates: [{ Name: 't1', Contents: 'x', Link: 'y' }] });
  expect(wholeDocumentTestEquals(tasks, task, present(tasks, task, 'v3'))).toBe(true);
  const other = { ...task, Templates: [{ Name: 't2', Contents: 'x' }] };
  expect(wholeDocumentTestEquals(tasks, task, other)).toBe(false);
  expect(wholeDocumentTestEquals(tasks, task, { ...task, Templates: [] })).toBe(false);
});
