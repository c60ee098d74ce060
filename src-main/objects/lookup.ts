/**
 * The door from an actor to an object: it is looked up *for* an action. What comes back has passed tenant, license and
 * claims; every read and write begins here.
 */
import { isOwnUserRoute } from '../access/index.ts';
import { Problem } from '../contract/errors.ts';
import type { ModelDefinition } from '../contract/models/index.ts';
import type { Stored } from '../store/index.ts';
import { authKey, type Guard } from './guard.ts';
import type { Call, Demand, View } from './types.ts';
import { nativeKey } from './view.ts';

declare const granted: unique symbol;

/** An object somebody may act on, for the demands that were checked. */
export interface Granted {
  readonly [granted]: true;
  readonly definition: ModelDefinition;
  /** Key as the caller typed it: messages show it. */
  readonly typed: string;
  readonly stored: Stored;
}

export interface LookupDeps {
  readonly view: View;
  readonly guard: Guard;
}

/** `<METHOD>: <prefix>/<key>: Not Found`, for what is absent and for what must look absent. */
export function notFound(definition: Pick<ModelDefinition, 'prefix' | 'key'>, typed: string): Problem {
  const key = definition.key === 'Addr' ? nativeKey(definition as ModelDefinition, typed) : typed;
  // Clients compare the sentence of this one type.
  const sentence = definition.prefix === 'interfaces' ? 'No interface' : 'Not Found';
  return new Problem('not-found', sentence, { model: definition.prefix, key });
}

/** What is asked for, from the key that claims name. */
export type DemandsOf = (key: string) => readonly Demand[];

const NAMED_AS_TYPED = /^(?:get|getSecure|updateSecure|actions|action:.*|token|password)$/s;

/**
 * Refusals of these actions name the object as the caller did (wire-format.md 5.5), which existing clients compare; and an absent object
 * is named alike. Jobs always go by their machine.
 */
function asTyped(demands: readonly Demand[], typed: string): readonly Demand[] {
  return demands.map((demand) =>
    demand.scope !== 'jobs' && NAMED_AS_TYPED.test(demand.action) ? { ...demand, shown: typed } : demand,
  );
}

/**
 * Finds the object where the tenant shows it; claims are not asked yet. Throws Problem `not-found`; for an absent object that no tenant
 * could hide `claim-missing` comes first: to who may not ask, what is there and what is not look the same.
 */
export function findVisible(
  deps: LookupDeps,
  call: Call,
  definition: ModelDefinition,
  typed: string,
  demands: DemandsOf,
  printed?: string,
): Stored {
  const stored = deps.view.resolve(definition, typed);
  if (
    stored &&
    (deps.guard.visible(call, definition, stored, deps.view) || readsItself(call, definition, stored, demands))
  )
    return stored;
  if (stored) deps.guard.hid(call, demands(authKey(definition, stored)));
  // Where the tenant restricts the type, hidden and absent must not be told apart either.
  if (!stored && !call.actor.restricts(definition.prefix)) {
    const asked = asTyped(demands(nativeKey(definition, typed)), typed);
    if (!isConcealed(deps.guard, call, asked)) deps.guard.demand(call, asked, printed);
  }
  throw notFound(definition, typed);
}

/** A user gets itself whatever its tenant hides; nothing else is open to it then, and lists leave it out. */
function readsItself(call: Call, definition: ModelDefinition, stored: Stored, demands: DemandsOf): boolean {
  const own = (demand: Demand): boolean =>
    demand.action === 'get' && isOwnUserRoute(call.actor, demand.scope, demand.action, demand.specific);
  return definition.prefix === 'users' && demands(stored.key).every(own);
}

/** A denied `get` that is to look like an absent object. */
function isConcealed(guard: Guard, call: Call, asked: readonly Demand[]): boolean {
  if (!guard.conceals()) return false;
  return !guard.allows(
    call,
    asked.filter((demand) => demand.action === 'get'),
  );
}

/**
 * Looks an object up for an action. `demands` builds what is asked for from the claim key of the object.
 * Throws `not-found` (absent or hidden by the tenant), `not-licensed`, `claim-missing`; a denied `get` looks absent
 * when the preference `deniedReads` says `conceal`.
 */
export function lookupFor(
  deps: LookupDeps,
  call: Call,
  definition: ModelDefinition,
  typed: string,
  demands: DemandsOf,
  printed?: string,
): Granted {
  const stored = findVisible(deps, call, definition, typed, demands, printed);
  const asked = asTyped(demands(authKey(definition, stored)), typed);
  if (isConcealed(deps.guard, call, asked)) throw notFound(definition, typed);
  deps.guard.demand(call, asked, printed);
  return { definition, typed, stored } as Granted;
}

/** One demand on the object itself. */
export function demandOn(definition: ModelDefinition, action: string): (key: string) => Demand[] {
  return (key) => [{ scope: definition.prefix, action, specific: key }];
}
