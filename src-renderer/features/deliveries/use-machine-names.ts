import { useMemo } from 'react';
import { useList } from '../../api/queries.ts';

/** Names of machines by their identifier; the identifier itself for one that is gone or hidden. */
export function useMachineNames(): (uuid: string) => string {
  const machines = useList('machines').data?.rows;
  return useMemo(() => {
    const names = new Map(machines?.map((machine) => [machine.Uuid, machine.Name]));
    return (uuid) => names.get(uuid) ?? uuid;
  }, [machines]);
}
