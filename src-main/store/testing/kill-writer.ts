/**
 * `node kill-writer.ts PATH`: writes through a store as fast as it can and says on stdout what was acknowledged, until it
 * is killed. Every commit moves four objects to the same number: two of the writer, one of everybody, one with a secret.
 */
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSqliteDriver, openStore } from '../index.ts';

export const WRITERS = 24;
export const SECRET_FIELDS = { users: ['/Secret'] };
const KEPT_BYTES = 1024 * 1024;

/** Of an object that counts; 0 before the first time. */
export function numberOf(object: { readonly value: { readonly n?: unknown } } | undefined): number {
  return Number(object?.value.n ?? 0);
}

/** Waits when whoever reads is slow and the pipe is full. */
function tell(line: string): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      writeSync(1, line);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(pause, 0, 0, 1);
    }
  }
}

async function run(path: string): Promise<void> {
  // Whoever started us is gone: so are we.
  process.stdin.on('end', () => process.exit()).resume();
  const store = await openStore({ driver: createSqliteDriver({ path }), secretFields: SECRET_FIELDS });
  const write = async (writer: number): Promise<never> => {
    for (;;) {
      const { result, seq } = await store.transact({ actor: `w${writer}`, requestId: 'r' }, (tx) => {
        const n = numberOf(tx.get('left', `${writer}`)) + 1;
        const all = numberOf(tx.get('all', 'counter')) + 1;
        const filler = 'x'.repeat(n % 50 === 0 ? 100_000 : n % 200);
        tx.put('left', `${writer}`, { n, filler });
        tx.put('all', 'counter', { n: all });
        // An object that comes and goes.
        if (n % 3 === 0) tx.remove('right', `${writer}`);
        else tx.put('right', `${writer}`, { n });
        tx.put('users', `${writer}`, { n, Secret: `secret-${n}` });
        return { n, all };
      });
      tell(`${writer} ${result.n} ${result.all} ${seq}\n`);
    }
  };
  store.consumer('counting').run((tx, records) => {
    const counted = records.filter((record) => record.changes.some((c) => c.prefix === 'all')).length;
    tx.put('counted', 'commits', { n: numberOf(tx.get('counted', 'commits')) + counted });
  });
  const compact = async (): Promise<never> => {
    for (;;) {
      await sleep(20);
      await store.compact({ maxBytes: KEPT_BYTES });
    }
  };
  tell('ready\n');
  await Promise.all([compact(), ...Array.from({ length: WRITERS }, (_, writer) => write(writer))]);
}

if (process.argv[1] === import.meta.filename) await run(process.argv[2] ?? '');
