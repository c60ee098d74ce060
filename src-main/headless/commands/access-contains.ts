/**
 * `access contains`: does one claim or role contain another? Prints JSON (`true`, `false`, or an array of them) on
 * stdout; input that cannot be understood is named on stderr and ends with exit code 2.
 */
import type { Command } from 'commander';
import { type Claim, claimContains, memberOf, readClaimOrRole, roleContains } from '../../contract/claims/index.ts';
import { isJsonObject, type Json } from '../../kit/json.ts';
import { InputError, readJson } from '../input.ts';

type Comparable = Claim | readonly Claim[];

function comparable(value: Json | undefined, file: string, where: string): Comparable {
  const read = readClaimOrRole(value, where);
  if (read.ok) return read.value;
  throw new InputError(`${file}${read.where ? ` at ${read.where}` : ''}: ${read.message}`);
}

const asRole = (value: Comparable): readonly Claim[] => ('scope' in value ? [value] : value);

function contains(a: Comparable, b: Comparable): boolean {
  return 'scope' in a && 'scope' in b ? claimContains(a, b) : roleContains(asRole(a), asRole(b));
}

function containsPairs(file: string): boolean[] {
  const pairs = readJson(file);
  if (!Array.isArray(pairs)) throw new InputError(`${file}: expected a list of {a, b}`);
  return (pairs as readonly Json[]).map((pair, i) => {
    if (!isJsonObject(pair)) throw new InputError(`${file} at [${i}]: expected {a, b}`);
    const side = (name: 'a' | 'b'): Comparable => comparable(memberOf(pair, name), file, `[${i}].${name}`);
    return contains(side('a'), side('b'));
  });
}

function answer(files: readonly string[], pairs: string | undefined): boolean | boolean[] {
  if (pairs !== undefined) {
    if (files.length > 0) throw new InputError('give either two files or --pairs, not both');
    return containsPairs(pairs);
  }
  const [a, b] = files;
  if (a === undefined || b === undefined || files.length > 2) {
    throw new InputError('give two files, A.json and B.json, or --pairs FILE');
  }
  return contains(comparable(readJson(a), a, ''), comparable(readJson(b), b, ''));
}

/** Registers `contains` below the command `access`. */
export function accessContainsCommand(access: Command): void {
  access
    .command('contains')
    .summary('does one claim or role contain another?')
    .description(
      'Prints true when the claim or role in the first file contains the one in the second, else false.\n' +
        'A file holds one claim {scope, action, specific}, a list of claims, or a role {Name, Claims}.\n' +
        'With --pairs, prints the JSON array of the answers for a list of {a, b}. "-" reads standard input.',
    )
    .argument('[files...]', 'A.json and B.json')
    .option('--pairs <file>', 'a JSON array of {a, b}')
    .option('--json', 'as it is anyhow: the answers are JSON')
    .action((files: string[], options: { pairs?: string }) => {
      try {
        process.stdout.write(`${JSON.stringify(answer(files, options.pairs))}\n`);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        process.stderr.write(`access contains: ${error.message}\n`);
        process.exitCode = 2;
      }
    });
}
