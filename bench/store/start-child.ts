/**
 * `seed DIR COUNT` writes the same records into a store and into one JSON file; `json DIR` and `store DIR` load them and
 * print `{ms, peakBytes, bytesEach}`. Each in a process of its own, so that neither has the other's memory.
 */
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createSqliteDriver, openStore, type Store } from '../../src-main/store/index.ts';
import { machine } from './records.ts';

const [mode = '', dir = '', count = '0'] = process.argv.slice(2);
const database = join(dir, 'start.db');
const jsonFile = join(dir, 'start.json');

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function open(): Promise<Store> {
  return openStore({
    driver: createSqliteDriver({ path: database }),
    uniqueIndexes: {
      machines: { name: { version: 1, value: ({ Name }) => (typeof Name === 'string' ? Name : undefined) } },
    },
  });
}

async function seed(): Promise<void> {
  const store = await open();
  const file = createWriteStream(jsonFile);
  const perCommit = 1000;
  for (let start = 0; start < Number(count); start += perCommit) {
    await store.transact({ actor: 'bench', requestId: 'seed' }, (tx) => {
      for (let i = start; i < start + perCommit; i++) tx.put('machines', machine(i).Uuid, machine(i));
    });
    for (let i = start; i < start + perCommit; i++) file.write(`${i === 0 ? '[' : ','}${JSON.stringify(machine(i))}`);
  }
  file.end(']');
  await finished(file);
  await store.close();
}

/** Time until everything can be read, and the peak of the process so far. Memory per object is looked at afterwards. */
async function measure(load: () => Promise<{ count: number; end: () => Promise<void> }>): Promise<void> {
  collect();
  const before = process.memoryUsage();
  const started = performance.now();
  const loaded = await load();
  const ms = performance.now() - started;
  const peakBytes = process.resourceUsage().maxRSS * 1024;
  collect();
  const after = process.memoryUsage();
  const grown = after.heapUsed + after.external - before.heapUsed - before.external;
  process.stdout.write(JSON.stringify({ ms, peakBytes, bytesEach: grown / loaded.count }));
  await loaded.end();
}

if (mode === 'seed') await seed();
else if (mode === 'store') {
  await measure(async () => {
    const store = await open();
    return { count: store.count('machines'), end: () => store.close() };
  });
} else {
  await measure(async () => {
    const records = JSON.parse(readFileSync(jsonFile, 'utf8')) as unknown[];
    return { count: records.length, end: async () => void records.length };
  });
}
