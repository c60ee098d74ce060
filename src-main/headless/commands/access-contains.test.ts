import { describe, expect, test } from 'vitest';
import vectors from '../../contract/claims/vectors/claims.json' with { type: 'json' };
import { commandLineForTests } from '../../testing/command-line.ts';
import { accessContainsCommand } from './access-contains.ts';

const cli = commandLineForTests();
const file = cli.file;
const run = (...args: string[]): Promise<number> =>
  cli.run((program) => accessContainsCommand(program.command('access')), ['access', 'contains', ...args]);

const claim = (scope: string, action: string, specific: string) => ({ scope, action, specific });

describe('access contains', () => {
  test('answers a file of pairs with the array of answers, claims and roles mixed', async () => {
    const all = [...vectors.claims, ...vectors.roles].map((v) => ({ ...v, seed: 'seed' in v ? v.seed : undefined }));
    expect(await run('--pairs', file('pairs.json', all))).toBe(0);
    expect(JSON.parse(cli.stdout)).toEqual(all.map((v) => v.seed ?? v.contains));
    expect(cli.stderr).toBe('');
  });

  test('compares two files, in any letter case, as claims, lists or roles', async () => {
    const wide = file('wide.json', { Scope: 'machines', ACTION: 'get,list', Specific: '*' });
    const narrow = file('narrow.json', [claim('machines', 'get', 'm1')]);
    const role = file('role.json', { Name: 'r', Claims: [claim('machines', '*', '*')] });
    expect(await run(wide, narrow)).toBe(0);
    expect(await run(narrow, wide)).toBe(0);
    expect(await run(role, wide)).toBe(0);
    expect(cli.stdout).toBe('true\nfalse\ntrue\n');
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
    expect(cli.stderr).toMatch(message);
    expect(cli.stdout).toBe('');
  });

  test('refuses a missing file, one file, three files, or files beside --pairs', async () => {
    const one = file('one.json', claim('', '', ''));
    for (const [args, message] of [
      [[cli.path('absent.json'), one], /cannot read .*absent\.json/],
      [[one], /give two files/],
      [[one, one, one], /give two files/],
      [['--pairs', one, one, one], /either two files or --pairs/],
    ] as const) {
      cli.clear();
      expect(await run(...args)).toBe(2);
      expect(cli.stderr).toMatch(message);
    }
  });
});
