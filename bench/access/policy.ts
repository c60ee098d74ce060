/**
 * The policy and the requests of the access benchmark: a user with 10 roles of 20 claims, 20,000 identifiers among
 * them, and 10,000 requests of which half are allowed. Made from a fixed seed, the same on every run.
 */
import type { Claim, ClaimGroup, RequiredClaim } from '../../src-main/contract/claims/index.ts';

const ROLES = 10;
const CLAIMS_PER_ROLE = 20;
const REQUESTS = 10_000;
const SCOPES = ['profiles', 'params', 'stages', 'tasks', 'workflows', 'subnets', 'reservations', 'bootenvs', 'plugins'];
const ACTIONS = ['get', 'list', 'create', 'delete', 'update', 'action', 'actions'];

function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const next = generator(42);
const pick = <T>(items: readonly T[]): T => items[next(items.length)] as T;
const hex = (digits: number): string => Array.from({ length: digits }, () => next(16).toString(16)).join('');
const uuid = (): string => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;

const machines = Array.from({ length: 25_000 }, uuid);
const names = Array.from({ length: 40 }, (_, i) => `object-${i}`);
const some = (pool: readonly string[], count: number): string => {
  const from = next(pool.length - count);
  return pool.slice(from, from + count).join(',');
};

function roleClaims(role: number): Claim[] {
  const claims: Claim[] = [
    { scope: 'machines', action: 'get', specific: some(machines, 1000) },
    { scope: 'machines', action: `update:/Params/rack-${role},update:/Meta`, specific: some(machines, 1000) },
    { scope: 'machines', action: `action:power-${role},action:callbackDo`, specific: some(machines, 5) },
    { scope: pick(SCOPES), action: '*', specific: some(names, 3) },
    { scope: 'stages,tasks', action: 'get,list', specific: '*' },
    { scope: 'profiles', action: `update:/Params/site~1${role}`, specific: some(names, 4) },
  ];
  while (claims.length < CLAIMS_PER_ROLE) {
    const scope = `${pick(SCOPES)},${pick(SCOPES)}`;
    claims.push({ scope, action: `${pick(ACTIONS)},${pick(ACTIONS)}`, specific: some(names, 1 + next(3)) });
  }
  return claims;
}

export const policy: readonly ClaimGroup[] = Array.from({ length: ROLES }, (_, role) => ({
  role: `role-${role}`,
  claims: roleClaims(role),
}));

export const allClaims: readonly Claim[] = policy.flatMap((group) => group.claims);

/** Requests always name the field or the plugin action, never `update` or `action` bare. */
function named(action: string): string {
  if (action === 'update') return 'update:/Description';
  return action === 'action' ? `action:power-${next(12)}` : action;
}

function grantedBy(claim: Claim): RequiredClaim {
  const action = pick(claim.action.split(','));
  const actual = named(action === '*' ? pick(ACTIONS) : action);
  return {
    scope: pick(claim.scope.split(',')),
    action: actual.startsWith('update:') && next(2) === 0 ? `${actual}/size-${next(20)}` : actual,
    specific: claim.specific === '*' ? pick(names) : pick(claim.specific.split(',')),
  };
}

function random(): RequiredClaim {
  const scope = pick(['machines', 'machines', ...SCOPES]);
  const action = pick([
    ...ACTIONS.map(named),
    `action:power-${next(12)}`,
    `update:/Params/rack-${next(12)}/size-${next(20)}`,
  ]);
  return { scope, action, specific: scope === 'machines' ? pick(machines) : pick(names) };
}

function makeRequests(): { requests: RequiredClaim[]; allowed: boolean[] } {
  const requests: RequiredClaim[] = [];
  const allowed: boolean[] = [];
  const left = { yes: REQUESTS / 2, no: REQUESTS / 2 };
  const parsed = new Map<string, boolean>();
  while (left.yes + left.no > 0) {
    const request = next(2) === 0 ? grantedBy(pick(allClaims)) : random();
    const key = `${request.scope} ${request.action} ${request.specific}`;
    const answer = parsed.get(key) ?? oracle(request);
    parsed.set(key, answer);
    if (left[answer ? 'yes' : 'no']-- <= 0) {
      left[answer ? 'yes' : 'no'] = 0;
      continue;
    }
    requests.push(request);
    allowed.push(answer);
  }
  return { requests, allowed };
}

// The claims' texts searched one by one, apart from the code under measurement and from every peer.
const split = allClaims.map((claim) => ({
  scopes: new Set(claim.scope.split(',')),
  actions: claim.action.split(','),
  ids: claim.specific === '*' ? null : new Set(claim.specific.split(',')),
}));

function oracle(request: RequiredClaim): boolean {
  return split.some(
    ({ scopes, actions, ids }) =>
      scopes.has(request.scope) &&
      (ids === null || ids.has(request.specific)) &&
      actions.some(
        (action) =>
          action === '*' ||
          action === request.action ||
          (action === 'action' && request.action.startsWith('action:')) ||
          (action === 'update' && request.action.startsWith('update:')) ||
          (action.startsWith('update:') && request.action.startsWith(`${action}/`)),
      ),
  );
}

export const { requests, allowed } = makeRequests();
