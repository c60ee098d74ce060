import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commandFor, runScript, type ScriptEnd } from './script.ts';

let directory: string;
let printed: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'script-'));
  printed = '';
});
afterEach(() => rm(directory, { recursive: true }));

const run = (
  content: string,
  more: { env?: NodeJS.ProcessEnv; signal?: AbortSignal; interpreter?: string } = {},
  onOutput: () => void = () => undefined,
): Promise<ScriptEnd> =>
  runScript(
    { task: 'my/task', name: 'do it', content, interpreter: more.interpreter ?? '' },
    {
      directory,
      env: more.env ?? process.env,
      platform: process.platform,
      signal: more.signal ?? new AbortController().signal,
      output: async (data) => {
        printed += String(data);
        onOutput();
      },
      leftoverMs: 50,
    },
  );

test.each<[string, string, string, NodeJS.Platform, string[]]>([
  ['with a first line of its own', '#!/usr/bin/env python3', '', 'linux', ['/d/f']],
  ['without one', 'echo', '', 'linux', ['/bin/sh', '/d/f']],
  ['with an interpreter', '#!/bin/sh', 'bash', 'linux', ['bash', '/d/f']],
  [
    'on Windows',
    'echo',
    '',
    'win32',
    ['powershell.exe', '-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-File', '/d/f'],
  ],
])('a script %s is run by what fits', (_what, content, interpreter, platform, command) => {
  expect(commandFor('/d/f', content, interpreter, platform)).toEqual(command);
});

test('a script runs in its directory under a harmless name, with its surroundings, and its output is handed on', async () => {
  const end = await run('pwd; ls; echo "$GIVEN"; echo wrong >&2; exit 64', { env: { ...process.env, GIVEN: 'value' } });
  expect(end).toEqual({ kind: 'exited', code: 64 });
  expect(
    printed
      .split('\n')
      .filter(Boolean)
      .sort((a, b) => (a < b ? -1 : 1)),
  ).toEqual([directory, 'my_task-do_it', 'value', 'wrong'].sort((a, b) => (a < b ? -1 : 1)));
});

test('the first line of a script is respected', async () => {
  await run('#!/bin/cat\nthis is printed');
  expect(printed).toBe('#!/bin/cat\nthis is printed');
});

test('a script that cannot be started says why', async () => {
  const end = await run('#!/no/such/program\n');
  expect(end.kind).toBe('not-started');
});

test('a script that is called off ends with everything it started', async () => {
  const controller = new AbortController();
  const end = await run('sleep 60 & echo started; wait', { signal: controller.signal }, () => controller.abort());
  expect(end).toEqual({ kind: 'killed', signal: 'SIGTERM' });
});

test('something left behind that holds the output does not hold the task', async () => {
  const end = await run('(sleep 60) & echo $!; exit 0');
  process.kill(Number(printed));
  expect(end).toEqual({ kind: 'exited', code: 0 });
});
