/** The objects the screens show, by the path prefix they live under; shapes are the contract's. */
import type { Machine, Plugin, Role, Tenant, User } from '../../src-main/contract/models/index.ts';

export type { Machine, Plugin, Role, Tenant, User };

export interface Objects {
  users: User;
  roles: Role;
  tenants: Tenant;
  machines: Machine;
  plugins: Plugin;
}

export type Prefix = keyof Objects;
export type ObjectOf<P extends Prefix> = Objects[P];

/** How an object of each prefix is called in a sentence. */
export const NOUN: { readonly [P in Prefix]: { readonly one: string; readonly many: string } } = {
  users: { one: 'user', many: 'users' },
  roles: { one: 'role', many: 'roles' },
  tenants: { one: 'tenant', many: 'tenants' },
  machines: { one: 'machine', many: 'machines' },
  plugins: { one: 'plugin', many: 'plugins' },
};

/** The identifier the API refers to an object by. */
export function keyOf<P extends Prefix>(prefix: P, object: ObjectOf<P>): string {
  return prefix === 'machines' ? (object as Machine).Uuid : object.Name;
}
