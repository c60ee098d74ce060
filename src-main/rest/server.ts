/**
 * The REST service: turns the route table into a Fastify instance that the host mounts under `/api/v3` while the service runs.
 * Per request: id -> credentials -> actor -> handler -> answer; every refusal is a Problem and leaves through `respond.ts`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Access, type Actor, SYSTEM_ACTOR } from '../access/index.ts';
import { API_PREFIX } from '../contract/api-prefix.ts';
import { Problem } from '../contract/errors.ts';
import { newUuid } from '../kit/ids.ts';
import type { Log } from '../kit/log.ts';
import type { Call, Shape } from '../objects/index.ts';
import { authenticate } from './authenticate.ts';
import { parseJson } from './body.ts';
import { revisionMatch } from './entity-tags.ts';
import { createFastLane } from './fast-lane.ts';
import { withHeads } from './heads.ts';
import { type Answer, type Context, flag, type Method, one, type Route } from './http.ts';
import { openApiDocument } from './openapi.ts';
import { problemAnswer, REQUEST_ID_HEADER, send } from './respond.ts';
import { routeMatcher } from './route-matcher.ts';

/** Who calls a route that needs no credentials. */
const NOBODY: Actor = {
  ...SYSTEM_ACTOR,
  name: 'nobody',
  allows: () => false,
  sees: () => false,
  restricts: () => true,
};
const BODY_LIMIT = 10 * 1024 * 1024;

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null;
  }
}

interface RestOptions {
  readonly access: Access;
  readonly routes: readonly Route[];
  readonly log: Log;
  readonly version: string;
  /** Which fields answers have: those of one client generation, or what the client's headers tell. */
  readonly compat: 'auto' | Shape;
  readonly bodyLimit?: number;
}

interface Rest {
  readonly routes: readonly Route[];
  handle(request: IncomingMessage, response: ServerResponse): void;
  close(): Promise<void>;
}

/**
 * Old command-line clients print lists as they come and compare whole documents, so they get the old fields only; they are told
 * by their user agent, newer ones of the same family by the header they always send (wire-format.md 14).
 */
export function shapeOf(compat: RestOptions['compat'], headers: IncomingMessage['headers']): Shape {
  if (compat !== 'auto') return compat;
  if (headers['cache-control'] === 'no-store') return 'v4';
  return headers['user-agent']?.startsWith('Go-http-client/') ? 'v3' : 'v4';
}

/**
 * Published clients generated from a description of this API send `/users/{name}/token?name=bob` for a token of bob: the placeholder
 * stays in the path, its value comes as a query parameter. No object can have such a name, so the value is what they mean.
 */
function filled(params: Context['params'], query: Context['query']): Context['params'] {
  const key = params['key'];
  const placeholder = key === undefined ? undefined : /^\{([a-z]+)\}$/.exec(key)?.[1];
  const value = placeholder === undefined ? undefined : one(query[placeholder]);
  return value === undefined ? params : { ...params, key: value };
}

class RequestContext implements Context {
  readonly call: Call;
  readonly method: Method;
  readonly shape: Shape;
  readonly #request: FastifyRequest;

  constructor(request: FastifyRequest, actor: Actor, shape: Shape) {
    this.#request = request;
    this.method = request.method as Method;
    this.shape = shape;
    this.call = {
      actor,
      requestId: request.id,
      url: request.raw.url ?? '',
      force: flag((request.query as Context['query'])['force']),
      ifMatch: revisionMatch(request.headers['if-match']),
    };
  }
  get params(): Context['params'] {
    return filled(this.#request.params as Context['params'], this.query);
  }
  get query(): Context['query'] {
    return this.#request.query as Context['query'];
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
  get stream(): Context['stream'] {
    const { body } = this.#request;
    return body && !Buffer.isBuffer(body) ? (body as Context['stream']) : undefined;
  }
  json(): unknown {
    return parseJson(this.#request.body as Buffer | undefined, this.#request.headers['content-type']);
  }
}

function toProblem(error: unknown, log: Log, requestId: string): Problem {
  if (error instanceof Problem) return error;
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Problem('too-large', 'The body is too large');
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new Problem('bad-request', error instanceof Error ? error.message : 'The request cannot be read', {
      status: statusCode,
    });
  log.error({ requestId, err: error }, 'request failed');
  return new Problem('internal', `Something went wrong; the server log has the details under ${requestId}`);
}

const wrongType = (request: FastifyRequest): Problem =>
  new Problem('wrong-content-type', `Invalid content type: ${request.headers['content-type'] ?? ''}`);

export async function createRest(options: RestOptions): Promise<Rest> {
  const { access, log } = options;
  const app: FastifyInstance = Fastify({
    logger: false,
    bodyLimit: options.bodyLimit ?? BODY_LIMIT,
    exposeHeadRoutes: false,
    genReqId: () => newUuid(),
    requestIdHeader: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 4096, caseSensitive: true },
  });
  app.decorateRequest('actor', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  app.addHook('onRequest', (request, _reply, done) => {
    if ((request.routeOptions.config as { open?: boolean } | undefined)?.open) {
      done();
      return;
    }
    try {
      const found = authenticate(
        access,
        request.headers.authorization,
        one((request.query as Context['query'])['token']),
        request.socket.remoteAddress ?? '',
        { requestId: request.id, url: request.raw.url ?? '' },
      );
      if (!(found instanceof Promise)) {
        request.actor = found;
        done();
        return;
      }
      found.then(
        (actor) => {
          request.actor = actor;
          done();
        },
        (error: unknown) => done(error as Error),
      );
    } catch (error) {
      done(error as Error);
    }
  });

  const fail = (request: FastifyRequest, reply: FastifyReply, error: unknown): void => {
    try {
      send(reply, problemAnswer(toProblem(error, log, request.id), request.method, request.id), request.method);
    } catch (failure) {
      // Nothing can be said any more. Whatever is thrown here would end the process, and every other request with it.
      log.error({ requestId: request.id, err: failure }, 'answer was not sent');
      reply.raw.destroy();
    }
  };

  /** An answer that cannot be sent is the failure of this one request. */
  const respond = (request: FastifyRequest, reply: FastifyReply, answer: Answer): void => {
    try {
      send(reply, answer, request.method);
    } catch (error) {
      for (const name of Object.keys(answer.headers ?? {})) reply.removeHeader(name);
      fail(request, reply, error);
    }
  };

  app.addHook('preParsing', (request, _reply, payload, done) => {
    const encoding = request.headers['content-encoding'];
    if (encoding === undefined || encoding === 'identity') done(null, payload);
    else
      done(
        new Problem('wrong-content-type', `A body in the encoding ${encoding} is not read: send it as it is`, {
          status: 415,
        }),
      );
  });

  const served = withHeads(options.routes);
  const openApi: Route = {
    method: 'GET',
    path: '/openapi.json',
    tag: 'info',
    summary: 'This document',
    open: true,
    answer: { status: 200, type: 'application/json' },
    handler: () => ({ status: 200, body: document }),
  };
  const routes = [...served, ...withHeads([openApi])];
  const document = Buffer.from(JSON.stringify(openApiDocument(routes, options.version)));
  const register = (scope: FastifyInstance, route: Route): void => {
    scope.route({
      method: route.method,
      url: `${API_PREFIX}${route.path}`,
      ...(route.open ? { config: { open: true } } : {}),
      ...(route.upload ? { bodyLimit: Number.MAX_SAFE_INTEGER } : {}),
      handler: (request, reply) => {
        const context = new RequestContext(request, request.actor ?? NOBODY, shapeOf(options.compat, request.headers));
        const done = (answer: Answer): void => respond(request, reply, answer);
        try {
          const answer = route.handler(context);
          if (answer instanceof Promise) answer.then(done, (error: unknown) => fail(request, reply, error));
          else done(answer);
        } catch (error) {
          fail(request, reply, error);
        }
        return reply;
      },
    });
  };
  for (const route of routes) if (!route.upload) register(app, route);
  app.register((uploads, _options, done) => {
    // Whatever its content type, an upload is never collected in memory.
    uploads.removeAllContentTypeParsers();
    uploads.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload));
    for (const route of routes) if (route.upload) register(uploads, route);
    done();
  });

  const match = routeMatcher(routes);
  app.setNotFoundHandler((request, reply) => {
    const url = request.raw.url ?? '';
    const path = url.split('?', 1)[0]?.slice(API_PREFIX.length) ?? '';
    const methods = match(path);
    if (methods.length === 0) return fail(request, reply, new Problem('no-route', 'No route', { key: url }));
    reply.header('Allow', methods.join(', '));
    return fail(request, reply, new Problem('wrong-method', 'Method not allowed', { key: url }));
  });
  app.setErrorHandler((error, request, reply) =>
    fail(
      request,
      reply,
      (error as { code?: string }).code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' ? wrongType(request) : error,
    ),
  );
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (!reply.hasHeader(REQUEST_ID_HEADER)) reply.header(REQUEST_ID_HEADER, request.id);
    done();
  });
  await app.ready();
  const fastLane = createFastLane({
    prefix: API_PREFIX,
    routes,
    access,
    shapeOf: (headers) => shapeOf(options.compat, headers),
    toProblem: (error, requestId) => toProblem(error, log, requestId),
  });
  return {
    routes,
    handle(request, response) {
      if (!fastLane(request, response)) app.routing(request, response);
    },
    close: () => app.close(),
  };
}
