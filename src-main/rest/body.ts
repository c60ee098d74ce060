/** JSON bodies: what clients may send, and what is refused before anybody looks at it. */
import { Problem } from '../contract/errors.ts';
import { isJsonObject, type JsonObject } from '../kit/json.ts';

/** Names that would reach a prototype if copied carelessly; no object of the API has them. */
const FORBIDDEN_KEYS = new Set(['__proto__']);
const MAX_DEPTH = 200;

function check(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_DEPTH) throw new Problem('malformed-json', `The body is nested deeper than ${MAX_DEPTH} levels`);
  for (const key of Object.keys(value)) {
    if (FORBIDDEN_KEYS.has(key)) throw new Problem('malformed-json', `The body has a member named ${key}`);
    check((value as Record<string, unknown>)[key], depth + 1);
  }
}

/** An escape that may be half of a pair; only then is a value looked through. */
const SURROGATE = /\\u[dD][89a-fA-F]/;

/** Half a surrogate pair is no character: no client could write it down again. It becomes U+FFFD, as Go reads it. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key.toWellFormed(), wellFormed(member)]));
}

/** Parses a body; empty: undefined. Throws Problem `wrong-content-type` or `malformed-json`. */
export function parseJson(body: Buffer | undefined, contentType: string | undefined): unknown {
  if (!contentType?.toLowerCase().includes('application/json')) {
    throw new Problem('wrong-content-type', `Invalid content type: ${contentType ?? ''}`);
  }
  if (!body || body.length === 0) return undefined;
  const text = body.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Problem('malformed-json', error instanceof Error ? error.message : 'The body is no JSON');
  }
  check(value, 0);
  return SURROGATE.test(text) ? wellFormed(value) : value;
}

/** A body, or a part of one, that has to be a JSON object; `what` names it. Throws Problem `malformed-json`. */
export function jsonObject(value: unknown, what = 'The body'): JsonObject {
  if (!isJsonObject(value)) throw new Problem('malformed-json', `${what} must be a JSON object`);
  return value;
}

/** A member that has to be there and say something. Throws Problem `bad-request`. */
export function requiredText(body: JsonObject, name: string): string {
  const value = body[name];
  if (typeof value !== 'string' || value === '') throw new Problem('bad-request', `${name} must be text and not empty`);
  return value;
}
