/**
 * The claims a request needs, from its method, path and body (service.md Claim derivation). Pure: what is stored comes
 * in through the context, and whether anything is granted is nobody's business here.
 */
import type { Json } from '../../kit/json.ts';
import { routeTable } from './route-table.ts';
import {
  type DeriveContext,
  type Method,
  matchRoute,
  type RouteNeeds,
  type RouteRow,
  UnreadableRequest,
} from './routes.ts';

interface RequestToDerive {
  /** Upper case. */
  readonly method: string;
  /** Path with its query, as in the request line: `/api/v3/machines/m1?decode=true`. */
  readonly path: string;
  /** Parsed JSON; left out when there is none. */
  readonly body?: Json;
}

type Derivation =
  | ({ readonly kind: 'claims'; readonly row: RouteRow } & RouteNeeds)
  | { readonly kind: 'no-route' }
  | { readonly kind: 'wrong-method'; readonly allow: readonly Method[] }
  /** The request cannot be understood; `message` says which part. */
  | { readonly kind: 'unreadable'; readonly message: string };

/** Knows no object: every key is taken as typed. For showing what a request would need in principle. */
const nothingStored: DeriveContext = { find: () => undefined };

/** Derives the claims of a request. All of them must be granted. */
export function derive(request: RequestToDerive, context: DeriveContext = nothingStored): Derivation {
  try {
    const found = matchRoute(routeTable, request.method, request.path);
    if (found.kind !== 'row') return found;
    const { row, params } = found;
    const query = new URLSearchParams(found.query);
    const needs = row.derive({ method: request.method as Method, params, query, body: request.body, context });
    return { kind: 'claims', row, ...needs };
  } catch (error) {
    if (error instanceof UnreadableRequest) return { kind: 'unreadable', message: error.message };
    throw error;
  }
}
