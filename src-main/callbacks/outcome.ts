/**
 * What an attempt means for its delivery: a pure decision. Nothing here sends, waits or stores.
 *
 *   below 400            delivered
 *   401, 403             a json-token is refreshed once; then the next auth method, without waiting
 *   no credentials       the next auth method
 *   400 and above, or no answer   a retry after its delay, while retries and Timeout last
 *   refused              failed at once: repeating cannot help
 */
import type { AuthConfig, CallbackConfig } from './config.ts';
import type { Backoff } from './extras.ts';
import { retryDelay } from './schedule.ts';
import type { StopReason } from './stop.ts';

export type AttemptResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfterMs: number | undefined;
      /** Masked and cut. */
      readonly excerpt: string;
    }
  | { readonly kind: 'no-answer'; readonly message: string }
  | { readonly kind: 'no-credentials'; readonly message: string }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'stopped'; readonly reason: StopReason };

export interface Progress {
  /** Retries used up. */
  readonly retries: number;
  /** Index into the auth methods. */
  readonly method: number;
  /** Name of the method at that index, when there was a change of method; the configuration may change in between. */
  readonly name: string;
  /** Names of json-token methods whose token was refreshed. */
  readonly refreshed: readonly string[];
}

export const NO_PROGRESS: Progress = { retries: 0, method: 0, name: '', refreshed: [] };

export interface Failure {
  /** Status for the caller: that of the service where HTTP knows it, 502 where it does not, or 400. */
  readonly code: number;
  readonly messages: readonly string[];
}

export type Decision =
  | { readonly kind: 'delivered' }
  | {
      readonly kind: 'again';
      readonly why: 'retry' | 'next-auth' | 'refresh';
      readonly waitMs: number;
      readonly progress: Progress;
    }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'stopped'; readonly reason: StopReason };

interface Rules {
  readonly callback: CallbackConfig;
  readonly methods: readonly AuthConfig[];
  readonly backoff: Backoff | undefined;
  /** Milliseconds left of Timeout. */
  readonly remainingMs: number;
  readonly random: number;
}

/** Services answer with 600 and 999 as well; nobody may pass such a status on. */
const LAST_STATUS = 599;
const BAD_GATEWAY = 502;

function failureOf(result: Exclude<AttemptResult, { kind: 'stopped' }>): Failure {
  if (result.kind !== 'answered') return { code: 400, messages: [result.message] };
  const messages = [`Callback API returned ${result.status}`];
  if (result.excerpt !== '') messages.push(`out: ${result.excerpt}`);
  return { code: result.status > LAST_STATUS ? BAD_GATEWAY : result.status, messages };
}

/** The same method again with a new token, or the next method; undefined when neither is left. */
function otherCredentials(result: AttemptResult, progress: Progress, rules: Rules): Decision | undefined {
  const current = rules.methods[progress.method];
  const rejected = result.kind === 'answered' && (result.status === 401 || result.status === 403);
  if (!current || (!rejected && result.kind !== 'no-credentials')) return undefined;
  if (rejected && current.type === 'json-token' && !progress.refreshed.includes(current.name)) {
    const refreshed = [...progress.refreshed, current.name];
    return { kind: 'again', why: 'refresh', waitMs: 0, progress: { ...progress, refreshed } };
  }
  const method = progress.method + 1;
  const next = rules.methods[method];
  if (!next) return undefined;
  return { kind: 'again', why: 'next-auth', waitMs: 0, progress: { ...progress, method, name: next.name } };
}

/** The progress as far as the methods configured now bear it: where the method got to is another one now, all begins anew. */
export function fitting(progress: Progress, methods: readonly AuthConfig[]): Progress {
  if (progress.method === 0 || methods[progress.method]?.name === progress.name) return progress;
  return { ...NO_PROGRESS, retries: progress.retries };
}

export function decide(result: AttemptResult, progress: Progress, rules: Rules): Decision {
  const { callback } = rules;
  if (result.kind === 'stopped') return result;
  if (result.kind === 'answered' && result.status < 400) return { kind: 'delivered' };
  const failure = failureOf(result);
  if (result.kind === 'refused') return { kind: 'failed', failure };
  const other = otherCredentials(result, progress, rules);
  if (other) return other;
  if (progress.retries >= callback.retry) return { kind: 'failed', failure };
  const retries = progress.retries + 1;
  const delay = retryDelay(callback.delaySeconds, rules.backoff, retries, rules.random);
  const asked = result.kind === 'answered' ? (result.retryAfterMs ?? 0) : 0;
  const waitMs = Math.max(delay, asked);
  if (waitMs >= rules.remainingMs) {
    const wait = `the next attempt would be in ${seconds(waitMs)} s, after the Timeout of ${callback.timeoutSeconds} s`;
    return { kind: 'failed', failure: { ...failure, messages: [...failure.messages, wait] } };
  }
  // Methods that were turned down have their turn again: what refused them may have recovered.
  const first = result.kind === 'no-credentials' || isRejection(result);
  const from = first ? { ...progress, method: 0, name: '' } : progress;
  return { kind: 'again', why: 'retry', waitMs, progress: { ...from, retries } };
}

function isRejection(result: AttemptResult): boolean {
  return result.kind === 'answered' && (result.status === 401 || result.status === 403);
}

const seconds = (ms: number): string => String(Math.round(ms / 100) / 10);
