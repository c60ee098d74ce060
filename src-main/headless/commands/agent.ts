/** `proviso agent`: runs the tasks of one machine, in a directory of its own. It never reboots: its exit code says what to do. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type AgentEnd, type AgentEvent, runAgent } from '../../agent/index.ts';
import { untilSignal } from '../signals.ts';

interface AgentFlags {
  readonly machine: string;
  readonly endpoint: string;
  readonly token: string;
  readonly once?: boolean;
  readonly booted?: boolean;
  readonly context: string;
  readonly dir?: string;
  readonly ca?: string;
  readonly json?: boolean;
}

/** The values that scripts use for the same wishes; 130 as after any interrupt. */
const EXIT_CODES: Readonly<Record<AgentEnd['kind'], number>> = {
  done: 0,
  failed: 1,
  'machine-gone': 1,
  stop: 16,
  poweroff: 32,
  reboot: 64,
  incomplete: 128,
};
const EXIT_CALLED_OFF = 130;

function endpointOf(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol !== 'https:') throw new InvalidArgumentError('It is https://HOST:PORT.');
  return url.origin;
}

function eventText(event: AgentEvent): string {
  switch (event.event) {
    case 'started':
      return `Running the tasks of ${event.name} (${event.machine})`;
    case 'waiting':
      return `Waiting: ${event.reason}`;
    case 'job':
      return `Task ${event.task}: job ${event.job}`;
    case 'job-ended':
      return `Task ${event.task}: ${event.state}${event.exitState === 'complete' ? '' : ` (${event.exitState})`}`;
    case 'warning':
      return `Warning: ${event.message}`;
  }
}

function endText(end: AgentEnd): string {
  switch (end.kind) {
    case 'done':
      return 'All tasks are done.';
    case 'failed':
      return `Task ${end.task} failed; its log says why.`;
    case 'incomplete':
      return `Task ${end.task} is to be gone on with once the machine is runnable again.`;
    case 'machine-gone':
      return 'The machine does not exist any more.';
    case 'reboot':
      return `The machine has to be rebooted: ${end.reason}. Then start the agent again with --booted.`;
    case 'poweroff':
      return `The machine has to be powered off: ${end.reason}.`;
    case 'stop':
      return `The agent ends: ${end.reason}.`;
  }
}

/** `interrupted` resolves when the agent is to end: by default at a signal. */
export function agentCommand(program: Command, interrupted: () => Promise<string> = untilSignal): void {
  program
    .command('agent')
    .description('Runs the tasks of one machine in a directory of its own; never reboots anything')
    .addOption(new Option('--machine <uuid>', 'the machine, as UUID or Name:NAME').env('RS_UUID').makeOptionMandatory())
    .addOption(
      new Option('--endpoint <url>', 'the server, https://HOST:PORT')
        .env('RS_ENDPOINT')
        .argParser(endpointOf)
        .makeOptionMandatory(),
    )
    .addOption(new Option('--token <token>', 'token to work with').env('RS_TOKEN').makeOptionMandatory())
    .option('--once', 'ends with the workflow, or with the first task that does not finish')
    .option('--booted', 'the machine has just booted: marks it as runnable first')
    .option('--context <name>', 'execution context to work in', '')
    .option('--dir <dir>', 'directory for the tasks (default: one of its own, removed at the end)')
    .option('--ca <file>', 'certificates to trust, PEM; without it any certificate of the endpoint is taken')
    .option('--json', 'prints events and the end as JSON, one a line')
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 failed, 16 stop, 32 power the machine off, 64 reboot it, 128 to be gone on with, 130 interrupted',
    )
    .action(async (flags: AgentFlags) => {
      const print = (text: string, record: object): void => {
        process.stdout.write(`${flags.json ? JSON.stringify(record) : text}\n`);
      };
      const controller = new AbortController();
      void interrupted().then((name) => controller.abort(new Error(`interrupted by ${name}`)));
      // A name that nobody can guess: scripts are written and run there.
      const own = flags.dir === undefined ? mkdtempSync(join(tmpdir(), 'proviso-agent-')) : undefined;
      try {
        const end = await runAgent({
          endpoint: flags.endpoint,
          token: flags.token,
          machine: flags.machine,
          once: flags.once === true,
          booted: flags.booted === true,
          context: flags.context,
          directory: own ?? resolve(flags.dir ?? '.'),
          ca: flags.ca === undefined ? undefined : readFileSync(flags.ca, 'utf8'),
          signal: controller.signal,
          report: (event) => print(eventText(event), event),
        });
        print(endText(end), { event: 'ended', ...end });
        process.exitCode = EXIT_CODES[end.kind];
      } catch (error) {
        if (!controller.signal.aborted) throw error;
        process.stderr.write('proviso: the agent was interrupted.\n');
        process.exitCode = EXIT_CALLED_OFF;
      } finally {
        if (own !== undefined) rmSync(own, { recursive: true, force: true });
      }
    });
}
