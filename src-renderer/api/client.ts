/**
 * The API as screens use it: typed by prefix, with the session's token, and with the one rule for dead
 * tokens (the sign-in sheet opens, drafts stay).
 */
import { API_PREFIX } from '../../src-main/contract/api-prefix.ts';
import type { Json, JsonObject } from '../../src-main/kit/json.ts';
import type { Rendered } from './callbacks.ts';
import { ApiError } from './errors.ts';
import type { PatchOp } from './patch.ts';
import type { RowReading } from './rows.ts';
import { currentToken, session, sessionEnded } from './session.ts';
import { type Answer, type Sent, send, sendForRows } from './transport.ts';
import type { ObjectOf, Prefix } from './types.ts';

export const API = API_PREFIX;

export function pathOf(prefix: Prefix, key?: string, ...rest: readonly string[]): string {
  return [API, prefix, ...(key === undefined ? [] : [encodeURIComponent(key)]), ...rest.map(encodeURIComponent)].join(
    '/',
  );
}

/** Sends with the session's token. A 403 that explains nothing is settled by asking "get myself" once. */
export const call = <T>(request: Omit<Sent, 'authorization'>): Promise<Answer<T>> => callBy(send<T>, request);

async function callBy<T>(
  sender: (request: Sent) => Promise<Answer<T>>,
  request: Omit<Sent, 'authorization'>,
): Promise<Answer<T>> {
  const token = currentToken();
  const line = { method: request.method, path: request.path, body: request.body };
  if (token === undefined) throw new ApiError({ kind: 'session-over' }, 401, line);
  try {
    return await sender({ ...request, authorization: `Bearer ${token}` });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const over = error.failure.kind === 'session-over' || (error.failure.kind === 'unclear' && !(await isAlive(token)));
    if (!over) throw error;
    sessionEnded(token);
    throw new ApiError({ kind: 'session-over' }, error.status, line, error.requestId);
  }
}

async function isAlive(token: string): Promise<boolean> {
  const now = session.getState();
  if (now.kind !== 'signed-in') return false;
  try {
    await send({ method: 'GET', path: pathOf('users', now.user), authorization: `Bearer ${token}` });
    return true;
  } catch (error) {
    return error instanceof ApiError && error.failure.kind !== 'session-over';
  }
}

export const api = {
  /** `known` are the texts of the last reading: rows that did not change stay the same objects. */
  list: <P extends Prefix>(prefix: P, signal?: AbortSignal, known?: RowReading<ObjectOf<P>>['texts']) =>
    callBy((request) => sendForRows<ObjectOf<P>>(request, known), { method: 'GET', path: pathOf(prefix), signal }),
  get: <P extends Prefix>(prefix: P, key: string, signal?: AbortSignal) =>
    call<ObjectOf<P>>({ method: 'GET', path: pathOf(prefix, key), signal }),
  create: <P extends Prefix>(prefix: P, body: Json) =>
    call<ObjectOf<P>>({ method: 'POST', path: pathOf(prefix), body }),
  patch: <P extends Prefix>(prefix: P, key: string, ops: readonly PatchOp[], etag?: string) =>
    call<ObjectOf<P>>({ method: 'PATCH', path: pathOf(prefix, key), body: ops, ifMatch: etag }),
  remove: <P extends Prefix>(prefix: P, key: string) =>
    call<ObjectOf<P>>({ method: 'DELETE', path: pathOf(prefix, key) }),
  setPassword: (user: string, password: string) =>
    call<ObjectOf<'users'>>({ method: 'PUT', path: pathOf('users', user, 'password'), body: { Password: password } }),
  /** Runs a plugin action on a machine; answers what the external service answered, as the callback's mode shapes it. */
  runAction: (machine: string, action: string, body: Json, plugin?: string) =>
    call<Json>({
      method: 'POST',
      path: `${pathOf('machines', machine, 'actions', action)}${plugin ? `?plugin=${encodeURIComponent(plugin)}` : ''}`,
      body,
    }),
  /** What a callback would send. Nothing is sent. */
  renderCallback: (body: JsonObject) => call<Rendered>({ method: 'POST', path: `${API}/x/callbacks/render`, body }),
} as const;
