/**
 * Tenants: which objects a user may see at all, and how membership follows objects that come and go. Pure, shared by
 * server and renderer. service.md Tenant, wire-format.md 5.7.
 */

/** Object type to the native keys that are visible. Types that are no key here are not restricted. */
export type Members = Readonly<Record<string, readonly string[]>>;

interface TenantLike {
  readonly Name: string;
  readonly Users: readonly string[];
  readonly Members: Members;
}

/** What somebody sees. Asked before any claim; claims cannot widen it. */
export interface Visibility {
  /** True when the tenant lists the objects of this type; an empty list hides all of them. */
  restricts(scope: string): boolean;
  sees(scope: string, key: string): boolean;
}

const UNRESTRICTED: Visibility = { restricts: () => false, sees: () => true };

/** Visibility of a member of `tenant`; without a tenant everything is visible. */
export function visibility(tenant: Pick<TenantLike, 'Members'> | undefined): Visibility {
  if (tenant === undefined) return UNRESTRICTED;
  const shown = new Map(Object.entries(tenant.Members).map(([scope, keys]) => [scope, new Set(keys)]));
  if (shown.size === 0) return UNRESTRICTED;
  return {
    restricts: (scope) => shown.has(scope),
    sees: (scope, key) => shown.get(scope)?.has(key) ?? true,
  };
}

// Assigning `__proto__` would set a prototype where a member is meant.
function withList(members: Members, scope: string, keys: readonly string[]): Members {
  return Object.fromEntries(Object.entries(members).map(([name, list]) => [name, name === scope ? keys : list]));
}

/**
 * Members after somebody in the tenant created `key`: it joins where its type is restricted, so that its maker sees
 * it. Undefined when nothing changes.
 */
export function joinsOnCreate(members: Members, scope: string, key: string): Members | undefined {
  const keys = Object.hasOwn(members, scope) ? members[scope] : undefined;
  if (keys === undefined || keys.includes(key)) return undefined;
  return withList(members, scope, [...keys, key]);
}

/** Members after `key` was deleted, by whomever; to be applied to every tenant. Undefined when nothing changes. */
export function leavesOnDelete(members: Members, scope: string, key: string): Members | undefined {
  const keys = Object.hasOwn(members, scope) ? members[scope] : undefined;
  if (!keys?.includes(key)) return undefined;
  return withList(
    members,
    scope,
    keys.filter((one) => one !== key),
  );
}

/** Users of a tenant after one of them was deleted. Undefined when nothing changes. */
export function userLeaves(users: readonly string[], user: string): readonly string[] | undefined {
  return users.includes(user) ? users.filter((one) => one !== user) : undefined;
}

/** Why `tenant` may not be saved beside the others: a user is in at most one tenant (service.md Limits). */
export function sharedUserProblems(
  tenant: Pick<TenantLike, 'Name' | 'Users'>,
  others: Iterable<Pick<TenantLike, 'Name' | 'Users'>>,
): string[] {
  const held = [...others]
    .filter((other) => other.Name !== tenant.Name)
    .map((other) => ({ name: other.Name, users: new Set(other.Users) }));
  return tenant.Users.flatMap((user) =>
    held.filter((other) => other.users.has(user)).map((other) => `User ${user} already in tenant ${other.name}`),
  );
}
