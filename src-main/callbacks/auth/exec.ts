/** Auth method `exec`: a program whose trimmed output is the token. No shell, no inherited secrets, bounded in all ways. */
import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import type { Clock } from '../ports.ts';
import { type Stop, Stopped } from '../stop.ts';
import { AuthFailure } from './failure.ts';

const MAX_OUTPUT = 64 * 1024;
const MAX_COMPLAINT = 1024;

/** What a program needs to run at all; nothing of the server's own environment beyond that. */
function scrubbedEnvironment(): NodeJS.ProcessEnv {
  const kept = process.platform === 'win32' ? ['PATH', 'SystemRoot', 'TEMP', 'PATHEXT'] : ['PATH', 'HOME', 'TMPDIR'];
  const env: NodeJS.ProcessEnv = { LANG: 'C.UTF-8' };
  for (const name of kept) if (process.env[name] !== undefined) env[name] = process.env[name];
  return env;
}

/** The program and everything it started. */
function kill(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}

/** Throws AuthFailure for what cannot be started at all, as a path with a NUL in it. */
function start(path: string): ChildProcess {
  try {
    return spawn(path, [], {
      cwd: tmpdir(),
      env: scrubbedEnvironment(),
      // A group of its own, so that children of the program end with it.
      detached: process.platform !== 'win32',
      shell: false,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
  } catch (error) {
    throw new AuthFailure(`the program cannot be started (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
  }
}

/** Runs the program without arguments. Rejects with AuthFailure, or Stopped; its output is in no message. */
export function runProgram(path: string, timeoutMs: number, clock: Clock, stop: Stop): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let complaint = '';
    let settled = false;
    const child = start(path);
    const finish = (outcome: string | Error): void => {
      if (settled) return;
      settled = true;
      disarm();
      off();
      kill(child.pid);
      child.stdout?.destroy();
      child.stderr?.destroy();
      if (typeof outcome === 'string') resolve(outcome);
      else reject(outcome);
    };
    const fail = (reason: string): void => finish(new AuthFailure(`the program ${path} ${reason}`));
    const disarm = clock.after(timeoutMs, () => fail(`did not end within ${timeoutMs / 1000} s`));
    let off = (): void => undefined;
    off = stop.on((reason) => finish(new Stopped(reason)));
    if (settled) return;
    child.stdout?.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_OUTPUT) fail(`wrote more than ${MAX_OUTPUT} bytes`);
      else chunks.push(chunk);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      if (complaint.length < MAX_COMPLAINT) complaint = (complaint + chunk.toString('utf8')).slice(0, MAX_COMPLAINT);
    });
    child.on('error', (error: NodeJS.ErrnoException) => fail(`cannot be started (${error.code ?? error.message})`));
    child.on('close', (code, signal) => {
      const said = complaint.trim() === '' ? '' : `: ${complaint.trim()}`;
      if (signal !== null) fail(`was ended by ${signal}${said}`);
      else if (code !== 0) fail(`ended with status ${code}${said}`);
      else finish(Buffer.concat(chunks).toString('utf8').trim());
    });
  });
}
