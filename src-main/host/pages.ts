/** The host's own pages: the built renderer under `/ui/` with a strict policy, `/host/state`, and what it answers while the service is down. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import helmet from '@fastify/helmet';
import fastifyStatic from '@fastify/static';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { errorBody, Problem } from '../contract/errors.ts';
import type { HostState } from '../contract/host.ts';
import { newUuid } from '../kit/ids.ts';

export interface PagesOptions {
  /** Directory of the built renderer. */
  readonly uiDir: string;
  readonly state: () => HostState;
  /** Further rows below `/host`, such as metrics. */
  readonly extend?: (app: FastifyInstance) => void;
}

const UI_MISSING = 'The screens are not built. Run npm run build, then reload.';

function refuse(request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  return reply
    .code(problem.status)
    .type('application/json; charset=utf-8')
    .send(errorBody(problem, request.method, request.id));
}

const noRoute = (request: FastifyRequest): Problem => new Problem('no-route', 'No route', { key: request.url });

/** Pages of the host as a Fastify instance that the listener routes to. */
export async function createPages({ uiDir, state, extend }: PagesOptions): Promise<FastifyInstance> {
  const app = Fastify({
    logger: false,
    genReqId: () => newUuid(),
    routerOptions: { ignoreTrailingSlash: false },
  });
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        // Component libraries set style attributes; scripts stay strict.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    hsts: false,
    crossOriginEmbedderPolicy: true,
    referrerPolicy: { policy: 'no-referrer' },
  });

  app.get('/host/state', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return state();
  });
  extend?.(app);

  app.get('/', async (_request, reply) => reply.redirect('/ui/', 301));
  app.get('/ui', async (_request, reply) => reply.redirect('/ui/', 301));
  if (existsSync(join(uiDir, 'index.html'))) {
    await app.register(fastifyStatic, {
      root: uiDir,
      prefix: '/ui/',
      index: ['index.html'],
      setHeaders(reply, path) {
        // Names of built files carry their hash; the page that names them must always be asked for.
        const immutable = path.includes('/assets/');
        reply.header('cache-control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }
  app.setNotFoundHandler(async (request, reply) => {
    const isPage =
      request.method === 'GET' &&
      request.url.startsWith('/ui/') &&
      !/\.[a-z0-9]+$/i.test(request.url.split('?')[0] ?? '');
    if (isPage && existsSync(join(uiDir, 'index.html')))
      return reply.header('cache-control', 'no-cache').sendFile('index.html');
    if (isPage) return reply.code(503).type('text/plain; charset=utf-8').send(`${UI_MISSING}\n`);
    return refuse(request, reply, noRoute(request));
  });
  // A path that climbs out of the folder is no path of ours; anything else went wrong here.
  app.setErrorHandler<FastifyError>(async (error, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status === 403) return refuse(request, reply, noRoute(request));
    const problem =
      status < 500
        ? new Problem('bad-request', error.message, { key: request.url, status })
        : new Problem('internal', 'The page cannot be sent', { key: request.url });
    return refuse(request, reply, problem);
  });
  await app.ready();
  return app;
}
