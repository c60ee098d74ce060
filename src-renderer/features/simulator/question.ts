/** The form of the simulator and the question it makes. Pure. */
import type { Json } from '../../../src-main/kit/json.ts';
import { type Question, tokenOf } from '../../api/access.ts';
import type { HandedOver } from '../../api/hand-over.ts';
import type { ScreenSearch } from '../../paths.ts';

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

export interface Draft {
  readonly who: 'user' | 'token';
  readonly user: string;
  readonly token: string;
  readonly method: string;
  readonly path: string;
  /** Sent with methods that have one; undefined: none. */
  readonly body: Json | undefined;
  /** A body that does not parse yet. */
  readonly bodyFault: string | undefined;
}

export function startOf(search: ScreenSearch, held: HandedOver, caller: string): Draft {
  const method = (search.method ?? 'GET').toUpperCase();
  return {
    who: held.token === undefined ? 'user' : 'token',
    user: search.user ?? caller,
    token: held.token ?? '',
    method: METHODS.includes(method) ? method : 'GET',
    path: search.path ?? '',
    body: held.body,
    bodyFault: undefined,
  };
}

export function takesBody(method: string): boolean {
  return WITH_BODY.has(method);
}

/** What a PATCH of a field looks like, to start from. */
export const EXAMPLE_PATCH: Json = [{ op: 'replace', path: '/Description', value: '' }];

/** The question, or what is still missing. */
export function questionOf(draft: Draft): { readonly question?: Question; readonly missing?: string } {
  const token = tokenOf(draft.token);
  const user = draft.user.trim();
  if (draft.who === 'user' && user === '') return { missing: 'Name a user' };
  if (draft.who === 'token' && token === '') return { missing: 'Paste a token' };
  if (draft.path.trim() === '') return { missing: 'Type a path' };
  const hasBody = takesBody(draft.method);
  if (hasBody && draft.bodyFault !== undefined) return { missing: `Not valid yet: ${draft.bodyFault}` };
  return {
    question: {
      who: draft.who === 'user' ? { user } : { token },
      method: draft.method,
      path: draft.path.trim(),
      body: hasBody ? draft.body : undefined,
    },
  };
}
