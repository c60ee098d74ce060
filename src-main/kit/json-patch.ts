/**
 * RFC 6902 JSON Patch with the deviations existing clients rely on (wire-format.md 3.5):
 * `add` beyond the last array element needs `-`, negative array indexes count from the end, `add` at the
 * whole-document path fails. Reasons carry the wording that clients compare. Pure: the document is never changed in place.
 */
import type { Json } from './json.ts';
import { isPointer, parsePointer } from './json-pointer.ts';

export interface PatchOperation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: Json;
}

type PatchResult =
  | { readonly ok: true; readonly value: Json }
  /** `index` is the 0-based operation that failed; `reason` its sentence. */
  | { readonly ok: false; readonly index: number; readonly reason: string };

class Refusal extends Error {}

type Mutable = { [key: string]: Json } | Json[];

/**
 * A few short operations can ask for a document without end (a list copied into itself sixty times), or for hours of moving elements
 * about. So the work of a patch is counted, in members touched and characters copied; honest patches stay far below.
 */
const MOST_WORK = 16_000_000;
/** Comparing whole documents looks at every member in more than one way. */
const WHOLE_TEST_WORK = 50_000;
/** Making a value takes longer than touching one. */
const CLONE_WORK = 32;
/** What walks a document afterwards recurses. */
const MAX_DEPTH = 256;

/** The patch in progress. */
interface Root {
  doc: Json;
  /** Containers made by this patch and held by `doc` alone: they may be changed in place. */
  readonly own: Set<Mutable>;
  work: number;
  /** A container was put somewhere: the document may be deeper than before. */
  isDeeper: boolean;
}

function spend(root: Root, amount: number): void {
  root.work += amount;
  if (root.work > MOST_WORK) throw new Refusal('The patch copies or moves more than one request may');
}

interface PatchOptions {
  /** Compares for `test` with path `""`; clients send the whole document as they know it. Default: strict equality. */
  readonly wholeDocumentEquals?: (stored: Json, sent: Json) => boolean;
}

/** Deep equality of JSON values; object member order does not matter. */
export function jsonEquals(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || a === undefined || b === undefined)
    return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, i) => jsonEquals(item, b[i]));
  }
  const left = a as { readonly [k: string]: Json };
  const right = b as { readonly [k: string]: Json };
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && jsonEquals(left[key], right[key]));
}

function arrayIndex(token: string, length: number): number {
  if (!/^-?(0|[1-9][0-9]*)$/.test(token)) throw new Refusal('Index out of bounds');
  const n = Number(token);
  const index = n < 0 ? n + length : n;
  if (index < 0 || index >= length) throw new Refusal('Index out of bounds');
  return index;
}

function isContainer(value: Json | undefined): value is Mutable {
  return typeof value === 'object' && value !== null;
}

function child(container: Mutable, token: string, path: string): Json {
  if (Array.isArray(container)) return container[arrayIndex(token, container.length)] as Json;
  if (!Object.hasOwn(container, token)) {
    throw new Refusal(
      `Selector ${token} not a member of map[string]interface {}{${Object.keys(container).join(' ')}} (${path})`,
    );
  }
  return container[token] as Json;
}

/** The container that the last token names a place in. Containers on the way down are copied once, so that the caller's document stays as it is. */
function walk(root: Root, tokens: readonly string[], path: string): Mutable {
  let holder = root as unknown as Mutable;
  let name: string | number = 'doc';
  for (let i = 0; ; i++) {
    const value: Json | undefined = (holder as { [key: string | number]: Json })[name];
    if (!isContainer(value)) throw new Refusal(`Cannot index pointer ${path} for non-indexable JSON value`);
    const mine = owned(root, value);
    if (mine !== value) (holder as { [key: string | number]: Json })[name] = mine;
    if (i === tokens.length - 1) return mine;
    const token = tokens[i] as string;
    child(mine, token, path);
    name = Array.isArray(mine) ? arrayIndex(token, mine.length) : token;
    holder = mine;
  }
}

function owned(root: Root, value: Mutable): Mutable {
  if (root.own.has(value)) return value;
  const copy: Mutable = Array.isArray(value) ? [...value] : { ...value };
  spend(root, Array.isArray(copy) ? copy.length : Object.keys(copy).length);
  root.own.add(copy);
  return copy;
}

/** A copy that shares no container with the original: what is changed in one place must not change in the other. */
function clone(root: Root, value: Json, depth = 0): Json {
  spend(root, typeof value === 'string' ? value.length + CLONE_WORK : CLONE_WORK);
  if (!isContainer(value)) return value;
  if (depth > MAX_DEPTH) throw tooDeep();
  if (Array.isArray(value)) return value.map((item) => clone(root, item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      spend(root, key.length);
      return [key, clone(root, member, depth + 1)];
    }),
  );
}

const tooDeep = (): Refusal => new Refusal(`The document would be nested deeper than ${MAX_DEPTH} levels`);

function isDeeperThan(value: Json, levels: number): boolean {
  if (!isContainer(value)) return false;
  if (levels === 0) return true;
  const members: readonly Json[] = Array.isArray(value) ? value : Object.values(value);
  return members.some((member) => isDeeperThan(member, levels - 1));
}

function tokensOf(path: string): readonly string[] {
  if (!isPointer(path)) throw new Refusal(`${path} is not a JSON pointer`);
  return parsePointer(path);
}

function read(root: Root, path: string): Json {
  const tokens = tokensOf(path);
  let value: Json = root.doc;
  for (const token of tokens) {
    if (!isContainer(value)) throw new Refusal(`Cannot index pointer ${path} for non-indexable JSON value`);
    value = child(value as Mutable, token, path);
  }
  return value;
}

function add(root: Root, path: string, value: Json): void {
  const tokens = tokensOf(path);
  const last = tokens.at(-1);
  if (last === undefined) throw new Refusal('Cannot put to non-indexable JSON value');
  const parent = walk(root, tokens, path);
  root.isDeeper ||= isContainer(value);
  if (!Array.isArray(parent)) define(parent, last, value);
  else if (last === '-') parent.push(value);
  else {
    const index = arrayIndex(last, parent.length);
    spend(root, parent.length - index);
    parent.splice(index, 0, value);
  }
}

function define(parent: { [key: string]: Json }, key: string, value: Json): void {
  if (key === '__proto__') throw new Refusal(`${key} is not a name that can be set`);
  parent[key] = value;
}

function replace(root: Root, path: string, value: Json): void {
  const tokens = tokensOf(path);
  const last = tokens.at(-1);
  root.isDeeper ||= isContainer(value);
  if (last === undefined) {
    root.doc = value;
    return;
  }
  const parent = walk(root, tokens, path);
  if (Array.isArray(parent)) parent[arrayIndex(last, parent.length)] = value;
  else if (!Object.hasOwn(parent, last)) throw new Refusal(`${path} does not refer to an existing location`);
  else define(parent, last, value);
}

function remove(root: Root, path: string): Json {
  const tokens = tokensOf(path);
  const last = tokens.at(-1);
  if (last === undefined) throw new Refusal(`\`${path}\` does not point to an existing location`);
  const parent = walk(root, tokens, path);
  if (Array.isArray(parent)) {
    const index = arrayIndex(last, parent.length);
    spend(root, parent.length - index);
    return parent.splice(index, 1)[0] as Json;
  }
  if (!Object.hasOwn(parent, last)) throw new Refusal(`\`${path}\` does not point to an existing location`);
  const gone = parent[last] as Json;
  delete parent[last];
  return gone;
}

function step(root: Root, operation: PatchOperation, options: PatchOptions): void {
  const value = operation.value ?? null;
  switch (operation.op) {
    case 'add':
      add(root, operation.path, value);
      return;
    case 'remove':
      remove(root, operation.path);
      return;
    case 'replace':
      replace(root, operation.path, value);
      return;
    case 'move': {
      const from = operation.from ?? '';
      if (operation.path !== from && operation.path.startsWith(`${from}/`))
        throw new Refusal(`${from} cannot be moved into itself`);
      add(root, operation.path, remove(root, from));
      return;
    }
    case 'copy':
      add(root, operation.path, clone(root, read(root, operation.from ?? '')));
      return;
    case 'test': {
      const equals = operation.path === '' && options.wholeDocumentEquals ? options.wholeDocumentEquals : jsonEquals;
      const found = read(root, operation.path);
      spend(root, operation.path === '' ? WHOLE_TEST_WORK : isContainer(found) ? Object.keys(found).length : 1);
      if (!equals(found, value)) throw new Refusal('Test op failed.');
      return;
    }
    default:
      throw new Refusal(`Invalid op ${operation.op}`);
  }
}

/** Applies the operations in order, all or nothing. */
export function applyPatch(
  document: Json,
  operations: readonly PatchOperation[],
  options: PatchOptions = {},
): PatchResult {
  const root: Root = { doc: document, own: new Set(), work: 0, isDeeper: false };
  for (const [index, operation] of operations.entries()) {
    try {
      step(root, operation, options);
    } catch (error) {
      if (error instanceof Refusal) return { ok: false, index, reason: error.message };
      throw error;
    }
  }
  if (root.isDeeper && isDeeperThan(root.doc, MAX_DEPTH))
    return { ok: false, index: operations.length - 1, reason: tooDeep().message };
  return { ok: true, value: root.doc };
}

/**
 * Checks that `body` is a patch: `null` and `[]` are the empty one; every operation is an object with text `op` and `path`.
 * Answers the sentence of the first problem otherwise.
 */
export function readPatch(
  body: unknown,
): { readonly ok: true; readonly operations: PatchOperation[] } | { readonly ok: false; readonly reason: string } {
  if (body === null || body === undefined) return { ok: true, operations: [] };
  if (!Array.isArray(body)) return { ok: false, reason: 'A JSON patch is an array of operations' };
  for (const [i, item] of body.entries()) {
    const operation = item as Partial<PatchOperation> | null;
    if (typeof operation !== 'object' || operation === null || Array.isArray(operation))
      return { ok: false, reason: `Operation ${i} is not an object` };
    if (typeof operation.op !== 'string') return { ok: false, reason: `Operation ${i} has no op` };
    if (typeof operation.path !== 'string') return { ok: false, reason: `Operation ${i} has no path` };
    if (operation.from !== undefined && operation.from !== null && typeof operation.from !== 'string')
      return { ok: false, reason: `Operation ${i}: from must be text` };
  }
  return { ok: true, operations: body as PatchOperation[] };
}
