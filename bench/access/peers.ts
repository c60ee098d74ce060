/**
 * The same policy in the hands of others, each in its quickest form: parsed before the clock starts, with the
 * friendliest representation its API has. Every one answers `(request index) => allowed`.
 */
import { createRequire } from 'node:module';
import { createMongoAbility, subject } from '@casl/ability';
import type * as Cedar from '@cedar-policy/cedar-wasm/nodejs';
import { newEnforcer, newModelFromString } from 'casbin';
import { allClaims, requests } from './policy.ts';

export type Decide = (index: number) => boolean;

interface Cell {
  all: boolean;
  ids: Set<string>;
}

const baseOf = (action: string): string => action.split(':')[0] ?? action;
const covers = (held: string, asked: string): boolean =>
  held === '*' ||
  held === asked ||
  ((held === 'action' || held === 'update') && baseOf(asked) === held) ||
  (held.startsWith('update:') && asked.startsWith(`${held}/`));

/**
 * The limit: a nested Map compiled by hand for exactly the scopes and actions that will be asked, so that a decision
 * is two look-ups and a membership test and nothing else.
 */
export function handCompiled(): Decide {
  const table = new Map<string, Map<string, Cell>>();
  for (const { scope, action } of requests) {
    const byAction = table.get(scope) ?? new Map<string, Cell>();
    table.set(scope, byAction);
    if (byAction.has(action)) continue;
    const cell: Cell = { all: false, ids: new Set() };
    for (const claim of allClaims) {
      if (!claim.scope.split(',').includes(scope)) continue;
      if (!claim.action.split(',').some((held) => covers(held, action))) continue;
      if (claim.specific === '*') cell.all = true;
      else for (const id of claim.specific.split(',')) cell.ids.add(id);
    }
    byAction.set(action, cell);
  }
  return (index) => {
    const request = requests[index];
    if (request === undefined) return false;
    const cell = table.get(request.scope)?.get(request.action);
    return cell !== undefined && (cell.all || cell.ids.has(request.specific));
  };
}

/** Rules by action and subject, identifiers as `$in`, pointers as fields with everything below them. */
export function casl(): Decide {
  const rules = allClaims.flatMap((claim) =>
    claim.action.split(',').map((text) => {
      const pointer = text.startsWith('update:') ? text.slice('update:'.length) : undefined;
      const ids = claim.specific.split(',');
      return {
        action: text === '*' ? 'manage' : pointer === undefined ? text : 'update',
        subject: claim.scope.split(','),
        ...(pointer === undefined ? {} : { fields: [field(pointer), `${field(pointer)}.**`] }),
        ...(claim.specific === '*' ? {} : { conditions: { id: { $in: ids } } }),
      };
    }),
  );
  const ability = createMongoAbility(rules);
  const asked = requests.map(({ scope, action, specific }) => {
    const pointer = action.startsWith('update:') ? action.slice('update:'.length) : undefined;
    return { action, pointer, resource: subject(scope, { id: specific }) };
  });
  return (index) => {
    const request = asked[index];
    if (request === undefined) return false;
    const { action, pointer, resource } = request;
    if (pointer !== undefined) return ability.can('update', resource, field(pointer));
    return ability.can(action, resource) || (action.startsWith('action:') && ability.can('action', resource));
  };
}

const field = (pointer: string): string => pointer.slice(1).replaceAll('/', '.');

const CASBIN_MODEL = `
[request_definition]
r = scope, action, id
[policy_definition]
p = scope, action, ids
[policy_effect]
e = some(where (p.eft == allow))
[matchers]
m = r.scope == p.scope && held(p.action, r.action) && listed(p.ids, r.id)
`;

/** One line per scope and action of a claim; identifier lists are Sets behind a name, which spares it the text. */
export async function casbin(): Promise<Decide> {
  const lists = new Map<string, Set<string>>();
  const enforcer = await newEnforcer(newModelFromString(CASBIN_MODEL));
  await enforcer.addFunction('held', (held: string, asked: string) => covers(held, asked));
  await enforcer.addFunction('listed', (list: string, id: string) => list === '*' || lists.get(list)?.has(id) === true);
  const lines: string[][] = [];
  for (const [i, claim] of allClaims.entries()) {
    const list = claim.specific === '*' ? '*' : `list-${i}`;
    lists.set(list, new Set(claim.specific.split(',')));
    for (const scope of claim.scope.split(',')) {
      for (const action of claim.action.split(',')) lines.push([scope, action, list]);
    }
  }
  await enforcer.addPolicies(lines);
  return (index) => {
    const request = requests[index];
    return request !== undefined && enforcer.enforceSync(request.scope, request.action, request.specific);
  };
}

const POLICY_SET = 'access-benchmark';
const cedar = createRequire(import.meta.url)('@cedar-policy/cedar-wasm/nodejs') as typeof Cedar;
const quoted = (text: string): string => JSON.stringify(text);

function cedarAction(text: string): string {
  if (text === '*') return 'true';
  if (text === 'action' || text === 'update') return `context.base == ${quoted(text)}`;
  const exact = `context.action == ${quoted(text)}`;
  return text.startsWith('update:') ? `(${exact} || context.action like ${quoted(`${text}/*`)})` : exact;
}

/**
 * The policy as Cedar text: one `permit` per scope of a claim, identifiers as a set of texts, which it finds quicker
 * than a set of entities.
 */
export function cedarText(): string {
  return allClaims
    .flatMap((claim) =>
      claim.scope.split(',').map((scope) => {
        const actions = claim.action.split(',').map(cedarAction).join(' || ');
        const ids = claim.specific.split(',').map(quoted);
        const listed = claim.specific === '*' ? '' : ` && [${ids.join(', ')}].contains(context.id)`;
        return `permit (principal, action, resource is ${scope}) when { (${actions})${listed} };`;
      }),
    )
    .join('\n');
}

/** Cedar's preparse of the policy; throws what Cedar complains about. */
export function cedarPreparse(text: string): void {
  const answer = cedar.preparsePolicySet(POLICY_SET, { staticPolicies: text });
  if (answer.type === 'failure') throw new Error(answer.errors.map((error) => error.message).join('; '));
}

/** Cedar's stateful call on the preparsed policy. */
export function cedarDecide(): Decide {
  cedarPreparse(cedarText());
  const calls = requests.map(({ scope, action, specific }) => ({
    principal: { type: 'User', id: 'u' },
    action: { type: 'Action', id: baseOf(action) },
    resource: { type: scope, id: specific },
    context: { action, base: baseOf(action), id: specific },
    preparsedPolicySetId: POLICY_SET,
    entities: [],
  }));
  return (index) => {
    const call = calls[index];
    if (call === undefined) return false;
    const answer = cedar.statefulIsAuthorized(call);
    if (answer.type === 'failure') throw new Error(answer.errors.map((error) => error.message).join('; '));
    return answer.response.decision === 'allow';
  };
}
