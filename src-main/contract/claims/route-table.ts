/**
 * Every route and method with the claims it derives: service.md Claim derivation, wire-format.md 5.5, and the routes of
 * our own below `/api/v3/x`. Where the two differ service.md wins: a collection is read with `list` on `*`.
 *
 * First match wins, so the fixed paths stand before the generic ones.
 */
import {
  addressKey,
  bodyObject,
  bodyText,
  claim,
  decodes,
  on,
  oneParam,
  param,
  patch,
  pathSubject,
  plain,
  replace,
  replaceParams,
  subject,
} from './needs.ts';
import type { Method, RouteMatch, RouteNeeds, RouteRow } from './routes.ts';

const READ: readonly Method[] = ['GET', 'HEAD'];

const WRITABLE = [
  ...['bootenvs', 'jobs', 'machines', 'params', 'plugins', 'profiles', 'reservations', 'roles', 'stages', 'subnets'],
  ...['tasks', 'templates', 'tenants', 'users', 'workflows'],
  ...['contexts', 'pools', 'endpoints', 'version_sets', 'catalog_items'],
];
const writable: ReadonlySet<string> = new Set(WRITABLE);
const deletable: ReadonlySet<string> = new Set([...WRITABLE, 'leases', 'plugin_providers']);
const readable: ReadonlySet<string> = new Set([...WRITABLE, 'leases', 'interfaces', 'plugin_providers']);
const withParams: ReadonlySet<string> = new Set(['machines', 'profiles', 'plugins', 'stages']);
const withActions: ReadonlySet<string> = new Set([
  ...['bootenvs', 'leases', 'machines', 'plugins', 'profiles', 'reservations', 'stages', 'subnets', 'tasks'],
  ...['templates', 'users', 'workflows', 'endpoints', 'pools', 'version_sets'],
]);
const blobs: ReadonlySet<string> = new Set(['files', 'isos']);

interface Options {
  readonly types?: ReadonlySet<string>;
}

function row(
  methods: readonly Method[] | Method,
  pattern: string,
  needs: string,
  derive: (match: RouteMatch) => RouteNeeds,
  options: Options = {},
): RouteRow {
  return { methods: typeof methods === 'string' ? [methods] : methods, pattern, needs, derive, ...options };
}

const type = (match: RouteMatch): string => param(match, 'type');

function list(match: RouteMatch): RouteNeeds {
  const secure = decodes(match) ? [claim(type(match), 'getSecure', '')] : [];
  return plain(claim(type(match), 'list', '*'), ...secure);
}

function item(match: RouteMatch): RouteNeeds {
  return on(pathSubject(match), 'get', ...(decodes(match) ? ['getSecure'] : []));
}

/** A job is created on a machine, and a reservation by a machine for its address, and claims name these. */
function create(match: RouteMatch): RouteNeeds {
  const scope = type(match);
  if (scope === 'jobs') {
    const machine = subject(match, 'machines', bodyText(match, 'Machine'));
    return { claims: [claim('jobs', 'create', machine.authKey)], touches: machine.touches };
  }
  if (scope === 'reservations' && match.context.asMachine)
    return plain(claim(scope, 'create', addressKey(scope, bodyText(match, 'Addr'))));
  return plain(claim(scope, 'create', ''));
}

const command = (match: RouteMatch): string => `action:${param(match, 'command')}`;
const job = (match: RouteMatch) => subject(match, 'jobs', param(match, 'key'));
const user = (match: RouteMatch) => subject(match, 'users', param(match, 'key'));

function setPreferences(match: RouteMatch): RouteNeeds {
  const names = Object.keys(bodyObject(match));
  // Answered with all preferences, so that setting none is reading them.
  if (names.length === 0) return plain(claim('preferences', 'list', '*'));
  return plain(...names.map((name) => claim('preferences', 'post', name)));
}

function contentName(match: RouteMatch): string {
  const { meta } = bodyObject(match);
  const name = typeof meta === 'object' && meta !== null && 'Name' in meta ? meta.Name : undefined;
  return typeof name === 'string' ? name : '';
}

const mayExplain = (): RouteNeeds => plain(claim('users', 'list', '*'), claim('roles', 'list', '*'));

const SERVICE: readonly RouteRow[] = [
  row(READ, '/info', 'info get ""', () => plain(claim('info', 'get', ''))),
  row(READ, '/logs', 'logs get ""', () => plain(claim('logs', 'get', ''))),
  row(READ, '/objects', 'objects list *', () => plain(claim('objects', 'list', '*'))),
  row(READ, '/indexes', 'indexes list *', () => plain(claim('indexes', 'list', '*'))),
  row(READ, '/indexes/:prefix', 'indexes get <prefix>', (m) => plain(claim('indexes', 'get', param(m, 'prefix')))),
  row(READ, '/indexes/:prefix/:index', 'indexes get <prefix>', (m) =>
    plain(claim('indexes', 'get', param(m, 'prefix'))),
  ),
  row(READ, '/prefs', 'preferences list *', () => plain(claim('preferences', 'list', '*'))),
  row('POST', '/prefs', 'preferences post <name> for each preference sent', setPreferences),
  row('POST', '/events', 'events post *', () => plain(claim('events', 'post', '*'))),
  row('GET', '/ws', 'nothing; each event is checked as it is delivered', () => plain()),
  row(READ, '/openapi.json', 'nothing', () => plain()),
  row('POST', '/whoami', 'machines whoami ""', () => plain(claim('machines', 'whoami', ''))),
  row('GET', '/system/actions', 'system actions global', () => plain(claim('system', 'actions', 'global'))),
  row(['GET', 'POST'], '/system/actions/:command', 'system action:<command> global', (m) =>
    plain(claim('system', command(m), 'global')),
  ),
  row('POST', '/system/upgrade', 'system upgrade global', () => plain(claim('system', 'upgrade', 'global'))),
  row('POST', '/system/active', 'system active global', () => plain(claim('system', 'active', 'global'))),
  row('POST', '/system/passive', 'system passive global', () => plain(claim('system', 'passive', 'global'))),
];

const CONTENT: readonly RouteRow[] = [
  row(READ, '/contents', 'contents list *', () => plain(claim('contents', 'list', '*'))),
  row('POST', '/contents', 'contents create <name>', (m) => plain(claim('contents', 'create', contentName(m)))),
  row(READ, '/contents/:key', 'contents get <name>', (m) => plain(claim('contents', 'get', param(m, 'key')))),
  row('PUT', '/contents/:key', 'contents update <name>', (m) => plain(claim('contents', 'update', param(m, 'key')))),
  row('DELETE', '/contents/:key', 'contents delete <name>', (m) => plain(claim('contents', 'delete', param(m, 'key')))),
  row(READ, '/:type', '<type> list *', (m) => plain(claim(type(m), 'list', '*')), { types: blobs }),
  row(READ, '/:type/*path', '<type> get <path>', (m) => plain(claim(type(m), 'get', param(m, 'path'))), {
    types: blobs,
  }),
  row('POST', '/:type/*path', '<type> post <path>', (m) => plain(claim(type(m), 'post', param(m, 'path'))), {
    types: blobs,
  }),
  row('DELETE', '/:type/*path', '<type> delete <path>', (m) => plain(claim(type(m), 'delete', param(m, 'path'))), {
    types: blobs,
  }),
  row('POST', '/plugin_providers/:key', 'plugin_providers post <name>', (m) =>
    plain(claim('plugin_providers', 'post', param(m, 'key'))),
  ),
  row(READ, '/plugin_providers/:key/binary', 'plugin_providers get <name>', (m) =>
    on(subject(m, 'plugin_providers', param(m, 'key')), 'get'),
  ),
];

/** Names of params have slashes, and clients send them as they are: they take the rest of the path. */
const takesRest = (name: string): boolean => name === 'params';

/** Rows of one object; `key` is its place in the path. */
function itemRows(key: ':key' | '*key'): readonly RouteRow[] {
  const here = (types: ReadonlySet<string>): ReadonlySet<string> =>
    new Set([...types].filter((name) => takesRest(name) === (key === '*key')));
  return [
    row(READ, `/meta/:type/${key}`, '<type> get <key>', (m) => on(pathSubject(m), 'get'), { types: here(readable) }),
    row('PATCH', `/meta/:type/${key}`, '<type> update:/Meta<pointer> <key>', (m) => patch(m, pathSubject(m), '/Meta'), {
      types: here(writable),
    }),
    row(READ, `/:type/${key}`, '<type> get <key>; with decode also <type> getSecure <key>', item, {
      types: here(readable),
    }),
    row(
      'PATCH',
      `/:type/${key}`,
      '<type> update:<pointer> <key> per field; without a change <type> get <key>',
      patchItem,
      {
        types: here(writable),
      },
    ),
    row(
      'PUT',
      `/:type/${key}`,
      '<type> update:<pointer> <key> per field that differs',
      (m) => replace(m, pathSubject(m)),
      {
        types: here(writable),
      },
    ),
    row('DELETE', `/:type/${key}`, '<type> delete <key>', (m) => on(pathSubject(m), 'delete'), {
      types: here(deletable),
    }),
  ];
}

const OBJECTS: readonly RouteRow[] = [
  row('GET', '/users/:key/token', 'users token <name>', (m) => on(user(m), 'token')),
  row('PUT', '/users/:key/password', 'users password <name>', (m) => on(user(m), 'password')),
  row('GET', '/machines/:key/token', 'machines token <uuid>', (m) =>
    on(subject(m, 'machines', param(m, 'key')), 'token'),
  ),
  row('DELETE', '/jobs', 'jobs delete *', () => plain(claim('jobs', 'delete', '*'))),
  row('GET', '/jobs/:key/actions', 'jobs actions <machine>', (m) => on(job(m), 'actions')),
  row(['GET', 'HEAD', 'PUT'], '/jobs/:key/log', 'jobs log <machine>', (m) => on(job(m), 'log')),
  row('GET', '/jobs/:key/plugin_actions', 'jobs actions <machine>', (m) => on(job(m), 'actions')),
  row(['GET', 'POST'], '/jobs/:key/plugin_actions/:command', 'jobs action:<command> <machine>', (m) =>
    on(job(m), command(m)),
  ),
  row(READ, '/:type', '<type> list *; with decode also <type> getSecure ""', list, { types: readable }),
  row(
    'POST',
    '/:type',
    '<type> create ""; jobs create <machine>; for a machine reservations create <hex address>',
    create,
    {
      types: writable,
    },
  ),
  ...itemRows(':key'),
  ...itemRows('*key'),
  row(READ, '/:type/:key/params', '<type> get <key>; with decode also <type> getSecure <key>', item, {
    types: withParams,
  }),
  row('POST', '/:type/:key/params', '<type> update:/Params/<param> <key> per param that differs', allParams, {
    types: withParams,
  }),
  row('PATCH', '/:type/:key/params', '<type> update:/Params<pointer> <key>', patchParams, { types: withParams }),
  row(READ, '/:type/:key/params/*param', '<type> get <key>; with decode also <type> getSecure <key>', item, {
    types: withParams,
  }),
  row(['POST', 'DELETE'], '/:type/:key/params/*param', '<type> update:/Params/<param> <key>', writeParam, {
    types: withParams,
  }),
  row('GET', '/:type/:key/pubkey', '<type> updateSecure <key>', (m) => on(pathSubject(m), 'updateSecure'), {
    types: withParams,
  }),
  row('GET', '/:type/:key/actions', '<type> actions <key>', (m) => on(pathSubject(m), 'actions'), {
    types: withActions,
  }),
  row(
    ['GET', 'POST'],
    '/:type/:key/actions/:command',
    '<type> action:<command> <key>',
    (m) => on(pathSubject(m), command(m)),
    { types: withActions },
  ),
];

function patchItem(match: RouteMatch): RouteNeeds {
  return patch(match, pathSubject(match));
}

function patchParams(match: RouteMatch): RouteNeeds {
  return patch(match, pathSubject(match), '/Params');
}

function allParams(match: RouteMatch): RouteNeeds {
  return replaceParams(match, pathSubject(match));
}

function writeParam(match: RouteMatch): RouteNeeds {
  return oneParam(match, pathSubject(match));
}

const OWN: readonly RouteRow[] = [
  row('POST', '/x/access/explain', 'users list *; roles list *', mayExplain),
  row('POST', '/x/access/simulate', 'users list *; roles list *; tenants list *; audit list *', () =>
    plain(...mayExplain().claims, claim('tenants', 'list', '*'), claim('audit', 'list', '*')),
  ),
  row('GET', '/x/access/own', 'nothing; it says what the caller holds', () => plain()),
  row('POST', '/x/access/inspect', 'users list *; roles list *', mayExplain),
  row(READ, '/x/audit', 'audit list *', () => plain(claim('audit', 'list', '*'))),
  row(READ, '/x/deliveries', 'deliveries list *', () => plain(claim('deliveries', 'list', '*'))),
  row(READ, '/x/deliveries/:key', 'deliveries get <id>', (m) => plain(claim('deliveries', 'get', param(m, 'key')))),
  row('POST', '/x/deliveries/replay', 'deliveries replay *', () => plain(claim('deliveries', 'replay', '*'))),
  row('POST', '/x/deliveries/:key/replay', 'deliveries replay <id>', (m) =>
    plain(claim('deliveries', 'replay', param(m, 'key'))),
  ),
  row('POST', '/x/deliveries/:key/cancel', 'deliveries cancel <id>', (m) =>
    plain(claim('deliveries', 'cancel', param(m, 'key'))),
  ),
  row('POST', '/x/callbacks/render', 'machines get <Machine of the body>', (m) =>
    on(subject(m, 'machines', bodyText(m, 'Machine')), 'get'),
  ),
  row('GET', '/x/events', 'nothing; each event is checked as it is delivered', () => plain()),
];

/** All rows, in the order in which they are tried. */
export const routeTable: readonly RouteRow[] = [...SERVICE, ...OWN, ...CONTENT, ...OBJECTS];
