import { describe, expect, test } from 'vitest';
import { decode } from '../decode.ts';
import { MODELS, modelOf, PREFIXES, type Prefix, publishedIndexes, SECRET_ADDRESSES, SECRET_FIELDS } from './index.ts';
import { CALLBACK_ADDRESSES, CALLBACK_SECRETS } from './secrets.ts';

/** `Name:Type` of wire-format.md 3.10; `!` marks what is published as unique. */
const COMMON = 'Available:boolean Key!:string ReadOnly:boolean Valid:boolean';
const NAMED = 'Name!:string';
const PUBLISHED: Readonly<Partial<Record<Prefix, string>>> = {
  bootenvs: `${NAMED} OnlyUnknown:boolean OsName:string`,
  jobs: 'Archived:boolean BootEnv:string Current:boolean EndTime:dateTime Machine!:UUID_string Previous:UUID_string Stage:string StartTime:dateTime State:string Task:string Uuid!:UUID_string Workflow:string',
  leases: 'Addr:IP_Address ExpireTime:Date/Time_string State:string Strategy:string Token:string',
  machines: `Address:IP_Address BootEnv:string ${NAMED} Runnable:boolean Stage:string Uuid!:UUID_string Workflow:string`,
  params: NAMED,
  plugins: `${NAMED} Provider:string`,
  profiles: NAMED,
  reservations: 'Addr:IP_Address NextServer:IP_Address Strategy:string Token:string',
  roles: NAMED,
  stages: `BootEnv:string ${NAMED} Reboot:boolean`,
  subnets: `ActiveAddress:IP_Address Address:IP_Address Enabled:boolean ${NAMED} NextServer:IP_Address Proxy:boolean Strategy:string Subnet!:CIDR_Address`,
  tasks: NAMED,
  templates: 'ID!:string',
  tenants: NAMED,
  users: NAMED,
  workflows: NAMED,
};

test.each(PREFIXES)('%s publish their indexes, or none', (prefix) => {
  const expected = PUBLISHED[prefix];
  const published = publishedIndexes(prefix);
  const found = published
    ? Object.entries(published).map(
        ([name, { Type, Unique }]) => `${name}${Unique ? '!' : ''}:${Type.replaceAll(' ', '_')}`,
      )
    : undefined;
  expect(found?.sort()).toEqual(expected === undefined ? undefined : `${COMMON} ${expected}`.split(' ').sort());
});

test('an unknown prefix has no model and no indexes', () => {
  expect(modelOf('bogus')).toBeUndefined();
  expect(modelOf('__proto__')).toBeUndefined();
  expect(publishedIndexes('constructor')).toBeUndefined();
});

test('each model stands under its own prefix', () => {
  expect(Object.entries(MODELS).filter(([prefix, definition]) => definition.prefix !== prefix)).toEqual([]);
  expect(new Set(Object.keys(MODELS))).toEqual(new Set(PREFIXES));
});

describe('keys', () => {
  test.each<readonly [Prefix, object, string]>([
    ['machines', { Uuid: '3e7031fe-3062-45f1-835c-92541bc9cbd3', Name: 'x' }, '3e7031fe-3062-45f1-835c-92541bc9cbd3'],
    ['templates', { ID: 'x1' }, 'x1'],
    ['users', { Name: 'x1' }, 'x1'],
    ['leases', { Addr: '192.168.100.103' }, 'C0A86467'],
    ['reservations', { Addr: '1.2.3.4' }, '01020304'],
    ['reservations', {}, ''],
    ['users', {}, ''],
  ])('of %s %j', (prefix, body, key) => {
    expect(MODELS[prefix].keyOf(decode(MODELS[prefix], body))).toBe(key);
  });
});

test('what a type can do follows from its fields and routes', () => {
  const able = (
    field: 'hasParams' | 'hasMeta' | 'hasValidation' | 'hasAccess' | 'creatable' | 'writable' | 'actions',
  ): string => PREFIXES.filter((prefix) => MODELS[prefix][field]).join(' ');
  expect({
    hasParams: able('hasParams'),
    withoutMeta: PREFIXES.filter((prefix) => !MODELS[prefix].hasMeta).join(' '),
    withoutValidation: PREFIXES.filter((prefix) => !MODELS[prefix].hasValidation).join(' '),
    withoutAccess: PREFIXES.filter((prefix) => !MODELS[prefix].hasAccess).join(' '),
    notCreatable: PREFIXES.filter((prefix) => !MODELS[prefix].creatable).join(' '),
    notWritable: PREFIXES.filter((prefix) => !MODELS[prefix].writable).join(' '),
    actions: able('actions'),
  }).toEqual({
    hasParams: 'machines plugins profiles stages',
    withoutMeta: '',
    withoutValidation: 'interfaces plugin_providers preferences',
    withoutAccess: 'plugin_providers preferences',
    notCreatable: 'interfaces leases plugin_providers preferences',
    notWritable: 'interfaces leases plugin_providers preferences',
    actions:
      'bootenvs jobs leases machines plugins profiles reservations stages subnets tasks templates users workflows',
  });
  expect(MODELS.jobs.actions).toBe('plugin_actions');
});

test('secrets are declared for the log', () => {
  expect(new Set(Object.keys(SECRET_FIELDS))).toEqual(
    new Set(['jobs', 'machines', 'plugins', 'preferences', 'profiles', 'stages', 'users']),
  );
  for (const { prefix } of Object.values(MODELS).filter(({ hasParams }) => hasParams)) {
    expect(SECRET_FIELDS[prefix]).toEqual(expect.arrayContaining([...CALLBACK_SECRETS]));
    expect(SECRET_ADDRESSES[prefix]).toEqual(CALLBACK_ADDRESSES);
  }
  expect(SECRET_FIELDS['users']).toEqual(['/PasswordHash', '/Secret']);
});
