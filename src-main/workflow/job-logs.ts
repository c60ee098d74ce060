/**
 * Logs of jobs as files, one per job (wire-format.md 8.3): what runners send is appended as it is, below a first line that names
 * the job. They are no objects of the store: they are long, grow all the time and mean nothing to anybody but a reader.
 */
import { createReadStream } from 'node:fs';
import { appendFile, mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Problem } from '../contract/errors.ts';
import { isUuid } from '../kit/ids.ts';
import type { Log } from '../kit/log.ts';
import type { Objects } from '../objects/index.ts';

/** Longest log of one job, in bytes; what comes after is left out and the log says so. */
const MAX_JOB_LOG = 64 * 1024 * 1024;

export interface JobLogs {
  /** Appends a chunk; chunks of one job are written whole and in the order of the calls. Throws Problem `storage-failed`. */
  append(job: string, chunk: Buffer): Promise<void>;
  /** The whole log as it is now, with its length. */
  read(job: string): Promise<{ readonly size: number; readonly stream: () => Readable }>;
  /** Removes the log; no error when there is none. */
  remove(job: string): Promise<void>;
}

const header = (job: string): string => `Log for Job: ${job}\n`;
const FULL = Buffer.from('\nThe log is full; what follows is left out.\n');

function failed(job: string, act: string, cause: unknown): Problem {
  const reason = (cause as NodeJS.ErrnoException).code ?? 'unknown error';
  return new Problem('storage-failed', `Log of job ${job} cannot be ${act}: ${reason}`, {
    model: 'jobs',
    key: job,
    cause,
  });
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

/** `directory` is made when the first log is written. */
export function createJobLogs(directory: string, log: Log, limit = MAX_JOB_LOG): JobLogs {
  /** Last write under way, by job: the next one waits for it. */
  const turns = new Map<string, Promise<void>>();

  const pathOf = (job: string): string => {
    // The name of the file comes from outside; nothing but a UUID can leave this directory.
    if (!isUuid(job)) throw new Problem('internal', `No job has the key ${job}`);
    return join(directory, `${job}.log`);
  };

  const inTurn = (job: string, work: () => Promise<void>): Promise<void> => {
    const turn = (turns.get(job) ?? Promise.resolve()).then(work, work);
    turns.set(job, turn);
    const forget = (): void => {
      if (turns.get(job) === turn) turns.delete(job);
    };
    turn.then(forget, forget);
    return turn;
  };

  const write = async (job: string, chunk: Buffer): Promise<void> => {
    const path = pathOf(job);
    const size = await sizeOf(path);
    if (size === 0) await mkdir(directory, { recursive: true, mode: 0o700 });
    if (size >= limit) return;
    const wanted = size === 0 ? Buffer.concat([Buffer.from(header(job)), chunk]) : chunk;
    const room = limit - size;
    const bytes = wanted.length < room ? wanted : Buffer.concat([wanted.subarray(0, room), FULL]);
    await appendFile(path, bytes, { mode: 0o600 });
  };

  return {
    async append(job, chunk) {
      if (chunk.length === 0) return;
      try {
        await inTurn(job, () => write(job, chunk));
      } catch (error) {
        throw failed(job, 'written', error);
      }
      log.debug({ job }, `Job ${job}: ${chunk.length} bytes appended to log`);
    },
    async read(job) {
      const path = pathOf(job);
      let size: number;
      try {
        size = await sizeOf(path);
      } catch (error) {
        throw failed(job, 'read', error);
      }
      if (size > 0) return { size, stream: () => createReadStream(path, { start: 0, end: size - 1 }) };
      const only = Buffer.from(header(job));
      return { size: only.length, stream: () => Readable.from([only], { objectMode: false }) };
    },
    async remove(job) {
      await inTurn(job, () => rm(pathOf(job), { force: true }));
    },
  };
}

/** Logs go with their jobs. Answers how to end it. */
export function forgetLogsOfRemovedJobs(events: Objects['events'], logs: JobLogs, log: Log): () => void {
  return events.subscribe(({ type, action, key }) => {
    if (type !== 'jobs' || action !== 'delete') return;
    logs
      .remove(key)
      .catch((error: unknown) => log.warn({ job: key, err: error }, 'log of a removed job was not removed'));
  });
}
