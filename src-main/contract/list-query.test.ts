import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../kit/json.ts';
import { decode } from './decode.ts';
import { Problem } from './errors.ts';
import { matches, type ParamDefinitions, parseListQuery, type QueryParameters, sortComparator } from './list-query.ts';
import { MODELS, type Prefix } from './models/index.ts';

const PARAMS = new Map<string, JsonObject>([
  ['text-param', { Schema: { type: 'string' } }],
  ['number-param', { Schema: { type: 'integer' } }],
  ['free-param', { Schema: null }],
]);
const paramDefinitions: ParamDefinitions = (name) => PARAMS.get(name);

function query(prefix: Prefix, parameters: QueryParameters): ReturnType<typeof parseListQuery> {
  return parseListQuery(MODELS[prefix], parameters, paramDefinitions);
}

/** Whether an object passes the filters; own params stand for the aggregated ones. */
function passes(prefix: Prefix, body: object, parameters: QueryParameters): boolean {
  const value = decode(MODELS[prefix], body);
  return matches(query(prefix, parameters), value, (name) => (value['Params'] as JsonObject | undefined)?.[name]);
}

describe('a parameter that cannot be read is refused in words clients know', () => {
  const time = 'parsing time "fred" as "2006-01-02T15:04:05Z07:00": cannot parse "fred" as "2006"';
  test.each<readonly [Prefix, QueryParameters, string]>([
    ['bootenvs', { limit: '-1' }, 'Limit cannot be negative'],
    ['bootenvs', { offset: '-1' }, 'Offset cannot be negative'],
    ['bootenvs', { limit: 'x' }, 'Limit not valid: strconv.Atoi: parsing "x": invalid syntax'],
    ['bootenvs', { offset: '1.5' }, 'Offset not valid: strconv.Atoi: parsing "1.5": invalid syntax'],
    ['bootenvs', { Available: 'fred' }, 'Available must be true or false'],
    ['bootenvs', { Valid: 'TRUE' }, 'Valid must be true or false'],
    ['bootenvs', { ReadOnly: 'Eq(fred)' }, 'ReadOnly must be true or false'],
    ['machines', { Runnable: 'fred' }, 'Runnable must be true or false'],
    ['stages', { Reboot: 'fred' }, 'Reboot must be true or false'],
    ['subnets', { Enabled: 'fred' }, 'Enabled must be true or false'],
    ['subnets', { Proxy: 'fred' }, 'Proxy must be true or false'],
    ['machines', { Uuid: 'false' }, 'Invalid UUID: false'],
    ['jobs', { Machine: 'false' }, 'Invalid UUID: false'],
    ['machines', { Address: 'fred' }, 'Invalid address: fred'],
    ['subnets', { NextServer: 'fred' }, 'Invalid Address: fred'],
    ['subnets', { Address: 'fred' }, 'Invalid Address: fred'],
    ['reservations', { Addr: 'fred' }, 'Invalid Address: fred'],
    ['leases', { Addr: 'fred' }, 'Addr must be an IP address'],
    ['subnets', { Subnet: 'false' }, 'Invalid subnet CIDR: false'],
    ['jobs', { StartTime: 'fred' }, time],
    ['leases', { ExpireTime: 'fred' }, `ExpireTime is not valid: ${time}`],
    ['machines', { bogus: 'x' }, 'Filter not found: bogus'],
    ['machines', { __proto__x: 'x' }, 'Filter not found: __proto__x'],
    ['machines', { constructor: 'x' }, 'Filter not found: constructor'],
    ['users', { 'text-param': 'x' }, 'Filter not found: text-param'],
    ['machines', { name: 'x' }, 'Filter not found: name'],
    ['machines', { Secret: 'x' }, 'Filter not found: Secret'],
    ['users', { PasswordHash: 'x' }, 'Filter not found: PasswordHash'],
    ['machines', { Profiles: 'x' }, 'Filter not found: Profiles'],
    ['machines', { Locked: 'fred' }, 'Locked must be true or false'],
    ['machines', { CurrentTask: 'x' }, 'CurrentTask not valid: strconv.Atoi: parsing "x": invalid syntax'],
    ['machines', { 'Params.bogus': 'x' }, 'Filter not found: Params.bogus'],
    ['machines', { expand: 'true' }, 'Filter not found: expand'],
    ['machines', { 'range-only': 'True' }, 'Filter not found: range-only'],
    ['machines', { sort: 'Secret' }, 'Not sortable: Secret'],
    ['machines', { sort: 'bogus' }, 'Not sortable: bogus'],
    ['machines', { Name: 'Between(a)' }, 'Name: Between(a) needs two arguments, low and high'],
    ['machines', { Runnable: 'Re(t.*)' }, 'Runnable cannot be matched with Re'],
    ['machines', { Name: 'Re(a**)' }, 'Name: invalid pattern: a quantifier follows a quantifier'],
    ['machines', { Name: `Re(${'a'.repeat(257)})` }, 'Name: the pattern is longer than 256 characters'],
    ['machines', { 'number-param': 'fred' }, 'number-param: fred is not a JSON value'],
  ])('%s %j: %s', (prefix, parameters, message) => {
    let thrown: unknown;
    try {
      query(prefix, parameters);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(Problem);
    expect(thrown).toMatchObject({
      code: 'bad-filter',
      status: 406,
      type: 'GET',
      model: prefix,
      key: '',
      messages: [message],
    });
  });
});

test('control parameters are typed, with the defaults of a plain list', () => {
  expect(query('machines', {})).toEqual({
    filters: [],
    sort: [],
    reverse: false,
    offset: undefined,
    limit: undefined,
    slim: { Meta: false, Params: false },
    decode: false,
    aggregate: false,
    params: undefined,
  });
  expect(
    query('machines', {
      limit: '0',
      offset: '5',
      reverse: 'true',
      slim: 'meta, PARAMS',
      decode: 'true',
      aggregate: 'true',
      params: 'a/b, c',
      token: 'secret',
      sort: ['Name', 'Address'],
    }),
  ).toMatchObject({
    filters: [],
    sort: [{ index: 'Name' }, { index: 'Address' }],
    reverse: true,
    offset: 5,
    limit: 0,
    slim: { Meta: true, Params: true },
    decode: true,
    aggregate: true,
    params: ['a/b', 'c'],
  });
});

describe('filters by index', () => {
  const machine = { Name: 'node-2', Address: '10.0.0.9', Uuid: '3e7031fe-3062-45f1-835c-92541bc9cbd3', Stage: 'none' };
  test.each<readonly [QueryParameters, boolean]>([
    [{ Name: 'node-2' }, true],
    [{ Name: 'Eq(node-2)' }, true],
    [{ Name: 'node-1' }, false],
    [{ Name: 'Ne(node-2)' }, false],
    [{ Name: 'Lt(node-3)' }, true],
    [{ Name: 'Lt(node-2)' }, false],
    [{ Name: 'Lte(node-2)' }, true],
    [{ Name: 'Gt(node-1)' }, true],
    [{ Name: 'Gt(node-2)' }, false],
    [{ Name: 'Gte(node-2)' }, true],
    [{ Name: 'Between(node-2,node-4)' }, true],
    [{ Name: 'Between(node-3,node-4)' }, false],
    [{ Name: 'Except(node-2,node-4)' }, false],
    [{ Name: 'Except(node-3,node-4)' }, true],
    [{ Name: 'In(node-1,node-2)' }, true],
    [{ Name: 'Nin(node-1,node-2)' }, false],
    [{ Name: 'Re(^node-(1|2)$)' }, true],
    [{ Name: 'Re(^node-[3-9]$)' }, false],
    [{ Name: 'Eq(node-2) and more' }, true],
    [{ Name: 'Eq(node-2' }, false],
    [{ Name: 'Bogus(node-2)' }, false],
    [{ Name: ['node-1', 'node-2'] }, true],
    [{ Name: 'node-2', Stage: 'local' }, false],
    [{ Name: 'node-2', Stage: 'none' }, true],
    [{ Address: '10.0.0.9' }, true],
    [{ Address: 'Lt(10.0.0.10)' }, true],
    [{ Address: 'Between(9.0.0.0,10.0.0.9)' }, true],
    [{ Uuid: '3E7031FE-3062-45F1-835C-92541BC9CBD3' }, true],
    [{ Key: '3e7031fe-3062-45f1-835c-92541bc9cbd3' }, true],
    [{ Runnable: 'false' }, true],
    [{ Runnable: 'Ne(false)' }, false],
    [{ Valid: 'false' }, true],
  ])('%j: %s', (parameters, expected) => {
    expect(passes('machines', machine, parameters)).toBe(expected);
  });

  test('know networks by the addresses in them', () => {
    const subnet = { Subnet: '192.168.124.0/24', ActiveStart: '192.168.124.80', ActiveEnd: '192.168.124.254' };
    expect(passes('subnets', subnet, { Address: '192.168.124.1' })).toBe(true);
    expect(passes('subnets', subnet, { Address: '192.168.125.1' })).toBe(false);
    expect(passes('subnets', subnet, { Address: 'Ne(192.168.124.1)' })).toBe(false);
    expect(passes('subnets', subnet, { Address: 'In(10.0.0.1,192.168.124.1)' })).toBe(true);
    expect(passes('subnets', subnet, { ActiveAddress: '192.168.124.80' })).toBe(true);
    expect(passes('subnets', subnet, { ActiveAddress: '192.168.124.79' })).toBe(false);
    expect(passes('subnets', subnet, { Subnet: '192.168.124.0/24' })).toBe(true);
    expect(passes('subnets', subnet, { Subnet: 'Lt(192.168.124.0/25)' })).toBe(true);
  });

  test('compare times as instants', () => {
    const job = { StartTime: '2024-05-01T10:00:00Z' };
    expect(passes('jobs', job, { StartTime: '2024-05-01T12:00:00+02:00' })).toBe(true);
    expect(passes('jobs', job, { StartTime: 'Gt(2024-05-01T10:00:00.001Z)' })).toBe(false);
    expect(passes('jobs', job, { EndTime: '0001-01-01T00:00:00Z' })).toBe(true);
  });

  test('reach into nested objects', () => {
    expect(passes('bootenvs', { OS: { Name: 'ubuntu-18' } }, { OsName: 'Re(^ubuntu)' })).toBe(true);
  });
});

describe('filters by param', () => {
  const body = { Params: { 'text-param': 'abc', 'number-param': 10, 'free-param': [1, { a: 2 }] } };
  test.each<readonly [QueryParameters, boolean]>([
    [{ 'text-param': 'abc' }, true],
    [{ 'text-param': '"abc"' }, true],
    [{ 'text-param': 'Re(^a)' }, true],
    [{ 'text-param': 'Ne(abc)' }, false],
    [{ 'number-param': '10' }, true],
    [{ 'number-param': 'Lt(9)' }, false],
    [{ 'number-param': 'Gt(9)' }, true],
    [{ 'number-param': 'Between(1,10)' }, true],
    [{ 'number-param': 'Gt("a")' }, false],
    [{ 'number-param': 'Re(1)' }, false],
    [{ 'free-param': '[1,{"a":2}]' }, true],
    [{ 'free-param': 'In([1],[1,{"a":2}])' }, true],
    [{ 'free-param': 'Eq({"a":2})' }, false],
  ])('%j: %s', (parameters, expected) => {
    expect(passes('machines', body, parameters)).toBe(expected);
  });

  test('take an absent value for unequal to every one', () => {
    expect(passes('machines', {}, { 'number-param': '10' })).toBe(false);
    expect(passes('machines', {}, { 'number-param': 'Ne(10)' })).toBe(true);
    expect(passes('machines', {}, { 'number-param': 'Lt(10)' })).toBe(false);
  });

  test('read digits as text where the param is one', () => {
    expect(passes('machines', { Params: { 'text-param': '42' } }, { 'text-param': '42' })).toBe(true);
  });
});

describe('filters by fields without an index, as newer clients send them', () => {
  const body = { Description: 'rack 7', Locked: true, CurrentTask: 10, Params: { 'text-param': 'abc' } };
  test.each<readonly [QueryParameters, boolean]>([
    [{ Description: 'rack 7' }, true],
    [{ Description: 'Re(^rack)' }, true],
    [{ Description: 'Ne(rack 7)' }, false],
    [{ Locked: 'true' }, true],
    [{ Locked: 'True' }, true],
    [{ Locked: 'False' }, false],
    [{ CurrentTask: 'Gt(9)' }, true],
    [{ CurrentTask: 'Between(1,9)' }, false],
    [{ 'Params.text-param': 'Eq(abc)' }, true],
    [{ 'Params.text-param': 'Ne(abc)' }, false],
    [{ Valid: 'False' }, true],
  ])('%j: %s', (parameters, expected) => {
    expect(passes('machines', body, parameters)).toBe(expected);
  });
});

test('options of newer clients may be sent, also to decline them', () => {
  const plain = query('machines', {});
  expect(
    query('machines', {
      commented: 'False',
      reduced: 'False',
      expand: 'False',
      'range-only': 'false',
      'exclude-self': 'true',
      decode: 'False',
      aggregate: 'False',
      reverse: 'False',
    }),
  ).toEqual(plain);
  expect(query('machines', { decode: 'True', aggregate: 'True', reverse: 'True' })).toEqual({
    ...plain,
    decode: true,
    aggregate: true,
    reverse: true,
  });
});

test('filters by Meta compare texts', () => {
  const body = { Meta: { color: 'blue' } };
  expect(passes('machines', body, { 'Meta.color': 'blue' })).toBe(true);
  expect(passes('machines', body, { 'Meta.color': 'Re(^b)' })).toBe(true);
  expect(passes('machines', body, { 'Meta.icon': 'blue' })).toBe(false);
  expect(passes('machines', body, { 'Meta.toString': 'Re(.)' })).toBe(false);
});

describe('sorting', () => {
  const values = [
    { Name: 'cc', Address: '10.0.0.10', Runnable: true, Description: 'z' },
    { Name: 'aa', Address: '10.0.0.9', Runnable: true, Description: 'y' },
    { Name: 'bb', Address: '', Runnable: false },
  ].map((body) => decode(MODELS.machines, body));
  test.each<readonly [string[], string]>([
    [['Name'], 'aa bb cc'],
    [['Address'], 'bb aa cc'],
    [['Runnable', 'Name'], 'bb aa cc'],
    [['Runnable'], 'bb cc aa'],
    [['Stage'], 'cc aa bb'],
    [['Description'], 'bb aa cc'],
  ])('by %j', (sort, expected) => {
    const sorted = values.toSorted(sortComparator(query('machines', { sort })));
    expect(sorted.map((value) => value['Name']).join(' ')).toBe(expected);
  });
});
