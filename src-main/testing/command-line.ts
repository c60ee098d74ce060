/** Commands run inside a test: what they print is caught, and their exit code is an answer instead of the end of the test. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, vi } from 'vitest';

interface CommandLine {
  readonly stdout: string;
  readonly stdoutBytes: Buffer;
  readonly stderr: string;
  /** Where a file of this test would be. */
  path(name: string): string;
  /** Writes a file of this test, an object as JSON, and answers its path. */
  file(name: string, content: unknown): string;
  /** Forgets what was printed so far. */
  clear(): void;
  /** Runs `args` with the commands that `register` adds and answers the exit code. A commander error is thrown. */
  run(register: (program: Command) => void, args: readonly string[]): Promise<number>;
}

/** To be called once in a test file: each test starts with nothing printed and no files. */
export function commandLineForTests(): CommandLine {
  let dir = '';
  let out: Buffer[] = [];
  let err: Buffer[] = [];
  const catchInto = (stream: NodeJS.WriteStream, take: (bytes: Buffer) => void): void => {
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      take(Buffer.from(text as string));
      return true;
    });
  };
  const clear = (): void => {
    out = [];
    err = [];
  };
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'proviso-command-'));
    clear();
    catchInto(process.stdout, (bytes) => out.push(bytes));
    catchInto(process.stderr, (bytes) => err.push(bytes));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    rmSync(dir, { recursive: true });
  });
  return {
    get stdout() {
      return Buffer.concat(out).toString();
    },
    get stdoutBytes() {
      return Buffer.concat(out);
    },
    get stderr() {
      return Buffer.concat(err).toString();
    },
    path: (name) => join(dir, name),
    file(name, content) {
      const path = join(dir, name);
      writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
      return path;
    },
    clear,
    async run(register, args) {
      process.exitCode = undefined;
      const program = new Command().exitOverride();
      register(program);
      for (const command of program.commands) command.exitOverride();
      await program.parseAsync(args, { from: 'user' });
      const code = Number(process.exitCode ?? 0);
      process.exitCode = undefined;
      return code;
    },
  };
}
