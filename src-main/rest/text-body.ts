/** Bodies of text that is made bit by bit, and may be more than fits into memory. */
import type { Answer } from './http.ts';

/** What is shorter goes out whole, with a length; what is longer in pieces of about this size. */
const PIECE = 256 * 1024;

/**
 * Reads ahead as far as one piece goes, so that what fails at once is an answer of its own; what fails later cuts the answer off.
 */
export async function textBody(texts: AsyncIterable<string>): Promise<Pick<Answer, 'body' | 'chunks'>> {
  const made = pieces(texts);
  const first = await made.next();
  if (first.done) return { body: first.value };
  return { chunks: begunWith(first.value, made) };
}

/** Full pieces; what is left over when the texts end is the value it returns. */
async function* pieces(texts: AsyncIterable<string>): AsyncGenerator<Buffer, Buffer> {
  let parts: string[] = [];
  let size = 0;
  for await (const text of texts) {
    parts.push(text);
    size += text.length;
    if (size < PIECE) continue;
    yield Buffer.from(parts.join(''));
    parts = [];
    size = 0;
  }
  return Buffer.from(parts.join(''));
}

async function* begunWith(first: Buffer, others: AsyncGenerator<Buffer, Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield yield* others;
}
