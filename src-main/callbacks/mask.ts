/**
 * Keeps secrets out of what is recorded and shown: values that are known to be secret wherever they stand, and values
 * whose name says so. Masks first and cuts afterwards, so that no half of a secret survives at an edge.
 */
import { isSecretHeader, isSecretName, SECRET_NAME_PATTERN } from '../contract/secret-names.ts';
import { goPrint } from '../kit/go-text.ts';
import type { Json } from '../kit/json.ts';
import { writtenForms } from '../templates/index.ts';
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
/** The same for numbers, in digits, and for lines of longer texts. */
const SHORTEST_NUMBER = 4;
const SHORTEST_LINE = 4;

export interface Masker {
  text(text: string): string;
  /** Values under names that say so become the mask, texts are masked as texts. */
  json(value: Json): Json;
  header(name: string, value: string): string;
  /** The first `limit` characters of a long text, masked. */
  excerpt(body: string | Buffer, limit: number): string;
}

/** Letters and digits are written the same way everywhere. */
const PLAIN = /^[\w.~-]*$/;

const jsonOf = (value: string): string => JSON.stringify(value).slice(1, -1);

/** What the parser of addresses makes of it in a path and in a query. */
function addressForms(value: string): string[] {
  return ['http://h/', 'http://h/?'].flatMap((start) => {
    if (!URL.canParse(start + value)) return [];
    const url = new URL(start + value);
    url.hash = '';
    return url.href.slice(start.length);
  });
}

/**
 * Every form in which a value may come back: as it is, as a template writes it, in JSON (once and twice, since a template may
 * write JSON and is sent as a JSON string), in an address, in a form.
 */
function formsOf(value: string): string[] {
  if (PLAIN.test(value)) return [value];
  const texts = [value, jsonOf(value), ...writtenForms(value)];
  const form = new URLSearchParams({ v: value }).toString().slice(2);
  return [...texts, ...texts.map(jsonOf), encodeURIComponent(value.toWellFormed()), form, ...addressForms(value)];
}

/** YAML indents the lines of a text: each of them is looked for by itself, as it is and as it stands in JSON. */
function formsOfLines(value: string): string[] {
  if (!value.includes('\n')) return [];
  return value.split('\n').flatMap((indented) => {
    const line = indented.trim();
    if (line.length < SHORTEST_LINE) return [];
    return PLAIN.test(line) ? line : [line, jsonOf(line), jsonOf(jsonOf(line))];
  });
}

function allForms(secrets: Iterable<string>): Set<string> {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (secret.length < SHORTEST) continue;
    for (const form of formsOf(secret)) forms.add(form);
    for (const form of formsOfLines(secret)) forms.add(form);
    forms.add(Buffer.from(secret).toString('base64'));
  }
  // Parsers of addresses take characters away.
  for (const form of forms) if (form.length < SHORTEST) forms.delete(form);
  return forms;
}

/** Up to this many are looked for one after the other, which the platform is quick at; more of them all at once. */
const FEW = 64;

/** Whether one of `secrets`, all of this length, stands there. A comparison with one ends at the first difference. */
function standsAt(text: string, at: number, length: number, secrets: ReadonlySet<string>): boolean {
  if (secrets.size > 1) return secrets.has(text.slice(at, at + length));
  for (const only of secrets) return text.startsWith(only, at);
  return false;
}

/** Puts the mask in the place of each of `known`, which begins with the longest. The time grows with the text alone. */
function replacer(known: readonly string[]): (text: string) => string {
  if (known.length <= FEW)
    return (given) => {
      let out = given;
      for (const secret of known) if (out.includes(secret)) out = out.replaceAll(secret, MASK);
      return out;
    };
  // By how they begin, then by length: lines of one secret often begin alike.
  const byStart = new Map<string, Map<number, Set<string>>>();
  for (const secret of known) {
    const start = secret.slice(0, SHORTEST);
    const byLength = byStart.get(start) ?? new Map<number, Set<string>>();
    byStart.set(start, byLength);
    byLength.set(secret.length, (byLength.get(secret.length) ?? new Set()).add(secret));
  }
  return (given) => {
    let out = '';
    let from = 0;
    for (let at = 0; at + SHORTEST <= given.length; at++) {
      for (const [length, secrets] of byStart.get(given.slice(at, at + SHORTEST)) ?? []) {
        if (!standsAt(given, at, length, secrets)) continue;
        out += given.slice(from, at) + MASK;
        from = at + length;
        at = from - 1;
        break;
      }
    }
    return out + given.slice(from);
  };
}

/** Up to `bytes` of a text in UTF-8, without the half of a character at its end. */
function beginningOf(body: Buffer, bytes: number): string {
  const given = body.toString('utf8', 0, bytes);
  return bytes < body.length ? given.replace(/\uFFFD$/, '') : given;
}

export function createMasker(secrets: Iterable<string>): Masker {
  const known = [...allForms(secrets)].sort((a, b) => b.length - a.length);
  const replace = replacer(known);
  const longest = known[0]?.length ?? 0;

  const text = (given: string): string => {
    let out = replace(given);
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

/** The texts in an opened secure value, and its numbers as JSON and as templates write them. */
export function secretsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') {
    const digits = String(value).replace(/\D/g, '').length;
    return digits < SHORTEST_NUMBER ? [] : [String(value), goPrint(value)];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(secretsIn) : [];
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
