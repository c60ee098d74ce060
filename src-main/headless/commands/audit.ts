/** `proviso audit verify`: checks the hash chain of the change log, and that the objects are what the log says. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { verifyDataFile } from '../../offline.ts';
import { requiredDataOption } from '../data-option.ts';

/** From where to where: whoever took the oldest records out can be told by the first number alone. */
function recordsOf({ records, firstSeq, lastSeq }: Awaited<ReturnType<typeof verifyDataFile>>): string {
  return records === 0 ? `no records after ${lastSeq}` : `records ${firstSeq} to ${lastSeq}`;
}

export function auditCommand(program: Command): void {
  const audit = program.command('audit').description('Checks the change log');
  audit
    .command('verify')
    .description('Finds changed or missing records; reads only, the service may be running')
    .addOption(requiredDataOption())
    .option('--json', 'prints the report as JSON')
    .action(async (options: { data: string; json?: boolean }) => {
      const dir = resolve(options.data);
      const file = join(dir, 'proviso.db');
      if (!existsSync(file)) throw new Error(`${dir} is no data directory: it has no proviso.db.`);
      const report = await verifyDataFile(file);
      process.exitCode = report.ok ? 0 : 1;
      if (options.json) {
        process.stdout.write(`${JSON.stringify(report)}\n`);
        return;
      }
      for (const problem of report.problems) process.stdout.write(`${problem.kind}: ${problem.detail}\n`);
      const what = `${recordsOf(report)}, ${report.objects} objects, head ${report.head}`;
      process.stdout.write(report.ok ? `The log is whole: ${what}\n` : `The log is NOT whole: ${what}\n`);
    });
}
