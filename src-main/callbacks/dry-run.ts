/** Shows what would be sent, and sends nothing: no request, no token, no program. Secrets are masked. */
import type { JsonObject } from '../kit/json.ts';
import { type AuthOutcome, TemplateError } from '../templates/index.ts';
import { templateFailure } from './drafting.ts';
import { checkHost } from './http/connect.ts';
import { Refused } from './http/failures.ts';
import { createMasker, MASK } from './mask.ts';
import type { CallbackArguments, CallbackPorts } from './ports.ts';
import { addressRequest, type Draft, draftRequest } from './request.ts';
import type { Setup } from './setup.ts';

/** Stands for the id that a delivery gets when it is made. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * `{Method, Url, Headers, Body, Auth, Auths, Egress}`: Body is the text that would be sent, null for none; Auth the method
 * that would be asked first; Egress why the address would be refused, as far as it shows without resolving it.
 * Rejects with Refused.
 */
export async function dryRun(
  setup: Setup,
  machineId: string,
  override: CallbackArguments['override'],
  ports: CallbackPorts,
): Promise<JsonObject> {
  const { plugin, callback, methods } = setup;
  const secrets: string[] = [];
  const authString = (name: string): Promise<AuthOutcome> =>
    Promise.resolve(plugin.config.auths.has(name) ? { kind: 'ran', output: MASK } : { kind: 'unknown' });
  let draft: Draft;
  try {
    draft = await draftRequest({ plugin: plugin.name, callback, machineId, override, authString, secrets }, ports);
  } catch (error) {
    throw error instanceof TemplateError ? new Refused(templateFailure(error, plugin, secrets)) : error;
  }
  const masker = createMasker([...plugin.secrets, ...secrets]);
  const first = methods[0];
  const bearer = `Bearer ${MASK}`;
  const authHeaders: Record<string, string> =
    first === undefined
      ? {}
      : first.type === 'basic'
        ? { Authorization: `Basic ${MASK}` }
        : { Authorization: bearer, Authentication: bearer };
  const { request } = addressRequest(draft, callback, {
    id: NO_ID,
    attempt: 1,
    timestamp: Math.floor(ports.clock.now() / 1000),
    signingSecrets: plugin.config.extras.signingSecrets,
    authHeaders,
  });
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, masker.header(name, value)]),
  );
  return {
    Method: request.method,
    Url: masker.text(request.target.href),
    Headers: headers,
    Body: draft.body === undefined ? null : masker.text(draft.body),
    Auth: first?.name ?? '',
    Auths: methods.map((method) => method.name),
    Egress: egressOf(setup, request.target.hostname),
  };
}

function egressOf({ plugin }: Setup, hostname: string): string {
  try {
    checkHost(plugin.transport.egress, hostname);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}
