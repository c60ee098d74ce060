/**
 * The fields of a callback or auth structure as a form edits them: a field not set is not stored, so that the default stays the
 * default; what the form does not know is kept. Field names are found in any letter case, as the service reads them. Pure.
 */
import { isJsonObject, type Json, type JsonObject } from '../../../src-main/kit/json.ts';
import { duration } from '../../ui/time.ts';

export const DEFAULT_TIMEOUT = 7200;

function keyOf(source: JsonObject, name: string): string | undefined {
  if (Object.hasOwn(source, name)) return name;
  const wanted = name.toLowerCase();
  return Object.keys(source).find((key) => key.toLowerCase() === wanted);
}

/** Undefined when not set; null counts as not set. */
export function fieldOf(source: JsonObject, name: string): Json | undefined {
  const key = keyOf(source, name);
  return key === undefined ? undefined : (source[key] ?? undefined);
}

/** Sets a field in its place, or removes it. */
export function withField(source: JsonObject, name: string, value: Json | undefined): JsonObject {
  const key = keyOf(source, name);
  if (key === undefined) return value === undefined ? source : { ...source, [name]: value };
  return Object.fromEntries(
    Object.entries(source).flatMap(([at, old]) =>
      at !== key ? [[at, old]] : value === undefined ? [] : [[at, value]],
    ),
  );
}

export function textOf(source: JsonObject, name: string): string {
  const value = fieldOf(source, name);
  return typeof value === 'string' ? value : '';
}

export function numberOf(source: JsonObject, name: string): number | undefined {
  const value = fieldOf(source, name);
  return typeof value === 'number' ? value : undefined;
}

export function flagOf(source: JsonObject, name: string): boolean {
  return fieldOf(source, name) === true;
}

export function textsOf(source: JsonObject, name: string): string[] {
  const value = fieldOf(source, name);
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

export function headersOf(source: JsonObject): [string, string][] {
  const value = fieldOf(source, 'Headers');
  return isJsonObject(value)
    ? Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string')
    : [];
}

/** The methods in the order they are tried: Auth, then Auths. */
export function authsOf(source: JsonObject): string[] {
  const first = textOf(source, 'Auth');
  return [...(first === '' ? [] : [first]), ...textsOf(source, 'Auths')].filter((name) => name !== '');
}

export function withAuths(source: JsonObject, [first, ...rest]: readonly string[]): JsonObject {
  return withField(withField(source, 'Auth', first), 'Auths', rest.length === 0 ? undefined : rest);
}

export type ResponseChoice = 'base64' | 'json' | 'string';

export function responseOf(source: JsonObject): ResponseChoice {
  return flagOf(source, 'JsonResponse') ? 'json' : flagOf(source, 'StringResponse') ? 'string' : 'base64';
}

export function withResponse(source: JsonObject, choice: ResponseChoice): JsonObject {
  const json = withField(source, 'JsonResponse', choice === 'json' ? true : undefined);
  return withField(json, 'StringResponse', choice === 'string' ? true : undefined);
}

/** Some configurations say Retries; the service reads it as Retry. */
export function storedAsRetries(source: JsonObject): boolean {
  return fieldOf(source, 'Retry') === undefined && fieldOf(source, 'Retries') !== undefined;
}

export function retryRenamed(source: JsonObject): JsonObject {
  if (!storedAsRetries(source)) return source;
  return withField(withField(source, 'Retries', undefined), 'Retry', fieldOf(source, 'Retries'));
}

/** What Retry, Delay and Timeout come to, in one sentence. Seconds. */
export function scheduleOf(source: JsonObject): string {
  const retry = numberOf(source, storedAsRetries(source) ? 'Retries' : 'Retry') ?? 0;
  const delay = numberOf(source, 'Delay') ?? 0;
  const timeout = numberOf(source, 'Timeout') || DEFAULT_TIMEOUT;
  const attempts = retry + 1;
  if (attempts === 1) return `1 attempt; it is given up after ${seconds(timeout)}.`;
  const waiting = retry * delay;
  const all = `Up to ${attempts.toLocaleString()} attempts, ${seconds(waiting)} of waiting between them`;
  if (waiting < timeout) return `${all}; given up after ${seconds(timeout)} in all.`;
  const reached = Math.ceil(timeout / delay);
  return `${all}, but Timeout ${seconds(timeout)} ends it after attempt ${reached.toLocaleString()}.`;
}

/** `7200 s (2 h)`; seconds alone where nothing is gained. */
function seconds(value: number): string {
  return value < 120 ? `${value} s` : `${value.toLocaleString()} s (${duration(value)})`;
}
