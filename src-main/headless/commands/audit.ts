/** `proviso audit verify`: checks the hash chain of the change log, and that the objects are what the log says. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { openOffline } from '../../offline.ts';

export function auditCommand(program: Command): void {
  const audit = program.command('audit').description('Checks the change log');
  audit
    .command('verify')
    .description('Finds changed or missing records; the service must be stopped')
    .requiredOption('--data <dir>', 'data directory')
    .option('--json', 'prints the report as JSON')
    .action(async (options: { data: string; json?: boolean }) => {
      const dir = resolve(options.data);
      if (!existsSync(join(dir, 'proviso.db'))) throw new Error(`${dir} is no data directory: it has no proviso.db.`);
      const offline = await openOffline(dir);
      try {
        const report = await offline.verify();
        if (options.json) process.stdout.write(`${JSON.stringify(report)}\n`);
        else if (report.ok)
          process.stdout.write(
            `The log is whole: ${report.records} records up to ${report.lastSeq}, ${report.objects} objects, head ${report.head}\n`,
          );
        else for (const problem of report.problems) process.stdout.write(`${problem.kind}: ${problem.detail}\n`);
        process.exitCode = report.ok ? 0 : 1;
      } finally {
        await offline.close();
      }
    });
}
