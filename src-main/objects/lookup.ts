/**
 * The door from an actor to an object: it is looked up *for* an action. What comes back is the proof that tenant, license and
 * claims were asked; `write.ts` takes nothing else.
 */
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

/** Finds the object where the tenant shows it; claims are not asked yet. Throws Problem `not-found`. */
export function findVisible(deps: LookupDeps, call: Call, definition: ModelDefinition, typed: string): Stored {
  const stored = deps.view.resolve(definition, typed);
  if (!stored || !deps.guard.visible(call, definition, stored, deps.view)) throw notFound(definition, typed);
  return stored;
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
  demands: (key: string, stored: Stored) => readonly Demand[],
  printed?: string,
): Granted {
  const stored = findVisible(deps, call, definition, typed);
  const asked = demands(authKey(definition, stored), stored);
  if (deps.guard.conceals() && asked.every((demand) => demand.action === 'get') && !deps.guard.allows(call, asked))
    throw notFound(definition, typed);
  deps.guard.demand(call, asked, printed);
  return { definition, typed, stored } as Granted;
}

/** One demand on the object itself. */
export function demandOn(definition: ModelDefinition, action: string): (key: string) => Demand[] {
  return (key) => [{ scope: definition.prefix, action, specific: key }];
}
