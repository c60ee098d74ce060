/**
 * Keeps secrets out of what is recorded and shown: values that are known to be secret wherever they stand, and values
 * whose name says so. Masks first and cuts afterwards, so that no half of a secret survives at an edge.
 */
import { isSecretHeader, isSecretName, SECRET_NAME_PATTERN } from '../contract/secret-names.ts';
import type { Json } from '../kit/json.ts';
import type { PluginConfig } from './config.ts';
import { percentDecoded } from './http/user-info.ts';

export const MASK = '***';

// The names are bounded, so that hostile text cannot make the search expensive.
const JSON_VALUE = new RegExp(
  `("[^"\\\\]{0,128}(?:${SECRET_NAME_PATTERN})[^"\\\\]{0,128}"\\s*:\\s*)("(?:[^"\\\\]|\\\\.)*"?|-?\\d[\\d.eE+-]*)`,
  'gi',
);
/** The same inside a JSON text that is itself a JSON string. */
const ESCAPED_VALUE = new RegExp(
  `(\\\\"[^"\\\\]{0,128}(?:${SECRET_NAME_PATTERN})[^"\\\\]{0,128}\\\\"\\s*:\\s*\\\\")(?:(?!\\\\")[^"])*`,
  'gi',
);
const FORM_VALUE = new RegExp(
  `((?:^|[?&\\s])[\\w.%-]{0,64}(?:${SECRET_NAME_PATTERN})[\\w.%-]{0,64}=)[^&\\s"'<#\\\\]*`,
  'gi',
);
const USER_INFO = /(\/\/)[^/?#\s@"]*@/g;

/** Values shorter than this are not searched for: the text would be unreadable, and nothing is gained. */
const SHORTEST = 3;

export interface Masker {
  text(text: string): string;
  /** Values under names that say so become the mask, texts are masked as texts. */
  json(value: Json): Json;
  header(name: string, value: string): string;
  /** The first `limit` characters of a long text, masked. */
  excerpt(body: string | Buffer, limit: number): string;
}

/** Every form in which a value may come back: as it is, in JSON, in an address, in a form, in base64. */
function formsOf(value: string): string[] {
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value.toWellFormed()),
    new URLSearchParams({ v: value }).toString().slice(2),
    Buffer.from(value).toString('base64'),
  ];
}

/** Up to `bytes` of a text in UTF-8, without the half of a character at its end. */
function beginningOf(body: Buffer, bytes: number): string {
  const given = body.toString('utf8', 0, bytes);
  return bytes < body.length ? given.replace(/\uFFFD$/, '') : given;
}

export function createMasker(secrets: Iterable<string>): Masker {
  const forms = new Set<string>();
  for (const secret of secrets) if (secret.length >= SHORTEST) for (const form of formsOf(secret)) forms.add(form);
  const known = [...forms].sort((a, b) => b.length - a.length);
  const longest = known[0]?.length ?? 0;

  const text = (given: string): string => {
    let out = given;
    for (const secret of known) if (out.includes(secret)) out = out.replaceAll(secret, MASK);
    if (out.includes('@')) out = out.replace(USER_INFO, `$1${MASK}@`);
    // Most texts name nothing secret: one look instead of three searches.
    if (!isSecretName(out)) return out;
    if (out.includes('"')) out = out.replace(JSON_VALUE, (_all, name: string) => `${name}"${MASK}"`);
    if (out.includes('\\"')) out = out.replace(ESCAPED_VALUE, (_all, name: string) => name + MASK);
    if (out.includes('=')) out = out.replace(FORM_VALUE, (_all, name: string) => name + MASK);
    return out;
  };
  const json = (value: Json): Json => {
    if (typeof value === 'string') return text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(json);
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        isSecretName(name) && (typeof item === 'string' || typeof item === 'number') ? MASK : json(item),
      ]),
    );
  };
  return {
    text,
    json,
    header: (name, value) => (isSecretHeader(name) ? MASK : text(value)),
    excerpt(body, limit) {
      const window = limit + longest;
      const isWhole = body.length <= window;
      const given = typeof body === 'string' ? body.slice(0, window) : beginningOf(body, window);
      const masked = text(given);
      // What is left of the window's last characters may be the beginning of a secret.
      const safe = isWhole ? masked.length : Math.max(0, masked.length - longest);
      return masked.slice(0, Math.min(limit, safe));
    },
  };
}

/** Everything in a plugin's configuration that must not be seen. */
export function secretsOf(config: PluginConfig): string[] {
  const secrets = [...config.extras.signingSecrets];
  for (const auth of config.auths.values()) {
    if (auth.type === 'basic') secrets.push(auth.password, `${auth.username}:${auth.password}`);
    if (auth.type === 'json-token') secrets.push(auth.data, auth.query);
  }
  if (config.proxy !== '' && URL.canParse(config.proxy)) secrets.push(percentDecoded(new URL(config.proxy).password));
  for (const callback of config.callbacks.values())
    for (const [name, value] of Object.entries(callback.headers)) if (isSecretHeader(name)) secrets.push(value);
  return secrets.filter((secret) => secret !== '');
}
