import { expect, it } from 'vitest';
import type { Tenant } from '../../api/types.ts';
import { type TenantReader, tenantOf } from './tenant-of.ts';

const tenant = (Name: string, Members: Tenant['Members']) => ({ Name, Users: ['ana'], Members }) as unknown as Tenant;
const reader = (change: Partial<TenantReader>): TenantReader => ({
  tenants: [tenant('lab-a', { machines: [] })],
  mayList: true,
  own: { Name: 'ana', Tenant: 'lab-a' },
  ...change,
});

it.each<[string, Partial<TenantReader>, string]>([
  ['a reader without a tenant sees all', { own: { Name: 'root', Tenant: null } }, 'none'],
  ['a tenant that does not restrict tenants hides none', {}, 'none'],
  ['a tenant that restricts tenants may hide some', { tenants: [tenant('lab-a', { tenants: ['lab-a'] })] }, 'hidden'],
  ['even itself', { tenants: [] }, 'hidden'],
  ['no claim to list tenants', { tenants: [], mayList: false, own: { Name: 'root', Tenant: null } }, 'hidden'],
  ['nothing read yet', { tenants: undefined }, 'unread'],
  ['own rights not read yet', { own: undefined }, 'unread'],
])('says no more about the tenant of others than the reader can know: %s', (_, change, kind) => {
  expect(tenantOf('bo', undefined, reader(change))).toEqual({ kind });
});

it('knows the own tenant, also where it hides itself', () => {
  expect(tenantOf('ana', undefined, reader({ tenants: [] }))).toEqual({ kind: 'named', name: 'lab-a' });
  expect(tenantOf('ana', undefined, reader({ own: { Name: 'ana', Tenant: null } }))).toEqual({ kind: 'none' });
});

it('names the tenant that is seen to have the user', () => {
  expect(tenantOf('bo', 'lab-b', reader({ tenants: [] }))).toEqual({ kind: 'named', name: 'lab-b' });
});
