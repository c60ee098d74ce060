/** Jobs beyond the generic routes: work for runners, its rendered actions, its log, and the removal of old jobs (wire-format.md 8). */
import type { Readable } from 'node:stream';
import Type from 'typebox';
import { Problem } from '../../contract/errors.ts';
import { Job, JobAction, MODELS, presentSchema } from '../../contract/models/index.ts';
import type { JsonObject } from '../../kit/json.ts';
import { shaped } from '../../objects/index.ts';
import {
  type IssueMachineToken,
  type JobLogs,
  jobActions,
  jobFor,
  type PurgeRequest,
  purgeJobs,
  type RenderDeps,
  type StartJobDeps,
  startJob,
} from '../../workflow/index.ts';
import { type Answer, type Context, created, flag, noContent, ok, one, type Route } from '../http.ts';

interface JobDeps {
  readonly objects: StartJobDeps['objects'] & RenderDeps['objects'];
  readonly logs: JobLogs;
  readonly clock: () => number;
  readonly runAction: StartJobDeps['runAction'];
  readonly issueMachineToken: IssueMachineToken;
  readonly info: (context: Context) => JsonObject;
}

const OCTETS = 'application/octet-stream';
/** Runners send far less at a time; a bigger piece has to be cut by who sends it. */
const MAX_LOG_PIECE = 10 * 1024 * 1024;

/** A piece of a log is taken whole or not at all. */
async function collect(stream: Readable | undefined): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream ?? []) {
    const bytes = Buffer.from(part as Uint8Array);
    size += bytes.length;
    if (size > MAX_LOG_PIECE) throw new Problem('too-large', `A piece of a log has at most ${MAX_LOG_PIECE} bytes`);
    parts.push(bytes);
  }
  return Buffer.concat(parts);
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function duration(context: Context, name: string, alias: string): number {
  const text = one(context.query[name]) ?? one(context.query[alias]) ?? '0';
  const found = /^(\d{1,9})([smhd]?)$/.exec(text);
  if (!found) throw new Problem('bad-request', `${name}: '${text}' is no duration; write 72h, 30m or 7d`);
  return Number(found[1]) * (UNIT_MS[found[2] || 's'] ?? 1000);
}

function purgeRequest(context: Context): PurgeRequest {
  const { query } = context;
  const keep = one(query['jobsToKeep']) ?? one(query['jobs-to-keep']) ?? '0';
  if (!/^\d{1,9}$/.test(keep)) throw new Problem('bad-request', `jobsToKeep: '${keep}' is no number`);
  return {
    dryRun: flag(query['dryrun']) || flag(query['dry-run']),
    machine: one(query['machine'])?.replace(/^Uuid:/, ''),
    jobsToKeep: Number(keep),
    failedAfterMs: duration(context, 'failedAfter', 'failed-after'),
    completeAfterMs: duration(context, 'completeAfter', 'complete-after'),
  };
}

async function start(deps: JobDeps, context: Context): Promise<Answer> {
  const outcome = await startJob(deps, context.call, context.json());
  switch (outcome.kind) {
    case 'nothing-to-do':
      return noContent;
    case 'resumed':
      return { status: 202, body: shaped(MODELS.jobs, outcome.job, context.shape) };
    case 'created':
      return created(shaped(MODELS.jobs, outcome.job, context.shape));
  }
}

async function readLog(deps: JobDeps, context: Context): Promise<Answer> {
  const job = jobFor(deps.objects, context.call, context.params['key'] ?? '', 'log');
  if (context.method === 'HEAD') return { status: 200, contentType: OCTETS };
  const { size, stream } = await deps.logs.read(job.key);
  return { status: 200, contentType: OCTETS, headers: { 'content-length': String(size) }, chunks: stream() };
}

async function appendLog(deps: JobDeps, context: Context): Promise<Answer> {
  if (context.headers['content-type'] !== OCTETS) {
    throw new Problem('wrong-content-type', `job log put must have content-type ${OCTETS}`, {
      status: 415,
      type: 'API ERROR',
    });
  }
  const job = jobFor(deps.objects, context.call, context.params['key'] ?? '', 'log');
  await deps.logs.append(job.key, await collect(context.stream));
  return noContent;
}

export function jobRoutes(deps: JobDeps): Route[] {
  const tag = 'jobs';
  return [
    {
      method: 'POST',
      path: '/jobs',
      tag,
      summary: 'The next job of a machine: 201 a new one, 202 the one to go on with, 204 nothing to do',
      body: Job,
      answer: { status: 201, schema: Job },
      handler: (context) => start(deps, context),
    },
    {
      method: 'DELETE',
      path: '/jobs',
      tag,
      summary: 'Removes old jobs; answers the keys of those that went',
      query: {
        dryrun: 'Only says what would go',
        machine: 'Only jobs of this machine; `missing`: of machines that are gone',
        jobsToKeep: 'The newest this many of each machine stay',
        failedAfter: 'Failed jobs stay this long, such as 72h',
        completeAfter: 'Finished jobs stay this long',
      },
      answer: { status: 200, schema: Type.Array(Type.String()) },
      handler: async (context) => ok(await purgeJobs(deps.objects, context.call, purgeRequest(context), deps.clock())),
    },
    {
      method: 'GET',
      path: '/jobs/:key/actions',
      tag,
      summary: "The task's templates, rendered for the machine: scripts to run and files to write",
      query: { os: 'Only actions for this operating system' },
      answer: { status: 200, schema: Type.Array(JobAction) },
      handler(context) {
        const request = { info: deps.info(context), os: one(context.query['os']) };
        const actions = jobActions(deps, context.call, context.params['key'] ?? '', request);
        return ok(actions.map((action) => presentSchema(JobAction, action, context.shape)));
      },
    },
    ...(['GET', 'HEAD'] as const).map(
      (method): Route => ({
        method,
        path: '/jobs/:key/log',
        tag,
        summary: method === 'GET' ? 'What the runner printed' : 'Whether there is a log',
        answer: { status: 200, type: OCTETS },
        handler: (context) => readLog(deps, context),
      }),
    ),
    {
      method: 'PUT',
      path: '/jobs/:key/log',
      tag,
      summary: 'Appends to the log',
      upload: true,
      answer: { status: 204 },
      handler: (context) => appendLog(deps, context),
    },
  ];
}
