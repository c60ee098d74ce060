/** The API with jobs over HTTPS and a store in memory, for tests of the runner: real rooms, no callbacks. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Access, createAccess } from '../access/index.ts';
import { createAccessReader } from '../access-reader.ts';
import { MODELS } from '../contract/models/index.ts';
import { loadCertificate } from '../host/index.ts';
import { buildInfo } from '../info.ts';
import type { JsonObject } from '../kit/json.ts';
import { SILENT } from '../kit/log.ts';
import { plantSeeds } from '../objects/index.ts';
import { type ActionDeps, allRoutes, createEventSockets, createRest, shapeOf } from '../rest/index.ts';
import { jobRoutes } from '../rest/routes/jobs.ts';
import { createJobLogs } from '../workflow/index.ts';
import { createWorld, type World } from '../workflow/test-world.ts';

export interface TestServer {
  readonly world: World;
  readonly access: Access;
  readonly url: string;
  readonly certificate: string;
  readonly directory: string;
  /** Token as a task template would make it for the machine. */
  tokenOf(machine: string): string;
  /** The whole log of a job. */
  logOf(job: string): Promise<string>;
  /** The next answers are taken away: the connection is cut after the request was carried out. */
  cutAnswers(matches: (method: string, url: string) => boolean): void;
  close(): Promise<void>;
}
