/** Tokens and explanations: what the server is asked, and what screens read out of the answers. Pure but for the requests. */
import type {
  ActorDescription,
  Explanation,
  OwnRights,
  Rung,
  TokenInspection,
} from '../../src-main/contract/access-answers.ts';
import type { Claim } from '../../src-main/contract/claims/index.ts';
import type { Json } from '../../src-main/kit/json.ts';
import { API, call, pathOf } from './client.ts';
import { send } from './transport.ts';

export interface TokenWish {
  readonly user: string;
  /** Empty: not narrowed to roles. */
  readonly roles: readonly string[];
  /** Seconds. */
  readonly ttl: number;
  /** Narrows the token to this one claim. */
  readonly claim: Claim | undefined;
}

/** The address that issues a token; what is not asked for is left out. */
export function tokenPath({ user, roles, ttl, claim }: TokenWish): string {
  const query = new URLSearchParams({ ttl: String(ttl) });
  if (roles.length > 0) query.set('roles', roles.join(','));
  if (claim) for (const part of ['scope', 'action', 'specific'] as const) query.set(part, claim[part]);
  return `${pathOf('users', user, 'token')}?${query}`;
}

/** Names out of what was typed or pasted: several may stand in one text, divided by commas as in the request. */
export function namesOf(typed: readonly string[]): string[] {
  const names = typed.flatMap((text) => text.split(',')).map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ''))];
}

export interface IssuedToken {
  readonly token: string;
  readonly dropped: readonly string[];
  /** What the token is worth, asked with the token itself. */
  readonly rights: OwnRights;
}

export async function issueToken(wish: TokenWish): Promise<IssuedToken> {
  const { value } = await call<{ Token: string; Dropped?: string[] }>({ method: 'GET', path: tokenPath(wish) });
  const own = await send<OwnRights>({
    method: 'GET',
    path: `${API}/x/access/own`,
    authorization: `Bearer ${value.Token}`,
  });
  return { token: value.Token, dropped: value.Dropped ?? [], rights: own.value };
}

export const inspectToken = async (token: string): Promise<TokenInspection> =>
  (await call<TokenInspection>({ method: 'POST', path: `${API}/x/access/inspect`, body: { token } })).value;

/** The token out of what people paste: with the word Bearer before it, with quotes, over several lines. */
export function tokenOf(pasted: string): string {
  return pasted.replace(/^\s*(authorization:)?\s*(bearer\s)?/i, '').replace(/[\s"']/g, '');
}

/** What each kind of token is for. Machine tokens are made by templates only. */
export const TOKEN_KINDS: Readonly<Record<string, { readonly name: string; readonly about: string }>> = {
  user: { name: 'User token', about: 'Acts as the user, as far as it was not narrowed.' },
  discovery: {
    name: 'Machine token: discovery',
    about: 'For machines that are not known yet: creates and gets machines, nothing else.',
  },
  operations: {
    name: 'Machine token: operations',
    about:
      'Lets a machine modify itself, get stages and tasks, create events, and work on its reservation and its jobs.',
  },
  profile: { name: 'Machine token: profile', about: 'Made by a template for what its profile allows.' },
};

/** Seconds between issue and expiry; undefined where either is unknown. */
export function lifetimeOf({ Issued, Expires }: ActorDescription): number | undefined {
  return Issued && Expires ? Math.round((Date.parse(Expires) - Date.parse(Issued)) / 1000) : undefined;
}

export type Asker = { readonly user: string } | { readonly token: string };

export interface Question {
  readonly who: Asker;
  readonly method: string;
  /** With or without the prefix of the API. */
  readonly path: string;
  readonly body: Json | undefined;
}

/** The body of the question. Sent as its own type so that "Copy as curl" shows the same. */
export function questionBody({ who, method, path, body }: Question): { readonly [k: string]: Json } {
  return { ...who, method, path: path.trim(), ...(body === undefined ? {} : { body }) };
}

export const explainRequest = async (question: Question): Promise<Explanation> =>
  (await call<Explanation>({ method: 'POST', path: `${API}/x/access/explain`, body: questionBody(question) })).value;

/** The reasons are never merged: each asks for another cure. */
export const REASONS: Readonly<Record<Rung, string>> = {
  token: 'The token is invalid or expired',
  tenant: 'Hidden by the tenant',
  claim: 'No claim grants it',
  license: 'The license does not cover it',
};
