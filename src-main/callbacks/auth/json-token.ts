/** Auth method `json-token`: asks an address for a token in a field of its JSON answer. */
import { isJsonObject, type Json } from '../../kit/json.ts';
import type { TokenAuth } from '../config.ts';
import type { Transport } from '../http/pools.ts';
import { sendFollowing } from '../http/redirects.ts';
import { type HttpContext, type HttpRequest, targetOf } from '../http/send.ts';
import { takeUserInfo } from '../http/user-info.ts';
import type { Clock } from '../ports.ts';
import { pause, Stop, Stopped } from '../stop.ts';
import { AuthFailure, checkedToken } from './failure.ts';

/** A token answer is small; anything longer is not one. */
const MAX_ANSWER = 1024 * 1024;

export interface Token {
  readonly token: string;
  /** Seconds it may be used again; 0: not at all. */
  readonly lifetime: number;
}

function tokenRequest(auth: TokenAuth): HttpRequest {
  const { url, authorization } = takeUserInfo(new URL(auth.url));
  const query = auth.query.replace(/^\?/, '');
  if (query !== '') url.search = url.search === '' ? query : `${url.search}&${query}`;
  const looksLikeJson = /^\s*[[{]/.test(auth.data);
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (auth.data !== '')
    headers['Content-Type'] = looksLikeJson ? 'application/json; charset=utf-8' : 'application/x-www-form-urlencoded';
  if (authorization !== undefined) headers['Authorization'] = authorization;
  return {
    method: auth.method,
    target: targetOf(url),
    headers,
    body: auth.data === '' ? undefined : Buffer.from(auth.data),
  };
}

function lifetimeOf(answer: { readonly [k: string]: Json }, field: string): number {
  if (field === '' || !Object.hasOwn(answer, field)) return 0;
  const seconds = Number(answer[field]);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 0;
}

function readToken(body: Buffer, auth: TokenAuth): Token {
  let answer: Json;
  try {
    answer = JSON.parse(body.toString('utf8')) as Json;
  } catch {
    throw new AuthFailure('the token service answered something that is not JSON');
  }
  if (!isJsonObject(answer)) throw new AuthFailure('the token service answered JSON that is not an object');
  const value = Object.hasOwn(answer, auth.tokenField) ? answer[auth.tokenField] : undefined;
  if (typeof value !== 'string')
    throw new AuthFailure(
      `the answer of the token service has no text in its field ${JSON.stringify(auth.tokenField)}`,
    );
  return { token: checkedToken(value, 'the token service'), lifetime: lifetimeOf(answer, auth.durationField) };
}

async function askOnce(context: HttpContext, auth: TokenAuth, transport: Transport, stop: Stop): Promise<Token> {
  const limits = { maxBytes: MAX_ANSWER, tooLong: 'fail' } as const;
  // A token request is credentials as a whole: it never follows a redirect to another origin.
  const result = await sendFollowing(context, tokenRequest(auth), transport, limits, stop, true);
  if (result.kind === 'stopped') throw new Stopped(result.reason);
  if (result.kind === 'failed') throw new AuthFailure(result.message);
  if (result.status >= 400) throw new AuthFailure(`the token service answered with status ${result.status}`);
  return readToken(result.body, auth);
}

/** Asks with the method's own Retry, Delay and Timeout. Rejects with AuthFailure, or Stopped when `stop` came first. */
export async function requestToken(
  context: HttpContext,
  auth: TokenAuth,
  transport: Transport,
  clock: Clock,
  stop: Stop,
): Promise<Token> {
  const own = new Stop();
  const off = stop.on((reason) => own.trigger(reason));
  const disarm = clock.after(auth.timeoutSeconds * 1000, () => own.trigger('timeout'));
  try {
    for (let retries = 0; ; retries++) {
      try {
        return await askOnce(context, auth, transport, own);
      } catch (error) {
        if (!(error instanceof AuthFailure) || retries >= auth.retry) throw error;
      }
      await pause(clock, auth.delaySeconds * 1000, own);
    }
  } catch (error) {
    if (error instanceof Stopped && error.reason === 'timeout')
      throw new AuthFailure(`no token came within the Timeout of ${auth.timeoutSeconds} s`);
    throw error;
  } finally {
    disarm();
    off();
  }
}
