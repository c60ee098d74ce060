/** The arrows between rooms run one way (docs/architecture.md); this notices one that turns round. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
/** Room -> rooms it may import. `assembly` are the files beside the rooms of the server that wire them. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  kit: [],
  contract: ['kit'],
  store: ['kit', 'contract'],
  access: ['contract', 'kit'],
  templates: ['kit'],
  objects: ['store', 'access', 'templates', 'contract', 'kit'],
  callbacks: ['store', 'templates', 'contract', 'kit'],
  workflow: ['objects', 'templates', 'contract', 'kit'],
  rest: ['objects', 'access', 'callbacks', 'workflow', 'templates', 'contract', 'kit'],
  host: ['contract', 'kit'],
  agent: ['contract', 'kit'],
  assembly: ['kit', 'contract', 'store', 'access', 'objects', 'callbacks', 'workflow', 'rest', 'host'],
  headless: ['assembly', 'agent', 'access', 'objects', 'templates', 'contract', 'kit'],
  shell: ['assembly', 'contract', 'kit'],
  // The screens. What two features share is in `common` or `api`; nobody imports `app` but the entry.
  ui: [],
  paths: [],
  desktop: ['contract'],
  api: ['desktop', 'contract', 'kit'],
  common: ['ui', 'api', 'paths', 'contract', 'kit'],
  feature: ['common', 'ui', 'api', 'desktop', 'paths', 'contract', 'kit'],
  app: ['feature', 'common', 'ui', 'api', 'desktop', 'paths', 'contract'],
  entry: ['app', 'ui', 'api'],
};

function* sources(dir: string): Iterable<string> {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.tsx?$/.test(entry.name)) yield relative(root, path);
  }
}

/** Harnesses of tests may reach everywhere. */
const isTestCode = (file: string): boolean => /\.test\.tsx?$|(^|\/)(test-|testing\/|conformance)/.test(file);

/** The room of a file, as its path: two features are two rooms. */
function placeOf(file: string): string {
  const [side = '', first = '', second = '', ...rest] = file.split('/');
  if (first === 'features') return `features/${second}`;
  if (second !== '' || rest.length > 0) return first;
  if (side === 'src-main') return 'assembly';
  return first === 'paths.ts' ? 'paths' : 'entry';
}

/** The row of the table for a room. */
function rowOf(place: string): string {
  if (place === 'features/common') return 'common';
  return place.startsWith('features/') ? 'feature' : place;
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?'([^']+)'/g)].map((match) => match[1] as string);
}

const all = ['src-main', 'src-renderer'].flatMap((side) => [...sources(join(root, side))]);
const product = all.filter((file) => !isTestCode(file));
/** Imports of one room by another. */
const arrows = product.flatMap((file) =>
  importsOf(file)
    .filter((target) => target.startsWith('.'))
    .map((target) => normalize(join(dirname(file), target)))
    .filter((target) => /^src-(main|renderer)\//.test(target) && placeOf(target) !== placeOf(file))
    .map((target) => ({ file, target, from: rowOf(placeOf(file)), to: rowOf(placeOf(target)) })),
);

it('no room imports one above it', () => {
  const wrong = arrows.filter(({ from, to }) => !ARROWS[from]?.includes(to));
  expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
});

it('no room is permitted what it does not use', () => {
  const used = new Set(arrows.map(({ from, to }) => `${from} -> ${to}`));
  const permitted = Object.entries(ARROWS).flatMap(([from, rooms]) => rooms.map((to) => `${from} -> ${to}`));
  expect(permitted.filter((arrow) => !used.has(arrow))).toEqual([]);
});

it('electron is imported in the shell alone', () => {
  const wrong = product.filter(
    (file) => placeOf(file) !== 'shell' && importsOf(file).some((target) => /^electron(\/|$)/.test(target)),
  );
  expect(wrong).toEqual([]);
});

it('the contract and the kit run in a browser: they import nothing of node', () => {
  const wrong = product.filter(
    (file) =>
      ['contract', 'kit'].includes(placeOf(file)) && importsOf(file).some((target) => target.startsWith('node:')),
  );
  expect(wrong).toEqual([]);
});
