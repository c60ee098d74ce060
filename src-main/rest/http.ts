/**
 * Words of the REST room: a route is a row (method, path, what it answers, handler); a handler gets a `Context` and returns an
 * `Answer`. Only this room knows status codes, headers and wire shapes.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { TSchema } from 'typebox';
import { saysYes } from '../contract/list-query.ts';
import type { Call, Shape } from '../objects/index.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Context {
  readonly call: Call;
  readonly method: Method;
  /** Path parameters, decoded. A catch-all is under `*`. */
  readonly params: Readonly<Record<string, string>>;
  /** Query parameters; repeated ones are arrays. */
  readonly query: Readonly<Record<string, string | string[] | undefined>>;
  readonly headers: IncomingHttpHeaders;
  /** Generation of fields the client knows. */
  readonly shape: Shape;
  /** Address of the peer. */
  readonly remoteAddress: string;
  /** Local address facing the caller. */
  readonly localAddress: string;
  /** The JSON body; undefined when there is none. Throws Problem `wrong-content-type` or `malformed-json`. */
  json(): unknown;
  /** The raw body of an upload (routes with `upload`). */
  readonly stream: Readable | undefined;
}

export interface Answer {
  readonly status: number;
  /** A Buffer is sent as it is; anything else as JSON; undefined: no body. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent in chunks as they come, instead of `body`. */
  readonly chunks?: AsyncIterable<Buffer | string> | Readable;
  /** Bytes of all chunks together, where that is known. */
  readonly length?: number;
  /** Default `application/json`. */
  readonly contentType?: string;
}

export interface Route {
  readonly method: Method;
  /** Fastify pattern below `/api/v3`, such as `/machines/:key`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** Schema of the JSON body, for the OpenAPI document. */
  readonly body?: TSchema;
  readonly query?: Readonly<Record<string, string>>;
  /** Status and schema of the success. */
  readonly answer: {
    readonly status: number;
    readonly schema?: TSchema;
    /** Content type; default JSON. */
    readonly type?: string;
    /** Content types it may be asked for instead. */
    readonly otherTypes?: readonly string[];
  };
  /** Needs no credentials: it tells nothing of this server's data. */
  readonly open?: boolean;
  /** The body is an upload (octet-stream), handed over as a stream. */
  readonly upload?: boolean;
  readonly handler: (context: Context) => Answer | Promise<Answer>;
}

export const ok = (body: unknown, headers?: Readonly<Record<string, string>>): Answer =>
  headers ? { status: 200, body, headers } : { status: 200, body };
export const created = (body: unknown): Answer => ({ status: 201, body });
export const noContent: Answer = { status: 204 };

/** The headers of a list: all objects there are for the caller, those that fit the filter, and those in the answer. */
export const listCounts = (counts: { total: number; filtered: number; answered: number }): Record<string, string> => ({
  'X-DRP-LIST-TOTAL-COUNT': String(counts.total),
  'X-DRP-LIST-COUNT': String(counts.answered),
  'X-DRP-LIST-FILTER-COUNT': String(counts.filtered),
});

/** The single value of a query parameter; of several, the last. */
export function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.at(-1) : value;
}

/** A flag is set by `true` in any letter case (languages write it differently), `1`, or presence without a value. */
export function flag(value: string | string[] | undefined): boolean {
  const text = one(value);
  return text !== undefined && saysYes(text);
}
