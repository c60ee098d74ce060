/** The API as the runner uses it: JSON over HTTPS, patient while the server restarts. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { API_PREFIX } from '../contract/api-prefix.ts';
import type { ErrorBody } from '../contract/errors.ts';
import type { JsonObject } from '../kit/json.ts';
import type { PatchOperation } from '../kit/json-patch.ts';

/** The server refused. */
export class Refused extends Error {
  readonly status: number;
  readonly messages: readonly string[];
  constructor(method: string, path: string, status: number, messages: readonly string[]) {
    super(`${method} ${path}: ${status}${messages.length > 0 ? ` ${messages.join('; ')}` : ''}`);
    this.name = 'Refused';
    this.status = status;
    this.messages = messages;
  }
}

/** No answer came; whether the request was carried out is not known. */
export class Unreachable extends Error {
  constructor(endpoint: string, cause: unknown) {
    super(`${endpoint} cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'Unreachable';
  }
}

export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
}

interface ApiClientOptions {
  /** `https://HOST:PORT`. */
  readonly endpoint: string;
  readonly token: string;
  /** Certificates to trust, PEM; without them any certificate is taken. */
  readonly ca: string | undefined;
  readonly signal: AbortSignal;
  /** How long a server that is down is waited for. Default 60 s. */
  readonly patienceMs?: number;
  /** Hears once of each wait for a server that is down. */
  readonly onWaiting?: (failure: Error) => void;
}

export interface ApiClient {
  readonly endpoint: string;
  get(path: string): Promise<unknown>;
  /** As `get`; undefined when the server says 404. */
  find(path: string): Promise<unknown>;
  post(path: string, body: JsonObject): Promise<ApiAnswer>;
  patch(path: string, operations: readonly PatchOperation[]): Promise<unknown>;
  putBytes(path: string, bytes: Buffer): Promise<void>;
  close(): Promise<void>;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT';

const RETRY_EVERY_MS = 500;
const PATIENCE_MS = 60_000;
/** Errors that come before anything was sent. */
const NOT_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

function messagesOf(body: unknown): readonly string[] {
  const messages = typeof body === 'object' && body !== null ? (body as Partial<ErrorBody>).Messages : undefined;
  return Array.isArray(messages) ? messages.map(String) : [];
}

export function createApiClient(options: ApiClientOptions): ApiClient {
  const { endpoint, token, ca, signal, patienceMs = PATIENCE_MS, onWaiting } = options;
  const dispatcher = new Agent({ connect: ca === undefined ? { rejectUnauthorized: false } : { ca } });

  const once = async (method: Method, path: string, type: string, body: string | Buffer | null): Promise<ApiAnswer> => {
    const response = await request(`${endpoint}${API_PREFIX}${path}`, {
      dispatcher,
      method,
      signal,
      headers: { authorization: `Bearer ${token}`, accept: 'application/json', 'content-type': type },
      body,
    });
    const text = await response.body.text();
    let parsed: unknown;
    try {
      parsed = text === '' ? undefined : JSON.parse(text);
    } catch {
      parsed = undefined;
    }
    return { status: response.statusCode, body: parsed };
  };

  /** Repeats what certainly was not carried out, and reads, for as long as patience lasts. */
  const send = async (method: Method, path: string, type: string, body: string | Buffer | null): Promise<ApiAnswer> => {
    const until = performance.now() + patienceMs;
    for (let attempt = 1; ; attempt++) {
      let failure: Error;
      try {
        const answer = await once(method, path, type, body);
        if (answer.status !== 503) {
          if (answer.status >= 400) throw new Refused(method, path, answer.status, messagesOf(answer.body));
          return answer;
        }
        failure = new Refused(method, path, 503, messagesOf(answer.body));
      } catch (error) {
        if (error instanceof Refused) throw error;
        signal.throwIfAborted();
        failure = new Unreachable(endpoint, error);
        const code = (error as NodeJS.ErrnoException).code ?? '';
        if (method !== 'GET' && !NOT_SENT.has(code)) throw failure;
      }
      if (performance.now() >= until) throw failure;
      if (attempt === 1) onWaiting?.(failure);
      await sleep(RETRY_EVERY_MS, undefined, { signal });
    }
  };

  const json = 'application/json';
  const get = async (path: string): Promise<unknown> => (await send('GET', path, json, null)).body;
  return {
    endpoint,
    get,
    async find(path) {
      try {
        return await get(path);
      } catch (error) {
        if (error instanceof Refused && error.status === 404) return undefined;
        throw error;
      }
    },
    post: (path, body) => send('POST', path, json, JSON.stringify(body)),
    patch: async (path, operations) => (await send('PATCH', path, json, JSON.stringify(operations))).body,
    async putBytes(path, bytes) {
      await send('PUT', path, 'application/octet-stream', bytes);
    },
    close: () => dispatcher.close(),
  };
}
