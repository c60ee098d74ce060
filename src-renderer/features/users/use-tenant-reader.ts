import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useCan } from '../../api/can.ts';
import { ownQuery, useList } from '../../api/queries.ts';
import type { TenantReader } from './tenant-of.ts';

/** What the signed-in user can know about tenants. */
export function useTenantReader(): TenantReader {
  const tenants = useList('tenants').data?.rows;
  const own = useQuery(ownQuery).data;
  const mayList = useCan().locked('tenants', 'list')?.startsWith('Requires') !== true;
  return useMemo(() => ({ tenants, own, mayList }), [tenants, own, mayList]);
}
