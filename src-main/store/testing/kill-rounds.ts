/** Kills a process that writes at random moments and checks what is left: for `npm test` a few times, for `npm run soak` many. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createSqliteDriver, openStore, type Store } from '../index.ts';
import { numberOf, SECRET_FIELDS, WRITERS } from './kill-writer.ts';

interface Acknowledged {
  readonly writer: number;
  readonly n: number;
  /** Number of the commit among all of them. */
  readonly all: number;
  readonly seq: number;
}

interface RoundReport {
  readonly acknowledged: number;
  readonly commits: number;
}

/** Small deterministic generator, 0..1. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** One round on the database in `dir`. Throws an `Error` that says what was lost, halved or out of order. */
export async function killRound(dir: string, random: () => number): Promise<RoundReport> {
  const path = join(dir, 'proviso.db');
  const acknowledged = await writeUntilKilled(path, random);
  const store = await openStore({ driver: createSqliteDriver({ path }), secretFields: SECRET_FIELDS });
  try {
    return { acknowledged: acknowledged.length, commits: await checkStore(store, acknowledged) };
  } finally {
    await store.close();
  }
}

function writeUntilKilled(path: string, random: () => number): Promise<Acknowledged[]> {
  // One in six dies while it opens the database, which has the log of the last one to apply.
  const whileOpening = random() < 1 / 6;
  const delayMs = whileOpening ? 100 + random() * 200 : random() ** 2 * 250;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'kill-writer.ts'), path], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let output = '';
    let complaints = '';
    let timer: NodeJS.Timeout | undefined;
    const killSoon = (): void => {
      timer ??= setTimeout(() => child.kill('SIGKILL'), delayMs);
    };
    if (whileOpening) killSoon();
    child.stdout.on('data', (data) => {
      output += data;
      killSoon();
    });
    child.stderr.on('data', (data) => {
      complaints += data;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (signal !== 'SIGKILL') reject(new Error(`The writer ended by itself with ${code ?? signal}: ${complaints}`));
      else resolve(parse(output));
    });
  });
}

function parse(output: string): Acknowledged[] {
  // The last line may have been cut off.
  const lines = output.slice(0, output.lastIndexOf('\n') + 1).split('\n');
  return lines
    .filter((line) => /^\d/.test(line))
    .map((line) => {
      const [writer = 0, n = 0, all = 0, seq = 0] = line.split(' ').map(Number);
      return { writer, n, all, seq };
    });
}

async function checkStore(store: Store, acknowledged: readonly Acknowledged[]): Promise<number> {
  const total = numberOf(store.get('all', 'counter'));
  let sum = 0;
  for (let writer = 0; writer < WRITERS; writer++) sum += checkWriter(store, writer);
  demand(sum === total, `the writers made ${sum} commits, the counter of all says ${total}`);

  const bySeq = acknowledged.toSorted((a, b) => a.seq - b.seq);
  for (const [i, { writer, n, all, seq }] of bySeq.entries()) {
    demand(numberOf(store.get('left', `${writer}`)) >= n, `writer ${writer} was told that ${n} is safe, it is gone`);
    demand(store.seq >= seq, `commit ${seq} was acknowledged, the log ends at ${store.seq}`);
    demand(all > (bySeq[i - 1]?.all ?? 0), `commit ${seq} counted ${all}, not more than the commit before it`);
  }
  await checkLog(store, new Map(bySeq.map((one) => [one.seq, one])));
  await checkConsumer(store, total);
  const report = await store.verify();
  demand(report.ok, `verification: ${JSON.stringify(report.problems[0])}`);
  return total;
}

function checkWriter(store: Store, writer: number): number {
  const n = numberOf(store.get('left', `${writer}`));
  const right = store.get('right', `${writer}`);
  const user = store.get('users', `${writer}`);
  demand(n % 3 === 0 ? right === undefined : numberOf(right) === n, `writer ${writer} is half written at ${n}`);
  demand(numberOf(user) === n, `the user of writer ${writer} is at ${numberOf(user)}, not ${n}`);
  demand(n === 0 || user?.value.Secret === `secret-${n}`, `the secret of writer ${writer} is not that of ${n}`);
  return n;
}

/** What is still in the log of the acknowledged commits is what was acknowledged. */
async function checkLog(store: Store, acknowledged: ReadonlyMap<number, Acknowledged>): Promise<void> {
  let last: number | undefined;
  for (let from = Math.min(...acknowledged.keys(), store.seq); ; ) {
    const records = await store.history({ from, limit: 500 });
    for (const { seq, changes } of records) {
      demand(last === undefined || seq === last + 1, `record ${seq} follows record ${last}`);
      last = seq;
      const told = acknowledged.get(seq);
      if (!told) continue;
      const left = changes.find((c) => c.prefix === 'left');
      demand(left?.key === `${told.writer}` && left.after?.n === told.n, `record ${seq} is not what was acknowledged`);
    }
    if (records.length === 0) return;
    from = (last ?? 0) + 1;
  }
}

/** Its count was written together with its cursor: handling the rest must lead to exactly the number of commits. */
async function checkConsumer(store: Store, total: number): Promise<void> {
  const consumer = store.consumer('counting');
  let counted = numberOf(store.get('counted', 'commits'));
  let after = consumer.cursor;
  for (;;) {
    const records = await store.history({ from: after + 1, limit: 500, prefix: 'all' });
    const last = records.at(-1);
    if (!last) break;
    counted += records.length;
    after = last.seq;
  }
  demand(counted === total, `the consumer counts ${counted} commits, there are ${total}`);
}

function demand(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(`After SIGKILL ${otherwise}.`);
}
