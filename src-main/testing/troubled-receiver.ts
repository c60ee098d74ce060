/** A receiver of callbacks that fails in every way there is until it recovers, and remembers what it was asked. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Seen {
  readonly id: string;
  readonly attempt: number;
  /** Uuid. */
  readonly machine: string;
  /** Of `performance.now()`. */
  readonly at: number;
  /** When it was answered well; undefined: it was not, or the caller was gone. */
  okAt: number | undefined;
}

const SLOW_MS = 400;

export class TroubledReceiver {
  /** In the order of arrival. */
  readonly seen: Seen[] = [];
  readonly #server: Server;
  readonly #random: () => number;
  readonly #timers = new Set<NodeJS.Timeout>();
  #troubled = true;

  private constructor(random: () => number) {
    this.#random = random;
    this.#server = createServer((request, response) => void this.#receive(request, response));
  }

  static async start(random: () => number): Promise<TroubledReceiver> {
    const receiver = new TroubledReceiver(random);
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** From now on everything is answered well, at once. */
  recover(): void {
    this.#troubled = false;
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      // The caller was killed while it sent.
      return;
    }
    const seen: Seen = {
      id: String(request.headers['x-delivery-id']),
      attempt: Number(request.headers['x-delivery-attempt']),
      machine: (JSON.parse(Buffer.concat(chunks).toString()) as { Uuid: string }).Uuid,
      at: performance.now(),
      okAt: undefined,
    };
    this.seen.push(seen);
    const well = (): void => {
      if (response.destroyed) return;
      seen.okAt = performance.now();
      response.writeHead(200).end('{}');
    };
    const chance = this.#troubled ? this.#random() : 0;
    if (chance < 0.4) well();
    else if (chance < 0.6) this.#later(well);
    else if (chance < 0.8) response.writeHead(503).end('busy');
    else if (chance < 0.9) response.writeHead(429, { 'retry-after': '1' }).end();
    else request.socket.destroy();
  }

  #later(act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, this.#random() * SLOW_MS);
    this.#timers.add(timer);
  }
}

/** What is wrong with the order of arrival: attempts of a delivery count up, and a machine's deliveries come one after the other. */
export function orderProblems(seen: readonly Seen[]): string[] {
  const problems: string[] = [];
  const attempts = new Map<string, number>();
  const latest = new Map<string, Seen>();
  for (const one of seen) {
    const { id, attempt, machine } = one;
    const last = attempts.get(id) ?? 0;
    if (!(attempt > last)) problems.push(`attempt ${attempt} of ${id} came after attempt ${last}`);
    attempts.set(id, attempt);
    const before = latest.get(machine);
    if (before && before.id > id) problems.push(`${id} came after ${before.id}, which is younger, of one machine`);
    if (before && before.id !== id && before.okAt === undefined)
      problems.push(`${id} came before ${before.id} of the same machine was delivered`);
    latest.set(machine, one);
  }
  return problems;
}
