/**
 * The host outlives the service: one listener, always up while the program runs. `/api/v3` is mounted only while the service
 * runs; otherwise it answers 503 with the reason.
 *
 *   starting -> running -> stopping -> stopped        start(), stop()
 *        \-> failed                                   a start that threw
 *   stopped <-> upgrading                             the upgrade engine holds the directory
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '../contract/api-prefix.ts';
import { errorBody, Problem } from '../contract/errors.ts';
import type { HostState, ServiceState } from '../contract/host.ts';
import { newUuid } from '../kit/ids.ts';
import type { Log } from '../kit/log.ts';
import type { Certificate } from './certificate.ts';
import { type Listener, listen } from './listener.ts';
import { createPages } from './pages.ts';

/** What the host needs of a running service. */
export interface Service {
  handle(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** For `/host/state`. */
  summary(): Pick<HostState, 'defaultPassword' | 'features' | 'labLicense' | 'deliveries'>;
  /** Prometheus text. */
  metrics(): string;
  /** True when the request may read metrics from elsewhere than loopback. */
  mayReadMetrics(authorization: string | undefined): boolean;
  /** Ends what would otherwise stay open: event streams and websockets. */
  drain(): void;
  stop(): Promise<void>;
}

export interface HostOptions {
  readonly address: string;
  readonly port: number | undefined;
  readonly certificate: Certificate;
  readonly uiDir: string;
  readonly version: string;
  readonly mode: HostState['mode'];
  readonly clock: () => number;
  readonly log: Log;
  readonly startService: (url: string) => Promise<Service>;
}

export interface Host {
  readonly url: string;
  readonly port: number;
  state(): HostState;
  start(): Promise<void>;
  stop(reason: string): Promise<void>;
  /** Stops the service and the listener. */
  close(): Promise<void>;
}

const NOTHING: ReturnType<Service['summary']> = {
  defaultPassword: false,
  features: [],
  labLicense: false,
  deliveries: { waiting: 0, held: 0, failed: 0 },
};
/** Open requests get this long to end; with the rest of the stop it stays under five seconds. */
const DRAIN_MS = 2_500;

const isApi = (url: string | undefined): boolean =>
  url !== undefined && (url.startsWith(`${API_PREFIX}/`) || url === API_PREFIX || url.startsWith(`${API_PREFIX}?`));

function reasonOf(state: ServiceState): string {
  switch (state.state) {
    case 'starting':
      return 'The service is starting';
    case 'running':
      return 'The service is running';
    case 'stopping':
      return 'The service is stopping';
    case 'stopped':
      return `The service is stopped: ${state.reason}`;
    case 'upgrading':
      return `The service is being upgraded: ${state.reason}`;
    case 'failed':
      return `The service could not start: ${state.reason}`;
  }
}

function answerUnavailable(request: IncomingMessage, response: ServerResponse, state: ServiceState): void {
  const problem = new Problem('service-unavailable', reasonOf(state));
  const body = JSON.stringify(errorBody(problem, request.method ?? '', newUuid()));
  request.resume();
  response.writeHead(problem.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'retry-after': String(problem.retryAfterSeconds),
    connection: 'close',
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

const isLoopback = (address: string | undefined): boolean =>
  address === '127.0.0.1' || address === '::1' || address === '::ffff:127.0.0.1';

export async function createHost(options: HostOptions): Promise<Host> {
  const { clock, log } = options;
  const now = (): string => new Date(clock()).toISOString();
  const fingerprint =
    Buffer.from(options.certificate.fingerprint, 'base64').toString('hex').toUpperCase().match(/../g)?.join(':') ?? '';
  let state: ServiceState = { state: 'stopped', since: now(), reason: 'It was not started yet' };
  let service: Service | undefined;
  let listener: Listener | undefined;

  const hostState = (): HostState => ({
    product: 'Proviso',
    version: options.version,
    mode: options.mode,
    url: listener?.url ?? '',
    fingerprint,
    service: state,
    ...(service ? service.summary() : NOTHING),
    time: now(),
  });

  const pages: FastifyInstance = await createPages({
    uiDir: options.uiDir,
    state: hostState,
    extend(app) {
      app.get('/host/metrics', async (request, reply) => {
        if (!service)
          return reply
            .code(503)
            .type('text/plain; charset=utf-8')
            .send(`${reasonOf(state)}\n`);
        if (!isLoopback(request.socket.remoteAddress) && !service.mayReadMetrics(request.headers.authorization))
          return reply
            .code(403)
            .type('text/plain; charset=utf-8')
            .send('Metrics are read from this machine, or with a token.\n');
        return reply.type('text/plain; version=0.0.4; charset=utf-8').send(service.metrics());
      });
    },
  });

  listener = await listen({
    address: options.address,
    port: options.port,
    certificate: options.certificate,
    handler: {
      request(request, response) {
        if (!isApi(request.url)) pages.routing(request, response);
        else if (service && state.state === 'running') service.handle(request, response);
        else answerUnavailable(request, response, state);
      },
      upgrade(request, socket, head) {
        if (service && state.state === 'running' && isApi(request.url)) service.upgrade(request, socket, head);
        else socket.destroy();
      },
    },
  });
  const { url, port } = listener;

  const stop = async (reason: string): Promise<void> => {
    const running = service;
    if (!running) return;
    state = { state: 'stopping', since: now() };
    running.drain();
    await running.stop();
    service = undefined;
    state = { state: 'stopped', since: now(), reason };
  };

  return {
    url,
    port,
    state: hostState,
    async start() {
      state = { state: 'starting', since: now() };
      try {
        service = await options.startService(url);
        state = { state: 'running', since: now() };
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        const hint = (error as { hint?: string }).hint ?? 'See the server log.';
        state = { state: 'failed', since: now(), reason, hint };
        throw error;
      }
    },
    stop,
    async close() {
      log.info({}, 'stopping');
      // The listener first: open requests are still served while it drains.
      service?.drain();
      await listener?.close(DRAIN_MS);
      await stop('The program ended');
      await pages.close();
    },
  };
}
