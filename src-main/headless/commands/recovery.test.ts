/** What a command line must not do: make directories of mistyped names, be silent about wrong calls, leave a system nobody can enter. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandLineForTests } from '../../testing/command-line.ts';
import { startTestServer } from '../../testing/server.ts';
import { accessCommand } from './access.ts';
import { userCommand } from './user.ts';

const cli = commandLineForTests();
const asks = ['--user', 'ana', '--method', 'GET', '--path', '/info'];

test('a mistyped directory is said to be none, and is not made', async () => {
  const data = cli.path('mistyped');
  const none = /mistyped is no data directory: it has no proviso\.db/;
  await expect(cli.run(userCommand, ['user', 'list', '--data', data])).rejects.toThrow(none);
  await expect(cli.run(accessCommand, ['access', 'explain', ...asks, '--data', data])).rejects.toThrow(none);
  expect(existsSync(data)).toBe(false);
});

test('with the last user forced out, a new one gets in', async () => {
  const data = cli.path('data');
  await (await startTestServer({ storage: 'sqlite', dataDir: data })).stop();
  const user = (...args: string[]): Promise<number> => cli.run(userCommand, ['user', ...args, '--data', data]);
  const password = ['--password-file', cli.file('password', 'back again\n')];
  await expect(user('create', 'rocketskates', 'superuser', ...password)).rejects.toThrow(
    'There is a user rocketskates already.',
  );
  await expect(user('create', 'nul', '--password-file', cli.file('nul', 'a\0b\n'))).rejects.toThrow('NUL');
  expect(await user('remove', 'rocketskates', '--force')).toBe(0);
  expect(await user('create', 'root', 'superuser', ...password)).toBe(0);

  const server = await startTestServer({ storage: 'sqlite', dataDir: data });
  try {
    expect((await server.call('GET', 'roles', { as: 'root:back again' })).status).toBe(200);
  } finally {
    await server.stop();
  }
});

test('a wrong call is named on stderr and ends with 2', () => {
  const entry = join(import.meta.dirname, '../main.ts');
  const said = spawnSync(process.execPath, [entry, 'access', 'explain', ...asks], {
    encoding: 'utf8',
    env: { ...process.env, RS_ENDPOINT: undefined },
  });
  expect(said).toMatchObject({ status: 2, stdout: '' });
  expect(said.stderr).toContain('Say where to ask');
});
