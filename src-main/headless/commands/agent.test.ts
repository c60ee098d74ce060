import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { commandLineForTests } from '../../testing/command-line.ts';
import { type JobsServer, startJobsServer } from '../../testing/jobs-server.ts';
import { agentCommand } from './agent.ts';

const ID = '3e7031fe-3062-45f1-835c-92541bc9cbd3';
let server: JobsServer;
const cli = commandLineForTests();

beforeEach(async () => {
  server = await startJobsServer();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
});

function run(args: readonly string[], interrupted: Promise<string> = Promise.race([])): Promise<number> {
  const register = (program: Command): void => agentCommand(program, () => interrupted);
  return cli.run(register, ['agent', '--dir', join(server.directory, 'tasks'), ...args]);
}

async function machineWith(script: string): Promise<string[]> {
  await server.world.create('tasks', { Name: 'task', Templates: [{ Name: 'script', Contents: script }] });
  await server.world.create('machines', { Uuid: ID, Name: 'john', Tasks: ['task'] });
  return ['--machine', 'Name:john', '--endpoint', server.url, '--token', server.tokenOf(ID)];
}

test('a machine is taken to the end of its tasks, trusting the certificate it is given', async () => {
  const args = await machineWith('exit 0');
  const ca = join(server.directory, 'ca.pem');
  writeFileSync(ca, server.certificate);
  expect(await run([...args, '--once', '--ca', ca])).toBe(0);
  expect(cli.stdout).toMatch(
    new RegExp(
      `^Running the tasks of john \\(${ID}\\)\nTask task: job [0-9a-f-]{36}\nTask task: finished\nAll tasks are done.\n$`,
    ),
  );
});

test('what is not said comes from the environment, and everything can be had as JSON', async () => {
  await machineWith('exit 64');
  vi.stubEnv('RS_UUID', ID);
  vi.stubEnv('RS_ENDPOINT', `${server.url}/`);
  vi.stubEnv('RS_TOKEN', server.tokenOf(ID));
  expect(await run(['--json'])).toBe(64);
  const records = cli.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { event: string });
  expect(records.map((record) => record.event)).toEqual(['started', 'job', 'job-ended', 'ended']);
  expect(records.at(-1)).toMatchObject({ kind: 'reboot', reason: 'task task asks for it' });
});

test('a failed task is exit code 1 with --once', async () => {
  expect(await run([...(await machineWith('exit 9')), '--once'])).toBe(1);
  expect(cli.stdout).toContain('Task task failed; its log says why.');
});

test('an interrupt ends the agent with exit code 130', async () => {
  const args = await machineWith('exit 0');
  await server.world.patch('machines', ID, { Runnable: false });
  expect(await run(args, Promise.resolve('SIGTERM'))).toBe(130);
  expect(cli.stderr).toContain('interrupted');
});

test.each([
  [['--machine', ID, '--token', 'x'], /--endpoint/],
  [['--machine', ID, '--token', 'x', '--endpoint', 'http://127.0.0.1:1'], /https:\/\/HOST:PORT/],
  [['--endpoint', 'https://127.0.0.1:1', '--token', 'x'], /--machine/],
])('a call with only %j is refused', async (args, message) => {
  await expect(run(args)).rejects.toMatchObject({ exitCode: 1 });
  expect(cli.stderr).toMatch(message);
});
