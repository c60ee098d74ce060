import { afterEach } from 'vitest';
import { Problem } from '../../contract/errors.ts';
import { type Harness, type HarnessOptions, harness } from './harness.ts';
import { type Receiver, type Reply, rawServer, receiver } from './receiver.ts';

/** Whatever a test opens is closed after it, the newest first. */
const open: (() => Promise<void>)[] = [];

export function closeAfterEach(): void {
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
  });
}

export async function room(options?: HarnessOptions): Promise<Harness> {
  const created = await harness(options);
  open.push(created.stop);
  return created;
}

export async function service(reply: Reply, tls?: { key: string; cert: string }): Promise<Receiver> {
  const created = await receiver(reply, tls);
  open.push(created.close);
  return created;
}

export async function sockets(...args: Parameters<typeof rawServer>): ReturnType<typeof rawServer> {
  const created = await rawServer(...args);
  open.push(created.close);
  return created;
}

/** What the work was refused with. */
export async function refusal(work: Promise<unknown>): Promise<Problem> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof Problem) return error;
  throw new Error(`expected a Problem, got ${String(error)}`);
}
