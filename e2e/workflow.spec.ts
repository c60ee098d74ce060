/** A real agent takes a machine through a workflow, and callbacks survive the death of the server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { headlessEntry } from '../build/ensure.mjs';
import { expect, type ServerProcess, test } from './fixtures.ts';
import { Script } from './ui-steps.ts';

interface Machine {
  readonly Uuid: string;
  readonly Locked: boolean;
  readonly WorkflowComplete: boolean;
  readonly CurrentJob: string;
}

interface Delivery {
  readonly Id: string;
  readonly State: string;
  readonly Trigger: string;
  readonly AttemptCount: number;
}

async function token(script: Script): Promise<string> {
  return (await script.send<{ Token: string }>('GET', '/users/rocketskates/token?ttl=600')).Token;
}

/** Runs the agent until the workflow ends; answers its exit code and what it printed. */
async function runAgent(
  server: ServerProcess,
  machine: string,
  bearer: string,
): Promise<{ code: number; output: string }> {
  const args = [headlessEntry, 'agent', '--machine', machine, '--endpoint', server.url, '--token', bearer, '--once'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const [code] = (await once(child, 'exit')) as [number];
  return { code, output };
}

test('an agent takes a machine through callback-complete-and-lock: the receiver hears of it and the machine is locked', async ({
  server,
  receiver,
  request,
}) => {
  const script = await new Script(request, server).settle();
  await receiver.answerWith({ body: '{"thanks":true}' });
  await script.send('POST', '/plugins/callback/params/callback/callbacks', {
    complete: { Url: `${receiver.url}/done/{{.Machine.Name}}`, JsonResponse: true },
  });
  await script.send('POST', '/tasks', {
    Name: 'greet',
    Templates: [{ Name: 'greet.sh', Contents: '#!/bin/sh\necho "hello from {{.Machine.Name}}"\n' }],
  });
  await script.send('POST', '/stages', { Name: 'greeting', Tasks: ['greet'] });
  await script.send('POST', '/workflows', { Name: 'finish', Stages: ['greeting', 'callback-complete-and-lock'] });
  const { Uuid } = await script.send<Machine>('POST', '/machines', { Name: 'web01.example.com', Workflow: 'finish' });

  const { code, output } = await runAgent(server, Uuid, await token(script));
  expect(code, output).toBe(0);

  const [sent] = await receiver.waitFor(1);
  expect(sent?.url).toBe('/done/web01.example.com');
  expect(JSON.parse(sent?.body ?? '{}')).toMatchObject({ Name: 'web01.example.com', Uuid });
  const machine = await script.send<Machine>('GET', `/machines/${Uuid}`);
  expect(machine).toMatchObject({ Locked: true, WorkflowComplete: true });
});

test('a job that fails is told to jobfail exactly once, and callback/skip keeps the tasks quiet', async ({
  server,
  receiver,
  request,
}) => {
  const script = await new Script(request, server).settle();
  await script.send('POST', '/plugins/callback/params/callback/callbacks', {
    complete: { Url: `${receiver.url}/complete` },
    jobfail: { Url: `${receiver.url}/failed` },
  });
  await script.send('POST', '/tasks', {
    Name: 'broken',
    Templates: [{ Name: 'b.sh', Contents: '#!/bin/sh\nexit 1\n' }],
  });
  await script.send('POST', '/stages', { Name: 'breaking', Tasks: ['broken'] });
  await script.send('POST', '/workflows', { Name: 'breaks', Stages: ['callback-complete', 'breaking'] });
  const { Uuid } = await script.send<Machine>('POST', '/machines', {
    Name: 'web02.example.com',
    Workflow: 'breaks',
    Params: { 'callback/skip': true },
  });

  const { code } = await runAgent(server, Uuid, await token(script));
  expect(code).toBe(1);
  const received = await receiver.waitFor(1);
  await expect
    .poll(async () => (await script.send<Delivery[]>('GET', '/x/deliveries?Trigger=jobfail')).map((one) => one.State))
    .toEqual(['ok']);
  expect(received.map((one) => one.url)).toEqual(['/failed']);
  expect(JSON.parse(received[0]?.body ?? '{}')).toMatchObject({ Uuid });
});

test('a delivery cut off by SIGKILL is taken up again, once, under its own id', async ({
  server,
  receiver,
  request,
}) => {
  const script = await new Script(request, server).settle();
  await script.send('POST', '/plugins/callback/params/callback/callbacks', {
    jobfail: { Url: `${receiver.url}/failed` },
  });
  await script.send('POST', '/tasks', {
    Name: 'broken',
    Templates: [{ Name: 'b.sh', Contents: '#!/bin/sh\nexit 1\n' }],
  });
  await script.send('POST', '/stages', { Name: 'breaking', Tasks: ['broken'] });
  await script.send('POST', '/workflows', { Name: 'breaks', Stages: ['breaking'] });
  const { Uuid } = await script.send<Machine>('POST', '/machines', { Name: 'web03.example.com', Workflow: 'breaks' });
  // The receiver holds its answer back, so that the server dies while it waits for it.
  await receiver.answerWith({ delayMs: 60_000 }, { status: 200 });
  await runAgent(server, Uuid, await token(script));
  const [first] = await receiver.waitFor(1);
  await server.kill('SIGKILL');
  await server.restart();

  const received = await receiver.waitFor(2);
  await expect
    .poll(async () => (await script.send<Delivery[]>('GET', '/x/deliveries?Trigger=jobfail')).map((one) => one.State))
    .toEqual(['ok']);
  expect(received).toHaveLength(2);
  expect(received[1]?.headers['x-delivery-id']).toBe(first?.headers['x-delivery-id']);
  expect(received.map((one) => one.headers['x-delivery-attempt'])).toEqual(['1', '2']);
});
