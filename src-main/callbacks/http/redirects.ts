/**
 * Redirects: a pure decision and the loop around it. Nothing that carries credentials leaves its origin, nothing goes from
 * https to http, and the number of hops is bounded.
 */
import type { Stop } from '../stop.ts';
import type { Transport } from './pools.ts';
import { type AnswerLimits, type HttpContext, type HttpRequest, type HttpResult, send, targetOf } from './send.ts';
import { takeUserInfo } from './user-info.ts';

const MOST = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const BODY_HEADERS = /^content-/i;

type Redirect =
  | { readonly kind: 'none' }
  | { readonly kind: 'follow'; readonly request: HttpRequest }
  | { readonly kind: 'refused'; readonly reason: string };

const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** 307 and 308 repeat the request; 303, and 301 and 302 after a POST, turn it into a GET, as clients have always done. */
function repeated(request: HttpRequest, status: number, address: URL): HttpRequest {
  const target = targetOf(takeUserInfo(address).url);
  const becomesGet = (status === 303 && !isSafe(request.method)) || (status < 303 && request.method === 'POST');
  if (!becomesGet) return { ...request, target };
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !BODY_HEADERS.test(name)));
  return { method: 'GET', target, headers, body: undefined };
}

/** Where an answer sends a request. `credentials`: the request carries something that only its own origin may see. */
function redirectOf(
  request: HttpRequest,
  status: number,
  location: string | undefined,
  credentials: boolean,
): Redirect {
  if (!REDIRECTS.has(status) || location === undefined || location === '') return { kind: 'none' };
  const refused = (why: string): Redirect => ({
    kind: 'refused',
    reason: `the redirect (${status}) of ${request.target.origin} was not followed: ${why}`,
  });
  const { href, origin } = request.target;
  if (!URL.canParse(location, href)) return refused('its Location is not an address');
  const url = new URL(location, href);
  if (!/^https?:$/.test(url.protocol)) return refused('it does not lead to an http or https address');
  if (href.startsWith('https:') && url.protocol === 'http:') return refused('it leads from https to http');
  if (url.origin !== origin && credentials)
    return refused(`it leads to another origin, ${url.origin}, and the request carries credentials`);
  return { kind: 'follow', request: repeated(request, status, url) };
}

/** As `send`, following redirects. The timing is that of the last hop. */
export async function sendFollowing(
  context: HttpContext,
  request: HttpRequest,
  transport: Transport,
  limits: AnswerLimits,
  stop: Stop,
  credentials: boolean,
): Promise<HttpResult> {
  const first = await send(context, request, transport, limits, stop);
  if (first.kind !== 'answer' || !REDIRECTS.has(first.status)) return first;
  const seen = new Set<string>();
  const { origin } = request.target;
  let current = request;
  let result: HttpResult = first;
  for (let hops = 0; result.kind === 'answer' && REDIRECTS.has(result.status); hops++) {
    seen.add(`${current.method} ${current.target.href}`);
    const location = result.headers['location'];
    const redirect = redirectOf(
      current,
      result.status,
      typeof location === 'string' ? location : undefined,
      credentials,
    );
    if (redirect.kind === 'none') return result;
    const { timing } = result;
    const refuse = (message: string): HttpResult => ({ kind: 'failed', message, refused: true, timing });
    if (redirect.kind === 'refused') return refuse(redirect.reason);
    if (seen.has(`${redirect.request.method} ${redirect.request.target.href}`))
      return refuse(`${origin} redirects in a loop`);
    if (hops >= MOST) return refuse(`${origin} redirects more than ${MOST} times`);
    current = redirect.request;
    result = await send(context, current, transport, limits, stop);
  }
  return result;
}
