import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readRows } from './rows.ts';

const pause = () => Promise.resolve();
const bytes = (text: string) => new TextEncoder().encode(text);
function streamOf(text: string, size: number): ReadableStream<Uint8Array> {
  const all = bytes(text);
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < all.length; at += size) controller.enqueue(all.slice(at, at + size));
      controller.close();
    },
  });
}
const read = async (text: string, size = 7) => (await readRows(streamOf(text, size), undefined, pause)).rows;

it('reads what JSON.parse reads, wherever the pieces are cut', async () => {
  const rows = fc.array(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 40 }), fc.constantFrom(0, 2), async (value, size, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(await read(text, size)).toEqual(JSON.parse(text));
    }),
    { seed: 20261121, numRuns: 60 },
  );
});

it('keeps the objects of rows that did not change', async () => {
  const first = await readRows(streamOf('[{"a":1},{"a":2}]', 5), undefined, pause);
  const second = await readRows(streamOf('[{"a":2},{"a":3}]', 5), first.texts, pause);
  expect(second.rows[0]).toBe(first.rows[1]);
  expect(second.rows[1]).toEqual({ a: 3 });
});

it('reports a text that is no list of objects, or ends early', async () => {
  for (const text of ['{"a":1}', '[1]', '["x"]', '[[]]', '[{"a":1}', '[{"a":1', '', '[]]', '[{]}']) {
    await expect(read(text), text).rejects.toThrow(SyntaxError);
  }
});

it('gives the thread free while it reads', async () => {
  let pauses = 0;
  const row = JSON.stringify({ text: 'x'.repeat(500) });
  const text = `[${Array.from({ length: 20_000 }, () => row).join(',')}]`;
  await readRows(streamOf(text, 65_536), undefined, async () => {
    pauses += 1;
  });
  expect(pauses).toBeGreaterThan(0);
});
