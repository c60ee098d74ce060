import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { listQuery, ownQuery } from '../../api/queries.ts';
import { keyOf, NOUN, type Prefix } from '../../api/types.ts';

interface Names {
  /** Identifier by name, and the other way round. */
  readonly idOf: ReadonlyMap<string, string>;
  readonly nameOf: ReadonlyMap<string, string>;
  /** True when nothing hides objects from the caller: an identifier without a name then stands for nothing. */
  readonly complete: boolean;
}

/** Names and identifiers of a kind of object; undefined where it has no screen, or cannot be listed. */
export function useNames(scope: string): Names | undefined {
  const prefix = Object.hasOwn(NOUN, scope) ? (scope as Prefix) : undefined;
  const { data } = useQuery({ ...listQuery(prefix ?? 'users'), enabled: prefix !== undefined });
  const tenant = useQuery(ownQuery).data?.Tenant;
  const rows = prefix === undefined ? undefined : data?.rows;
  return useMemo(() => {
    // A refused list is answered as an empty one.
    if (prefix === undefined || !rows || rows.length === 0) return undefined;
    const pairs = rows.map((row) => [row.Name, keyOf(prefix, row)] as const);
    return {
      idOf: new Map(pairs),
      nameOf: new Map(pairs.map(([name, id]) => [id, name])),
      complete: tenant === null,
    };
  }, [rows, prefix, tenant]);
}

/** The first names with a text in them, for suggestions. */
export function namesWith(
  names: Names | undefined,
  text: string,
  limit: number,
  without?: ReadonlySet<string>,
): string[] {
  const wanted = text.trim().toLowerCase();
  const found: string[] = [];
  for (const [name, id] of names?.idOf ?? []) {
    if (without?.has(id) || !name.toLowerCase().includes(wanted)) continue;
    if (found.push(name) === limit) break;
  }
  return found;
}
