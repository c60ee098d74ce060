/** One script of a task: written into the task's directory, run there, its output handed on as it comes. */
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

interface Script {
  readonly task: string;
  readonly name: string;
  readonly content: string;
  /** Program to run the file with; empty: what its first line says, or the platform's shell. */
  readonly interpreter: string;
}

interface ScriptSurroundings {
  /** Working directory; the script is written there. */
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  /** Ends the script when aborted. */
  readonly signal: AbortSignal;
  readonly output: (data: Buffer) => Promise<void>;
  /** How long output is waited for after the end: something the script left behind may hold the pipe for ever. Default 2 s. */
  readonly leftoverMs?: number;
}

export type ScriptEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: string }
  | { readonly kind: 'not-started'; readonly reason: string };

const LEFTOVER_MS = 2_000;
const KILL_AFTER_MS = 5_000;

const safeName = (text: string): string => text.replaceAll(/[^\w.-]/g, '_');

/** Program and arguments for a script file. */
export function commandFor(
  file: string,
  content: string,
  interpreter: string,
  platform: NodeJS.Platform,
): readonly [program: string, ...args: string[]] {
  if (interpreter !== '') return [interpreter, file];
  if (platform === 'win32')
    return ['powershell.exe', '-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-File', file];
  return content.startsWith('#!') ? [file] : ['/bin/sh', file];
}

async function pump(stream: Readable, output: (data: Buffer) => Promise<void>): Promise<void> {
  try {
    for await (const data of stream) await output(data as Buffer);
  } catch (error) {
    // A pipe that was given up while something still held it.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

/** Runs a script to its end. Throws only when its file cannot be written. */
export async function runScript(script: Script, surroundings: ScriptSurroundings): Promise<ScriptEnd> {
  const { directory, env, platform, signal, output, leftoverMs = LEFTOVER_MS } = surroundings;
  const isWindows = platform === 'win32';
  const file = join(directory, `${safeName(script.task)}-${safeName(script.name)}${isWindows ? '.ps1' : ''}`);
  await writeFile(file, script.content, { mode: 0o700, flush: true });
  const [program, ...args] = commandFor(file, script.content, script.interpreter, platform);
  // A process group of its own, so that ending the script ends what it started.
  const child = spawn(program, args, {
    cwd: directory,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: !isWindows,
    windowsHide: true,
  });
  const end = new Promise<ScriptEnd>((resolve) => {
    child.once('error', (error) => resolve({ kind: 'not-started', reason: error.message }));
    child.once('exit', (code, killedBy) =>
      resolve(code === null ? { kind: 'killed', signal: killedBy ?? 'unknown' } : { kind: 'exited', code }),
    );
  });
  const kill = (name: NodeJS.Signals): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(isWindows ? child.pid : -child.pid, name);
    } catch {
      // It has ended by itself.
    }
  };
  let killer: NodeJS.Timeout | undefined;
  const onAbort = (): void => {
    kill('SIGTERM');
    killer = setTimeout(() => kill('SIGKILL'), KILL_AFTER_MS);
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  const pumped = Promise.all([pump(child.stdout, output), pump(child.stderr, output)]);
  const ended = await end;
  signal.removeEventListener('abort', onAbort);
  clearTimeout(killer);
  const patience = new AbortController();
  await Promise.race([pumped, sleep(leftoverMs, undefined, { signal: patience.signal }).catch(() => undefined)]);
  patience.abort();
  child.stdout.destroy();
  child.stderr.destroy();
  await pumped;
  return ended;
}
