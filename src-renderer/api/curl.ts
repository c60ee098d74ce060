/** "Copy as curl": the request a screen sends, as a line a user can run. Tokens never appear in it. Pure. */
import type { Json } from '../../src-main/kit/json.ts';

export interface RequestLine {
  readonly method: string;
  /** Path with query, from the origin: `/api/v3/users`. */
  readonly path: string;
  readonly body?: Json | undefined;
}

/** A shell line with the token in `$RS_TOKEN`. A password in the body is replaced as well. */
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

const SECRET_NAMES = new Set(['password', 'secret', 'passwordhash']);

function maskSecrets(name: string, value: unknown): unknown {
  return SECRET_NAMES.has(name.toLowerCase()) && typeof value === 'string' && value !== '' ? '***' : value;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
