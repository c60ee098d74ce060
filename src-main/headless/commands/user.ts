/**
 * `proviso user …`: recovery with the service stopped. A password comes from stdin or a file, never from the command line, where
 * every process of the machine could read it.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Command, InvalidArgumentError } from 'commander';
import { hashPassword, isPassword, lockOutProblem, newSecret } from '../../access/index.ts';
import type { JsonObject } from '../../kit/json.ts';
import { leaveTenants, type Objects } from '../../objects/index.ts';
import { openOffline } from '../../offline.ts';
import { requiredDataOption } from '../data-option.ts';

interface Common {
  readonly data: string;
  readonly json?: boolean;
}

async function withObjects<R>(data: string, work: (objects: Objects) => Promise<R>): Promise<R> {
  const offline = await openOffline(resolve(data));
  try {
    return await work(offline.objects);
  } finally {
    await offline.close();
  }
}

const all = (objects: Objects, prefix: string): JsonObject[] =>
  [...objects.view.entries(prefix)].map((stored) => stored.value);

/** Changes or removes a user; refuses a lock-out unless forced. */
async function changeUser(
  data: string,
  name: string,
  force: boolean,
  change: (user: JsonObject) => JsonObject | undefined,
): Promise<void> {
  await withObjects(data, async (objects) => {
    const user = objects.view.get('users', name)?.value;
    if (!user) throw new Error(`There is no user ${name}.`);
    if (objects.view.isReadOnly('users', name))
      throw new Error(`The user ${name} belongs to a content layer: change the layer instead.`);
    const after = change(user);
    const users = all(objects, 'users');
    const rest = users.filter((one) => one['Name'] !== name);
    const shared = { roles: all(objects, 'roles'), tenants: all(objects, 'tenants') };
    const problem = lockOutProblem({ ...shared, users }, { ...shared, users: after ? [...rest, after] : rest });
    if (problem !== undefined && !force) throw new Error(`${problem}. Repeat with --force if that is what you want.`);
    await objects.committer.internal('offline', (unit) => {
      if (after) unit.put('users', name, after);
      else {
        unit.remove('users', name);
        leaveTenants('users', name, unit);
      }
    });
  });
}

function report(options: Common, sentence: string, fields: JsonObject): void {
  process.stdout.write(options.json ? `${JSON.stringify(fields)}\n` : `${sentence}\n`);
}

async function readPassword(file: string | undefined): Promise<string> {
  if (file === undefined && process.stdin.isTTY)
    throw new InvalidArgumentError('Give the password on stdin, or in a file with --password-file.');
  const given = (file === undefined ? await text(process.stdin) : readFileSync(file, 'utf8')).replace(/\r?\n$/, '');
  if (given === '') throw new InvalidArgumentError('The password is empty.');
  if (!isPassword(given)) throw new InvalidArgumentError('The password has a NUL character.');
  return given;
}

export function userCommand(program: Command): void {
  const user = program.command('user').description('Recovers users with the service stopped');

  user
    .command('list')
    .description('Lists users with their roles')
    .addOption(requiredDataOption())
    .option('--json', 'prints JSON')
    .action(async (options: Common) => {
      const users = await withObjects(options.data, async (objects) =>
        all(objects, 'users').map((one) => ({
          Name: String(one['Name']),
          Roles: (one['Roles'] ?? []) as readonly string[],
        })),
      );
      process.stdout.write(
        options.json
          ? `${JSON.stringify(users)}\n`
          : users.map((one) => `${one.Name}\t${one.Roles.join(', ')}\n`).join(''),
      );
    });

  user
    .command('create <name> [roles...]')
    .description('Makes a user with the password from stdin, when nobody is left who could')
    .addOption(requiredDataOption())
    .option('--password-file <file>', 'reads the password from a file')
    .option('--json', 'prints JSON')
    .action(async (name: string, roles: string[], options: Common & { passwordFile?: string }) => {
      const hash = await hashPassword(await readPassword(options.passwordFile));
      await withObjects(options.data, async (objects) => {
        if (objects.view.get('users', name)) throw new Error(`There is a user ${name} already.`);
        const made = { Name: name, PasswordHash: hash, Secret: newSecret(), Roles: roles };
        await objects.committer.internal('offline', (unit) => unit.put('users', name, made));
      });
      report(options, `The user ${name} is made, with the roles: ${roles.join(', ') || 'none'}.`, {
        Name: name,
        Roles: roles,
      });
    });

  user
    .command('password <name>')
    .description('Sets the password from stdin; every token of the user stops working')
    .addOption(requiredDataOption())
    .option('--password-file <file>', 'reads the password from a file')
    .option('--json', 'prints JSON')
    .action(async (name: string, options: Common & { passwordFile?: string }) => {
      const hash = await hashPassword(await readPassword(options.passwordFile));
      await changeUser(options.data, name, true, (one) => ({ ...one, PasswordHash: hash, Secret: newSecret() }));
      report(options, `The password of ${name} is set.`, { Name: name, Changed: 'Password' });
    });

  user
    .command('roles <name> [roles...]')
    .description('Sets the roles of a user')
    .addOption(requiredDataOption())
    .option('--force', 'even when nobody would hold the superuser claim any more')
    .option('--json', 'prints JSON')
    .action(async (name: string, roles: string[], options: Common & { force?: boolean }) => {
      await changeUser(options.data, name, options.force === true, (one) => ({ ...one, Roles: roles }));
      report(options, `${name} has the roles: ${roles.join(', ') || 'none'}.`, { Name: name, Roles: roles });
    });

  user
    .command('remove <name>')
    .description('Removes a user')
    .addOption(requiredDataOption())
    .option('--force', 'even when nobody would hold the superuser claim any more')
    .option('--json', 'prints JSON')
    .action(async (name: string, options: Common & { force?: boolean }) => {
      await changeUser(options.data, name, options.force === true, () => undefined);
      report(options, `The user ${name} is removed.`, { Name: name, Removed: true });
    });
}
