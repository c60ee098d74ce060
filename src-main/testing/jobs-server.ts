/** The API with jobs over HTTPS, on the store of a test world that can be looked into and changed: real rooms, no callbacks. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Access, createAccess, SYSTEM_ACTOR } from '../access/index.ts';
import { createAccessReader } from '../access-reader.ts';
import { loadCertificate } from '../host/index.ts';
import { buildInfo } from '../info.ts';
import type { JsonObject } from '../kit/json.ts';
import { SILENT } from '../kit/log.ts';
import { type ActionDeps, plantSeeds } from '../objects/index.ts';
import { allRoutes, createEventSockets, createRest, shapeOf } from '../rest/index.ts';
import { jobRoutes } from '../rest/routes/jobs.ts';
import { createJobLogs } from '../workflow/index.ts';
import { createWorld, type World } from '../workflow/test-world.ts';

export interface JobsServer {
  readonly world: World;
  readonly access: Access;
  readonly url: string;
  readonly certificate: string;
  readonly directory: string;
  /** Token as a task template would make it for the machine. */
  tokenOf(machine: string): string;
  /** Token of a user who may do everything. */
  rootToken(): Promise<string>;
  /** The whole log of a job. */
  logOf(job: string): Promise<string>;
  /** The next answers are taken away: the connection is cut after the request was carried out. */
  cutAnswers(matches: (method: string, url: string) => boolean): void;
  close(): Promise<void>;
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

export async function startJobsServer(): Promise<JobsServer> {
  const directory = await mkdtemp(join(tmpdir(), 'agent-test-'));
  const { cert, key } = await loadCertificate(directory, '127.0.0.1', Date.now());
  const world = await createWorld();
  const { objects, store } = world;
  await plantSeeds(objects.committer, false, { passwordHash: async () => '', newSecret: () => '', autoStart: [] });
  const reader = createAccessReader(store, () => objects.view);
  const clock = (): number => world.now();
  const access = createAccess({
    read: reader,
    clock,
    onSignIn: () => undefined,
    onPasswordUpgrade: () => undefined,
  });
  const logs = createJobLogs(join(directory, 'job-logs'), SILENT);
  const actions: ActionDeps = {
    view: objects.view,
    guard: objects.guard,
    paramRules: objects.paramRules,
    providers: [],
    effectiveParam: objects.effectiveParam,
    publish: (event) => objects.events.publish(event),
  };
  let cut: (method: string, url: string) => boolean = () => false;

  const server = createServer({ cert, key });
  const port = await listen(server);
  const ended = new AbortController();
  const info: Parameters<typeof jobRoutes>[0]['info'] = ({ call, localAddress, shape }) =>
    buildInfo(
      { objects, version: 'v0', endpointId: 'test', apiPort: port, license: (): JsonObject => ({}) },
      call,
      localAddress,
      shape,
    );
  const rest = await createRest({
    access,
    routes: allRoutes({
      objects,
      access,
      actions,
      info,
      ended: ended.signal,
      more: jobRoutes({
        objects,
        logs,
        clock,
        runAction: () => Promise.reject(new Error('no action here')),
        issueMachineToken: (kind, subject, seconds) => access.issueMachineToken(kind, subject, seconds),
        info,
      }),
    }),
    log: SILENT,
    version: 'v0',
    compat: 'auto',
  });
  const sockets = createEventSockets({
    objects,
    access,
    log: SILENT,
    clock,
    generation: reader.generation,
    shapeOf: (headers) => shapeOf('auto', headers),
  });
  server.on('request', (request, response) => {
    if (cut(request.method ?? '', request.url ?? '')) {
      cut = () => false;
      response.write = () => true;
      response.end = () => {
        request.socket.destroy();
        return response;
      };
    }
    rest.handle(request, response);
  });
  server.on('upgrade', sockets.upgrade);

  return {
    world,
    access,
    url: `https://127.0.0.1:${port}`,
    certificate: cert,
    directory,
    tokenOf: (machine) => access.issueMachineToken('operations', machine),
    async rootToken() {
      await world.create('users', { Name: 'root', Roles: ['superuser'] });
      return access.issueUserToken(SYSTEM_ACTOR, 'root', {}).token;
    },
    async logOf(job) {
      const parts: Buffer[] = [];
      for await (const part of (await logs.read(job)).stream()) parts.push(part as Buffer);
      return Buffer.concat(parts).toString();
    },
    cutAnswers(matches) {
      cut = matches;
    },
    async close() {
      ended.abort();
      sockets.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rest.close();
      reader.close();
      objects.close();
      await store.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
