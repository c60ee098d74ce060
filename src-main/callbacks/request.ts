/**
 * Builds the request of one attempt: machine, params, override, body, Url, headers (wire-format.md 13). The order is that of
 * existing services: an error in the body hides an error in the Url.
 */
import { isSecretHeader } from '../contract/secret-names.ts';
import type { JsonObject } from '../kit/json.ts';
import type { AuthOutcome } from '../templates/index.ts';
import type { CallbackConfig } from './config.ts';
import { Refused } from './http/failures.ts';
import { type HttpRequest, type Target, targetOf } from './http/send.ts';
import { takeUserInfo } from './http/user-info.ts';
import { secretsIn } from './mask.ts';
import type { CallbackArguments, CallbackPorts } from './ports.ts';
import { isTemplate, type RenderContext, renderText } from './render.ts';
import { signatureHeaders } from './signing.ts';

export type RequestPorts = Pick<CallbackPorts, 'machine' | 'machineParams' | 'isSecureParam' | 'paramDefault' | 'info'>;

export interface Draft {
  readonly target: Target;
  /** For credentials in the address; undefined: none. */
  readonly authorization: string | undefined;
  readonly body: string | undefined;
  /** Opened secure values and tokens that went in, for masking. */
  readonly secrets: readonly string[];
}

interface DraftInput {
  readonly plugin: string;
  readonly callback: CallbackConfig;
  readonly machineId: string;
  readonly override: CallbackArguments['override'];
  readonly authString: (name: string) => Promise<AuthOutcome>;
  /** Collects what goes in and must not be seen; also of a request that does not come about. */
  readonly secrets: string[];
}

function openedSecrets(params: JsonObject, ports: RequestPorts): string[] {
  return Object.entries(params).flatMap(([name, value]) => (ports.isSecureParam(name) ? secretsIn(value) : []));
}

interface Address {
  readonly target: Target;
  readonly authorization: string | undefined;
}

/** Most Urls are no templates: what they name is found out once. */
const ADDRESSES = new Map<string, Address>();
const ADDRESSES_KEPT = 256;

/** The address a rendered Url names. Its text stays out of the message: it may carry secrets. */
function addressOf(text: string): Address {
  const known = ADDRESSES.get(text);
  if (known) return known;
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) throw new Refused('Url does not render to an address');
  const { url, authorization } = takeUserInfo(new URL(trimmed));
  if (!/^https?:$/.test(url.protocol)) throw new Refused('Url does not render to an http or https address');
  const address = { target: targetOf(url), authorization };
  if (ADDRESSES.size >= ADDRESSES_KEPT) ADDRESSES.clear();
  ADDRESSES.set(text, address);
  return address;
}

/**
 * What does not depend on the attempt; a promise only where a template has to be rendered. Throws, or rejects with, Refused
 * or TemplateError: nothing was sent, and repeating cannot help.
 */
export function draftRequest(input: DraftInput, ports: RequestPorts): Draft | Promise<Draft> {
  const { callback, override } = input;
  const stored = ports.machine(input.machineId);
  if (!stored) throw new Refused(`machine ${input.machineId} does not exist any more`);
  const overridden = override !== undefined && !callback.noBody;
  const aggregate = overridden || callback.aggregate;
  const decode = overridden || callback.decode;
  let params = ports.machineParams(input.machineId, { aggregate, decode });
  if (decode) for (const secret of openedSecrets(params, ports)) input.secrets.push(secret);
  if (!overridden && callback.excludeParams.length > 0) {
    const excluded = new Set(callback.excludeParams);
    params = Object.fromEntries(Object.entries(params).filter(([name]) => !excluded.has(name)));
  }
  const machine = { ...stored, Params: params };
  const template = callback.noBody || typeof override?.value !== 'string' ? undefined : override.value;
  if (template !== undefined || isTemplate(callback.url)) return renderDraft(input, machine, template, ports);
  const body = callback.noBody ? undefined : JSON.stringify(override ? override.value : machine);
  return { ...addressOf(callback.url), body, secrets: input.secrets };
}

async function renderDraft(
  { callback, plugin, authString, override, secrets }: DraftInput,
  machine: JsonObject,
  template: string | undefined,
  ports: RequestPorts,
): Promise<Draft> {
  const context: RenderContext = { machine, info: ports.info(), plugin, paramDefault: ports.paramDefault, authString };
  let body: string | undefined;
  if (template !== undefined) {
    const text = await renderText(template, context);
    body = callback.rawBody ? text : JSON.stringify(text);
  } else if (!callback.noBody) body = JSON.stringify(override ? override.value : machine);
  return { ...addressOf(await renderText(callback.url, context)), body, secrets };
}

interface Envelope {
  readonly id: string;
  readonly attempt: number;
  /** Seconds since 1970, for the signature. */
  readonly timestamp: number;
  readonly signingSecrets: readonly string[];
  readonly authHeaders: Readonly<Record<string, string>>;
}

export interface Addressed {
  readonly request: HttpRequest;
  /** The request carries something that only its own origin may see. */
  readonly credentials: boolean;
}

type HeaderMap = Map<string, [string, string]>;

/** Sets a header whatever its letter case was before. */
function setHeader(headers: HeaderMap, name: string, value: string): void {
  headers.set(name.toLowerCase(), [name, value]);
}

interface ConfiguredHeaders {
  readonly all: HeaderMap;
  /** The same, ready to be sent. */
  readonly ready: Readonly<Record<string, string>>;
  readonly secret: boolean;
}

/** What the configuration alone decides about the headers is found out once: with a body, and without. */
const CONFIGURED = new WeakMap<CallbackConfig, { with?: ConfiguredHeaders; without?: ConfiguredHeaders }>();

function configuredHeaders(callback: CallbackConfig, hasBody: boolean): ConfiguredHeaders {
  let known = CONFIGURED.get(callback);
  if (!known) {
    known = {};
    CONFIGURED.set(callback, known);
  }
  const kind = hasBody ? 'with' : 'without';
  known[kind] ??= readHeaders(callback, hasBody);
  return known[kind];
}

function readHeaders(callback: CallbackConfig, hasBody: boolean): ConfiguredHeaders {
  const all: HeaderMap = new Map();
  setHeader(all, 'Accept', 'application/json');
  if (hasBody) setHeader(all, 'Content-Type', 'application/json; charset=utf-8');
  for (const [name, value] of Object.entries(callback.headers)) setHeader(all, name, value);
  // They are set for each attempt, over everything.
  all.delete('x-delivery-id');
  all.delete('x-delivery-attempt');
  return { all, ready: Object.fromEntries(all.values()), secret: [...all.keys()].some(isSecretHeader) };
}

/** The finished request. Credentials of the auth method win over configured headers, the delivery headers over everything. */
export function addressRequest(draft: Draft, callback: CallbackConfig, envelope: Envelope): Addressed {
  const configured = configuredHeaders(callback, draft.body !== undefined);
  const own = { 'X-Delivery-Id': envelope.id, 'X-Delivery-Attempt': String(envelope.attempt) };
  const added = addedHeaders(draft, envelope);
  const body = draft.body === undefined ? undefined : Buffer.from(draft.body);
  const request = { method: callback.method, target: draft.target, body };
  // What stands in the address alone does not travel on: a redirect has its own.
  const opened = body !== undefined && draft.secrets.length > 0;
  if (added.length === 0)
    return {
      request: { ...request, headers: { ...configured.ready, ...own } },
      credentials: configured.secret || opened,
    };
  const all: HeaderMap = new Map(configured.all);
  for (const [name, value] of added) setHeader(all, name, value);
  const headers = { ...Object.fromEntries(all.values()), ...own };
  const credentials = opened || envelope.signingSecrets.length > 0 || [...all.keys()].some(isSecretHeader);
  return { request: { ...request, headers }, credentials };
}

/** Headers that differ from attempt to attempt: credentials and signatures. */
function addedHeaders(draft: Draft, envelope: Envelope): (readonly [string, string])[] {
  const { id, timestamp, signingSecrets, authHeaders } = envelope;
  const added: (readonly [string, string])[] = [];
  if (draft.authorization !== undefined) added.push(['Authorization', draft.authorization]);
  for (const name in authHeaders) added.push([name, authHeaders[name] ?? '']);
  if (signingSecrets.length > 0) added.push(...signatureHeaders(signingSecrets, id, timestamp, draft.body ?? ''));
  return added;
}

/** `callback/action` and `callback/data-override` as the action got them. Undefined when the action is not named. */
export function readArguments(params: JsonObject): CallbackArguments | undefined {
  const action = params['callback/action'];
  if (typeof action !== 'string' || action === '') return undefined;
  const value = params['callback/data-override'];
  return value === undefined ? { action } : { action, override: { value } };
}
