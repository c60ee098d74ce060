import type { Tenant } from '../../api/types.ts';

/** Name of the tenant each user is in. */
export function tenantByUser(tenants: readonly Tenant[]): ReadonlyMap<string, string> {
  return new Map(tenants.flatMap((tenant) => tenant.Users.map((user) => [user, tenant.Name] as const)));
}
