/** The provider's record and content, and its scripts run as an agent runs them. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject } from '../../kit/json.ts';
import { machineDot, parseTemplate } from '../../templates/index.ts';
import { certificate } from '../testing/certificate.ts';
import { MACHINE } from '../testing/harness.ts';
import { answer, type Received, type Receiver } from '../testing/receiver.ts';
import { closeAfterEach, service } from '../testing/rooms.ts';
import { callbackContent, callbackProvider } from './index.ts';

closeAfterEach();
const run = promisify(execFile);
const dir = mkdtempSync(join(tmpdir(), 'provider-'));
afterAll(() => rmSync(dir, { recursive: true }));

const content = callbackContent('1.2.3');
const object = (section: string, name: string): JsonObject => content.sections[section]?.[name] as JsonObject;

test('the record is the one existing clients know', () => {
  expect(callbackProvider('1.2.3')).toMatchObject({
    Name: 'callback',
    PluginVersion: 4,
    AutoStart: true,
    RequiredParams: ['callback/callbacks'],
    AvailableActions: [
      {
        Command: 'callbackDo',
        Model: 'machines',
        RequiredParams: ['callback/action'],
        OptionalParams: ['callback/data-override'],
      },
    ],
  });
  expect(parse(String(callbackProvider('1.2.3')['Content']))).toEqual(content);
});

test('the content has its params with their defaults, its stages and its tasks', () => {
  const names = 'action auths ca callbacks delivery insecure plugin proxy skip'.split(' ');
  expect(new Set(Object.keys(content.sections['params'] ?? {}))).toEqual(
    new Set(names.map((name) => `callback/${name}`)),
  );
  const defaults = ['callback/plugin', 'callback/proxy', 'callback/skip'].map(
    (name) => (object('params', name)['Schema'] as JsonObject)['default'],
  );
  expect(defaults).toEqual(['callback', '', false]);
  expect(object('stages', 'callback-complete')).toMatchObject({
    Params: { 'callback/action': 'complete' },
    Tasks: ['callback-task'],
  });
  expect(object('stages', 'callback-complete-and-lock')['Tasks']).toEqual(['callback-task', 'lock-machine']);
  expect(Object.keys(content.sections['tasks'] ?? {})).toEqual(['callback-task', 'callback-esxi-task', 'lock-machine']);
});

/** The script of a task for one system, rendered for the default machine. */
function script(task: string, os: string, url: string, params: JsonObject): Promise<string> {
  const templates = object('tasks', task)['Templates'] as readonly { Contents: string; Meta: { OS?: string } }[];
  const template = templates.find(({ Meta }) => Meta.OS === undefined || Meta.OS.split(',').includes(os));
  if (!template) throw new Error(`no template of ${task} for ${os}`);
  const { hostname, port } = new URL(url);
  const text = template.Contents.replaceAll('{{ .ApiURL }}', url);
  return parseTemplate(text).renderAsync(
    machineDot({
      machine: { Uuid: MACHINE, Name: 'm', Params: params },
      info: { address: hostname, api_port: Number(port) },
      paramDefault: (name) => (object('params', name)['Schema'] as JsonObject)['default'],
      tokens: { generateToken: () => 'machine-token', generateInfiniteToken: () => 'forever' },
    }),
  );
}

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program itself: python3 may be a shim that needs others. */
async function located(name: string): Promise<string> {
  const ask = name === 'python3' ? `python3 -c 'import sys; print(sys.executable)'` : `command -v ${name}`;
  return (await run('/bin/sh', ['-c', ask])).stdout.trim();
}

/** `only`: programs the script may find. */
async function execute(interpreter: string, text: string, only?: readonly string[]): Promise<Outcome> {
  const file = join(dir, 'script');
  writeFileSync(file, text);
  let path = process.env['PATH'] ?? '';
  if (only) {
    path = mkdtempSync(join(dir, 'bin-'));
    for (const name of ['cat', 'mktemp', 'rm', ...only])
      writeFileSync(join(path, name), `#!/bin/sh\nexec ${await located(name)} "$@"\n`, { mode: 0o755 });
  }
  return run(await located(interpreter), [file], { env: { PATH: path } }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

async function api(status: number, body: unknown): Promise<Receiver> {
  return service(answer(status, body), await certificate('127.0.0.1'));
}

const HOSTILE = `it's "q" $(touch /tmp/x) \\ \`id\` </END_OF_BODY> é\nEND_OF_BODY\n'@`;

function expectCall(request: Received | undefined, action: string): void {
  expect(request).toMatchObject({
    method: 'POST',
    url: `/api/v3/machines/${MACHINE}/actions/callbackDo?plugin=callback`,
  });
  expect(request?.headers.authorization).toBe('Bearer machine-token');
  expect(JSON.parse(request?.body ?? '')).toEqual({ 'callback/action': action });
}

async function isThere(program: string): Promise<boolean> {
  return run('/bin/sh', ['-c', `command -v ${program}`]).then(
    () => true,
    () => false,
  );
}

/** What can fetch on this machine; a script needs one of them. */
const FETCHERS: string[] = [];
for (const program of ['curl', 'python3', 'wget']) if (await isThere(program)) FETCHERS.push(program);
const PYTHON = FETCHERS.includes('python3');

describe('callback-task', () => {
  test.each(FETCHERS)('calls the action with %s and prints the answer', async (fetcher) => {
    const r = await api(200, { answer: 42 });
    const text = await script('callback-task', 'linux', r.url, { 'callback/action': HOSTILE });
    const { code, stdout, stderr } = await execute('sh', text, [fetcher]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.trim()).toBe('{"answer":42}');
    expectCall(r.requests[0], HOSTILE);
  });

  test.each(FETCHERS)('fails with %s when the action fails, showing why', async (fetcher) => {
    const r = await api(418, { Messages: ['no tea'] });
    const text = await script('callback-task', 'linux', r.url, { 'callback/action': 'go' });
    const { code, stdout, stderr } = await execute('sh', text, [fetcher]);
    expect(code).toBe(1);
    expect(stdout).toContain('no tea');
    expect(stderr).toContain('The callback failed.');
  });

  test('says so when the machine can fetch nothing', async () => {
    const text = await script('callback-task', 'linux', 'https://127.0.0.1:1', { 'callback/action': 'go' });
    expect(await execute('sh', text, [])).toMatchObject({ code: 1, stderr: expect.stringContaining('needs curl') });
  });

  test('does nothing when callback/skip is true', async () => {
    const r = await api(200, '');
    const text = await script('callback-task', 'linux', r.url, { 'callback/action': 'go', 'callback/skip': true });
    expect(await execute('sh', text)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('callback/skip is true'),
    });
    expect(r.requests).toEqual([]);
  });

  test('fails without an action', async () => {
    const text = await script('callback-task', 'linux', 'https://127.0.0.1:1', {});
    expect(await execute('sh', text)).toMatchObject({ code: 1, stderr: expect.stringContaining('names no callback') });
  });

  test('calls the plugin that callback/plugin names', async () => {
    const r = await api(200, '');
    const params = { 'callback/action': 'go', 'callback/plugin': "it's & mine" };
    await execute('sh', await script('callback-task', 'linux', r.url, params));
    expect(new URL(r.requests[0]?.url ?? '', r.url).searchParams.get('plugin')).toBe("it's & mine");
  });
});

describe.runIf(PYTHON)('with Python 3', () => {
  test.each([
    ['callback-task', 'esxi'],
    ['callback-esxi-task', 'linux'],
  ])('%s on %s calls the action', async (task, os) => {
    const r = await api(200, { answer: 42 });
    const { code, stdout } = await execute('python3', await script(task, os, r.url, { 'callback/action': HOSTILE }));
    expect(code).toBe(0);
    expect(stdout.trim()).toBe('{"answer":42}');
    expectCall(r.requests[0], HOSTILE);
  });

  test('a failing action fails the task', async () => {
    const r = await api(500, { Messages: ['no tea'] });
    const text = await script('callback-esxi-task', 'esxi', r.url, { 'callback/action': 'go' });
    expect(await execute('python3', text)).toMatchObject({ code: 1, stdout: expect.stringContaining('no tea') });
  });
});

test('lock-machine sets Locked', async () => {
  const r = await api(200, {});
  expect(await execute('sh', await script('lock-machine', 'linux', r.url, {}))).toMatchObject({ code: 0 });
  expect(r.requests[0]).toMatchObject({ method: 'PATCH', url: `/api/v3/machines/${MACHINE}` });
  expect(JSON.parse(r.requests[0]?.body ?? '')).toEqual([{ op: 'replace', path: '/Locked', value: true }]);
});

test('no value can leave its place in the script for Windows', async () => {
  const text = await script('callback-task', 'windows', 'https://127.0.0.1:1', { 'callback/action': HOSTILE });
  const body = /\$body = @'\n([\s\S]*?)\n'@\n/.exec(text)?.[1] ?? '';
  expect(JSON.parse(body)).toEqual({ 'callback/action': HOSTILE });
});
