/**
 * `proviso license issue|install|show`: works on the files of a data directory, whether the service runs or not; a
 * running one notices within a second of the next question.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import {
  createLicenses,
  installLicense,
  LicenseError,
  type LicenseStatus,
  makeLabLicense,
  readLicenseFile,
} from '../../access/index.ts';
import { requiredDataOption } from '../data-option.ts';

interface CommonOptions {
  readonly data: string;
  readonly json?: boolean;
}

interface IssueOptions extends CommonOptions {
  readonly lab?: boolean;
  readonly feature?: readonly string[];
  readonly days: number;
  readonly out?: string;
  readonly replace?: boolean;
}

function readDays(text: string): number {
  const days = Number(text);
  if (text.trim() === '' || !Number.isFinite(days)) throw new InvalidArgumentError('It must be a number of days.');
  return days;
}

/** Throws LicenseError when there is no such directory: a mistyped name must not read as "no license". */
function readStatus(dataDirectory: string): LicenseStatus {
  if (!existsSync(dataDirectory))
    throw new LicenseError(`There is no directory ${dataDirectory}.`, 'Check the path given with --data.');
  return createLicenses({ dataDirectory, clock: Date.now, writable: false }).status();
}

function lines(status: LicenseStatus): string[] {
  const mark = status.Lab ? ' (lab license)' : '';
  const features = status.Features.length === 0 ? 'none' : `${status.Features.join(', ')}${mark}`;
  return [
    `features in force: ${features}`,
    ...status.Licenses.map(({ Name, State, StartDate, SoftExpireDate, HardExpireDate, Lab }) => {
      const signer = Lab ? ', lab license' : '';
      return `  ${Name}: ${State}${signer}, from ${StartDate}, renew by ${SoftExpireDate}, until ${HardExpireDate}`;
    }),
    ...status.Sources.map(({ Source, Valid, Signer, KeyId, Problem }) =>
      Valid ? `  ${Source}: signed by ${Signer} (key ${KeyId})` : `  ${Source}: not valid. ${Problem}.`,
    ),
    ...(status.ClockProblem === '' ? [] : [status.ClockProblem]),
  ];
}

function print(command: Command, status: LicenseStatus, json: boolean | undefined): void {
  const text = json ? JSON.stringify(status) : lines(status).join('\n');
  command.configureOutput().writeOut?.(`${text}\n`);
}

function issue(options: IssueOptions, command: Command): void {
  if (!options.lab) {
    throw new LicenseError(
      'Only lab licenses can be issued here.',
      'Give --lab, or install a license of a vendor with: license install FILE.',
    );
  }
  const now = Date.now();
  const features = options.feature ?? ['rbac'];
  const text = makeLabLicense(options.data, { features, days: options.days, now });
  if (options.out === undefined) {
    installLicense(options.data, text, now, options.replace === true);
    print(command, readStatus(options.data), options.json);
    return;
  }
  try {
    writeFileSync(options.out, text, { mode: 0o644, flush: true });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new LicenseError(`${options.out} cannot be written (${code}).`, 'Name another file with --out.', error);
  }
  const report = options.json ? JSON.stringify({ File: options.out }) : `lab license written to ${options.out}`;
  command.configureOutput().writeOut?.(`${report}\n`);
}

/** Adds `license` to the program. Refusals are thrown as LicenseError, for the caller to print. */
export function licenseCommand(program: Command): void {
  const license = program.command('license').description('Shows, issues and installs licenses of a data directory');

  license
    .command('issue')
    .description('Issues a lab license, trusted by this data directory only, and installs it')
    .addOption(requiredDataOption('data directory of the service'))
    .option('--lab', 'sign with the lab key of the data directory, which is made at first use')
    .option('--feature <name...>', 'features to license (default: rbac)')
    .option('--days <number>', 'days until it expires; may be a fraction', readDays, 365)
    .option('--out <file>', 'write the license to a file and do not install it')
    .option('--replace', 'replace a valid license of a vendor')
    .option('--json', 'answer in JSON')
    .action((options: IssueOptions, command: Command) => issue(options, command));

  license
    .command('install')
    .description('Installs a license file after verifying its signature')
    .argument('<file>', 'license file as its issuer sent it')
    .addOption(requiredDataOption('data directory of the service'))
    .option('--json', 'answer in JSON')
    .action((file: string, options: CommonOptions, command: Command) => {
      installLicense(options.data, readLicenseFile(file), Date.now());
      print(command, readStatus(options.data), options.json);
    });

  license
    .command('show')
    .description(
      'Shows the licenses of a data directory; those of content layers are known to the running service only',
    )
    .addOption(requiredDataOption('data directory of the service'))
    .option('--json', 'answer in JSON')
    .action((options: CommonOptions, command: Command) => print(command, readStatus(options.data), options.json));
}
