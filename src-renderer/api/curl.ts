/** "Copy as curl": the request a screen sends, as a line a user can run. Tokens never appear in it. Pure. */
import { isSecretName } from '../../src-main/contract/secret-names.ts';
import type { Json } from '../../src-main/kit/json.ts';

export interface RequestLine {
  readonly method: string;
  /** Path with query, from the origin: `/api/v3/users`. */
  readonly path: string;
  readonly body?: Json | undefined;
}

/** A shell line with the token in `$RS_TOKEN`. What the body says under a secret name (password, token, ...) is replaced as well. */
export function curlOf(origin: string, request: RequestLine): string {
  const parts = ['curl --insecure'];
  if (request.method !== 'GET') parts.push(`-X ${request.method}`);
  parts.push('-H "Authorization: Bearer $RS_TOKEN"');
  if (request.body !== undefined) {
    parts.push("-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(request.body, maskSecrets))}`);
  }
  parts.push(quote(origin + request.path));
  return parts.join(' ');
}

/** A replacer of JSON.stringify: `this` is the object the field belongs to. */
function maskSecrets(this: unknown, name: string, value: unknown): unknown {
  const named = name === 'value' ? fieldOfOperation(this) : name;
  return isSecretName(named) && typeof value === 'string' && value !== '' ? '***' : value;
}

/** The field that an operation of a JSON Patch sets; empty: it is none. */
function fieldOfOperation(holder: unknown): string {
  const path = typeof holder === 'object' && holder !== null && 'path' in holder ? holder.path : undefined;
  return typeof path === 'string' ? path.slice(path.lastIndexOf('/') + 1) : '';
}

/** As one word of a shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
