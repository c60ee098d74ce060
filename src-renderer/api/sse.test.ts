import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseChange } from './live.ts';
import { createEventParser, type StreamEvent } from './sse.ts';

function read(pieces: readonly string[]): StreamEvent[] {
  const seen: StreamEvent[] = [];
  const push = createEventParser((event) => seen.push(event));
  for (const piece of pieces) push(piece);
  return seen;
}

const STREAM =
  ': hello\n\nid: 4\ndata: {"a":1}\n\nevent: x\r\ndata:two\r\ndata: lines\r\n\r\n: ping\n\ndata: last\r\rdata: unfinished';

const EVENTS: readonly StreamEvent[] = [
  { event: 'message', data: '{"a":1}', id: '4' },
  { event: 'x', data: 'two\nlines', id: '4' },
  { event: 'message', data: 'last', id: '4' },
];

describe('createEventParser', () => {
  it('joins data lines, keeps the last id, skips comments, and waits for the end of an event', () => {
    expect(read([STREAM])).toEqual(EVENTS);
  });

  it('reads the same however the network cuts the text', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: STREAM.length }), { maxLength: 12 }), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), STREAM.length];
        const pieces = at.slice(1).map((end, i) => STREAM.slice(at[i], end));
        expect(read(pieces)).toEqual(EVENTS);
      }),
      { seed: 7, numRuns: 200 },
    );
  });
});

describe('parseChange', () => {
  it('takes a change and leaves everything else', () => {
    expect(parseChange('{"seq":7,"Type":"users","Action":"update","Key":"ana","Time":"x"}')).toEqual({
      seq: 7,
      Type: 'users',
      Action: 'update',
      Key: 'ana',
    });
    for (const other of ['', 'null', '[]', '{"seq":"7"}', '{"hello":true}']) expect(parseChange(other)).toBeUndefined();
  });
});
