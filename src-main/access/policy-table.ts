/**
 * The policy as a table anyone can read: every route and method against roles, allowed or not. Printed as text with
 * one row per route, so that a change of policy shows up as changed lines in review.
 */
import { API_PREFIX } from '../contract/api-prefix.ts';
import { type Claim, compileGrants, derive, type RequiredClaim, routeTable } from '../contract/claims/index.ts';
import type { Json } from '../kit/json.ts';
import { ownAllows } from './subject.ts';

/** One row: a route as registered, and the claims an example of it needs. */
interface PolicyRoute {
  readonly method: string;
  readonly path: string;
  /** None: open to everybody who is signed in. */
  readonly claims: readonly RequiredClaim[];
}

/** One column. */
interface PolicyRole {
  readonly name: string;
  readonly claims: readonly Claim[];
}

/** What the placeholders of an example path stand for; `:key` is also the object roles may be limited to. */
const EXAMPLE_KEY = 'm1';
const EXAMPLES: Readonly<Record<string, string>> = {
  key: EXAMPLE_KEY,
  command: 'powerOn',
  param: 'rack',
  path: 'a/b',
  prefix: 'machines',
  index: 'Name',
};

const claim = (scope: string, action: string, specific: string): Claim => ({ scope, action, specific });

/** The built-in role and six that show what roles are for. */
export const EXAMPLE_ROLES: readonly PolicyRole[] = [
  { name: 'superuser', claims: [claim('*', '*', '*')] },
  { name: 'viewer', claims: [claim('*', 'list,get', '*')] },
  { name: 'operator', claims: [claim('machines', 'list,get,actions,action', '*'), claim('jobs', 'list,get,log', '*')] },
  { name: 'rack-editor', claims: [claim('machines', 'get,update:/Params/rack,update:/Description', '*')] },
  { name: 'access-admin', claims: [claim('users,roles,tenants', '*', '*')] },
  {
    name: 'content-admin',
    claims: [claim('contents,files,isos,templates,bootenvs,stages,tasks,workflows,params,profiles', '*', '*')],
  },
  { name: 'one-machine', claims: [claim('machines,jobs', '*', EXAMPLE_KEY)] },
];

const EXAMPLE_PATCH: Json = [{ op: 'replace', path: '/Description', value: 'x' }];
const EXAMPLE_PARAMS_PATCH: Json = [{ op: 'replace', path: '/rack', value: 'x' }];

function exampleBody(method: string, pattern: string): Json | undefined {
  if (method === 'PATCH') return pattern.endsWith('/params') ? EXAMPLE_PARAMS_PATCH : EXAMPLE_PATCH;
  if (method !== 'POST' && method !== 'PUT') return undefined;
  if (pattern === '/prefs') return { logLevel: 'info' };
  if (pattern.endsWith('/params')) return { rack: 'x' };
  return { Machine: EXAMPLE_KEY, Addr: '10.0.0.1', meta: { Name: EXAMPLE_KEY } };
}

function examplePath(pattern: string, type: string): string {
  const filled = pattern.replaceAll(/[:*]([a-z]+)/g, (_, name: string) =>
    name === 'type' ? type : (EXAMPLES[name] ?? EXAMPLE_KEY),
  );
  return `${API_PREFIX}${filled}`;
}

/**
 * Every route and method of the derivation table with the claims of an example request, generic routes once per type.
 * Throws when a row cannot be derived: then the table and its rows disagree.
 */
export function derivedPolicyRoutes(): readonly PolicyRoute[] {
  return routeTable.flatMap(({ methods, pattern, types }) =>
    [...(types ?? [''])].flatMap((type) =>
      methods.map((method): PolicyRoute => {
        const body = exampleBody(method, pattern);
        const found = derive({ method, path: examplePath(pattern, type), ...(body === undefined ? {} : { body }) });
        if (found.kind !== 'claims') throw new Error(`${method} ${pattern} derives no claims: ${found.kind}`);
        return { method, path: pattern.replace(':type', type), claims: found.claims };
      }),
    ),
  );
}

const USER = 'a-user';

/** The table. `no-role` is a user without any role, who still has the own-user claim. */
export function policyTable(routes: readonly PolicyRoute[], roles: readonly PolicyRole[]): string {
  const columns = [{ name: 'no-role', claims: [] }, ...roles].map(({ name, claims }) => ({
    name,
    grants: compileGrants([{ role: name, claims }]),
  }));
  const rows = routes.map(({ method, path, claims }) => [
    method,
    path,
    ...columns.map(({ grants }) =>
      claims.every(
        ({ scope, action, specific }) =>
          grants.allows(scope, action, specific) || ownAllows(USER, scope, action, specific),
      )
        ? 'yes'
        : '.',
    ),
    claims.map(({ scope, action, specific }) => `${scope} ${action} ${specific || '""'}`).join('; ') || 'none',
  ]);
  const table = [['method', 'path', ...columns.map(({ name }) => name), 'claims of the example'], ...rows];
  const widths = table[0]?.map((_, i) => Math.max(...table.map((row) => row[i]?.length ?? 0))) ?? [];
  const text = table.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${text.join('\n')}\n`;
}
