/**
 * The embedded default: one SQLite file, written by a thread of its own.
 *
 *   this file            runs on the caller's thread: asks and waits, computes nothing
 *   mailbox.ts           questions and answers between the two threads
 *   sqlite-worker.ts     entry of the threads: writer, reader, one-off tasks
 *   sqlite-writer.ts     append, tail, compaction        sqlite-objects.ts   objects catching up with the log
 *   sqlite-reader.ts     history, verification, copies   sqlite-snapshot.ts  everything, at start
 *   sqlite-database.ts   the file: tables, version, what its errors mean
 */
import { join } from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import { prepareBackupDirectory, writeManifest } from '../backup.ts';
import type {
  CompactReport,
  Driver,
  Opened,
  RawRecord,
  RecordQuery,
  SnapshotObjects,
  SnapshotOrder,
  Tail,
  VerifyReport,
} from '../driver.ts';
import { StoreError } from '../errors.ts';
import { checkNumbers } from '../log-record.ts';
import { createMailboxMemory, fromFailure, isFailure, MailboxClient } from './mailbox.ts';
import { packBatch } from './sqlite-batch.ts';
import type { OpenFileOptions } from './sqlite-database.ts';
import { type SnapshotPart, unpackObjects } from './sqlite-snapshot.ts';
import type { Task, WorkerRole, WriterRequest } from './sqlite-worker.ts';
import type { CompactProgress } from './sqlite-writer.ts';

export interface SqliteOptions {
  /** The database file; its directory must exist. */
  readonly path: string;
  /**
   * A commit that would let the file grow beyond this fails with `disk-full`. What was committed before may need a few
   * megabytes more to be put in order; then compaction can always make room again.
   */
  readonly maxBytes?: number;
}

const BACKUP_FILE = 'proviso.db';
/** What these threads make lives for one batch: more room for it would only be memory that is not given back. */
const YOUNG_MB = 8;
/** Chunks asked for ahead while the last one is being unpacked. */
const SNAPSHOT_AHEAD = 2;

export function createSqliteDriver(options: SqliteOptions): Driver {
  const { path } = options;
  const writer = startWriter(options);
  const reader = new Reader(path);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await reader.close();
    await ask({ kind: 'close' });
  };
  const ask = <T>(request: WriterRequest): Promise<T> => writer.call(request) as Promise<T>;
  return {
    name: 'sqlite',
    async open() {
      const state = await ask<Omit<Opened, 'snapshot'>>({ kind: 'open' });
      return { ...state, snapshot: snapshotParts(() => ask({ kind: 'snapshot' })) };
    },
    async append(expectedSeq, batch) {
      checkNumbers(expectedSeq, batch.commits);
      const { numbers, text } = packBatch(expectedSeq, batch);
      await writer.callPacked(numbers, text);
    },
    tail: (from) => ask<Tail>({ kind: 'tail', from }),
    records: (query) => reader.ask(query),
    async verify() {
      await ask({ kind: 'apply' });
      return runTask<VerifyReport>({ kind: 'verify', path });
    },
    async compact(policy, nowMs): Promise<CompactReport> {
      let removed = 0;
      for (;;) {
        const slice = await ask<CompactProgress>({ kind: 'compact', policy, nowMs });
        removed += slice.removed;
        if (!slice.more) return { removed, oldestSeq: slice.oldestSeq };
      }
    },
    async backupTo(dir, nowMs) {
      await prepareBackupDirectory(dir);
      await ask({ kind: 'apply' });
      const target = join(dir, BACKUP_FILE);
      const facts = await runTask<Parameters<typeof writeManifest>[4]>({ kind: 'copy', path, target });
      return writeManifest(dir, 'sqlite', nowMs, [BACKUP_FILE], facts);
    },
    setIndexDefinition: (definition, indexed) => ask({ kind: 'index', definition, indexed }),
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/**
 * Verifies a database file as it lies there, without opening it for writing: what is damaged stays evidence. The file may
 * be in use. Rejects with `StoreError` when it is missing, damaged as a file, or no database of ours.
 */
export function verifySqliteFile(path: string): Promise<VerifyReport> {
  return runTask<VerifyReport>({ kind: 'verify', path });
}

/** Beside this file: as TypeScript in the source tree, as JavaScript in the flat bundle. */
function workerUrl(): URL {
  const fromSource = import.meta.url.endsWith('.ts');
  return fromSource ? new URL('./sqlite-worker.ts', import.meta.url) : new URL('./sqlite-worker.js', import.meta.url);
}

function startWorker(data: WorkerRole): Worker {
  const transferList = data.role === 'writer' ? [data.port] : [];
  return new Worker(workerUrl(), {
    workerData: data,
    transferList,
    name: `store-${data.role}`,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
}

function startWriter({ path, maxBytes }: SqliteOptions): MailboxClient {
  const { port1, port2 } = new MessageChannel();
  const memory = createMailboxMemory();
  const file: OpenFileOptions = { path, ...(maxBytes !== undefined && { maxBytes }) };
  return new MailboxClient(memory, port1, startWorker({ role: 'writer', file, memory, port: port2 }));
}

async function* snapshotParts(
  next: () => Promise<SnapshotPart | null>,
): AsyncGenerator<SnapshotObjects | SnapshotOrder> {
  const asked = Array.from({ length: SNAPSHOT_AHEAD }, next);
  for (;;) {
    const part = await asked.shift();
    if (!part) break;
    asked.push(next());
    yield part.kind === 'objects' ? unpackObjects(part) : part;
  }
  await Promise.all(asked);
}

/** The thread that answers questions about history; started by the first. */
class Reader {
  readonly #path: string;
  #worker: Worker | undefined;
  #closed = false;
  readonly #asked: { resolve: (records: RawRecord[]) => void; reject: (error: StoreError) => void }[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  ask(query: RecordQuery): Promise<RawRecord[]> {
    if (this.#closed) return Promise.reject(new StoreError('closed', 'The store is closed.'));
    this.#worker ??= this.#start();
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      this.#asked.push({ resolve, reject });
      worker.postMessage(query);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    if (!worker) return;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage('close');
    await ended;
  }

  #start(): Worker {
    const worker = startWorker({ role: 'reader', path: this.#path });
    worker.on('message', (answer: unknown) => {
      const asked = this.#asked.shift();
      if (isFailure(answer)) asked?.reject(fromFailure(answer));
      else asked?.resolve(answer as RawRecord[]);
    });
    const end = (error: StoreError): void => {
      this.#worker = undefined;
      for (const { reject } of this.#asked.splice(0)) reject(error);
    };
    worker.on('error', (cause) => end(new StoreError('io', `The change log cannot be read: ${cause}`, { cause })));
    worker.on('exit', () => end(new StoreError('closed', 'The store is closed.')));
    return worker;
  }
}

function runTask<T>(task: Task): Promise<T> {
  return new Promise((resolve, reject) => {
    const worker = startWorker({ role: 'task', task });
    worker.once('message', (answer: unknown) => {
      if (isFailure(answer)) reject(fromFailure(answer));
      else resolve(answer as T);
    });
    worker.once('error', (cause) => reject(new StoreError('io', `The ${task.kind} task failed: ${cause}`, { cause })));
    worker.once('exit', () => reject(new StoreError('io', `The ${task.kind} task ended without an answer.`)));
  });
}
