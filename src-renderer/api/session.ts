/**
 * The session: one discriminated union every screen can read, and the token, which only this module holds.
 * The token lives in memory; "remember on this computer" hands it to the operating system's key store
 * through the desktop bridge and to nothing else.
 */
import { createStore } from 'zustand/vanilla';
import { API_PREFIX } from '../../src-main/contract/api-prefix.ts';
import { bridge } from '../desktop/bridge.ts';
import { ApiError } from './errors.ts';
import { send } from './transport.ts';

type Session =
  /** Looking for a remembered session; nothing is painted but the frame. */
  | { readonly kind: 'checking' }
  | { readonly kind: 'signed-out' }
  /** Signed in with the default password: nothing else may be done before it is changed. */
  | { readonly kind: 'new-password'; readonly user: string }
  | { readonly kind: 'signed-in'; readonly user: string }
  /** The token died under an open page: the sheet asks again, drafts stay. */
  | { readonly kind: 'expired'; readonly user: string };

export const session = createStore<Session>(() => ({ kind: 'checking' }));

/** Seconds a token lives; renewed well before, so only a closed lid or a rotated secret ends a session. */
const TOKEN_TTL = 3600;
const REMEMBERED_TTL = 7 * 24 * 3600;
const RENEW_AT = 0.7;
/** The one account that exists before anybody created one. */
export const DEFAULT_ADMINISTRATOR = 'rocketskates';
/** Known to everybody, so the new one must differ from it. */
export const DEFAULT_PASSWORD = 'r0cketsk8ts';

let token: string | undefined;
let remembered = false;
let renewal: ReturnType<typeof setTimeout> | undefined;

export function currentToken(): string | undefined {
  return token;
}

interface SignIn {
  readonly user: string;
  readonly password: string;
  readonly remember: boolean;
  /** From `/host/state`: true forces the default administrator to the new-password screen. */
  readonly defaultPassword: boolean;
}

/** Exchanges the password for a token. Throws ApiError; the caller says it without naming the wrong part. */
export async function signIn(request: SignIn): Promise<void> {
  const ttl = request.remember ? REMEMBERED_TTL : TOKEN_TTL;
  const answer = await fetchToken(request.user, ttl, `Basic ${basic(request.user, request.password)}`);
  remembered = request.remember;
  await adopt(request.user, answer, ttl);
  const mustChange = request.defaultPassword && request.user === DEFAULT_ADMINISTRATOR;
  session.setState({ kind: mustChange ? 'new-password' : 'signed-in', user: request.user }, true);
}

/** Sets the own password and signs in with it again: the change kills every older token of the user. */
export async function changeOwnPassword(user: string, password: string): Promise<void> {
  await send({
    method: 'PUT',
    path: `${API_PREFIX}/users/${encodeURIComponent(user)}/password`,
    body: { Password: password },
    authorization: `Bearer ${token ?? ''}`,
  });
  await signIn({ user, password, remember: remembered, defaultPassword: false });
}

/** Takes up a remembered session if the key store has one that still works. */
export async function resumeSession(): Promise<void> {
  const kept = await recall();
  if (kept) {
    try {
      const answer = await fetchToken(kept.user, REMEMBERED_TTL, `Bearer ${kept.token}`);
      remembered = true;
      await adopt(kept.user, answer, REMEMBERED_TTL);
      session.setState({ kind: 'signed-in', user: kept.user }, true);
      return;
    } catch (error) {
      if (error instanceof ApiError && error.failure.kind === 'session-over') await bridge?.forgetSession();
    }
  }
  session.setState({ kind: 'signed-out' }, true);
}

export async function signOut(): Promise<void> {
  drop();
  await bridge?.forgetSession();
  session.setState({ kind: 'signed-out' }, true);
}

/** Called when a request sent with `deadToken` came back "session over". A newer token is left alone. */
export function sessionEnded(deadToken: string | undefined): void {
  if (deadToken !== token) return;
  const now = session.getState();
  if (now.kind !== 'signed-in' && now.kind !== 'new-password') return;
  drop();
  session.setState(now.kind === 'signed-in' ? { kind: 'expired', user: now.user } : { kind: 'signed-out' }, true);
}

function drop(): void {
  token = undefined;
  clearTimeout(renewal);
}

async function adopt(user: string, fresh: string, ttl: number): Promise<void> {
  token = fresh;
  clearTimeout(renewal);
  renewal = setTimeout(() => void renew(user, ttl), ttl * RENEW_AT * 1000);
  if (remembered && bridge && (await bridge.keyStoreAvailable())) {
    await bridge.rememberSession(JSON.stringify({ user, token: fresh }));
  }
}

/** A failed renewal is tried again in a minute; a dead token shows itself at the next request anyway. */
async function renew(user: string, ttl: number): Promise<void> {
  const old = token;
  try {
    const fresh = await fetchToken(user, ttl, `Bearer ${old ?? ''}`);
    if (token === old) await adopt(user, fresh, ttl);
  } catch (error) {
    if (error instanceof ApiError && error.failure.kind === 'session-over') sessionEnded(old);
    else if (token === old) renewal = setTimeout(() => void renew(user, ttl), 60_000);
  }
}

async function fetchToken(user: string, ttl: number, authorization: string): Promise<string> {
  const path = `${API_PREFIX}/users/${encodeURIComponent(user)}/token?ttl=${ttl}`;
  const { value } = await send<{ Token: string }>({ method: 'GET', path, authorization });
  return value.Token;
}

async function recall(): Promise<{ user: string; token: string } | undefined> {
  try {
    const text = await bridge?.recallSession();
    const kept: unknown = text === undefined ? undefined : JSON.parse(text);
    if (typeof kept !== 'object' || kept === null || !('user' in kept) || !('token' in kept)) return undefined;
    return typeof kept.user === 'string' && typeof kept.token === 'string'
      ? { user: kept.user, token: kept.token }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Base64 of `user:password` in UTF-8; `btoa` alone refuses anything beyond Latin-1. */
function basic(user: string, password: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(`${user}:${password}`)));
}
