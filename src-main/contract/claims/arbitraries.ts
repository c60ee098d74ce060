/** Random claims and requests for the property tests of this room: small pools, so that they often meet. */
import fc from 'fast-check';
import type { RequiredClaim } from './allows.ts';
import type { Claim } from './parse.ts';
import { type Registry, registryV4 } from './registry.ts';

const POINTERS = ['', '/', '/Name', '/Params', '/Params/a', '/Params/a/b', '/Params/a~1b', '/Params/a~0', '/Meta/x'];
const SCOPES = ['machines', 'users', 'roles', 'info', 'files', 'preferences', 'stages'];
const PLAIN = ['get', 'list', 'create', 'update', 'action', 'actions', 'token', 'getSecure', 'post'];
const QUALIFIED = ['action:on', 'action:off', ...POINTERS.map((pointer) => `update:${pointer}`)];
const IDS = ['m1', 'm2', 'm3', 'a b'];
const UNKNOWN = ['bogus', 'events', 'save', 'Machines'];
const ODD_ACTIONS = ['', '*', 'update:Name', 'update:/a~2b', 'get:x', 'action:'];

function field(pool: readonly string[]): fc.Arbitrary<string> {
  const list = fc.array(fc.constantFrom(...pool), { minLength: 1, maxLength: 4 });
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant('*') },
    { weight: 3, arbitrary: fc.tuple(list, fc.constantFrom(',', ', ')).map(([items, glue]) => items.join(glue)) },
  );
}

function claim(scopes: readonly string[], actions: readonly string[], ids: readonly string[]): fc.Arbitrary<Claim> {
  return fc.record({ scope: field(scopes), action: field(actions), specific: field(ids) });
}

/** Claims as people write them: every action well formed, unknown scopes and actions among them. */
export const sensibleClaim: fc.Arbitrary<Claim> = claim(
  [...SCOPES, ...UNKNOWN],
  [...PLAIN, ...QUALIFIED, ...UNKNOWN, 'get:x'],
  [...IDS, ''],
);

/** Anything that fits the three fields. */
export const anyClaim: fc.Arbitrary<Claim> = fc.oneof(
  {
    weight: 4,
    arbitrary: claim([...SCOPES, ...UNKNOWN, '', '*'], [...PLAIN, ...QUALIFIED, ...ODD_ACTIONS], [...IDS, '', '*']),
  },
  { weight: 1, arbitrary: fc.constant({ scope: '', action: '', specific: '' }) },
  { weight: 1, arbitrary: fc.record({ scope: fc.string(), action: fc.string(), specific: fc.string() }) },
);

/** Claims around a given one, often contained in it. */
export function near(base: Claim): fc.Arbitrary<Claim> {
  const part = (text: string, pool: readonly string[]): fc.Arbitrary<string> =>
    fc.oneof(
      { weight: 2, arbitrary: fc.constant(text) },
      { weight: 3, arbitrary: fc.constantFrom(...text.split(',')) },
      { weight: 1, arbitrary: fc.oneof(fc.constant('*'), field(pool)) },
    );
  return fc.record({
    scope: part(base.scope, SCOPES),
    action: part(base.action, [...PLAIN, ...QUALIFIED]),
    specific: part(base.specific, IDS),
  });
}

/** Requests over everything claims may name, things nobody knows included. */
export const anyRequest: fc.Arbitrary<RequiredClaim> = fc.record({
  scope: fc.constantFrom(...SCOPES, ...UNKNOWN, '', '*'),
  action: fc.constantFrom(...PLAIN, ...QUALIFIED, ...UNKNOWN, ...ODD_ACTIONS, 'update:/Params/a/b/c', 'action:x'),
  specific: fc.constantFrom(...IDS, '', '*', 'm9', 'm1,m2'),
});

/** Requests whose scope and action the registry lists. */
export function knownRequest(registry: Registry = registryV4): fc.Arbitrary<RequiredClaim> {
  const rows = SCOPES.flatMap((scope) => {
    const known = registry.get(scope) ?? new Set<string>();
    const actions = [...PLAIN, ...QUALIFIED].filter((action) => known.has(action.split(':')[0] ?? ''));
    return actions.map((action) => ({ scope, action }));
  });
  return fc
    .tuple(fc.constantFrom(...rows), fc.constantFrom(...IDS, '', '*', 'm9'))
    .map(([row, specific]) => ({ ...row, specific }));
}
