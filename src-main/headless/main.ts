/**
 * The command line (architecture.md 6): one program for scripting and headless machines. It never prompts; what a command answers
 * goes to stdout, everything else to stderr. Exit codes: 0 done, 1 refused or failed, 2 wrong usage.
 */
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { PRODUCT_VERSION } from '../version.ts';
import { accessCommand } from './commands/access.ts';
import { agentCommand } from './commands/agent.ts';
import { auditCommand } from './commands/audit.ts';
import { licenseCommand } from './commands/license.ts';
import { serveCommand } from './commands/serve.ts';
import { templateCommand } from './commands/template.ts';
import { userCommand } from './commands/user.ts';

const EXIT_USAGE = 2;

export function createProgram(): Command {
  const program = new Command('proviso')
    .description('Provisioning service: access control, callbacks, workflows')
    .version(PRODUCT_VERSION)
    .showHelpAfterError('(--help shows the usage)')
    .exitOverride();
  serveCommand(program);
  accessCommand(program);
  templateCommand(program);
  licenseCommand(program);
  auditCommand(program);
  userCommand(program);
  agentCommand(program);
  for (const command of program.commands) inheritExit(command);
  return program;
}

/** Sub-commands do not inherit the override by themselves when they were made elsewhere. */
function inheritExit(command: Command): void {
  command.exitOverride();
  for (const sub of command.commands) inheritExit(sub);
}

async function main(argv: readonly string[]): Promise<void> {
  try {
    await createProgram().parseAsync([...argv]);
  } catch (error) {
    if (error instanceof InvalidArgumentError) {
      // From a command itself; those of the parser it has printed, and thrown as another error.
      process.stderr.write(`proviso: ${error.message}\n`);
      process.exitCode = EXIT_USAGE;
      return;
    }
    if (error instanceof CommanderError) {
      // Help and version end with 0 and have printed already; anything else was a wrong call.
      process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE;
      return;
    }
    const hint = (error as { hint?: string }).hint;
    const message = error instanceof Error ? error.message : String(error);
    const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
    process.stderr.write(`proviso: ${hint ? `${sentence} ${hint}` : sentence}\n`);
    process.exitCode = 1;
  }
}

// Whoever read the output may have seen enough of it; a server goes on without its start line.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
await main(process.argv);
