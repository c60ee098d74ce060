/** The test's hold on its receiver process: what came in, and what is answered. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';

export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly delayMs: number;
}

export type FromReceiver =
  | { readonly kind: 'listening'; readonly url: string }
  | { readonly kind: 'ready' }
  | { readonly kind: 'request'; readonly request: ReceivedRequest };

export class Receiver {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Everything received so far, oldest first. */
  readonly requests: ReceivedRequest[] = [];
  readonly #child: ChildProcess;
  readonly #arrived: (() => void)[] = [];

  static async start(): Promise<Receiver> {
    const child = fork(join(import.meta.dirname, 'receiver.ts'), {
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const [first] = (await once(child, 'message')) as [FromReceiver];
    if (first.kind !== 'listening') throw new Error('the receiver did not start');
    return new Receiver(child, first.url);
  }

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
    child.on('message', (message) => {
      const told = message as FromReceiver;
      if (told.kind !== 'request') return;
      this.requests.push(told.request);
      for (const check of this.#arrived) check();
    });
  }

  /** From now on requests are answered so, in this order; the last answer is repeated. Default: 200 and nothing. */
  async answerWith(...answers: Partial<Answer>[]): Promise<void> {
    const complete = answers.map((answer) => ({ status: 200, headers: {}, body: '', delayMs: 0, ...answer }));
    const taken = new Promise<void>((resolve) => {
      const listen = (message: unknown): void => {
        if ((message as FromReceiver).kind !== 'ready') return;
        this.#child.off('message', listen);
        resolve();
      };
      this.#child.on('message', listen);
    });
    this.#child.send(complete);
    await taken;
  }

  /** Resolves when `count` requests have come in altogether, with all of them; the test's own time limit applies. */
  async waitFor(count: number): Promise<readonly ReceivedRequest[]> {
    await new Promise<void>((resolve) => {
      const check = (): void => {
        if (this.requests.length >= count) resolve();
      };
      this.#arrived.push(check);
      check();
    });
    return this.requests;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    this.#child.kill();
    await once(this.#child, 'exit');
  }
}
