/**
 * Plugin actions (wire-format.md 6): which commands an object has, which plugin instance serves one, and the checks on its
 * parameters. Running the command is the provider's business.
 */
import { Problem } from '../contract/errors.ts';
import { MODELS, type ModelDefinition } from '../contract/models/index.ts';
import type { Json, JsonObject } from '../kit/json.ts';
import type { Stored } from '../store/index.ts';
import { demandOn, type LookupDeps, lookupFor } from './lookup.ts';
import type { ParamRules } from './param-rules.ts';
import type { Call } from './types.ts';

export interface AvailableAction {
  readonly Provider: string;
  readonly Model: string;
  readonly Command: string;
  readonly RequiredParams: readonly string[];
  readonly OptionalParams: readonly string[];
}

export interface Invocation {
  readonly plugin: string;
  readonly command: string;
  /** Command set: an object prefix, or `system`. */
  readonly set: string;
  /** The object acted upon; for system actions the profile `global`. */
  readonly stored: Stored;
  readonly params: JsonObject;
  readonly call: Call;
}

/** A provider that can run its commands. */
export interface ActionProvider {
  readonly name: string;
  readonly actions: readonly AvailableAction[];
  /** Resolves to the bare JSON answer of the command; rejects with a Problem. */
  invoke(invocation: Invocation): Promise<Json>;
}

export interface ActionDeps extends LookupDeps {
  readonly paramRules: ParamRules;
  readonly providers: readonly ActionProvider[];
  readonly effectiveParam: (stored: Stored, name: string, decode: boolean) => Json | undefined;
  readonly publish: (event: { type: string; action: string; key: string; object: unknown; principal: string }) => void;
}

const SYSTEM_SET = 'system';

/** What the route names: an object of a type, or the system. */
export type Target =
  | { readonly kind: 'object'; readonly definition: ModelDefinition; readonly typed: string }
  | { readonly kind: 'system' };

interface Offer {
  readonly plugin: string;
  readonly provider: ActionProvider;
  readonly action: AvailableAction;
}

/** Commands that running plugin instances offer for a set, in order of plugin names. */
function* offers(deps: ActionDeps, call: Call, set: string, plugin: string | undefined): Iterable<Offer> {
  for (const stored of deps.view.entries('plugins')) {
    if (plugin !== undefined) {
      // A hidden plugin serves the objects of everybody, but nobody may pick it by name.
      if (stored.key !== plugin || !deps.guard.visible(call, MODELS.plugins, stored, deps.view)) continue;
    }
    if (stored.value['Available'] !== true) continue;
    const provider = deps.providers.find((one) => one.name === stored.value['Provider']);
    for (const action of provider?.actions ?? []) {
      if ((action.Model === '' ? SYSTEM_SET : action.Model) === set)
        yield { plugin: stored.key, provider: provider as ActionProvider, action };
    }
  }
}

type Params = { readonly ok: true; readonly params: JsonObject } | { readonly ok: false; readonly reason: string };

/** Checks what was sent and completes it from the object's own values (wire-format.md 6.3). */
function completeParams(deps: ActionDeps, { action }: Offer, stored: Stored, sent: JsonObject): Params {
  const name = action.Command;
  for (const [key, value] of Object.entries(sent)) {
    if (deps.paramRules.isSecure(key, deps.view))
      return { ok: false, reason: `Action ${name} cannot be passed secure parameter ${key} via the API` };
    const problem = deps.paramRules.problems(key, value, deps.view)[0];
    if (problem !== undefined) return { ok: false, reason: `Action ${name}: Invalid Parameter: ${key}: : ${problem}` };
  }
  const params: { [k: string]: Json } = { ...sent };
  for (const key of action.RequiredParams) {
    if (Object.hasOwn(params, key)) continue;
    const value = deps.effectiveParam(stored, key, true);
    if (value === undefined) return { ok: false, reason: `Action ${name} Missing Parameter ${key}` };
    params[key] = value;
  }
  for (const key of action.OptionalParams) {
    if (Object.hasOwn(params, key)) continue;
    const value = deps.effectiveParam(stored, key, true);
    if (value !== undefined) params[key] = value;
  }
  return { ok: true, params };
}

interface Found {
  readonly set: string;
  readonly stored: Stored;
  /** Model and key that messages name. */
  readonly model: string;
  readonly key: string;
}

function find(deps: ActionDeps, call: Call, target: Target, action: string, messageModel: string): Found {
  if (target.kind === 'system') {
    deps.guard.demand(call, [{ scope: SYSTEM_SET, action, specific: 'global' }]);
    const stored = deps.view.get('profiles', 'global') as Stored;
    return { set: SYSTEM_SET, stored, model: messageModel, key: 'global' };
  }
  const { definition, typed } = target;
  const { stored } = lookupFor(deps, call, definition, typed, demandOn(definition, action));
  return { set: definition.prefix, stored, model: definition.prefix, key: typed };
}

/** One entry per command whose required params can be had; the first plugin that can serve it. */
export function listActions(
  deps: ActionDeps,
  call: Call,
  target: Target,
  plugin: string | undefined,
): AvailableAction[] {
  const { set, stored } = find(deps, call, target, 'actions', 'profiles');
  const found = new Map<string, AvailableAction>();
  for (const offer of offers(deps, call, set, plugin)) {
    if (!found.has(offer.action.Command) && completeParams(deps, offer, stored, {}).ok)
      found.set(offer.action.Command, offer.action);
  }
  return [...found.values()];
}

/** The action of that name. Unknown: 404; known but without its params: 400. */
export function getAction(
  deps: ActionDeps,
  call: Call,
  target: Target,
  command: string,
  plugin: string | undefined,
): AvailableAction {
  const { set, stored, model, key } = find(deps, call, target, `action:${command}`, 'profiles');
  let reason: string | undefined;
  for (const offer of offers(deps, call, set, plugin)) {
    if (offer.action.Command !== command) continue;
    const completed = completeParams(deps, offer, stored, {});
    if (completed.ok) return offer.action;
    reason ??= completed.reason;
  }
  if (reason !== undefined) throw new Problem('bad-request', reason, { model, key });
  const sentence =
    plugin === undefined ? `${command}: Not Found` : `Action ${command} on ${set} for plugin ${plugin} not found`;
  throw new Problem('not-found', sentence, { model, key });
}

/** Runs a command and resolves to its bare answer. The event goes out first, whatever comes of it. */
export async function runAction(
  deps: ActionDeps,
  call: Call,
  target: Target,
  command: string,
  plugin: string | undefined,
  sent: JsonObject,
): Promise<Json> {
  const { set, stored, model, key } = find(deps, call, target, `action:${command}`, SYSTEM_SET);
  const fail = (message: string): Problem => new Problem('bad-request', message, { model, key, type: 'INVOKE' });
  let reason: string | undefined;
  for (const offer of offers(deps, call, set, plugin)) {
    if (offer.action.Command !== command) continue;
    const completed = completeParams(deps, offer, stored, sent);
    if (!completed.ok) {
      reason ??= completed.reason;
      continue;
    }
    deps.publish({
      type: set,
      action: command,
      key: stored.key,
      object: { Model: stored.value, Plugin: offer.plugin, Command: command, CommandSet: set, Params: sent },
      principal: call.actor.name,
    });
    return offer.provider.invoke({ plugin: offer.plugin, command, set, stored, params: completed.params, call });
  }
  if (reason !== undefined) throw fail(reason);
  if (plugin !== undefined) throw fail(`Action ${command} on ${set} for plugin ${plugin} not found`);
  throw fail(`Action ${command} on ${set}: Not Found`);
}

/** Types with an actions sub-resource. */
export function actionSets(): readonly ModelDefinition[] {
  return Object.values(MODELS).filter((definition) => definition.actions !== undefined);
}
