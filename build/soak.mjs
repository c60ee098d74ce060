// `npm run soak [-- --rounds N] [--seed N]`: kills a writing process again and again and checks what is left of its data.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureInstalled, nodeBinary } from './ensure.mjs';

const NEW_DATABASE_EVERY = 25;

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
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '200' },
      seed: { type: 'string', default: String(Date.now() % 1e9) },
    },
  });
  const rounds = Number(values.rounds);
  const seed = Number(values.seed);
  if (!(Number.isInteger(rounds) && rounds > 0 && Number.isInteger(seed))) {
    process.stderr.write('usage: npm run soak [-- --rounds N] [--seed N]\n');
    process.exit(2);
  }
  const random = randomNumbers(seed);
  const say = (line) => process.stdout.write(`${line}\n`);
  say(`${rounds} rounds, seed ${seed}`);
  let dir;
  let acknowledged = 0;
  for (let round = 1; round <= rounds; round++) {
    if (round % NEW_DATABASE_EVERY === 1 && dir !== undefined) rmSync(dir, { recursive: true, force: true });
    if (round % NEW_DATABASE_EVERY === 1) dir = mkdtempSync(join(tmpdir(), 'proviso-soak-'));
    try {
      acknowledged += (await killRound(dir, random)).acknowledged;
    } catch (error) {
      say(`round ${round} of seed ${seed} failed: ${error.message}\nThe database is kept in ${dir}`);
      process.exitCode = 1;
      return;
    }
    if (round % 10 === 0 || round === rounds) say(`round ${round}: ${acknowledged} acknowledged writes, all there`);
  }
  rmSync(dir, { recursive: true, force: true });
  say(`${rounds} passed, 0 failed`);
}
