/**
 * A starter of many: opens `BASE/0`, `BASE/1`, ... each at its moment, so that several of these meet at the same door, holds what it
 * got until it is told to end, and prints the numbers of the directories it holds as one JSON line.
 *
 * Arguments: BASE, number of directories, moment of the first (ms since 1970), ms between two.
 */
import { join } from 'node:path';
import { openDataDirectory } from '../host/data-directory.ts';

const [base = '', count, first, apart] = process.argv.slice(2);
const held: number[] = [];
for (let i = 0; i < Number(count); i++) {
  const due = Number(first) + i * Number(apart);
  while (Date.now() < due) void 0;
  try {
    openDataDirectory(join(base, String(i)), '1.0.0', new Date());
    held.push(i);
  } catch {
    // Somebody else has it.
  }
}
process.stdout.write(`${JSON.stringify(held)}\n`);
process.stdin.resume();
