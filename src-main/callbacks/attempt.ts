/**
 * One attempt: credentials, request, answer. What it came to is a value for `outcome`, what may be shown of it a report for
 * the record. Nothing here decides whether there will be another one.
 */

import type { AttemptState, RecordedRequest, RecordedResponse } from '../contract/deliveries.ts';
import { AuthFailure } from './auth/failure.ts';
import type { AuthMethods, Credentials } from './auth/methods.ts';
import type { AuthConfig, CallbackConfig } from './config.ts';
import type { PluginEntry } from './config-book.ts';
import { sendFollowing } from './http/redirects.ts';
import { type AnswerHeaders, type AnswerLimits, ERROR_BYTES, type HttpContext, type HttpResult } from './http/send.ts';
import { createMasker, type Masker } from './mask.ts';
import type { AttemptResult } from './outcome.ts';
import type { AttemptReport } from './records.ts';
import { type Addressed, addressRequest, type Draft } from './request.ts';
import { retryAfter } from './schedule.ts';
import { type Stop, Stopped, type StopReason } from './stop.ts';

/** Characters of a body kept with an attempt: enough to recognise a good one, enough to understand a failed one. */
const KEPT_WHEN_OK = 256;
const KEPT_WHEN_FAILED = 4096;
const KEPT_HEADERS = 40;
const KEPT_HEADER_VALUE = 512;
const NO_BODY = Buffer.alloc(0);

const STOPPED: Readonly<Record<StopReason, string>> = {
  timeout: 'the Timeout of the callback passed during this attempt; it may have arrived',
  cancelled: 'cancelled during this attempt; it may have arrived',
  shutdown: 'the service stopped during this attempt; it may have arrived',
  unwanted: 'nobody waited any longer',
};

function stoppedState(reason: StopReason): AttemptState {
  if (reason === 'cancelled') return 'cancelled';
  return reason === 'shutdown' ? 'interrupted' : 'failed';
}

interface AttemptInput {
  readonly id: string;
  readonly number: number;
  readonly plugin: PluginEntry;
  readonly callback: CallbackConfig;
  readonly draft: Draft;
  /** Undefined: none is configured. */
  readonly method: AuthConfig | undefined;
  /** A token the service turned down. */
  readonly rejectedToken: string;
  readonly limits: AnswerLimits;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface AttemptDone {
  readonly result: AttemptResult;
  readonly report: AttemptReport;
  /** The bearer token that was sent; empty: none. */
  readonly token: string;
  /** The answer, when its status was below 400. */
  readonly answer: Buffer | undefined;
}

interface AttemptDeps {
  readonly http: HttpContext;
  readonly auth: AuthMethods;
}

/** Not kept: what the record says in its own fields, and what concerns one connection only. */
const UNTOLD = /^(x-delivery-id|x-delivery-attempt|date|connection|keep-alive|transfer-encoding)$/i;

function shownHeaders(headers: AnswerHeaders, masker: Masker): Record<string, string> {
  const shown: Record<string, string> = {};
  let seen = 0;
  for (const name in headers) {
    if (++seen > KEPT_HEADERS) break;
    if (UNTOLD.test(name)) continue;
    const value = headers[name];
    const text = typeof value === 'string' ? value : (value ?? []).join(', ');
    shown[name] = masker.header(name, text).slice(0, KEPT_HEADER_VALUE);
  }
  return shown;
}

function shownRequest({ request }: Addressed, masker: Masker, limit: number): RecordedRequest {
  const body = request.body ?? NO_BODY;
  return {
    Method: request.method,
    Url: masker.text(request.target.href).slice(0, KEPT_WHEN_FAILED),
    Headers: shownHeaders(request.headers, masker),
    Body: masker.excerpt(body, limit),
    Bytes: body.length,
  };
}

function shownResponse(
  result: Extract<HttpResult, { kind: 'answer' }>,
  masker: Masker,
  limit: number,
): RecordedResponse {
  return {
    Status: result.status,
    Headers: shownHeaders(result.headers, masker),
    Body: masker.excerpt(result.body, limit),
    Bytes: result.body.length,
  };
}

/** Without credentials nothing was sent. */
function withoutCredentials(input: AttemptInput, error: unknown): AttemptDone {
  const auth = input.method?.name ?? '';
  const nothing = { token: '', answer: undefined };
  if (error instanceof Stopped) {
    const report = { State: stoppedState(error.reason), Auth: auth, Status: 0, Error: STOPPED[error.reason] };
    return { ...nothing, result: { kind: 'stopped', reason: error.reason }, report };
  }
  if (!(error instanceof AuthFailure)) throw error;
  const message = input.plugin.masker.text(`auth ${auth}: ${error.message}`);
  const report = { State: 'failed', Auth: auth, Status: 0, Error: message } as const;
  return { ...nothing, result: { kind: 'no-credentials', message }, report };
}

/** An attempt that was stopped while it waited for a place. */
export function notSent(reason: StopReason): AttemptDone {
  const report = { State: stoppedState(reason), Auth: '', Status: 0, Error: 'stopped before it was sent' };
  return { result: { kind: 'stopped', reason }, report, token: '', answer: undefined };
}

function resultOf(result: HttpResult, masker: Masker, now: number): AttemptResult {
  if (result.kind === 'stopped') return { kind: 'stopped', reason: result.reason };
  if (result.kind === 'failed')
    return { kind: result.refused ? 'refused' : 'no-answer', message: masker.text(result.message) };
  const { status, headers, body } = result;
  const asked = headers['retry-after'];
  return {
    kind: 'answered',
    status,
    retryAfterMs:
      status === 429 || status === 503 ? retryAfter(typeof asked === 'string' ? asked : undefined, now) : undefined,
    excerpt: status < 400 ? '' : masker.excerpt(body, ERROR_BYTES),
  };
}

export async function runAttempt(input: AttemptInput, deps: AttemptDeps, stop: Stop): Promise<AttemptDone> {
  const { plugin, callback, draft, method } = input;
  let credentials: Credentials = { headers: {}, secrets: [], token: '' };
  try {
    if (method)
      credentials = await deps.auth.credentials(plugin.config, plugin.transport, method, input.rejectedToken, stop);
  } catch (error) {
    return withoutCredentials(input, error);
  }
  const extra = [...draft.secrets, ...credentials.secrets];
  const masker = extra.length === 0 ? plugin.masker : createMasker([...plugin.secrets, ...extra]);
  const addressed = addressRequest(draft, callback, {
    id: input.id,
    attempt: input.number,
    timestamp: Math.floor(input.now() / 1000),
    signingSecrets: plugin.config.extras.signingSecrets,
    authHeaders: credentials.headers,
  });
  const sent = await sendFollowing(
    deps.http,
    addressed.request,
    plugin.transport,
    input.limits,
    stop,
    addressed.credentials,
  );
  const result = resultOf(sent, masker, input.now());
  const isOk = sent.kind === 'answer' && sent.status < 400;
  const limit = isOk ? KEPT_WHEN_OK : KEPT_WHEN_FAILED;
  const report: AttemptReport = {
    State: isOk ? 'ok' : sent.kind === 'stopped' ? stoppedState(sent.reason) : 'failed',
    Auth: method?.name ?? '',
    Status: sent.kind === 'answer' ? sent.status : 0,
    Error: errorOf(result),
    Timing: sent.timing,
    Request: shownRequest(addressed, masker, limit),
    ...(sent.kind === 'answer' && { Response: shownResponse(sent, masker, limit) }),
  };
  return { result, report, token: credentials.token, answer: isOk ? sent.body : undefined };
}

function errorOf(result: AttemptResult): string {
  switch (result.kind) {
    case 'answered':
      return result.status < 400 ? '' : `the service answered with status ${result.status}`;
    case 'stopped':
      return STOPPED[result.reason];
    default:
      return result.message;
  }
}
