// `npm run soak [-- --only store|deliveries] [--rounds N] [--seed N]`: kills a process that writes, and a server whose callbacks
// are under way, again and again, and checks what is left of their data.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureInstalled, nodeBinary } from './ensure.mjs';

await ensureInstalled((line) => process.stderr.write(`${line}\n`));
const node = nodeBinary();
if (node === process.execPath) await soak();
else {
  // The store needs the newer Node.
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}

async function soak() {
  const { killRound, randomNumbers } = await import('../src-main/store/testing/kill-rounds.ts');
  const { deliveryRound } = await import('../src-main/testing/delivery-rounds.ts');
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: '' },
      rounds: { type: 'string', default: '' },
      seed: { type: 'string', default: String(Date.now() % 1e9) },
    },
  });
  const seed = Number(values.seed);
  const rounds = values.rounds === '' ? undefined : Number(values.rounds);
  const isNumber = (number) => Number.isInteger(number) && number > 0;
  if (!['', 'store', 'deliveries'].includes(values.only) || !isNumber(seed) || !isNumber(rounds ?? 1)) {
    process.stderr.write('usage: npm run soak [-- --only store|deliveries] [--rounds N] [--seed N]\n');
    process.exit(2);
  }
  const random = randomNumbers(seed);
  const store = {
    what: 'acknowledged writes, all there',
    every: 10,
    newDirectoryEvery: 25,
    rounds: rounds ?? 200,
    round: async (dir) => (await killRound(dir, random)).acknowledged,
  };
  const deliveries = {
    what: 'deliveries cut off, each taken up again once and in order',
    every: 1,
    newDirectoryEvery: 10,
    rounds: rounds ?? 20,
    round: async (dir) => (await deliveryRound(dir, random)).unfinished,
  };
  if (values.only !== 'deliveries') await run('store', store, seed);
  if (values.only !== 'store' && process.exitCode === undefined) await run('deliveries', deliveries, seed);
}

async function run(name, { what, every, newDirectoryEvery, rounds, round }, seed) {
  const say = (line) => process.stdout.write(`${line}\n`);
  say(`${name}: ${rounds} rounds, seed ${seed}`);
  let dir;
  let total = 0;
  for (let i = 1; i <= rounds; i++) {
    if ((i - 1) % newDirectoryEvery === 0) {
      if (dir !== undefined) rmSync(dir, { recursive: true, force: true });
      dir = mkdtempSync(join(tmpdir(), 'proviso-soak-'));
    }
    try {
      total += await round(dir);
    } catch (error) {
      say(`round ${i} of seed ${seed} failed: ${error.message}\nThe data directory is kept in ${dir}`);
      process.exitCode = 1;
      return;
    }
    if (i % every === 0 || i === rounds) say(`round ${i}: ${total} ${what}`);
  }
  rmSync(dir, { recursive: true, force: true });
  say(`${rounds} passed, 0 failed`);
}
