/**
 * Configuration of one callback plugin instance, read from its Params (service.md, Callback structure, Auth structure,
 * Parameters). Reading never fails: what is wrong comes back as sentences beside what could be read.
 */
import { isJsonObject, type Json, type JsonObject } from '../kit/json.ts';
import { FieldReader, type Findings, kindOf } from './config-fields.ts';
import { type DeliveryExtras, NO_EXTRAS, readExtras } from './extras.ts';

export interface CallbackConfig {
  readonly action: string;
  /** A template. */
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly retry: number;
  readonly timeoutSeconds: number;
  readonly delaySeconds: number;
  readonly noBody: boolean;
  /** A rendered override is sent as it is, not as a JSON string. */
  readonly rawBody: boolean;
  readonly response: 'base64' | 'json' | 'text';
  /** Auth followed by Auths. */
  readonly auths: readonly string[];
  readonly aggregate: boolean;
  readonly decode: boolean;
  readonly excludeParams: readonly string[];
}

export interface BasicAuth {
  readonly type: 'basic';
  readonly name: string;
  readonly username: string;
  readonly password: string;
}

export interface TokenAuth {
  readonly type: 'json-token';
  readonly name: string;
  readonly url: string;
  readonly method: string;
  readonly data: string;
  readonly query: string;
  readonly tokenField: string;
  /** Empty: the token is not cached. */
  readonly durationField: string;
  readonly retry: number;
  readonly timeoutSeconds: number;
  readonly delaySeconds: number;
}

export interface ExecAuth {
  readonly type: 'exec';
  readonly name: string;
  readonly path: string;
}

export type AuthConfig = BasicAuth | TokenAuth | ExecAuth;

export interface PluginConfig {
  readonly plugin: string;
  readonly callbacks: ReadonlyMap<string, CallbackConfig>;
  readonly auths: ReadonlyMap<string, AuthConfig>;
  /** Names in `callback/auths`, those of unreadable structures included. */
  readonly authNames: ReadonlySet<string>;
  /** Empty: none. */
  readonly proxy: string;
  /** PEM text; empty: the system's authorities alone. */
  readonly ca: string;
  readonly insecure: boolean;
  readonly extras: DeliveryExtras;
}

interface ConfigReading extends Findings {
  readonly config: PluginConfig;
}

export const DEFAULT_TIMEOUT_SECONDS = 7200;
/** What existing services can count, 292 years. Beyond it points in time have no date. */
const MOST_SECONDS = 9_223_372_036;

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

function readMethod(reader: FieldReader, fallback: string): string {
  const text = reader.text('Method').trim();
  if (text === '') return fallback;
  const upper = text.toUpperCase();
  if (KNOWN_METHODS.has(upper)) return upper;
  if (upper === 'CONNECT' || upper === 'TRACE') reader.error(`Method ${upper} cannot be used for a callback`);
  else if (!TOKEN.test(text)) reader.error('Method is not a method of HTTP');
  return text;
}

function readHeaders(reader: FieldReader): Readonly<Record<string, string>> {
  const headers = reader.textMap('Headers');
  for (const [name, value] of Object.entries(headers)) {
    if (!TOKEN.test(name)) reader.error(`Headers: ${JSON.stringify(name)} is not a name of a header`);
    if (!HEADER_VALUE.test(value)) reader.error(`Headers: the value of ${name} has characters a header cannot carry`);
    if (/^(content-length|transfer-encoding|connection|upgrade|keep-alive|expect)$/i.test(name))
      reader.error(`Headers: ${name} is set by the connection itself`);
  }
  return headers;
}

/** Seconds; 0 stands for the default, as existing configurations have it. */
function readTimeout(reader: FieldReader): number {
  return reader.whole('Timeout', DEFAULT_TIMEOUT_SECONDS, 0, MOST_SECONDS) || DEFAULT_TIMEOUT_SECONDS;
}

function readDelay(reader: FieldReader): number {
  return reader.whole('Delay', 0, 0, MOST_SECONDS);
}

function readRetry(reader: FieldReader): number {
  const alias = reader.take('Retries');
  const given = reader.take('Retry');
  if (alias !== undefined) {
    reader.warn(
      given === undefined
        ? 'Retries is read as Retry; rename it'
        : 'Retries is ignored, because Retry is given as well',
    );
  }
  const value = given ?? alias;
  if (value === undefined) return 0;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  const field = given === undefined ? 'Retries' : 'Retry';
  if (typeof value !== 'number') reader.error(`${field} must be a whole number, not ${kindOf(value)}`);
  else if (value < 0) reader.error(`${field} must not be negative, it is ${value}`);
  else reader.error(`${field} must be a whole number, it is ${value}`);
  return 0;
}

function readCallback(action: string, source: JsonObject, findings: Findings): CallbackConfig {
  const reader = new FieldReader(source, `callback/callbacks: ${action}`, findings);
  const url = reader.text('Url').trim();
  if (url === '' && typeof (source['Url'] ?? '') === 'string') reader.error('Url is missing');
  const json = reader.flag('JsonResponse');
  const text = reader.flag('StringResponse');
  if (json && text) reader.warn('JsonResponse and StringResponse are both true; JsonResponse wins');
  const first = reader.text('Auth');
  const config: CallbackConfig = {
    action,
    url,
    method: readMethod(reader, 'POST'),
    headers: readHeaders(reader),
    retry: readRetry(reader),
    timeoutSeconds: readTimeout(reader),
    delaySeconds: readDelay(reader),
    noBody: reader.flag('NoBody'),
    rawBody: reader.flag('RawBody'),
    response: json ? 'json' : text ? 'text' : 'base64',
    auths: [...(first === '' ? [] : [first]), ...reader.texts('Auths').filter((name) => name !== '')],
    aggregate: reader.flag('Aggregate'),
    decode: reader.flag('Decode'),
    excludeParams: reader.texts('ExcludeParams'),
  };
  reader.finish();
  return config;
}

function isHttpAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function readAuth(name: string, source: JsonObject, findings: Findings): AuthConfig | undefined {
  const reader = new FieldReader(source, `callback/auths: ${name}`, findings);
  const type = reader.text('AuthType');
  const common = {
    username: reader.text('Username'),
    password: reader.text('Password'),
    path: reader.text('Path'),
    url: reader.text('Url').trim(),
    data: reader.text('Data'),
    query: reader.text('Query'),
    tokenField: reader.text('TokenField'),
    durationField: reader.text('DurationField'),
    retry: readRetry(reader),
    timeoutSeconds: readTimeout(reader),
    delaySeconds: readDelay(reader),
  };
  const { username, password, path, ...token } = common;
  const method = readMethod(reader, token.data === '' ? 'GET' : 'POST');
  reader.finish();
  switch (type) {
    case 'basic':
      if (username === '') reader.error('Username is missing');
      return { type, name, username, password };
    case 'exec':
      if (path === '') reader.error('Path is missing');
      return { type, name, path };
    case 'json-token':
      if (token.url === '') reader.error('Url is missing');
      else if (!isHttpAddress(token.url)) reader.error('Url is not an http or https address');
      if (token.tokenField === '') reader.error('TokenField is missing');
      return { type, name, method, ...token };
    default:
      reader.error(
        type === ''
          ? 'AuthType is missing'
          : `AuthType ${JSON.stringify(type)} is unknown; use basic, json-token or exec`,
      );
      return undefined;
  }
}

function structures(value: Json | undefined, param: string, findings: Findings): [string, JsonObject][] {
  if (value === undefined || value === null) return [];
  if (!isJsonObject(value)) {
    findings.errors.push(`${param} must be a map of named structures, not ${kindOf(value)}`);
    return [];
  }
  const list: [string, JsonObject][] = [];
  for (const [name, item] of Object.entries(value)) {
    if (isJsonObject(item)) list.push([name, item]);
    else findings.errors.push(`${param}: ${name} must be an object, not ${kindOf(item)}`);
  }
  return list;
}

const hasMoreThanOrigin = ({ pathname, search, hash }: URL): boolean =>
  pathname !== '/' || search !== '' || hash !== '';

function readProxy(reader: FieldReader): string {
  const proxy = reader.text('callback/proxy').trim();
  if (proxy === '') return proxy;
  if (!isHttpAddress(proxy)) reader.error('callback/proxy must look like http://host:port');
  else if (hasMoreThanOrigin(new URL(proxy)))
    reader.error('callback/proxy must look like http://host:port, without a path, query or fragment');
  return proxy;
}

/** Reads everything a plugin instance configures. References between structures are checked in validate.ts. */
export function readPluginConfig(plugin: string, params: JsonObject): ConfigReading {
  const findings: Findings = { errors: [], warnings: [] };
  const callbacks = new Map<string, CallbackConfig>();
  for (const [action, source] of structures(params['callback/callbacks'], 'callback/callbacks', findings))
    callbacks.set(action, readCallback(action, source, findings));
  const auths = new Map<string, AuthConfig>();
  const authNames = new Set<string>();
  for (const [name, source] of structures(params['callback/auths'], 'callback/auths', findings)) {
    authNames.add(name);
    const auth = readAuth(name, source, findings);
    if (auth) auths.set(name, auth);
  }
  if (Object.hasOwn(params, 'callback/data-override'))
    findings.errors.push('callback/data-override is an argument of the action, it cannot be configured');
  const top = new FieldReader(params, 'Params', findings);
  const extras = params['callback/delivery'];
  if (extras !== undefined && extras !== null && !isJsonObject(extras))
    findings.errors.push(`callback/delivery must be an object, not ${kindOf(extras)}`);
  const config: PluginConfig = {
    plugin,
    callbacks,
    auths,
    authNames,
    proxy: readProxy(top),
    ca: top.text('callback/ca'),
    insecure: top.flag('callback/insecure'),
    extras: isJsonObject(extras) ? readExtras(new FieldReader(extras, 'callback/delivery', findings)) : NO_EXTRAS,
  };
  return { config, ...findings };
}
