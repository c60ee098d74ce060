/** Reads through TanStack Query: the keys, the options and the hooks. Server data lives here and nowhere else. */

import { QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import type { OwnRights } from '../../src-main/contract/access-answers.ts';
import type { HostState } from '../../src-main/contract/host.ts';
import { API, api, call } from './client.ts';
import { ApiError } from './errors.ts';
import type { RowReading } from './rows.ts';
import { send } from './transport.ts';
import type { ObjectOf, Prefix } from './types.ts';

export const keys = {
  host: ['host'] as const,
  own: ['own'] as const,
  all: (prefix: string) => [prefix] as const,
  list: (prefix: Prefix) => [prefix, 'list'] as const,
  item: (prefix: Prefix, key: string) => [prefix, 'item', key] as const,
};

/** Waits between the polls that stand in for the change stream, and between looks at the host, in ms. */
export const POLL_OBJECTS = 15_000;
const POLL_HOST = 5_000;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // An answer is an answer: only a missing one is asked for again.
        retry: (count, error) => count < 2 && error instanceof ApiError && error.failure.kind === 'unreachable',
        retryDelay: (attempt) => 500 * 2 ** attempt,
        networkMode: 'always',
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}

export const hostQuery = queryOptions({
  queryKey: keys.host,
  queryFn: async ({ signal }) => (await send<HostState>({ method: 'GET', path: '/host/state', signal })).value,
  refetchInterval: POLL_HOST,
  retry: false,
  staleTime: 0,
});

export const listQuery = <P extends Prefix>(prefix: P) =>
  queryOptions({
    queryKey: keys.list(prefix),
    // Rows are shared by their text already; comparing 10,000 of them field by field would stop the window.
    structuralSharing: false,
    queryFn: async ({ signal, client }) => {
      const last = client.getQueryData<Listed<P>>(keys.list(prefix));
      const { value, total } = await api.list(prefix, signal, last?.texts);
      const same = last?.rows.length === value.rows.length && value.rows.every((row, i) => row === last.rows[i]);
      return { ...value, rows: same ? last.rows : value.rows, total: total ?? value.rows.length };
    },
  });

/** A list with its rows and the texts they came from. */
export interface Listed<P extends Prefix> extends RowReading<ObjectOf<P>> {
  readonly total: number;
}

export const itemQuery = <P extends Prefix>(prefix: P, key: string) =>
  queryOptions({
    queryKey: keys.item(prefix, key),
    queryFn: async ({ signal }) => {
      const { value, etag } = await api.get(prefix, key, signal);
      return { value, etag };
    },
  });

/** The caller's own rights; answered to everybody, whatever roles and tenants can be read. */
export const ownQuery = queryOptions({
  queryKey: keys.own,
  queryFn: async ({ signal }) => (await call<OwnRights>({ method: 'GET', path: `${API}/x/access/own`, signal })).value,
});

export const useHost = () => useQuery(hostQuery);
export const useList = <P extends Prefix>(prefix: P) => useQuery(listQuery(prefix));
