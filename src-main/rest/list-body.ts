/**
 * Bodies of lists: from the cached bytes of each object, in pieces that are made as the peer takes them, in slices that leave the
 * event loop free in between.
 */
import type { ModelDefinition } from '../contract/models/index.ts';
import { type Shape, type Stored, shapedBytes, startSlice } from '../objects/index.ts';
import type { Answer } from './http.ts';
import { createRuns, KEPT_BYTES, type Run, type Runs } from './list-runs.ts';

type BytesOf = (stored: Stored) => Buffer;

/** Short lists go out whole, with a length. */
const WHOLE_ITEMS = 500;
const EMPTY = Buffer.from('[]');

const runsOf: Readonly<Record<Shape, Runs>> = { v3: createRuns(), v4: createRuns() };
/** Where the list is divided, and the length of the whole. */
async function divided(runs: Runs, list: readonly Stored[], bytesOf: BytesOf): Promise<{ all: Run[]; length: number }> {
  const all: Run[] = [];
  let length = 1;
  const slice = startSlice();
  for (let at = 0; at < list.length; ) {
    const run = runs.next(list, at, bytesOf);
    all.push(run);
    at += run.items.length;
    length += run.length - 1;
    if (slice.isOver()) await slice.next();
  }
  return { all, length };
}

async function* pieces(runs: Runs, all: readonly Run[], bytesOf: BytesOf, keep: boolean): AsyncIterable<Buffer> {
  const slice = startSlice();
  for (const [i, run] of all.entries()) {
    const bytes = runs.bytes(run, i === 0, bytesOf, keep);
    yield i === all.length - 1 ? bytes : bytes.subarray(0, -1);
    if (slice.isOver()) await slice.next();
  }
}

async function whole(parts: AsyncIterable<Buffer>): Promise<Buffer> {
  const buffers: Buffer[] = [];
  for await (const part of parts) buffers.push(part);
  return buffers.length === 1 ? (buffers[0] as Buffer) : Buffer.concat(buffers);
}

/** Objects as they are stored, shaped: their bytes are cached, so the length of the body is known before it is sent. */
export async function plainBody(
  definition: ModelDefinition,
  items: readonly Stored[],
  shape: Shape,
): Promise<Pick<Answer, 'body' | 'chunks' | 'length'>> {
  if (items.length === 0) return { body: EMPTY };
  const bytesOf: BytesOf = (stored) => shapedBytes(definition, stored, shape);
  const runs = runsOf[shape];
  const { all, length } = await divided(runs, items, bytesOf);
  // A list longer than all that is kept would only push the others out, and itself.
  const chunks = pieces(runs, all, bytesOf, length <= KEPT_BYTES / 2);
  return items.length > WHOLE_ITEMS ? { chunks, length } : { body: await whole(chunks) };
}

const [OPEN, COMMA, CLOSE] = ['[', ',', ']'].map((sign) => Buffer.from(sign)) as [Buffer, Buffer, Buffer];
/** Viewed objects go out in pieces of about this size. */
const PIECE = 1024 * 1024;

async function* viewedPieces(items: readonly Stored[], bytesOf: BytesOf): AsyncIterable<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  const slice = startSlice();
  for (const [i, stored] of items.entries()) {
    const bytes = bytesOf(stored);
    parts.push(i === 0 ? OPEN : COMMA, bytes);
    size += bytes.length + 1;
    if (size >= PIECE) {
      yield Buffer.concat(parts, size);
      parts = [];
      size = 0;
    }
    if (slice.isOver()) await slice.next();
  }
  parts.push(CLOSE);
  yield Buffer.concat(parts, size + 1);
}

/** Objects as a query wants them seen: made while they are sent, so a long list goes out without a length. */
export async function viewedBody(items: readonly Stored[], bytesOf: BytesOf): Promise<Pick<Answer, 'body' | 'chunks'>> {
  if (items.length === 0) return { body: EMPTY };
  const chunks = viewedPieces(items, bytesOf);
  return items.length > WHOLE_ITEMS ? { chunks } : { body: await whole(chunks) };
}
