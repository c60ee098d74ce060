/**
 * Requests to the storage thread and answers back, first in, first out, with as little waiting for each other's
 * wake-up as can be had: a durable write takes about as long as waking two sleeping threads.
 *
 *   client   copies a small request into shared memory, wakes the worker, and for a moment looks for the answer on
 *            every turn of the event loop; after that it goes to sleep and the worker wakes it with a message
 *   worker   blocks in `Atomics.wait`, after a short look for more work
 *
 * Requests that do not fit, and answers with content, travel as ordinary messages; the order is kept in two rings of
 * flags in the shared memory.
 */
import { setImmediate } from 'node:timers';
import { type MessagePort, receiveMessageOnPort, type Worker } from 'node:worker_threads';
import { StoreError } from '../errors.ts';

const POSTED = 0;
const ANSWERED = 1;
const CLIENT_ASLEEP = 2;
const RING = 64;
const REQUEST_KINDS = 16;
const ANSWER_KINDS = REQUEST_KINDS + RING;
const SLOTS_AT = 1024;
const SLOT_BYTES = 1.5 * 1024 * 1024;
const SLOTS = 2;
/** Request kinds: the number of a slot, or a message on the port. */
const BY_MESSAGE = -1;
/** Answer kinds: done and nothing to say, or a message on the port. */
const DONE = 0;
const ANSWER_BY_MESSAGE = 1;
const WAKE_UP = 'wake-up';

const CLIENT_LOOKS_MS = 0.5;
const WORKER_LOOKS_MS = 0.06;

export function createMailboxMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(SLOTS_AT + SLOTS * SLOT_BYTES);
}

/** A failure as it crosses the border. */
interface Failure {
  readonly failure: Pick<StoreError, 'code' | 'message' | 'conflict' | 'isUncertain'>;
}

interface Outstanding {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: StoreError) => void;
  /** Slot to give back. */
  readonly slot: number;
}

type Request = { readonly message: unknown } | { readonly numbers: ArrayLike<number>; readonly text: string };

export class MailboxClient {
  readonly #control: Int32Array;
  readonly #memory: SharedArrayBuffer;
  readonly #port: MessagePort;
  readonly #outstanding: Outstanding[] = [];
  readonly #backlog: { request: Request; resolve: Outstanding['resolve']; reject: Outstanding['reject'] }[] = [];
  readonly #freeSlots = Array.from({ length: SLOTS }, (_, i) => i);
  readonly #messages: unknown[] = [];
  #seen = 0;
  #looking = false;
  #lookUntil = 0;
  #dead: StoreError | undefined;

  constructor(memory: SharedArrayBuffer, port: MessagePort, worker: Worker) {
    this.#memory = memory;
    this.#control = new Int32Array(memory, 0, SLOTS_AT / 4);
    this.#port = port;
    port.on('message', (message: unknown) => {
      if (message !== WAKE_UP) this.#messages.push(message);
      this.#collect();
    });
    worker.on('error', (cause) => {
      // What it was given may have been written before.
      const options = { cause, isUncertain: true };
      this.#die(new StoreError('io', `The storage thread stopped: ${cause}`, options));
    });
    worker.on('exit', () => this.#die(new StoreError('closed', 'The storage thread has ended.')));
  }

  /** Any structured-clonable request. */
  call(message: unknown): Promise<unknown> {
    return this.#post({ message });
  }

  /** Numbers and one text: the cheap way. */
  callPacked(numbers: readonly number[], text: string): Promise<unknown> {
    return this.#post({ numbers, text });
  }

  #post(request: Request): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#dead) reject(this.#dead);
      else if (this.#outstanding.length >= RING) this.#backlog.push({ request, resolve, reject });
      else this.#send(request, resolve, reject);
    });
  }

  #send(request: Request, resolve: Outstanding['resolve'], reject: Outstanding['reject']): void {
    let slot = -1;
    if ('numbers' in request) {
      const free = this.#freeSlots.at(-1);
      if (free !== undefined && pack(this.#memory, free, request.numbers, request.text)) {
        slot = free;
        this.#freeSlots.pop();
      }
    }
    if (slot < 0) this.#port.postMessage(request);
    const position = Atomics.load(this.#control, POSTED);
    this.#control[REQUEST_KINDS + (position & (RING - 1))] = slot < 0 ? BY_MESSAGE : slot;
    this.#outstanding.push({ resolve, reject, slot });
    Atomics.store(this.#control, POSTED, (position + 1) | 0);
    Atomics.notify(this.#control, POSTED);
    this.#startLooking();
  }

  #startLooking(): void {
    this.#lookUntil = performance.now() + CLIENT_LOOKS_MS;
    if (this.#looking) return;
    this.#looking = true;
    Atomics.store(this.#control, CLIENT_ASLEEP, 0);
    setImmediate(this.#look);
  }

  readonly #look = (): void => {
    this.#collect();
    if (this.#outstanding.length > 0 && performance.now() < this.#lookUntil) {
      setImmediate(this.#look);
      return;
    }
    this.#looking = false;
    Atomics.store(this.#control, CLIENT_ASLEEP, 1);
    // An answer given just before the flag was up comes without a wake-up.
    this.#collect();
  };

  #collect(): void {
    while (Atomics.load(this.#control, ANSWERED) !== this.#seen) {
      let answer: unknown;
      if (this.#control[ANSWER_KINDS + (this.#seen & (RING - 1))] === ANSWER_BY_MESSAGE) {
        const next = this.#nextMessage();
        if (!next) return;
        answer = next.message;
      }
      this.#seen = (this.#seen + 1) | 0;
      const asked = this.#outstanding.shift();
      if (!asked) continue;
      if (asked.slot >= 0) this.#freeSlots.push(asked.slot);
      if (isFailure(answer)) asked.reject(fromFailure(answer));
      else asked.resolve(answer);
      const waiting = this.#backlog.shift();
      if (waiting) this.#send(waiting.request, waiting.resolve, waiting.reject);
    }
  }

  #nextMessage(): { readonly message: unknown } | undefined {
    if (this.#messages.length > 0) return { message: this.#messages.shift() };
    for (;;) {
      const received = receiveMessageOnPort(this.#port) as { message: unknown } | undefined;
      if (received?.message !== WAKE_UP) return received;
    }
  }

  #die(error: StoreError): void {
    this.#collect();
    this.#dead ??= error;
    for (const { reject } of [...this.#outstanding.splice(0), ...this.#backlog.splice(0)]) reject(this.#dead);
    this.#port.close();
  }
}

export interface MailboxHandler {
  /** Answers a message; `transfer` is moved, not copied. */
  message(request: unknown): { readonly answer: unknown; readonly transfer?: readonly ArrayBuffer[] };
  packed(numbers: ArrayLike<number>, text: string): void;
  /** Called after every answer, and after `idleMs` without a request. Must not throw. */
  between(idle: boolean): void;
  /** How long to wait before `between(true)`; undefined: for ever. */
  idleMs(): number | undefined;
  /** True once the loop shall end. */
  ended(): boolean;
}

/** The worker's side: blocks its thread until `handler.ended()`. */
export function serveMailbox(memory: SharedArrayBuffer, port: MessagePort, handler: MailboxHandler): void {
  const control = new Int32Array(memory, 0, SLOTS_AT / 4);
  let served = 0;
  while (!handler.ended()) {
    if (!waitForRequest(control, served, handler.idleMs())) {
      handler.between(true);
      continue;
    }
    const kind = control[REQUEST_KINDS + (served & (RING - 1))] ?? BY_MESSAGE;
    const given = answerTo(kind, memory, port, handler);
    if (given.answer !== undefined) port.postMessage(given.answer, given.transfer ?? []);
    control[ANSWER_KINDS + (served & (RING - 1))] = given.answer === undefined ? DONE : ANSWER_BY_MESSAGE;
    served = (served + 1) | 0;
    Atomics.store(control, ANSWERED, served);
    // Only the client takes the flag down: with several requests outstanding it stays asleep after the first answer.
    if (Atomics.load(control, CLIENT_ASLEEP) === 1) port.postMessage(WAKE_UP);
    handler.between(false);
  }
}

function waitForRequest(control: Int32Array, served: number, idleMs: number | undefined): boolean {
  if (Atomics.load(control, POSTED) !== served) return true;
  const until = performance.now() + WORKER_LOOKS_MS;
  while (performance.now() < until) if (Atomics.load(control, POSTED) !== served) return true;
  Atomics.wait(control, POSTED, served, idleMs);
  return Atomics.load(control, POSTED) !== served;
}

function answerTo(
  kind: number,
  memory: SharedArrayBuffer,
  port: MessagePort,
  handler: MailboxHandler,
): { readonly answer: unknown; readonly transfer?: ArrayBuffer[] } {
  try {
    const request: Request =
      kind === BY_MESSAGE ? (receiveMessageOnPort(port)?.message as Request) : unpack(memory, kind);
    if ('numbers' in request) {
      handler.packed(request.numbers, request.text);
      return { answer: undefined };
    }
    const { answer, transfer = [] } = handler.message(request.message);
    return { answer, transfer: [...transfer] };
  } catch (error) {
    return { answer: toFailure(error) };
  }
}

/** Slot: how many numbers, how many bytes of text, the numbers, the text in UTF-8. False when it does not fit. */
function pack(memory: SharedArrayBuffer, slot: number, numbers: ArrayLike<number>, text: string): boolean {
  const at = SLOTS_AT + slot * SLOT_BYTES;
  const textAt = 16 + numbers.length * 8;
  const room = SLOT_BYTES - textAt;
  if (text.length * 3 > room && Buffer.byteLength(text) > room) return false;
  const values = new Float64Array(memory, at, 2 + numbers.length);
  values[0] = numbers.length;
  values[1] = Buffer.from(memory, at + textAt, room).write(text, 'utf8');
  values.set(numbers, 2);
  return true;
}

function unpack(memory: SharedArrayBuffer, slot: number): { numbers: Float64Array; text: string } {
  const at = SLOTS_AT + slot * SLOT_BYTES;
  const [count = 0, textBytes = 0] = new Float64Array(memory, at, 2);
  const numbers = new Float64Array(memory, at + 16, count);
  const text = Buffer.from(memory, at + 16 + count * 8, textBytes).toString('utf8');
  return { numbers, text };
}

export function toFailure(error: unknown): Failure {
  if (error instanceof StoreError) {
    const { code, message, conflict, isUncertain } = error;
    return { failure: { code, message, conflict, isUncertain } };
  }
  const message = `The storage thread failed: ${error instanceof Error ? error.message : String(error)}`;
  return { failure: { code: 'io', message, conflict: undefined, isUncertain: false } };
}

export function isFailure(answer: unknown): answer is Failure {
  return typeof answer === 'object' && answer !== null && 'failure' in answer;
}

export function fromFailure({ failure: { code, message, conflict, isUncertain } }: Failure): StoreError {
  return new StoreError(code, message, { isUncertain, ...(conflict && { conflict }) });
}
