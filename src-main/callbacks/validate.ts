/** Everything that can be said about a plugin instance without sending anything (service.md, Errors). */
import { X509Certificate } from 'node:crypto';
import type { JsonObject } from '../kit/json.ts';
import { type PluginConfig, readPluginConfig } from './config.ts';
import { parseError } from './render.ts';

interface Validation {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** GetAuthString with a constant name; names that are computed show only when rendered. */
const AUTH_STRING = /\.GetAuthString\s+(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`)/g;

function referenceErrors(config: PluginConfig): string[] {
  const errors: string[] = [];
  for (const callback of config.callbacks.values()) {
    const place = `callback/callbacks: ${callback.action}`;
    for (const name of new Set(callback.auths))
      if (!config.authNames.has(name)) errors.push(`${place}: auth ${JSON.stringify(name)} is not in callback/auths`);
    for (const [, quoted, raw] of callback.url.matchAll(AUTH_STRING)) {
      const name = quoted ?? raw ?? '';
      const auth = config.auths.get(name);
      if (!config.authNames.has(name))
        errors.push(`${place}: Url: GetAuthString ${JSON.stringify(name)} is not in callback/auths`);
      else if (auth && auth.type !== 'exec')
        errors.push(`${place}: Url: GetAuthString ${JSON.stringify(name)} is ${auth.type}; it works with exec only`);
    }
  }
  return errors;
}

/** A Url without template parts must be an address as it stands. */
function urlError(url: string): string | undefined {
  if (url === '') return undefined;
  if (url.includes('{{')) return parseError(url);
  // The text stays out of the message: addresses may carry credentials.
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? undefined : 'not an http or https address';
}

const BEGIN = '-----BEGIN CERTIFICATE-----';
const END = '-----END CERTIFICATE-----';
/** A thousand certificates; all the authorities of an operating system are a few hundred KB. */
const LONGEST_CA = 2 * 1024 * 1024;

/** What lies between BEGIN and END; undefined where one of them has no END of its own. */
function certificatesIn(pem: string): string[] | undefined {
  const blocks: string[] = [];
  for (let begin = pem.indexOf(BEGIN); begin >= 0; ) {
    const end = pem.indexOf(END, begin);
    const next = pem.indexOf(BEGIN, begin + BEGIN.length);
    if (end < 0 || (next >= 0 && next < end)) return undefined;
    blocks.push(pem.slice(begin, end + END.length));
    begin = next;
  }
  return blocks;
}

/** True when the text holds at least one certificate and nothing in it is broken. */
function isCertificateText(pem: string): boolean {
  const blocks = certificatesIn(pem) ?? [];
  try {
    for (const block of blocks) new X509Certificate(block);
  } catch {
    return false;
  }
  return blocks.length > 0;
}

/** The findings on a plugin's Params (secure values opened). Errors make the plugin not Available; it is saved anyway. */
export function validatePlugin(name: string, params: JsonObject): Validation {
  const { config, errors, warnings } = readPluginConfig(name, params);
  for (const callback of config.callbacks.values()) {
    const problem = urlError(callback.url);
    if (problem !== undefined) errors.push(`callback/callbacks: ${callback.action}: Url: ${problem}`);
    if (callback.decode && /^http:/i.test(callback.url))
      warnings.push(`callback/callbacks: ${callback.action}: Decode sends secure params in clear over http`);
  }
  errors.push(...referenceErrors(config));
  if (config.ca.length > LONGEST_CA) errors.push(`callback/ca is longer than ${LONGEST_CA} characters`);
  else if (config.ca !== '' && !isCertificateText(config.ca)) errors.push('callback/ca is not a PEM certificate');
  if (config.insecure) warnings.push('callback/insecure: certificates of external services are not checked');
  return { errors, warnings };
}
