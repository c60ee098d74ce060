/**
 * The one place where a refused request becomes a sentence. `classify` (pure) turns status and body into
 * a failure kind, `explain` (pure) turns the failure into what a screen shows.
 */
import type { ErrorBody } from '../../src-main/contract/errors.ts';
import type { RequestLine } from './curl.ts';

/** What a failed request means for the screen, not for the protocol. */
export type Failure =
  /** No answer at all: server gone, network down, certificate refused. */
  | { readonly kind: 'unreachable' }
  /** The host answers, the service behind it does not run (503). */
  | { readonly kind: 'stopped'; readonly messages: readonly string[]; readonly retryAfter: number | undefined }
  /** The token is dead: sign in again, drafts stay. */
  | { readonly kind: 'session-over' }
  /** A 403 that says neither "token" nor "claim"; the client asks "get myself" once to find out. */
  | { readonly kind: 'unclear'; readonly messages: readonly string[] }
  | { readonly kind: 'denied'; readonly requires: string | undefined; readonly messages: readonly string[] }
  | { readonly kind: 'license'; readonly messages: readonly string[] }
  | { readonly kind: 'not-found'; readonly messages: readonly string[] }
  | { readonly kind: 'exists'; readonly messages: readonly string[] }
  | { readonly kind: 'in-use'; readonly messages: readonly string[] }
  /** Somebody changed the object since the form was opened (409 of a PATCH, or 412). */
  | { readonly kind: 'conflict'; readonly messages: readonly string[] }
  | { readonly kind: 'invalid'; readonly messages: readonly string[] }
  /** The service worked; the external one did not, or the callback is not set up. Its status is not ours. */
  | { readonly kind: 'callback-failed'; readonly messages: readonly string[] }
  | { readonly kind: 'throttled'; readonly retryAfter: number | undefined }
  | { readonly kind: 'server'; readonly status: number; readonly messages: readonly string[] };

/** Thrown by the client. Carries what the panel shows and what "Copy as curl" needs. */
export class ApiError extends Error {
  readonly failure: Failure;
  readonly status: number;
  readonly requestId: string | undefined;
  readonly request: RequestLine;

  constructor(failure: Failure, status: number, request: RequestLine, requestId?: string) {
    super(explain(failure).title);
    this.name = 'ApiError';
    this.failure = failure;
    this.status = status;
    this.request = request;
    this.requestId = requestId;
  }
}

/** `retryAfter` in seconds, from the header. `body` is undefined when the answer had no JSON error body. */
export function classify(status: number, body: ErrorBody | undefined, retryAfter?: number): Failure {
  const messages = body?.Messages ?? [];
  // Before any status: an external 401 or 503 says nothing about this session or this server.
  if (body?.Type === 'rpc' || body?.Type === 'INVOKE') return { kind: 'callback-failed', messages };
  if (status === 401) return { kind: 'session-over' };
  if (status === 403) return classifyForbidden(body, messages);
  if (status === 404) return { kind: 'not-found', messages };
  if (status === 412) return { kind: 'conflict', messages };
  if (status === 409) return classifyConflict(body, messages);
  if (status === 429) return { kind: 'throttled', retryAfter };
  if (status === 503) return { kind: 'stopped', messages, retryAfter };
  if (status >= 500) return { kind: 'server', status, messages };
  return { kind: 'invalid', messages };
}

function classifyForbidden(body: ErrorBody | undefined, messages: readonly string[]): Failure {
  if (body === undefined || body.Reason === 'token' || messages.includes('Validation failed')) {
    return { kind: 'session-over' };
  }
  if (body.Reason === 'license' || messages.some((m) => m.includes('licensed enterprise feature'))) {
    return { kind: 'license', messages };
  }
  const requires = messages
    .find((m) => m.startsWith('Requires: '))
    ?.slice('Requires: '.length)
    .trim();
  if (requires !== undefined || body.Reason === 'claim') return { kind: 'denied', requires, messages };
  return { kind: 'unclear', messages };
}

function classifyConflict(body: ErrorBody | undefined, messages: readonly string[]): Failure {
  if (body?.Type === 'StillInUseError') return { kind: 'in-use', messages };
  if (body?.Type === 'CREATE') return { kind: 'exists', messages };
  if (body?.Type === 'PATCH' || body?.Reason === 'conflict') return { kind: 'conflict', messages };
  return { kind: 'invalid', messages };
}

interface Explanation {
  readonly title: string;
  readonly lines: readonly string[];
  readonly hint: string | undefined;
}

/** What happened and what to do, in words. */
export function explain(failure: Failure): Explanation {
  switch (failure.kind) {
    case 'unreachable':
      return {
        title: 'The server does not answer',
        lines: [],
        hint: 'It may be restarting. This screen tries again by itself.',
      };
    case 'stopped':
      return { title: 'The service is not running', lines: failure.messages, hint: waitHint(failure.retryAfter) };
    case 'session-over':
      return { title: 'Your session is over', lines: [], hint: 'Sign in again; what you typed is kept.' };
    case 'unclear':
      return { title: 'The server refused this', lines: failure.messages, hint: undefined };
    case 'denied':
      return {
        title: 'You may not do this',
        lines: failure.requires ? [`Requires: ${failure.requires}`] : failure.messages,
        hint: 'Ask an administrator for a role with this claim.',
      };
    case 'license':
      return {
        title: 'Needs a license feature',
        lines: failure.messages,
        hint: 'Roles and tenants can be listed and read without the feature rbac, not changed.',
      };
    case 'not-found':
      return {
        title: 'Not found',
        lines: [],
        hint: 'It does not exist, is hidden by your tenant, or you may not get it.',
      };
    case 'exists':
      return { title: 'This name is taken', lines: failure.messages, hint: 'Choose another name.' };
    case 'in-use':
      return { title: 'Still in use', lines: failure.messages, hint: 'Remove the references named above first.' };
    case 'conflict':
      return {
        title: 'Somebody changed this meanwhile',
        lines: failure.messages,
        hint: 'Review the differences, then save again.',
      };
    case 'invalid':
      return { title: 'The server did not accept this', lines: failure.messages, hint: undefined };
    case 'callback-failed':
      return {
        title: 'The callback failed',
        lines: failure.messages,
        hint: 'See the configuration of the plugin, and the log of the external service.',
      };
    case 'throttled':
      return { title: 'Too many attempts', lines: [], hint: waitHint(failure.retryAfter) };
    case 'server':
      return {
        title: `The server failed (${failure.status})`,
        lines: failure.messages,
        hint: 'Nothing was changed by this request unless it says so. The request id finds it in the server log.',
      };
  }
}

function waitHint(seconds: number | undefined): string {
  return seconds === undefined ? 'Try again in a moment.' : `Try again in ${seconds} s.`;
}
