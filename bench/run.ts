/**
 * `npm run bench -- NAME [--json]`: runs one benchmark (or all) and prints a table for people, or one JSON object
 * `{bench, results: [{name, ratio, better, budget, met, spread}]}` per benchmark for tools.
 * Exit code 1 when a budget was missed, 2 when the name is unknown.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Bench, createRun, type Result } from './frame.ts';

const NOT_BENCHES = new Set(['frame.ts', 'run.ts']);
const available = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !NOT_BENCHES.has(file))
  .map((file) => file.slice(0, -3))
  .sort();

function table(results: readonly Result[]): string {
  const rows = results.map((r) => [
    r.name,
    r.ratio.toPrecision(3),
    r.budget === null ? '-' : `${r.better === 'higher' ? '>=' : '<='} ${r.budget}`,
    r.met === null ? '' : r.met ? 'met' : 'MISSED',
    `±${(r.spread * 100).toFixed(0)}%`,
    r.against,
  ]);
  const head = ['name', 'ratio', 'budget', '', 'spread', 'against'];
  const width = head.map((h, i) => Math.max(h.length, ...rows.map((row) => (row[i] ?? '').length)));
  return [head, ...rows].map((row) => row.map((cell, i) => cell.padEnd(width[i] ?? 0)).join('  ')).join('\n');
}

const args = process.argv.slice(2);
const json = args.includes('--json');
const names = args.filter((a) => !a.startsWith('--'));
const unknown = names.filter((n) => !available.includes(n));
if (unknown.length > 0 || (names.length === 0 && !args.includes('--all'))) {
  process.stderr.write(`usage: npm run bench -- NAME [--json] | --all\nbenchmarks: ${available.join(', ')}\n`);
  process.exit(2);
}

let missed = false;
for (const name of names.length > 0 ? names : available) {
  const module = (await import(pathToFileURL(join(import.meta.dirname, `${name}.ts`)).href)) as { bench: Bench };
  const { run, results } = createRun((line) => {
    if (!json) process.stdout.write(`  ${line}\n`);
  });
  if (!json) process.stdout.write(`${name}\n`);
  await module.bench.run(run);
  if (json) {
    const rows = results.map(({ against: _against, ...row }) => row);
    process.stdout.write(`${JSON.stringify({ bench: name, results: rows })}\n`);
  } else process.stdout.write(`${table(results)}\n`);
  missed ||= results.some((r) => r.met === false);
}
process.exit(missed ? 1 : 0);
