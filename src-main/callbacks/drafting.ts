/** The request of an attempt, or why there is none: templates, the programs they ask for a token, and what went wrong. */
import type { Delivery } from '../contract/deliveries.ts';
import { type AuthOutcome, TemplateError } from '../templates/index.ts';
import { AuthFailure } from './auth/failure.ts';
import type { AuthMethods } from './auth/methods.ts';
import type { PluginEntry } from './config-book.ts';
import { Refused } from './http/failures.ts';
import { createMasker } from './mask.ts';
import type { AttemptResult } from './outcome.ts';
import { type Draft, draftRequest, type RequestPorts } from './request.ts';
import type { Setup } from './setup.ts';
import { type Stop, Stopped } from './stop.ts';

export interface DraftingDeps {
  readonly ports: RequestPorts;
  readonly auth: AuthMethods;
}

export type Drafted = Draft | Extract<AttemptResult, { kind: 'refused' }>;

/**
 * A promise only where something has to be waited for; `waiting` is called before a program is. Throws, or rejects with,
 * Stopped.
 */
export function draftAttempt(
  row: Delivery,
  setup: Setup,
  deps: DraftingDeps,
  stop: Stop,
  waiting: () => void,
): Drafted | Promise<Drafted> {
  const { plugin, callback } = setup;
  const override = row.Override && { value: row.Override.Value };
  const secrets: string[] = [];
  const authString = async (name: string): Promise<AuthOutcome> => {
    waiting();
    const outcome = await outputOf(plugin, name, deps.auth, stop);
    if (outcome.kind === 'ran') secrets.push(outcome.output);
    return outcome;
  };
  const refused = (error: unknown): Drafted => notDrafted(plugin, secrets, error, stop);
  try {
    const input = { plugin: plugin.name, callback, machineId: row.Machine, override, authString, secrets };
    const draft = draftRequest(input, deps.ports);
    return draft instanceof Promise ? draft.catch(refused) : draft;
  } catch (error) {
    return refused(error);
  }
}

function notDrafted(plugin: PluginEntry, secrets: readonly string[], error: unknown, stop: Stop): Drafted {
  if (stop.reason !== undefined) throw new Stopped(stop.reason);
  if (error instanceof TemplateError) return { kind: 'refused', message: templateFailure(error, plugin, secrets) };
  if (error instanceof Refused) return { kind: 'refused', message: error.message };
  throw error;
}

/** What is said about a template that cannot be rendered; Go's words may repeat values. */
export function templateFailure(error: TemplateError, plugin: PluginEntry, secrets: readonly string[]): string {
  return createMasker([...plugin.secrets, ...secrets]).text(`Err: ${error.message}`);
}

async function outputOf(plugin: PluginEntry, name: string, auth: AuthMethods, stop: Stop): Promise<AuthOutcome> {
  const method = plugin.config.auths.get(name);
  if (!method) return { kind: 'unknown' };
  try {
    return { kind: 'ran', output: await auth.authString(plugin.config, name, stop) };
  } catch (error) {
    if (!(error instanceof AuthFailure)) throw error;
    return { kind: 'failed', path: method.type === 'exec' ? method.path : '', output: '', reason: error.message };
  }
}
