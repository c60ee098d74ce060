/** The objects the screens show, by the path prefix they live under; shapes are the contract's. */
import type { Claim } from '../../src-main/contract/claims/index.ts';
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

/** What a token or a sign-in rests on: the answer of `GET /x/access/own`, and a part of the token inspection. */
export interface OwnRights {
  readonly Kind: string;
  readonly Name: string;
  readonly Tenant: string | null;
  readonly Narrowed: boolean;
  /** True while the own-user claim holds. */
  readonly OwnUser: boolean;
  /** Roles in force. */
  readonly Roles: readonly string[];
  /** Claims that come from no role. */
  readonly Claims: readonly Claim[];
  /** Names that point to no role. */
  readonly MissingRoles: readonly string[];
  /** Roles asked for with the token and not given, since they would have widened it. */
  readonly DroppedRoles: readonly string[];
  /** Who had the token issued; null without a token. */
  readonly Grantor: string | null;
  /** RFC 3339; null without a token. */
  readonly Issued: string | null;
  readonly Expires: string | null;
}

/** The identifier the API refers to an object by. */
export function keyOf<P extends Prefix>(prefix: P, object: ObjectOf<P>): string {
  return prefix === 'machines' ? (object as Machine).Uuid : object.Name;
}
