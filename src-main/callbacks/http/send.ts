/**
 * One request and its answer on a pooled connection. Everything that can happen is a value; only programming errors throw.
 * The answer is collected up to a limit, a Stop ends it at any point, and the time is split as it passes.
 */
import type { LookupFunction } from 'node:net';
import type { Dispatcher } from 'undici';
import type { EgressRules } from '../egress.ts';
import type { Timing } from '../records.ts';
import { type Stop, Stopped, type StopReason, unlessStopped } from '../stop.ts';
import { type ConnectTimes, checkHost } from './connect.ts';
import { failureOf, Refused } from './failures.ts';
import { judgeBehindProxy, type Pools, type Transport } from './pools.ts';

/** An address taken apart once; parsing and asking a URL costs more than all else about it. */
export interface Target {
  readonly href: string;
  readonly origin: string;
  readonly hostname: string;
  readonly path: string;
}

export function targetOf(url: URL): Target {
  return { href: url.href, origin: url.origin, hostname: url.hostname, path: url.pathname + url.search };
}

export interface HttpRequest {
  readonly method: string;
  /** Without credentials and fragment. */
  readonly target: Target;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface AnswerLimits {
  /** Longest answer below status 400, in bytes. */
  readonly maxBytes: number;
  /** A longer one is a failure, or is cut: its end is of no interest. */
  readonly tooLong: 'fail' | 'cut';
}

export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export type HttpResult =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: AnswerHeaders;
      readonly body: Buffer;
      readonly timing: Timing;
    }
  | { readonly kind: 'failed'; readonly message: string; readonly refused: boolean; readonly timing: Timing }
  | { readonly kind: 'stopped'; readonly reason: StopReason; readonly timing: Timing };

export interface HttpContext {
  readonly pools: Pools;
  readonly lookup: LookupFunction | undefined;
}

/** What is kept of an answer with status 400 or above. */
export const ERROR_BYTES = 16 * 1024;

const rounded = (ms: number): number => Math.round(Math.max(0, ms) * 100) / 100;

/** Marks the moments of one request. */
class Stopwatch {
  readonly #start = performance.now();
  #sent: number | undefined;
  #answered: number | undefined;
  #connect: ConnectTimes | undefined;

  sent(connect: ConnectTimes | undefined): void {
    this.#sent = performance.now();
    this.#connect = connect;
  }

  answered(): void {
    this.#answered = performance.now();
  }

  read(): Timing {
    const end = performance.now();
    const connect = this.#connect?.connectMs ?? 0;
    const tls = this.#connect?.tlsMs ?? 0;
    return {
      Wait: rounded((this.#sent ?? end) - this.#start - connect - tls),
      Connect: rounded(connect),
      Tls: rounded(tls),
      FirstByte: this.#answered === undefined || this.#sent === undefined ? 0 : rounded(this.#answered - this.#sent),
      Total: rounded(end - this.#start),
    };
  }
}

const placeOf = ({ origin }: Target, transport: Transport): string =>
  transport.proxy === '' ? origin : `${origin} through the proxy`;

/** Sends and waits for the whole answer. */
export function send(
  context: HttpContext,
  request: HttpRequest,
  transport: Transport,
  limits: AnswerLimits,
  stop: Stop,
): Promise<HttpResult> {
  const watch = new Stopwatch();
  if (!transport.egress) return exchange(context.pools, request, transport, limits, stop, watch);
  return sendJudged(context, request, transport, transport.egress, limits, stop, watch);
}

async function sendJudged(
  context: HttpContext,
  request: HttpRequest,
  transport: Transport,
  egress: EgressRules,
  limits: AnswerLimits,
  stop: Stop,
  watch: Stopwatch,
): Promise<HttpResult> {
  const { origin, hostname } = request.target;
  try {
    checkHost(egress, hostname);
    if (transport.proxy !== '') await unlessStopped(judgeBehindProxy(egress, hostname, context.lookup), stop);
  } catch (error) {
    if (error instanceof Stopped) return { kind: 'stopped', reason: error.reason, timing: watch.read() };
    return { kind: 'failed', ...failureOf(error as Error, origin), timing: watch.read() };
  }
  return exchange(context.pools, request, transport, limits, stop, watch);
}

function exchange(
  pools: Pools,
  request: HttpRequest,
  transport: Transport,
  limits: AnswerLimits,
  stop: Stop,
  watch: Stopwatch,
): Promise<HttpResult> {
  return new Promise((resolve) => {
    const { dispatcher, note, release } = pools.acquire(transport, request.target.origin);
    const chunks: Buffer[] = [];
    let controller: Dispatcher.DispatchController | undefined;
    let status = 0;
    let headers: AnswerHeaders = {};
    let bytes = 0;
    let limit = limits.maxBytes;
    let settled = false;
    let off = (): void => undefined;

    const settle = (result: HttpResult): void => {
      if (settled) return;
      settled = true;
      off();
      release();
      resolve(result);
    };
    const answered = (): void => {
      const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
      settle({ kind: 'answer', status, headers, body, timing: watch.read() });
    };
    const failed = (error: Error): void => {
      settle({ kind: 'failed', ...failureOf(error, placeOf(request.target, transport)), timing: watch.read() });
    };
    /** The answer is longer than anybody wants it: what is known of it is enough, or nothing is. */
    const overflow = (): void => {
      if (status >= 400 || limits.tooLong === 'cut') answered();
      else failed(new Refused(`the answer of ${request.target.origin} is longer than ${limits.maxBytes} bytes`));
      controller?.abort(new Error('the answer is too long'));
    };

    off = stop.on((reason) => {
      settle({ kind: 'stopped', reason, timing: watch.read() });
      controller?.abort(new Stopped(reason));
    });
    if (settled) return;
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        if (settled) started.abort(new Stopped(stop.reason ?? 'cancelled'));
        else watch.sent(note.fresh);
      },
      onResponseStart(_controller, code, fields) {
        if (code < 200) return;
        watch.answered();
        status = code;
        headers = fields;
        if (code >= 400) limit = ERROR_BYTES;
        if (Number(fields['content-length'] ?? 0) > limit && limits.tooLong === 'fail' && code < 400) overflow();
      },
      onResponseData(_controller, chunk) {
        if (settled) return;
        const room = limit - bytes;
        bytes += chunk.length;
        if (chunk.length <= room) {
          chunks.push(chunk);
          return;
        }
        if (room > 0) chunks.push(chunk.subarray(0, room));
        overflow();
      },
      onResponseEnd: answered,
      onResponseError: (_controller, error) => failed(error),
    };
    try {
      dispatcher.dispatch(
        {
          origin: request.target.origin,
          path: request.target.path,
          method: request.method,
          headers: request.headers,
          body: request.body ?? null,
        },
        handler,
      );
    } catch (error) {
      failed(error as Error);
    }
  });
}
