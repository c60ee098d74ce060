import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogStream, MAX_PIECE } from './log-stream.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('output goes out once a second, and at once when a piece is full', async () => {
  const pieces: string[] = [];
  const log = createLogStream(
    async (piece) => void pieces.push(String(piece)),
    () => undefined,
  );
  await log.write('a');
  await log.write('b');
  expect(pieces).toEqual([]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(pieces).toEqual(['ab']);
  await log.write('x'.repeat(MAX_PIECE * 2 + 1));
  expect(pieces.map((piece) => piece.length)).toEqual([2, MAX_PIECE, MAX_PIECE, 1]);
  await log.write('end');
  await log.end();
  expect(pieces.at(-1)).toBe('end');
});

test('pieces go out one after the other, and a writer waits while much is under way', async () => {
  const sent: (() => void)[] = [];
  const log = createLogStream(
    () => new Promise((resolve) => sent.push(resolve)),
    () => undefined,
  );
  let written = false;
  const write = log.write('x'.repeat(MAX_PIECE * 2)).then(() => {
    written = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  expect([sent.length, written]).toEqual([1, false]);
  sent[0]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect([sent.length, written]).toEqual([2, false]);
  sent[1]?.();
  await write;
  expect(written).toBe(true);
});

test('a log that cannot be sent is given up, once, and the task goes on', async () => {
  const lost: unknown[] = [];
  const send = vi.fn(() => Promise.reject(new Error('full')));
  const log = createLogStream(send, (error) => lost.push(error));
  await log.write('x'.repeat(MAX_PIECE * 3));
  await log.write('more');
  await log.end();
  expect(send).toHaveBeenCalledTimes(1);
  expect(lost).toEqual([new Error('full')]);
});
