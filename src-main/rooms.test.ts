/** The arrows between rooms run one way (docs/architecture.md); this notices one that turns round. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { expect, it } from 'vitest';

const root = import.meta.dirname;
/** Room -> rooms it may import. `assembly` are the files beside the rooms that wire them. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  kit: [],
  contract: ['kit'],
  store: ['contract', 'kit'],
  access: ['contract', 'kit'],
  templates: ['kit'],
  objects: ['store', 'access', 'templates', 'contract', 'kit'],
  callbacks: ['objects', 'store', 'templates', 'contract', 'kit'],
  workflow: ['objects', 'access', 'templates', 'contract', 'kit'],
  rest: ['objects', 'access', 'callbacks', 'workflow', 'templates', 'contract', 'kit'],
  host: ['contract', 'kit'],
  agent: ['contract', 'kit'],
  assembly: ['kit', 'contract', 'store', 'access', 'templates', 'objects', 'callbacks', 'workflow', 'rest', 'host'],
  headless: ['assembly', 'agent', 'access', 'objects', 'templates', 'contract', 'kit'],
  shell: ['assembly', 'contract', 'kit'],
};
/** Harnesses of tests may reach everywhere. */
const FREE = new Set(['testing']);

function* sources(dir: string): Iterable<string> {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.ts$/.test(entry.name)) yield relative(root, path);
  }
}

const isTestCode = (file: string): boolean => /\.test\.ts$|(^|\/)(test-|testing\/|conformance)/.test(file);
const roomOf = (file: string): string => (file.includes('/') ? (file.split('/')[0] as string) : 'assembly');

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?'([^']+)'/g)].map((match) => match[1] as string);
}

const product = [...sources(root)].filter((file) => !isTestCode(file));

it('no room imports one above it', () => {
  const wrong = product.flatMap((file) => {
    const room = roomOf(file);
    if (FREE.has(room)) return [];
    return importsOf(file)
      .filter((target) => target.startsWith('.'))
      .map((target) => normalize(join(dirname(file), target)))
      .filter((target) => !target.startsWith('..') && roomOf(target) !== room)
      .filter((target) => !ARROWS[room]?.includes(roomOf(target)))
      .map((target) => `${file} imports ${target}`);
  });
  expect(wrong).toEqual([]);
});

it('electron is imported in the shell alone', () => {
  const wrong = product.filter(
    (file) => roomOf(file) !== 'shell' && importsOf(file).some((target) => /^electron(\/|$)/.test(target)),
  );
  expect(wrong).toEqual([]);
});

it('the contract and the kit run in a browser: they import nothing of node', () => {
  const wrong = product.filter(
    (file) =>
      ['contract', 'kit'].includes(roomOf(file)) && importsOf(file).some((target) => target.startsWith('node:')),
  );
  expect(wrong).toEqual([]);
});
