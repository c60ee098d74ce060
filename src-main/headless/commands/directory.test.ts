/** Commands that work on a data directory: made by a server here, which has ended when they run, unless a test says otherwise. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, test } from 'vitest';
import { commandLineForTests } from '../../testing/command-line.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { accessCommand } from './access.ts';
import { auditCommand } from './audit.ts';
import { licenseCommand } from './license.ts';
import { serveCommand } from './serve.ts';
import { userCommand } from './user.ts';

const cli = commandLineForTests();
let server: TestServer;
let data: string;
const user = (...args: string[]): Promise<number> => cli.run(userCommand, ['user', ...args, '--data', data]);
const audit = (...args: string[]): Promise<number> =>
  cli.run(auditCommand, ['audit', 'verify', ...args, '--data', data]);
const explain = (...args: string[]): Promise<number> =>
  cli.run(accessCommand, ['access', 'explain', ...args, '--data', data]);

beforeEach(async () => {
  data = cli.path('data');
  server = await startTestServer({ storage: 'sqlite', dataDir: data });
  await server.call('POST', 'roles', {
    body: { Name: 'reader', Claims: [{ scope: 'machines', action: 'get, list', specific: '*' }] },
  });
  await server.call('POST', 'users', { body: { Name: 'ana', Roles: ['reader'] } });
});

test('users are listed, given roles and a password, and removed', async () => {
  await server.stop();
  expect(await user('list', '--json')).toBe(0);
  expect(JSON.parse(cli.stdout)).toContainEqual({ Name: 'ana', Roles: ['reader'] });
  expect(await user('roles', 'ana', 'reader', 'superuser')).toBe(0);
  expect(await user('password', 'ana', '--password-file', cli.file('password', 'a better one\n'))).toBe(0);

  server = await startTestServer({ storage: 'sqlite', dataDir: data });
  expect(await server.call('GET', 'users/ana', { as: 'ana:a better one' })).toMatchObject({
    status: 200,
    body: { Roles: ['reader', 'superuser'] },
  });
  await server.stop();
  expect(await user('remove', 'ana')).toBe(0);
  cli.clear();
  await user('list');
  expect(cli.stdout).not.toContain('ana');
});

test('the last superuser goes only when forced; an unknown user and a directory without a log are refused in a sentence', async () => {
  await server.stop();
  await expect(user('roles', 'nobody', 'reader')).rejects.toThrow('There is no user nobody.');
  await expect(cli.run(auditCommand, ['audit', 'verify', '--data', '/nowhere'])).rejects.toThrow(/no data directory/);
  await expect(user('remove', 'rocketskates')).rejects.toThrow(/superuser.*--force/s);
  await expect(user('roles', 'rocketskates', 'reader')).rejects.toThrow(/--force/);
  expect(await user('roles', 'rocketskates', 'reader', '--force')).toBe(0);
});

test('a decision is explained from the directory: allowed 0, denied 1', async () => {
  await server.stop();
  expect(await explain('--user', 'ana', '--method', 'GET', '--path', '/machines')).toBe(0);
  expect(cli.stdout).toMatch(/^Allowed\n/);
  cli.clear();
  expect(await explain('--user', 'ana', '--method', 'DELETE', '--path', '/api/v3/roles/reader', '--json')).toBe(1);
  expect(JSON.parse(cli.stdout)).toMatchObject({
    Allowed: false,
    Claims: [{ scope: 'roles', action: 'delete', specific: 'reader', Granted: false }],
  });
  await expect(
    explain('--user', 'ana', '--method', 'PUT', '--path', '/roles/reader', '--body', 'absent.json'),
  ).rejects.toThrow(/absent\.json/);
});

test('the log is verified with the server running and stopped; a changed record is found', async () => {
  expect(await audit()).toBe(0);
  expect(cli.stdout).toMatch(/^The log is whole: records 1 to \d+, /);
  await server.stop();
  const database = new DatabaseSync(join(data, 'proviso.db'));
  const changed = database.prepare("UPDATE log SET actor = 'somebody else' WHERE seq = 2").run();
  database.close();
  expect(changed.changes).toBe(1);
  cli.clear();
  expect(await audit('--json')).toBe(1);
  expect(JSON.parse(cli.stdout)).toMatchObject({ ok: false });
});

test.each([
  ['serve', serveCommand],
  ['license', licenseCommand],
  ['user', userCommand],
  ['audit', auditCommand],
] as const)('%s: an empty --data is no directory', async (name, register) => {
  const sub = { serve: [], license: ['show'], user: ['list'], audit: ['verify'] }[name];
  await expect(cli.run(register, [name, ...sub, '--data', ''])).rejects.toMatchObject({
    code: 'commander.invalidArgument',
    message: expect.stringContaining('name a directory'),
  });
});

test('a directory that is not there has no license to show', async () => {
  await expect(cli.run(licenseCommand, ['license', 'show', '--data', cli.path('absent')])).rejects.toThrow(
    `There is no directory ${cli.path('absent')}.`,
  );
});
