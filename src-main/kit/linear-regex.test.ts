import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileRegex, RegexError } from './linear-regex.ts';

describe('a pattern matches', () => {
  const rows: readonly (readonly [pattern: string, text: string, matches: boolean])[] = [
    ['', 'anything', true],
    ['b', 'abc', true],
    ['^b', 'abc', false],
    ['^abc$', 'abc', true],
    ['^a.c$', 'a\nc', false],
    ['(?s)^a.c$', 'a\nc', true],
    ['(?i)ABC', 'xabcx', true],
    ['(?i:A)B', 'aB', true],
    ['(?i:A)B', 'ab', false],
    ['(?m)^b$', 'a\nb\nc', true],
    ['^b$', 'a\nb\nc', false],
    ['^(foo|bar)-[0-9]{2,3}$', 'bar-042', true],
    ['^(foo|bar)-[0-9]{2,3}$', 'bar-0421', false],
    ['^(?P<site>[a-z]+)\\.example$', 'lab.example', true],
    ['\\bnode\\b', 'a node here', true],
    ['\\bnode\\b', 'anode', false],
    ['^[[:alpha:]_-]+$', 'ab_-', true],
    ['^[^[:digit:]]+$', 'ab1', false],
    ['^\\pL+$', 'größe', true],
    ['^\\p{Greek}+$', 'αβγ', true],
    ['^\\PL$', '1', true],
    ['\\Qa.b\\E$', 'xa.b', true],
    ['\\Qa.b\\E$', 'xaxb', false],
    ['^\\x41\\x{1F600}$', 'A😀', true],
    ['^.$', '😀', true],
    ['^a{0}$', '', true],
    ['a|', 'zzz', true],
    ['[]a]', ']', true],
    ['[a-]', '-', true],
    ['x{', 'x{', true],
    ['\\Aab\\z', 'ab', true],
  ];
  test.each(rows)('%s on %j: %s', (pattern, text, matches) => {
    expect(compileRegex(pattern).test(text)).toBe(matches);
  });
});

test.each([
  ['('],
  [')'],
  ['a)'],
  ['[a'],
  ['*a'],
  ['a**'],
  ['a{2,1}'],
  ['a{1001}'],
  ['(?=a)'],
  ['(?<!a)'],
  ['(a)\\1'],
  ['\\p{Nonsense}'],
  ['[z-a]'],
  ['\\'],
  ['(a{500}){500}'],
  ['(((){1000}){1000}){1000}'],
  ['('.repeat(500)],
])('%s is refused with a sentence', (pattern) => {
  expect(() => compileRegex(pattern)).toThrow(RegexError);
});

test('it agrees with the built-in engine on random patterns and texts', () => {
  const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\d', '^', '$', '\\b', '(?:ab)');
  const quantifier = fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,3}', '{0,2}?', '*?');
  const piece = fc.tuple(atom, quantifier).map(([a, q]) => (/^(\^|\$|\\b)$/.test(a) ? a : a + q));
  const run = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''));
  const pattern = fc
    .tuple(run, run, run, fc.constantFrom('', '*', '+', '?'))
    .map(([a, b, c, q]) => `${a}(?:${b}|${c})${q}`);
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '1', ' ', '\n'), maxLength: 8 });
  fc.assert(
    fc.property(pattern, text, (source, input) => {
      expect(compileRegex(source).test(input)).toBe(new RegExp(source, 'u').test(input));
    }),
    { seed: 20, numRuns: 1500 },
  );
});

test('a pattern that ruins a backtracking engine answers all the same', () => {
  const text = `${'a'.repeat(5000)}!`;
  for (const pattern of ['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', 'a*a*a*a*a*a*b']) {
    expect(compileRegex(pattern).test(text)).toBe(false);
  }
});
