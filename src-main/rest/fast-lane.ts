/**
 * Reading one object by its key is most of what clients ask, and the answer is there already as bytes. Such a request takes the same row, the
 * same check and the same answer as any other; only the framework around it is left out. What is not plainly of that kind goes the
 * ordinary way.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Access, Actor } from '../access/index.ts';
import type { Problem } from '../contract/errors.ts';
import { newUuid } from '../kit/ids.ts';
import type { Call, Shape } from '../objects/index.ts';
import type { Answer, Context, Route } from './http.ts';
import { JSON_TYPE, problemAnswer, REQUEST_ID_HEADER } from './respond.ts';

interface FastLaneOptions {
  readonly prefix: string;
  readonly routes: readonly Route[];
  readonly access: Access;
  readonly shapeOf: (headers: IncomingMessage['headers']) => Shape;
  readonly toProblem: (error: unknown, requestId: string) => Problem;
}

const BEARER = 'Bearer ';
const NO_QUERY: Context['query'] = Object.freeze({});

class LeanContext implements Context {
  readonly method = 'GET';
  readonly stream = undefined;
  readonly query = NO_QUERY;
  readonly call: Call;
  readonly params: Context['params'];
  readonly shape: Shape;
  readonly #request: IncomingMessage;

  constructor(request: IncomingMessage, actor: Actor, requestId: string, key: string, shape: Shape) {
    this.#request = request;
    this.call = { actor, requestId, url: request.url ?? '', force: false };
    this.params = { key };
    this.shape = shape;
  }
  get headers(): Context['headers'] {
    return this.#request.headers;
  }
  get remoteAddress(): string {
    return this.#request.socket.remoteAddress ?? '';
  }
  get localAddress(): string {
    return this.#request.socket.localAddress ?? '';
  }
  json(): unknown {
    return undefined;
  }
}

function write(response: ServerResponse, answer: Answer, requestId: string): void {
  const { status, body } = answer;
  const bytes = body === undefined ? '' : Buffer.isBuffer(body) ? body : JSON.stringify(body);
  response.writeHead(status, {
    'content-type': answer.contentType ?? JSON_TYPE,
    ...answer.headers,
    [REQUEST_ID_HEADER]: requestId,
    ...(status === 304 ? {} : { 'content-length': Buffer.byteLength(bytes) }),
  });
  response.end(bytes);
}

/** Answers whether it took the request. */
export function createFastLane(
  options: FastLaneOptions,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const { prefix, access, shapeOf, toProblem } = options;
  const start = `${prefix}/`;
  const rows = new Map<string, Route>();
  for (const route of options.routes) {
    const type = /^\/([a-z_]+)\/:key$/.exec(route.path)?.[1];
    if (route.method === 'GET' && type !== undefined) rows.set(type, route);
  }
  return (request, response) => {
    const { url = '', headers } = request;
    const { authorization } = headers;
    if (request.method !== 'GET' || !url.startsWith(start) || !authorization?.startsWith(BEARER)) return false;
    const slash = url.indexOf('/', start.length);
    if (slash < 0) return false;
    const row = rows.get(url.slice(start.length, slash));
    const key = url.slice(slash + 1);
    // Queries, escapes and sub-resources are the framework's to read; so is a body, which a GET should not have.
    if (
      !row ||
      key === '' ||
      /[?%/#]/.test(key) ||
      headers['content-length'] !== undefined ||
      headers['transfer-encoding'] !== undefined
    )
      return false;
    const token = authorization.slice(BEARER.length);
    if (token === '' || token.includes(' ')) return false;

    const requestId = newUuid();
    const fail = (error: unknown): void => {
      try {
        write(response, problemAnswer(toProblem(error, requestId), 'GET', requestId), requestId);
      } catch {
        // The answer has begun. Whatever is thrown here would end the process, and every other request with it.
        response.destroy();
      }
    };
    try {
      const context = new LeanContext(
        request,
        access.bearer(token, { requestId, url }),
        requestId,
        key,
        shapeOf(headers),
      );
      const answer = row.handler(context);
      if (answer instanceof Promise) answer.then((made) => write(response, made, requestId)).catch(fail);
      else write(response, answer, requestId);
    } catch (error) {
      fail(error);
    }
    return true;
  };
}
