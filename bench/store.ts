/**
 * `npm run bench -- store`: what durability costs. Raw writes with fdatasync and plain node:sqlite are measured beside the
 * store in the same run on the same disk; start-up is measured in processes of its own.
 */
import { execFile } from 'node:child_process';
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createSqliteDriver, openStore, type Store } from '../src-main/store/index.ts';
import { type Bench, type BenchRun, type Case, type Measured, median, quantile } from './frame.ts';
import { machine } from './store/records.ts';

const ORIGIN = { actor: 'bench', requestId: 'bench' };
const TEXT = 'x'.repeat(150);

function rawCase(dir: string): { one: Case; close: () => void } {
  const file = openSync(join(dir, 'raw'), 'w+');
  const bytes = Buffer.alloc(200, 'x');
  writeSync(file, Buffer.alloc(4096));
  const run = (operations: number): void => {
    for (let i = 0; i < operations; i++) {
      writeSync(file, bytes, 0, bytes.length, 0);
      fdatasyncSync(file);
    }
  };
  return { one: { name: 'raw fdatasync', run }, close: () => closeSync(file) };
}

function plainCase(dir: string): { one: Case; close: () => void } {
  const db = new DatabaseSync(join(dir, 'plain.db'));
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (id INTEGER PRIMARY KEY, value TEXT)');
  const insert = db.prepare('INSERT INTO t (value) VALUES (?)');
  const run = (operations: number): void => {
    for (let i = 0; i < operations; i++) insert.run(TEXT);
  };
  return { one: { name: 'plain SQLite', run }, close: () => db.close() };
}

let written = 0;
function write(store: Store): Promise<unknown> {
  const n = written++;
  return store.transact(ORIGIN, (tx) => tx.put('things', `k${n % 5000}`, { n, text: TEXT }));
}

/** `writers` loops, each waiting for its own commits only. */
async function writeConcurrently(store: Store, writers: number, operations: number): Promise<void> {
  let left = operations;
  const loop = async (): Promise<void> => {
    while (left-- > 0) await write(store);
  };
  await Promise.all(Array.from({ length: writers }, loop));
}

async function commits(b: BenchRun, dir: string, store: Store): Promise<void> {
  const raw = rawCase(dir);
  const plain = plainCase(dir);
  const group = (writers: number): Case => ({
    name: `${writers} writers`,
    run: (operations) => writeConcurrently(store, writers, operations),
  });
  try {
    const cases = [raw.one, plain.one, group(1), group(64), group(500)];
    const measured = await b.measure(cases, { rounds: 15, roundMs: 300 });
    b.ratio('store.single', found(measured, '1 writers'), found(measured, raw.one.name), 0.7);
    b.ratio('store.group-64', found(measured, '64 writers'), found(measured, plain.one.name), 8);
    b.ratio('store.group-500', found(measured, '500 writers'), found(measured, plain.one.name), 15);
    b.ratio('store.plain-sqlite', found(measured, plain.one.name), found(measured, raw.one.name), null);
  } finally {
    raw.close();
    plain.close();
  }
}

const READ_OBJECTS = 10_000;
const READ_SLICE = 2000;
const READS = 400_000;

/** Reads as requests make them: some in every turn of the event loop, which writers share. */
async function readSlices(store: Store, keys: readonly string[], operations: number): Promise<void> {
  let at = 0;
  let seen = 0;
  for (let done = 0; done < operations; done += READ_SLICE) {
    for (let i = 0; i < READ_SLICE; i++) {
      at = (at + 7919) % keys.length;
      seen += store.get('machines', keys[at] ?? '')?.value.Name === undefined ? 0 : 1;
    }
    await nextTurn();
  }
  if (seen < operations) throw new Error('objects were missing');
}

async function readsUnderWrite(b: BenchRun, store: Store): Promise<void> {
  const keys = Array.from({ length: READ_OBJECTS }, (_, i) => machine(i).Uuid);
  await store.transact(ORIGIN, (tx) => {
    for (let i = 0; i < READ_OBJECTS; i++) tx.put('machines', keys[i] ?? '', machine(i));
  });
  const before = written;
  let busyMs = 0;
  const idle: Case = {
    name: 'reads, idle',
    operations: READS,
    run: (operations) => readSlices(store, keys, operations),
  };
  const busy: Case = {
    name: 'reads, 64 writers',
    operations: READS,
    async run(operations) {
      const started = performance.now();
      let writing = true;
      const writers = Array.from({ length: 64 }, async () => {
        while (writing) await write(store);
      });
      await readSlices(store, keys, operations);
      busyMs += performance.now() - started;
      writing = false;
      await Promise.all(writers);
    },
  };
  const measured = await b.measure([idle, busy], { rounds: 15, roundMs: 200 });
  b.note(`commits while reading: ${Math.round(((written - before) / busyMs) * 1000)}/s`);
  b.ratio('store.read-under-write', found(measured, busy.name), found(measured, idle.name), 0.8);
}

const PAUSE_MS = 4000;

async function pause(b: BenchRun, store: Store): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await sleep(PAUSE_MS / 4);
  delay.disable();
  b.note(`event loop when idle, p99.9: ${(delay.percentile(99.9) / 1e6).toFixed(1)} ms`);
  delay.reset();
  let writing = true;
  delay.enable();
  const writers = Array.from({ length: 500 }, async () => {
    while (writing) await write(store);
  });
  await sleep(PAUSE_MS);
  delay.disable();
  writing = false;
  await Promise.all(writers);
  b.number('store.pause-p99.9-ms', delay.percentile(99.9) / 1e6, {
    better: 'lower',
    budget: 20,
    against: `500 writers for ${PAUSE_MS / 1000} s, longest ${(delay.max / 1e6).toFixed(1)} ms`,
  });
}

const LOG_COMMITS = 40_000;
const LONG_COMMITS = 40;
const HOLD_ROUNDS = 5;

/** How long one writer's commits take, in milliseconds, while `during` is under way. */
async function commitTimes(store: Store, during: Promise<unknown>): Promise<number[]> {
  let over = false;
  const ended = during.finally(() => {
    over = true;
  });
  const times: number[] = [];
  while (!over) {
    const started = performance.now();
    await write(store);
    times.push(performance.now() - started);
  }
  await ended;
  return times;
}

/**
 * How long compaction keeps a writer waiting: it removes many short records and some of 2 MB while one writer goes on.
 * The longest commit of a run is what counts, the median of several runs, since a busy disk has a say in it too.
 */
async function compactionHold(b: BenchRun, dir: string): Promise<void> {
  const longest: number[] = [];
  const without: number[] = [];
  for (let round = 0; round < HOLD_ROUNDS; round++) {
    const store = await openStore({ driver: createSqliteDriver({ path: join(dir, `compact-${round}.db`) }) });
    try {
      await writeConcurrently(store, 500, LOG_COMMITS);
      const long = { filler: 'x'.repeat(1024 * 1024) };
      for (let i = 0; i < LONG_COMMITS; i++) await store.transact(ORIGIN, (tx) => tx.put('things', 'long', long));
      without.push(Math.max(...(await commitTimes(store, sleep(1000)))));
      longest.push(Math.max(...(await commitTimes(store, store.compact({ maxBytes: 0 })))));
    } finally {
      await store.close();
    }
  }
  b.number('store.compaction-hold-ms', median(longest), {
    better: 'lower',
    budget: 20,
    against: `longest commit while ${LOG_COMMITS} records go; ${median(without).toFixed(1)} ms without`,
  });
}

const START_OBJECTS = 100_000;
const START_ROUNDS = 5;

interface Start {
  readonly ms: number;
  readonly peakBytes: number;
  readonly bytesEach: number;
}

async function startUp(b: BenchRun, dir: string): Promise<void> {
  const child = async (mode: string): Promise<string> => {
    const args = [join(import.meta.dirname, 'store/start-child.ts'), mode, dir, String(START_OBJECTS)];
    // What is shipped is JavaScript: neither of the two shall pay for stripping types.
    const env = { ...process.env, NODE_COMPILE_CACHE: join(dir, 'compiled') };
    return (await promisify(execFile)(process.execPath, args, { timeout: 60_000, env })).stdout;
  };
  await child('seed');
  for (const mode of ['json', 'store']) await child(mode);
  const rounds: { json: Start; store: Start }[] = [];
  for (let i = 0; i < START_ROUNDS; i++) {
    const json = JSON.parse(await child('json')) as Start;
    rounds.push({ json, store: JSON.parse(await child('store')) as Start });
  }
  const report = (
    name: string,
    budget: number | null,
    of: (start: Start) => number,
    show: (value: number) => string,
  ) => {
    const ratios = rounds.map(({ json, store }) => of(store) / of(json));
    const value = median(ratios);
    b.number(name, value, {
      better: 'lower',
      budget,
      spread: (quantile(ratios, 0.75) - quantile(ratios, 0.25)) / 2 / value,
      against: `JSON.parse (${show(median(rounds.map(({ json }) => of(json))))})`,
    });
  };
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
  report(
    'store.start-100k',
    1.3,
    (s) => s.ms,
    (ms) => `${ms.toFixed(0)} ms`,
  );
  report('store.start-100k-rss', 0.9, (s) => s.peakBytes, megabytes);
  b.number('store.bytes-per-object', median(rounds.map(({ store }) => store.bytesEach)), {
    better: 'lower',
    budget: null,
    against: `${JSON.stringify(machine(0)).length} bytes of JSON, ${median(rounds.map((r) => r.json.bytesEach)).toFixed(0)} parsed`,
  });
}

export const bench: Bench = {
  name: 'store',
  async run(b) {
    const dir = mkdtempSync(join(tmpdir(), 'proviso-bench-store-'));
    try {
      await startUp(b, dir);
      const store = await openStore({ driver: createSqliteDriver({ path: join(dir, 'store.db') }) });
      try {
        await commits(b, dir, store);
        await readsUnderWrite(b, store);
        await pause(b, store);
        await compactionHold(b, dir);
      } finally {
        await store.close();
      }
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  },
};

function found(measured: Map<string, Measured>, name: string): Measured {
  const one = measured.get(name);
  if (one === undefined) throw new Error(`no measurement named ${name}`);
  return one;
}
