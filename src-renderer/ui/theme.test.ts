/** Reads theme.css and measures every pair of colours the components put together (WCAG 2.2: 1.4.3, 1.4.11). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const css = readFileSync(join(import.meta.dirname, '../theme.css'), 'utf8');

type Tokens = ReadonlyMap<string, string>;

function tokensOf(block: string): Tokens {
  return new Map([...block.matchAll(/--pv-([\w-]+): (#[0-9a-f]{6});/g)].map((m) => [m[1] ?? '', m[2] ?? '']));
}

const [lightBlock = '', darkBlock = ''] = css.split(/:root\[data-mantine-color-scheme=.dark.\]/);
const themes: readonly (readonly [string, Tokens])[] = [
  ['light', tokensOf(lightBlock)],
  ['dark', tokensOf(darkBlock)],
];

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(tokens: Tokens, a: string, b: string): number {
  const [x, y] = [a, b].map((name) => luminance(tokens.get(name) ?? '#808080'));
  const [dark = 0, light = 0] = [x ?? 0, y ?? 0].sort((p, q) => p - q);
  return (light + 0.05) / (dark + 0.05);
}

const SURFACES = ['canvas', 'surface', 'raised', 'sunken', 'hover', 'selected'];
const TEXT_PAIRS: readonly (readonly [string, string])[] = [
  ...['text', 'text-2', 'text-3'].flatMap((text) => SURFACES.map((surface) => [text, surface] as const)),
  ...['accent-text', 'danger'].flatMap((text) =>
    ['surface', 'raised', 'sunken', 'selected', 'hover'].map((s) => [text, s] as const),
  ),
  ...['ok', 'warn', 'danger', 'pending'].flatMap((tone) => [
    [tone, `${tone}-soft`] as const,
    [tone, 'sunken'] as const,
    [tone, 'canvas'] as const,
  ]),
  ...['ok', 'warn', 'danger', 'pending', 'accent'].flatMap((tone) => [
    ['text', `${tone}-soft`] as const,
    ['text-2', `${tone}-soft`] as const,
  ]),
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
  ['on-danger', 'danger'],
  ['on-danger', 'danger-hover'],
  ['accent-text', 'accent-soft'],
  ...['code-key', 'code-string', 'code-number', 'code-atom'].flatMap((code) => [
    [code, 'sunken'] as const,
    [code, 'hover'] as const,
  ]),
];
const CONTROL_PAIRS: readonly (readonly [string, string])[] = [
  ...['control', 'accent'].flatMap((line) => ['canvas', 'surface', 'raised', 'sunken'].map((s) => [line, s] as const)),
];

describe.each(themes)('the %s theme', (_, tokens) => {
  it('defines every token the other one does', () => {
    expect([...tokens.keys()].sort()).toEqual([...(themes[0]?.[1].keys() ?? [])].sort());
  });

  it('keeps text at 4.5:1', () => {
    const weak = TEXT_PAIRS.filter(([a, b]) => contrast(tokens, a, b) < 4.5);
    expect(weak.map(([a, b]) => `${a} on ${b}: ${contrast(tokens, a, b).toFixed(2)}`)).toEqual([]);
  });

  it('keeps controls and focus at 3:1', () => {
    const weak = CONTROL_PAIRS.filter(([a, b]) => contrast(tokens, a, b) < 3);
    expect(weak.map(([a, b]) => `${a} on ${b}: ${contrast(tokens, a, b).toFixed(2)}`)).toEqual([]);
  });
});
