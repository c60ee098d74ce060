/**
 * The error catalogue. Every refusal in the product is a `Problem` with a code from
 * `ERRORS`; the REST room alone turns one into a status and a body (wire-format.md 2).
 * A sentence says what is wrong and where; the hint says what to do about it.
 */

/** Machine-readable cause, sent as the additive `Reason` of an error body. */
export type Reason = 'token' | 'claim' | 'tenant' | 'license' | 'conflict' | 'validation';

interface ErrorSpec {
  readonly status: number;
  /** Wire `Type`; `METHOD` means the HTTP method of the request. */
  readonly type: string;
  readonly reason?: Reason;
  readonly hint: string;
  /** Header Retry-After, where waiting helps. */
  readonly retryAfterSeconds?: number;
}

export const ERRORS = {
  'malformed-json': { status: 400, type: 'METHOD', reason: 'validation', hint: 'Send a valid JSON body.' },
  'wrong-content-type': {
    status: 400,
    type: 'METHOD',
    reason: 'validation',
    hint: 'Set the header Content-Type: application/json.',
  },
  'bad-request': { status: 400, type: 'METHOD', reason: 'validation', hint: 'Correct the value the message names.' },
  'empty-key': { status: 400, type: 'CREATE', reason: 'validation', hint: 'Give the object a name.' },
  'key-changed': { status: 400, type: 'PUT', reason: 'validation', hint: 'Send the object under its own key.' },
  'no-credentials': { status: 401, type: 'AUTH', reason: 'token', hint: 'Sign in, or send a token.' },
  'wrong-credentials': { status: 403, type: 'AUTH', reason: 'token', hint: 'Check user name and password.' },
  'dead-token': { status: 403, type: 'AUTH', reason: 'token', hint: 'Sign in again.' },
  'claim-missing': {
    status: 403,
    type: 'AUTH',
    reason: 'claim',
    hint: 'Ask an administrator for a role with the claim named.',
  },
  'not-licensed': { status: 403, type: 'AUTH', reason: 'license', hint: 'Install a license with the feature named.' },
  'not-found': { status: 404, type: 'METHOD', hint: 'It does not exist, or your tenant does not show it.' },
  'no-route': { status: 404, type: 'METHOD', hint: 'See /api/v3/openapi.json for the routes.' },
  'wrong-method': { status: 405, type: 'METHOD', hint: 'See the Allow header for the methods of this path.' },
  'bad-filter': { status: 406, type: 'GET', reason: 'validation', hint: 'Correct the list parameter named.' },
  'patch-undecodable': {
    status: 406,
    type: 'PATCH',
    reason: 'validation',
    hint: 'The patched document must keep its field types.',
  },
  'already-exists': {
    status: 409,
    type: 'CREATE',
    reason: 'conflict',
    hint: 'Choose another name, or update the existing object.',
  },
  'patch-conflict': {
    status: 409,
    type: 'PATCH',
    reason: 'conflict',
    hint: 'Read the object again and repeat the change.',
  },
  conflict: { status: 409, type: 'Conflict', reason: 'conflict', hint: 'Read the object again and repeat the change.' },
  'in-use': { status: 409, type: 'StillInUseError', reason: 'conflict', hint: 'Remove the references named first.' },
  'last-superuser': {
    status: 409,
    type: 'StillInUseError',
    reason: 'conflict',
    hint: 'Give another user the superuser claim first.',
  },
  'param-invalid': {
    status: 409,
    type: 'METHOD',
    reason: 'validation',
    hint: 'Send a value that fits the schema of the param.',
  },
  'read-only': {
    status: 409,
    type: 'METHOD',
    reason: 'conflict',
    hint: 'It belongs to a content layer; change the layer instead.',
  },
  'revision-mismatch': {
    status: 412,
    type: 'METHOD',
    reason: 'conflict',
    hint: 'Read the object again; somebody changed it.',
  },
  'too-large': { status: 413, type: 'METHOD', reason: 'validation', hint: 'Send a smaller body.' },
  invalid: {
    status: 422,
    type: 'ValidationError',
    reason: 'validation',
    hint: 'Correct the fields the messages name.',
  },
  'too-many-attempts': { status: 429, type: 'AUTH', reason: 'token', hint: 'Wait for the time in Retry-After.' },
  'callback-failed': {
    status: 400,
    type: 'rpc',
    hint: 'See /api/v3/x/deliveries for the attempts, and the configuration of the plugin named.',
  },
  'storage-failed': {
    status: 500,
    type: 'StorageError',
    hint: 'Nothing was changed. See the server log and free disk space.',
  },
  internal: { status: 500, type: 'InternalError', hint: 'Send the request id and the server log to the maintainers.' },
  'service-unavailable': {
    status: 503,
    type: 'ServiceUnavailable',
    hint: 'Wait for the service to start, then repeat.',
    retryAfterSeconds: 2,
  },
} as const satisfies Record<string, ErrorSpec>;

export type ErrorCode = keyof typeof ERRORS;

interface ProblemDetails {
  /** Wire `Model`: the object prefix, where there is one. */
  readonly model?: string;
  /** Wire `Key`, as the caller typed it. */
  readonly key?: string;
  /** Overrides the catalogue's status; only for wire rows that pin another (wire-format.md 2.2). */
  readonly status?: number;
  /** Overrides the catalogue's Type, same reason. */
  readonly type?: string;
  readonly reason?: Reason;
  /** Overrides the catalogue's: header Retry-After. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** No answer can go out under another status; one that asks for it is a mistake of the server. */
export function sendable(status: number): number {
  return Number.isInteger(status) && status >= 200 && status <= 599 ? status : 500;
}

/** A refusal with a code of the catalogue and its sentences. Safe to show: it never holds a secret. */
export class Problem extends Error {
  readonly code: ErrorCode;
  readonly messages: readonly string[];
  readonly model: string;
  readonly key: string;
  readonly status: number;
  /** `METHOD` stands for the HTTP method of the request. */
  readonly type: string;
  readonly reason: Reason | undefined;
  readonly hint: string;
  /** Whole seconds to wait before trying again. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, messages: string | readonly string[], details: ProblemDetails = {}) {
    const list = typeof messages === 'string' ? [messages] : messages;
    super(list.join('; ') || code, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'Problem';
    const spec: ErrorSpec = ERRORS[code];
    this.code = code;
    this.messages = list;
    this.model = details.model ?? '';
    this.key = details.key ?? '';
    this.status = sendable(details.status ?? spec.status);
    this.type = details.type ?? spec.type;
    this.reason = details.reason ?? spec.reason;
    this.hint = spec.hint;
    this.retryAfterSeconds = details.retryAfterSeconds ?? spec.retryAfterSeconds;
  }
}

/** Body of every error answer (wire-format.md 2.1), with the additive `Reason` and `RequestId`. */
export interface ErrorBody {
  readonly Model: string;
  readonly Key: string;
  readonly Type: string;
  readonly Messages: readonly string[];
  readonly Code: number;
  readonly Reason?: Reason;
  readonly RequestId?: string;
}

/** What an answer says of a problem. `method` is that of the request. */
export function errorBody(problem: Problem, method: string, requestId: string): ErrorBody {
  return {
    Model: problem.model,
    Key: problem.key,
    Type: problem.type === 'METHOD' ? method : problem.type,
    Messages: problem.messages.length > 0 ? problem.messages : [problem.hint],
    Code: problem.status,
    ...(problem.reason ? { Reason: problem.reason } : {}),
    RequestId: requestId,
  };
}
