/** How a row of the route table looks, and how a path finds its row. The rows are in route-table.ts. */
import type { Json, JsonObject } from '../../kit/json.ts';
import { API_PREFIX } from '../api-prefix.ts';
import type { RequiredClaim } from './allows.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A stored object as claims see it. */
export interface StoredObject {
  /** Native key. */
  readonly key: string;
  /** Identifier that claims on it name: the native key, for a job the UUID of its machine. */
  readonly authKey: string;
  /** The object as it is read through the API. Left out where whoever asks may not read it: claims from a difference would tell it. */
  readonly value?: JsonObject;
}

/** What deriving needs to know about stored objects. Tenants and claims are not asked here. */
export interface DeriveContext {
  /** A machine asks: it creates its reservation by its address, where users need `create` like for any type. */
  readonly asMachine?: boolean;
  /** By native key or `Index:value`, as typed in the path. */
  find(scope: string, typed: string): StoredObject | undefined;
  /** The object a PUT body makes, all fields filled. Left out: an absent field counts as its zero value. */
  complete?(scope: string, body: JsonObject, stored: StoredObject): JsonObject;
}

/** An object a request is about: invisible to the tenant means 404, before any claim is asked. */
export interface TouchedObject {
  readonly scope: string;
  readonly key: string;
  /** UUID of the machine a job belongs to: it is visible with its machine. */
  readonly machine?: string;
}

/** A request, matched to its row. */
export interface RouteMatch {
  readonly method: Method;
  /** Path parameters, percent-decoded; the one after `*` holds the rest of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Json | undefined;
  readonly context: DeriveContext;
}

export interface RouteNeeds {
  readonly claims: readonly RequiredClaim[];
  readonly touches: readonly TouchedObject[];
  /** Printed in place of the action when a claim is missing: a PATCH prints `patch`, a PUT `update`. */
  readonly printed?: 'patch' | 'update';
}

export interface RouteRow {
  readonly methods: readonly Method[];
  /** Below `/api/v3`: `:name` is one segment, `*name` at the end one or more. */
  readonly pattern: string;
  /** Values that `:type` may have. */
  readonly types?: ReadonlySet<string>;
  /** What it derives, for people: the rows of wire-format.md 5.5. */
  readonly needs: string;
  /** Throws `UnreadableRequest` when the body does not say what is to be changed. */
  readonly derive: (match: RouteMatch) => RouteNeeds;
}

/** The body or path of a request cannot be understood, so that nothing can be derived. */
export class UnreadableRequest extends Error {}

/** Path segments below the prefix, still encoded; undefined outside of it. One trailing slash is ignored. */
function segmentsOf(path: string): string[] | undefined {
  if (!path.startsWith(`${API_PREFIX}/`)) return undefined;
  const rest = path.slice(API_PREFIX.length + 1);
  return (rest.endsWith('/') ? rest.slice(0, -1) : rest).split('/');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new UnreadableRequest(`the path segment '${segment}' is not valid percent-encoding`);
  }
}

function matchPattern(row: RouteRow, segments: readonly string[]): Record<string, string> | undefined {
  const parts = row.pattern.slice(1).split('/');
  const rest = parts.at(-1)?.startsWith('*') === true;
  if (rest ? segments.length < parts.length : segments.length !== parts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [i, part] of parts.entries()) {
    const segment = segments[i] ?? '';
    if (part.startsWith('*')) {
      const value = segments.slice(i).map(decoded).join('/').replace(/^\/+/, '');
      if (value === '') return undefined;
      params[part.slice(1)] = value;
    } else if (part.startsWith(':')) {
      const value = decoded(segment);
      if (value === '' || (part === ':type' && row.types?.has(value) === false)) return undefined;
      params[part.slice(1)] = value;
    } else if (part !== segment) return undefined;
  }
  return params;
}

type RouteFound =
  | { readonly kind: 'row'; readonly row: RouteRow; readonly params: Record<string, string>; readonly query: string }
  | { readonly kind: 'no-route' }
  | { readonly kind: 'wrong-method'; readonly allow: readonly Method[] };

/**
 * Finds the first row that fits. `target` is the path with its query as in the request line. Throws
 * `UnreadableRequest` for broken percent-encoding.
 */
export function matchRoute(rows: readonly RouteRow[], method: string, target: string): RouteFound {
  const cut = target.indexOf('?');
  const segments = segmentsOf(cut < 0 ? target : target.slice(0, cut));
  if (segments === undefined) return { kind: 'no-route' };
  const allow = new Set<Method>();
  for (const row of rows) {
    const params = matchPattern(row, segments);
    if (params === undefined) continue;
    if (row.methods.some((one) => one === method)) {
      return { kind: 'row', row, params, query: cut < 0 ? '' : target.slice(cut + 1) };
    }
    for (const one of row.methods) allow.add(one);
  }
  return allow.size > 0 ? { kind: 'wrong-method', allow: [...allow] } : { kind: 'no-route' };
}
