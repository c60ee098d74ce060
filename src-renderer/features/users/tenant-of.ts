/** What can be said about the tenant of a user, by somebody who may not see all tenants. Pure. */
import type { OwnRights } from '../../../src-main/contract/access-answers.ts';
import type { Tenant } from '../../api/types.ts';

/** The reader of a screen, as far as it decides which tenants are shown. */
export interface TenantReader {
  /** Tenants the reader sees; undefined until they are read. */
  readonly tenants: readonly Tenant[] | undefined;
  /** False when the reader's claims do not allow listing tenants: a refused list is answered as an empty one. */
  readonly mayList: boolean;
  readonly own: Pick<OwnRights, 'Name' | 'Tenant'> | undefined;
}

export type TenantOf =
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'none' | 'hidden' | 'unread' };

/** `found` is the tenant among those the reader sees that has the user. */
export function tenantOf(user: string, found: string | undefined, reader: TenantReader): TenantOf {
  if (found !== undefined) return { kind: 'named', name: found };
  const { own } = reader;
  // Everybody is told the own one, whatever the tenant hides.
  if (own?.Name === user) return own.Tenant === null ? { kind: 'none' } : { kind: 'named', name: own.Tenant };
  if (!own || !reader.tenants) return { kind: 'unread' };
  return { kind: reader.mayList && seesAll(reader.tenants, own.Tenant) ? 'none' : 'hidden' };
}

/** Whether a tenant that is not among those seen does not exist: `own` is the reader's. */
function seesAll(seen: readonly Tenant[], own: string | null): boolean {
  if (own === null) return true;
  const mine = seen.find(({ Name }) => Name === own);
  return mine !== undefined && !('tenants' in mine.Members);
}
