/**
 * Entry of the storage threads. One file, three roles:
 *   writer   lives as long as the driver, owns the only writing connection, served through a mailbox
 *   reader   started at the first question about history, answers questions in order
 *   task     does one long thing (verify, copy) and ends
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { RecordQuery, Retention } from '../driver.ts';
import { StoreError } from '../errors.ts';
import { type MailboxHandler, serveMailbox, toFailure } from './mailbox.ts';
import { type OpenFileOptions, openDatabase } from './sqlite-database.ts';
import { copyDatabase, readRecords, verifyDatabase } from './sqlite-reader.ts';
import { readSnapshot, type SnapshotPart } from './sqlite-snapshot.ts';
import { SqliteWriter } from './sqlite-writer.ts';

export type WriterRequest =
  | { readonly kind: 'open' }
  | { readonly kind: 'snapshot' }
  | { readonly kind: 'tail'; readonly from: number }
  | { readonly kind: 'compact'; readonly policy: Retention; readonly nowMs: number }
  | { readonly kind: 'apply' }
  | { readonly kind: 'index'; readonly definition: string; readonly indexed: ReadonlyMap<number, string> }
  | { readonly kind: 'close' };

export type Task =
  | { readonly kind: 'verify'; readonly path: string }
  | { readonly kind: 'copy'; readonly path: string; readonly target: string };

export type WorkerRole =
  | {
      readonly role: 'writer';
      readonly file: OpenFileOptions;
      readonly memory: SharedArrayBuffer;
      readonly port: MessagePort;
    }
  | { readonly role: 'reader'; readonly path: string }
  | { readonly role: 'task'; readonly task: Task };

type Answer = ReturnType<MailboxHandler['message']>;
const NOTHING: Answer = { answer: undefined };
const IDLE_MS = 50;

class WriterHandler implements MailboxHandler {
  readonly #file: OpenFileOptions;
  #writer: SqliteWriter | undefined;
  #snapshot: Iterator<SnapshotPart> | undefined;
  #ended = false;

  constructor(file: OpenFileOptions) {
    this.#file = file;
  }

  message(given: unknown): Answer {
    const request = given as WriterRequest;
    switch (request.kind) {
      case 'open':
        this.#writer = new SqliteWriter(this.#file);
        return { answer: this.#writer.state() };
      case 'snapshot':
        return this.#nextPart();
      case 'tail':
        return { answer: this.#opened().tail(request.from) };
      case 'compact':
        return { answer: this.#opened().compact(request.policy, request.nowMs) };
      case 'apply':
        this.#opened().apply();
        return NOTHING;
      case 'index':
        this.#opened().setIndexDefinition(request.definition, request.indexed);
        return NOTHING;
      case 'close':
        this.#ended = true;
        this.#snapshot?.return?.();
        this.#writer?.close();
        return NOTHING;
    }
  }

  packed(numbers: ArrayLike<number>, text: string): void {
    this.#opened().append(numbers, text);
  }

  between(idle: boolean): void {
    if (!this.#ended) this.#writer?.between(idle);
  }

  idleMs(): number | undefined {
    return this.#writer?.hasLate ? IDLE_MS : undefined;
  }

  ended(): boolean {
    return this.#ended;
  }

  #nextPart(): Answer {
    this.#snapshot ??= readSnapshot(this.#opened().db);
    const { value, done } = this.#snapshot.next() as IteratorResult<SnapshotPart, undefined>;
    if (done || !value) return { answer: null };
    const transfer = value.kind === 'order' ? [value.positions.buffer] : [value.bytes.buffer, value.ends.buffer];
    return { answer: value, transfer };
  }

  #opened(): SqliteWriter {
    if (!this.#writer) throw new StoreError('closed', 'The database is not open.');
    return this.#writer;
  }
}

function answerQuestions(port: MessagePort, path: string): void {
  const db = openDatabase({ path, readOnly: true });
  port.on('message', (query: RecordQuery | 'close') => {
    if (query === 'close') {
      db.close();
      port.close();
      return;
    }
    try {
      port.postMessage(readRecords(db, query));
    } catch (error) {
      port.postMessage(toFailure(error));
    }
  });
}

function perform(task: Task): unknown {
  try {
    return task.kind === 'verify' ? verifyDatabase(task.path) : copyDatabase(task.path, task.target);
  } catch (error) {
    return toFailure(error);
  }
}

const given = workerData as WorkerRole;
switch (given.role) {
  case 'writer':
    serveMailbox(given.memory, given.port, new WriterHandler(given.file));
    given.port.close();
    break;
  case 'reader':
    if (parentPort) answerQuestions(parentPort, given.path);
    break;
  case 'task':
    parentPort?.postMessage(perform(given.task));
    break;
}
