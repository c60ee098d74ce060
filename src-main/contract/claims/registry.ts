/**
 * Which scopes exist and which actions each of them has (wire-format.md 5.1).
 *
 * Three tables: two are published by `info.scopes` and decide containment between claims exactly as existing clients
 * and their release expect it; the third, `knownHere`, is everything this service checks, and is what the roles editor
 * and the validation of a stored role go by. No table ever decides a request (see allows.ts).
 */

/** Scope to the actions it has; the parameterised forms (`update:/A`, `action:x`) are known by the part before `:`. */
export type Registry = ReadonlyMap<string, ReadonlySet<string>>;

const BASIC = ['list', 'get', 'create', 'delete', 'actions', 'update', 'action'];
const SECURE = ['getSecure', 'updateSecure'];
const BLOBS = ['list', 'get', 'post', 'delete'];

type Table = Readonly<Record<string, readonly string[]>>;

const TABLE_V3: Table = {
  bootenvs: BASIC,
  contents: ['list', 'get', 'create', 'update', 'delete'],
  files: BLOBS,
  info: ['get'],
  interfaces: BASIC,
  isos: BLOBS,
  jobs: [...BASIC, 'log'],
  leases: BASIC,
  machines: [...BASIC, ...SECURE],
  params: BASIC,
  plugin_providers: BASIC,
  plugins: [...BASIC, ...SECURE],
  preferences: ['list', 'post'],
  profiles: [...BASIC, ...SECURE],
  reservations: BASIC,
  roles: BASIC,
  stages: BASIC,
  subnets: BASIC,
  tasks: BASIC,
  templates: BASIC,
  tenants: BASIC,
  users: [...BASIC, 'token', 'password'],
  workflows: BASIC,
};

const TABLE_V4: Table = {
  ...TABLE_V3,
  catalog_items: BASIC,
  contexts: BASIC,
  endpoints: BASIC,
  machines: [...BASIC, ...SECURE, 'updateTaskList', 'token', 'whoami'],
  objects: ['list'],
  pools: BASIC,
  stages: [...BASIC, ...SECURE],
  system: ['upgrade', 'replicate', 'active', 'passive'],
  version_sets: BASIC,
};

/** Scopes and actions that only this service's own routes and checks use. */
const TABLE_HERE: Table = {
  audit: ['list'],
  deliveries: ['list', 'get', 'replay', 'cancel'],
  events: ['post'],
  indexes: ['list', 'get'],
  logs: ['get'],
  plugin_providers: [...BASIC, 'post'],
  system: ['upgrade', 'replicate', 'active', 'passive', 'actions', 'action'],
};

function registryOf(...tables: readonly Table[]): Registry {
  const out = new Map<string, Set<string>>();
  for (const table of tables) {
    for (const [scope, actions] of Object.entries(table)) {
      const set = out.get(scope) ?? new Set<string>();
      for (const action of actions) set.add(action);
      out.set(scope, set);
    }
  }
  return new Map([...out].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The table of release 3.9. */
export const registryV3: Registry = registryOf(TABLE_V3);
/** The table of release 4.8; `contains` goes by it unless told otherwise. */
export const registryV4: Registry = registryOf(TABLE_V4);
/** Everything this service knows: both releases and its own additions. */
export const knownHere: Registry = registryOf(TABLE_V3, TABLE_V4, TABLE_HERE);

/** The part of an action that the registry knows: the text before the first colon. */
export function baseAction(action: string): string {
  const colon = action.indexOf(':');
  return colon < 0 ? action : action.slice(0, colon);
}

/** `info.scopes`: scope to action to an empty object, exactly the table of the release the caller speaks. */
export function infoScopes(registry: Registry): Record<string, Record<string, Record<string, never>>> {
  const out: Record<string, Record<string, Record<string, never>>> = {};
  for (const [scope, actions] of registry) {
    out[scope] = Object.fromEntries([...actions].sort().map((action) => [action, {}]));
  }
  return out;
}
