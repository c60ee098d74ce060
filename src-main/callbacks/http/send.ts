/**
 * One request and its answer on a pooled connection. Everything that can happen is a value; only programming errors throw.
 * The answer is collected up to a limit, a Stop ends it at any point, and the time is split as it passes.
 */
import type { LookupFunction } from 'node:net';
import type { Dispatcher } from 'undici';
import type { Timing } from '../../contract/deliveries.ts';
import type { EgressRules } from '../egress.ts';
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
  /** As it is sent. */
  readonly body: Buffer | undefined;
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
  return new Promise((resolve) => new Exchange(resolve, request, transport, limits, watch).begin(pools, stop));
}

type Controller = Dispatcher.DispatchController;
type DispatchHandler = Required<
  Pick<
    Dispatcher.DispatchHandler,
    'onRequestStart' | 'onResponseStart' | 'onResponseData' | 'onResponseEnd' | 'onResponseError'
  >
>;

const NOTHING = (): void => undefined;
const NO_BYTES = Buffer.alloc(0);

/** What one request on the wire is about. */
interface Subject {
  readonly resolve: (result: HttpResult) => void;
  readonly request: HttpRequest;
  readonly transport: Transport;
  readonly limits: AnswerLimits;
  readonly watch: Stopwatch;
  readonly chunks: Buffer[];
  route: ReturnType<Pools['acquire']> | undefined;
  /** Stops listening for a stop. */
  off: () => void;
}

/**
 * The handler of one request. The client library keeps its handlers for a while after they have served, so once it is settled
 * this one lets go of its subject: bodies, records and whoever waits for them.
 */
class Exchange implements DispatchHandler {
  #subject: Subject | undefined;
  #controller: Controller | undefined;
  #stopped: StopReason | undefined;
  #status = 0;
  #headers: AnswerHeaders = {};
  #bytes = 0;
  #limit: number;

  constructor(
    resolve: Subject['resolve'],
    request: HttpRequest,
    transport: Transport,
    limits: AnswerLimits,
    watch: Stopwatch,
  ) {
    this.#subject = { resolve, request, transport, limits, watch, chunks: [], route: undefined, off: NOTHING };
    this.#limit = limits.maxBytes;
  }

  begin(pools: Pools, stop: Stop): void {
    const subject = this.#subject as Subject;
    const { request, transport } = subject;
    const { origin, path } = request.target;
    const off = stop.on((reason) => this.#stop(reason));
    if (!this.#subject) return;
    subject.off = off;
    subject.route = pools.acquire(transport, origin);
    const { method, headers, body } = request;
    try {
      subject.route.dispatcher.dispatch({ origin, path, method, headers, body: body ?? null }, this);
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    const subject = this.#subject;
    if (subject) subject.watch.sent(subject.route?.note.fresh);
    else controller.abort(new Stopped(this.#stopped ?? 'cancelled'));
  }

  onResponseStart(_controller: Controller, status: number, headers: AnswerHeaders): void {
    const subject = this.#subject;
    if (!subject || status < 200) return;
    subject.watch.answered();
    this.#status = status;
    this.#headers = headers;
    if (status >= 400) this.#limit = ERROR_BYTES;
    const isTooLong = Number(headers['content-length'] ?? 0) > this.#limit;
    if (isTooLong && subject.limits.tooLong === 'fail' && status < 400) this.#overflow(subject);
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    const subject = this.#subject;
    if (!subject) return;
    const room = this.#limit - this.#bytes;
    this.#bytes += chunk.length;
    if (chunk.length <= room) {
      subject.chunks.push(chunk);
      return;
    }
    if (room > 0) subject.chunks.push(chunk.subarray(0, room));
    this.#overflow(subject);
  }

  onResponseEnd(): void {
    this.#answer();
  }

  onResponseError(_controller: Controller | undefined, error: Error): void {
    this.#fail(error);
  }

  #answer(): void {
    const subject = this.#subject;
    if (!subject) return;
    const { chunks, watch } = subject;
    const body = chunks.length > 1 ? Buffer.concat(chunks) : (chunks[0] ?? NO_BYTES);
    this.#settle({ kind: 'answer', status: this.#status, headers: this.#headers, body, timing: watch.read() });
  }

  #fail(error: Error): void {
    const subject = this.#subject;
    if (!subject) return;
    const { request, transport, watch } = subject;
    this.#settle({ kind: 'failed', ...failureOf(error, placeOf(request.target, transport)), timing: watch.read() });
  }

  /** The answer is longer than anybody wants it: what is known of it is enough, or nothing is. */
  #overflow({ limits, request }: Subject): void {
    if (this.#status >= 400 || limits.tooLong === 'cut') this.#answer();
    else this.#fail(new Refused(`the answer of ${request.target.origin} is longer than ${limits.maxBytes} bytes`));
    this.#controller?.abort(new Error('the answer is too long'));
  }

  #stop(reason: StopReason): void {
    const subject = this.#subject;
    if (!subject) return;
    this.#stopped = reason;
    this.#settle({ kind: 'stopped', reason, timing: subject.watch.read() });
    this.#controller?.abort(new Stopped(reason));
  }

  #settle(result: HttpResult): void {
    const subject = this.#subject;
    if (!subject) return;
    this.#subject = undefined;
    this.#headers = {};
    subject.off();
    subject.route?.release();
    subject.resolve(result);
  }
}
