import type { Answer, Job } from './committer.ts';
import { StoreError } from './errors.ts';
import type { Consumer, LogRecord, Origin, Transaction } from './types.ts';

/** What a consumer needs of its store. */
interface ConsumerPorts {
  readonly submit: <R>(job: Job<R>) => Promise<Answer<R>>;
  readonly records: (after: number, limit: number) => Promise<LogRecord[]>;
  readonly seq: () => number;
  /** Calls back after every commit; answers how to stop that. */
  readonly onCommit: (listener: () => void) => () => void;
  /** Called before the cursor goes: whoever asks for the consumer from then on gets a new one. */
  readonly onForgotten: (name: string) => void;
}

const DEFAULT_BATCH = 100;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5000;

export class DurableConsumer implements Consumer {
  readonly name: string;
  readonly #ports: ConsumerPorts;
  #cursor: number;
  #isForgotten = false;

  constructor(name: string, cursor: number, ports: ConsumerPorts) {
    this.name = name;
    this.#cursor = cursor;
    this.#ports = ports;
  }

  get cursor(): number {
    return this.#cursor;
  }

  read(limit = DEFAULT_BATCH): Promise<readonly LogRecord[]> {
    if (this.#cursor >= this.#ports.seq()) return Promise.resolve([]);
    return this.#ports.records(this.#cursor, limit);
  }

  async advance<R>(through: number, work: (tx: Transaction) => R, origin?: Origin): Promise<Answer<R>> {
    // Its cursor would come back, and hold back retention for nobody.
    if (this.#isForgotten) throw new StoreError('validation', `Consumer "${this.name}" was forgotten.`);
    if (!Number.isSafeInteger(through) || through < this.#cursor || through > this.#ports.seq())
      throw new StoreError(
        'validation',
        `Consumer "${this.name}" cannot move from ${this.#cursor} to ${through}; the log ends at ${this.#ports.seq()}.`,
      );
    const answer = await this.#ports.submit({
      origin: origin ?? { actor: `consumer:${this.name}`, requestId: `${this.name}-${through}` },
      action: { work },
      cursor: { name: this.name, seq: through },
    });
    this.#cursor = Math.max(this.#cursor, through);
    return answer;
  }

  run(
    handle: (tx: Transaction, records: readonly LogRecord[]) => void,
    options: { batch?: number; onError?: (error: Error) => void } = {},
  ): { stop(): Promise<void> } {
    let stopped = false;
    let wake: () => void = () => undefined;
    const unwatch = this.#ports.onCommit(() => wake());
    const sleep = (ms?: number): Promise<void> =>
      new Promise((resolve) => {
        const timer = ms === undefined ? undefined : setTimeout(resolve, ms).unref();
        wake = () => {
          // A commit must not cut the pause after a failure short, or a failing handler would spin.
          if (timer !== undefined && !stopped) return;
          clearTimeout(timer);
          resolve();
        };
      });
    const loop = async (): Promise<void> => {
      let pause = FIRST_PAUSE_MS;
      while (!stopped && !this.#isForgotten) {
        try {
          const seq = this.#ports.seq();
          const records = await this.read(options.batch);
          const last = records.at(-1);
          if (stopped || this.#isForgotten) break;
          if (last) await this.advance(last.seq, (tx) => handle(tx, records));
          // Commits may have come while reading. What lies between the cursor and them may be gone: that is no reason to look again.
          else if (this.#ports.seq() === seq) await sleep();
          pause = FIRST_PAUSE_MS;
        } catch (error) {
          if (stopped || this.#isForgotten || (error instanceof StoreError && error.code === 'closed')) break;
          options.onError?.(error instanceof Error ? error : new Error(String(error)));
          await sleep(pause);
          pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
        }
      }
      unwatch();
    };
    const ended = loop();
    return {
      stop: () => {
        stopped = true;
        wake();
        return ended;
      },
    };
  }

  async forget(): Promise<void> {
    this.#isForgotten = true;
    this.#ports.onForgotten(this.name);
    await this.#ports.submit({
      origin: { actor: `consumer:${this.name}`, requestId: `${this.name}-forget` },
      action: { work: () => undefined },
      cursor: { name: this.name, seq: undefined },
    });
  }
}
