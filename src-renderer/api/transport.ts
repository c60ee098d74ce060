/** One request to our own origin, and nothing but that: no session, no retry, no cache. */
import type { ErrorBody } from '../../src-main/contract/errors.ts';
import type { Json } from '../../src-main/kit/json.ts';
import { ApiError, classify } from './errors.ts';
import { type RowReading, readRows } from './rows.ts';

export interface Sent {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From the origin, with query. */
  readonly path: string;
  readonly body?: Json | undefined;
  readonly authorization?: string | undefined;
  readonly ifMatch?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Answer<T> {
  readonly value: T;
  readonly etag: string | undefined;
  /** `X-DRP-LIST-TOTAL-COUNT`: objects the tenant shows, before filters. Lists only. */
  readonly total: number | undefined;
}

/** Sends and decodes JSON. Throws ApiError for every answer from 400 on, and when there is none. */
export async function send<T>(request: Sent): Promise<Answer<T>> {
  const response = await exchange(request);
  const text = await response.text();
  return answerWith((text === '' ? null : JSON.parse(text)) as T, response);
}

/** The same for a list, read row by row: a long one must not stop the window. */
export async function sendForRows<T extends object>(
  request: Sent,
  known?: ReadonlyMap<string, T>,
): Promise<Answer<RowReading<T>>> {
  const response = await exchange(request);
  try {
    return answerWith(await readRows<T>(response.body ?? new Blob(['[]']).stream(), known), response);
  } catch (error) {
    if (request.signal?.aborted) throw error;
    // The connection broke inside of the answer.
    throw new ApiError({ kind: 'unreachable' }, 0, lineOf(request));
  }
}

const lineOf = ({ method, path, body }: Sent) => ({ method, path, body });

function answerWith<T>(value: T, { headers }: Response): Answer<T> {
  const total = headers.get('x-drp-list-total-count');
  return { value, etag: headers.get('etag') ?? undefined, total: total === null ? undefined : Number(total) };
}

/** Sends; answers below 400 come back unread. */
async function exchange(request: Sent): Promise<Response> {
  const line = lineOf(request);
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (request.authorization !== undefined) headers['Authorization'] = request.authorization;
  if (request.body !== undefined) headers['Content-Type'] = 'application/json';
  if (request.ifMatch !== undefined) headers['If-Match'] = request.ifMatch;
  let response: Response;
  try {
    response = await fetch(request.path, {
      method: request.method,
      headers,
      credentials: 'omit',
      cache: 'no-store',
      body: request.body === undefined ? null : JSON.stringify(request.body),
      signal: request.signal ?? null,
    });
  } catch (error) {
    if (request.signal?.aborted) throw error;
    throw new ApiError({ kind: 'unreachable' }, 0, line);
  }
  if (response.status < 400) return response;
  const body = parseErrorBody(await response.text());
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const failure = classify(response.status, body, Number.isFinite(retryAfter) ? retryAfter : undefined);
  throw new ApiError(
    failure,
    response.status,
    line,
    body?.RequestId ?? response.headers.get('x-request-id') ?? undefined,
  );
}

function parseErrorBody(text: string): ErrorBody | undefined {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null || !('Messages' in body) || !Array.isArray(body.Messages)) return;
    return body as ErrorBody;
  } catch {
    return undefined;
  }
}
