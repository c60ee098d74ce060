/**
 * Bodies of lists: from the cached bytes of each object, in pieces that are made as the peer takes them, and kept whole while the list they
 * belong to does not change.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ModelDefinition } from '../contract/models/index.ts';
import { type Shape, type Stored, shapedBytes } from '../objects/index.ts';
import type { Answer } from './http.ts';

const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']');
/** Lists go out in pieces of about this size; smaller ones in one. */
const PIECE = 1024 * 1024;
/** Longest stretch of uninterrupted work, in milliseconds. */
const SLICE_MS = 8;
const CHECK_EVERY = 32;

/** The bytes of a list in pieces, made as they are taken, in slices that leave the event loop free in between. */
async function* listPieces(items: readonly Stored[], bytesOf: (stored: Stored) => Buffer): AsyncIterable<Buffer> {
  let parts: Buffer[] = [OPEN];
  let size = 1;
  let slice = performance.now();
  for (const [i, stored] of items.entries()) {
    if (i > 0) {
      parts.push(COMMA);
      size++;
    }
    const bytes = bytesOf(stored);
    parts.push(bytes);
    size += bytes.length;
    if (size >= PIECE) {
      yield Buffer.concat(parts, size);
      parts = [];
      size = 0;
    }
    if (i % CHECK_EVERY === 0 && performance.now() - slice > SLICE_MS) {
      await nextTurn();
      slice = performance.now();
    }
  }
  parts.push(CLOSE);
  yield Buffer.concat(parts, size + 1);
}

/** Short lists go out whole, with a length. */
const WHOLE_ITEMS = 500;
/** Whole bodies up to this size are kept as long as the list they belong to is (it is another array once anything in it changed). */
const KEPT_BODY = 512 * 1024;
const bodies: Record<Shape, WeakMap<readonly Stored[], Buffer>> = { v3: new WeakMap(), v4: new WeakMap() };

async function wholeBody(items: readonly Stored[], bytesOf: (stored: Stored) => Buffer): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of listPieces(items, bytesOf)) pieces.push(piece);
  return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
}

/** Objects as they are stored, shaped: their bytes are cached, so the length of the body is known before it is sent. */
export async function plainBody(
  definition: ModelDefinition,
  items: readonly Stored[],
  shape: Shape,
): Promise<Pick<Answer, 'body' | 'chunks' | 'length'>> {
  const bytesOf = (stored: Stored): Buffer => shapedBytes(definition, stored, shape);
  if (items.length > WHOLE_ITEMS) {
    let length = items.length + 1;
    let slice = performance.now();
    for (const [i, stored] of items.entries()) {
      length += bytesOf(stored).length;
      if (i % CHECK_EVERY === 0 && performance.now() - slice > SLICE_MS) {
        await nextTurn();
        slice = performance.now();
      }
    }
    return { chunks: listPieces(items, bytesOf), length };
  }
  const kept = bodies[shape].get(items);
  if (kept) return { body: kept };
  const body = await wholeBody(items, bytesOf);
  if (body.length <= KEPT_BODY) bodies[shape].set(items, body);
  return { body };
}

export async function viewedBody(
  items: readonly Stored[],
  bytesOf: (stored: Stored) => Buffer,
): Promise<Pick<Answer, 'body' | 'chunks'>> {
  return items.length > WHOLE_ITEMS
    ? { chunks: listPieces(items, bytesOf) }
    : { body: await wholeBody(items, bytesOf) };
}
