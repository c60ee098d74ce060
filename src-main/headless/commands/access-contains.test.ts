import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import vectors from '../../contract/claims/vectors/claims.json' with { type: 'json' };
import { accessContainsCommand } from './access-contains.ts';

let dir: string;
let stdout: string;
let stderr: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'access-contains-'));
  stdout = '';
  stderr = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    stdout += String(text);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += String(text);
    return true;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(dir, { recursive: true });
});

function file(name: string, content: unknown): string {
  const path = join(dir, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** Runs the command line and answers its exit code. */
async function run(...args: string[]): Promise<number> {
  process.exitCode = undefined;
  const program = new Command();
  accessContainsCommand(program.command('access'));
  await program.parseAsync(['access', 'contains', ...args], { from: 'user' });
  const code = Number(process.exitCode ?? 0);
  process.exitCode = undefined;
  return code;
}

const claim = (scope: string, action: string, specific: string) => ({ scope, action, specific });

describe('access contains', () => {
  test('answers a file of pairs with the array of answers, claims and roles mixed', async () => {
    const all = [...vectors.claims, ...vectors.roles].map((v) => ({ ...v, seed: 'seed' in v ? v.seed : undefined }));
    expect(await run('--pairs', file('pairs.json', all))).toBe(0);
    expect(JSON.parse(stdout)).toEqual(all.map((v) => v.seed ?? v.contains));
    expect(stderr).toBe('');
  });

  test('compares two files, in any letter case, as claims, lists or roles', async () => {
    const wide = file('wide.json', { Scope: 'machines', ACTION: 'get,list', Specific: '*' });
    const narrow = file('narrow.json', [claim('machines', 'get', 'm1')]);
    const role = file('role.json', { Name: 'r', Claims: [claim('machines', '*', '*')] });
    expect(await run(wide, narrow)).toBe(0);
    expect(await run(narrow, wide)).toBe(0);
    expect(await run(role, wide)).toBe(0);
    expect(stdout).toBe('true\nfalse\ntrue\n');
  });

  test.each([
    ['no JSON', '{', /pairs\.json is not JSON: /],
    ['no list', {}, /pairs\.json: expected a list of \{a, b\}/],
    ['a pair that is none', [5], /at \[0\]: expected \{a, b\}/],
    ['a missing side', [{ a: claim('', '', '') }], /at \[0\]\.b: expected a claim .* found nothing/],
    [
      'a field of the wrong type',
      [{ a: { scope: 5 }, b: [] }],
      /at \[0\]\.a\.scope: expected a string, found a number/,
    ],
    ['a misspelt field', [{ a: [{ scop: 'x' }], b: [] }], /at \[0\]\.a\[0\]: .* no 'scop'/],
  ])('refuses %s with exit code 2 and says where', async (_what, content, message) => {
    expect(await run('--pairs', file('pairs.json', content))).toBe(2);
    expect(stderr).toMatch(message);
    expect(stdout).toBe('');
  });

  test('refuses a missing file, one file, three files, or files beside --pairs', async () => {
    const one = file('one.json', claim('', '', ''));
    for (const [args, message] of [
      [[join(dir, 'absent.json'), one], /cannot read .*absent\.json/],
      [[one], /give two files/],
      [[one, one, one], /give two files/],
      [['--pairs', one, one, one], /either two files or --pairs/],
    ] as const) {
      stderr = '';
      expect(await run(...args)).toBe(2);
      expect(stderr).toMatch(message);
    }
  });
});
