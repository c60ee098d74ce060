/** `proviso serve`: the headless server. Prints one line with its URL once it accepts requests; SIGTERM and SIGINT end it cleanly. */
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { startServer } from '../../assemble.ts';
import { requiredDataOption } from '../data-option.ts';
import { untilSignal } from '../signals.ts';

const MAX_PORT = 65_535;

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^[0-9]+$/.test(text) || port > MAX_PORT)
    throw new InvalidArgumentError(`A port is a number from 0 to ${MAX_PORT}.`);
  return port;
}

const DAY_MS = 86_400_000;
const MEGABYTE = 1024 ** 2;

/** A whole number above zero. Throws InvalidArgumentError. */
function parseAmount(text: string): number {
  const amount = Number(text);
  if (!/^[0-9]+$/.test(text) || amount === 0 || amount > 1_000_000)
    throw new InvalidArgumentError('It is a whole number from 1 to 1000000.');
  return amount;
}

interface ServeOptions {
  readonly data: string;
  readonly port?: number;
  readonly address: string;
  readonly compat: 'auto' | 'v3' | 'v4';
  readonly keepLogDays?: number;
  readonly keepLogMb: number;
  readonly json?: boolean;
}

export function serveCommand(program: Command): void {
  program
    .command('serve')
    .description('Runs the server without a window')
    .addOption(requiredDataOption('data directory; made when it is not there'))
    .option(
      '--port <number>',
      'port to listen on; 0 takes a free one (default: 8092, or a free one when that is taken)',
      parsePort,
    )
    .option(
      '--address <address>',
      'address to listen on; other than loopback only once the default password is changed',
      '127.0.0.1',
    )
    .option(
      '--compat <generation>',
      'fields of answers: auto, v3 or v4',
      (value: string) => {
        if (value === 'auto' || value === 'v3' || value === 'v4') return value;
        throw new InvalidArgumentError('It is auto, v3 or v4.');
      },
      'auto',
    )
    .option('--keep-log-days <number>', 'drops records of the change log that are older (default: none)', parseAmount)
    .option('--keep-log-mb <number>', 'drops the oldest records of the change log beyond this size', parseAmount, 2048)
    .option('--json', 'prints the start line as JSON')
    .action(async (options: ServeOptions) => {
      // Signals first: one that comes while the server starts must not be lost.
      const signal = untilSignal();
      const server = await startServer({
        dataDir: resolve(options.data),
        ...(options.port === undefined ? {} : { port: options.port }),
        address: options.address,
        compat: options.compat,
        logRetention: {
          ...(options.keepLogDays === undefined ? {} : { maxAgeMs: options.keepLogDays * DAY_MS }),
          maxBytes: options.keepLogMb * MEGABYTE,
        },
        mode: 'headless',
      });
      process.stdout.write(
        options.json
          ? `${JSON.stringify({ url: server.url, pid: process.pid, fingerprint: server.fingerprint })}\n`
          : `Proviso is ready at ${server.url} (screens: ${server.url}/ui/)\n`,
      );
      await signal;
      await server.stop();
      process.exit(0);
    });
}
