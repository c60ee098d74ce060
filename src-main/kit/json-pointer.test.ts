import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  escapeToken,
  formatPointer,
  isPointer,
  joinPointer,
  PointerSyntaxError,
  parentPointer,
  parsePointer,
  unescapeToken,
} from './json-pointer.ts';

const tokens = fc.array(
  fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('~', '/', '~1', '~0', '~01', '', 'a/b')),
  {
    maxLength: 5,
  },
);

describe('a JSON Pointer', () => {
  test('has the tokens RFC 6901 section 5 gives it', () => {
    const rows: [string, string[]][] = [
      ['', []],
      ['/', ['']],
      ['/foo/0', ['foo', '0']],
      ['/a~1b', ['a/b']],
      ['/m~0n', ['m~n']],
      ['/~01', ['~1']],
      ['/ ', [' ']],
      ['//', ['', '']],
      ['/c%d', ['c%d']],
    ];
    for (const [text, expected] of rows) expect([text, parsePointer(text)]).toEqual([text, expected]);
  });

  test('is refused with the position of what is wrong', () => {
    for (const [text, position] of [
      ['Name', 0],
      [' /Name', 0],
      ['/a~2b', 2],
      ['/a~', 2],
      ['/a~0/~', 5],
    ] as const) {
      expect(isPointer(text)).toBe(false);
      expect(() => parsePointer(text)).toThrow(PointerSyntaxError);
      expect(() => parsePointer(text)).toThrow(expect.objectContaining({ position, pointer: text }));
    }
  });

  test('survives formatting and parsing, whatever its tokens hold', () => {
    fc.assert(
      fc.property(tokens, (list) => {
        const text = formatPointer(list);
        expect(isPointer(text)).toBe(true);
        expect(parsePointer(text)).toEqual(list);
      }),
      { seed: 6901, numRuns: 300 },
    );
    fc.assert(
      fc.property(fc.string(), (token) => unescapeToken(escapeToken(token)) === token),
      { seed: 6901 },
    );
  });

  test('has the pointer one token shorter above it', () => {
    expect(parentPointer('/a/b~1c')).toBe('/a');
    expect(parentPointer('/a//b')).toBe('/a/');
    expect(parentPointer('/')).toBe('');
    expect(parentPointer('')).toBeUndefined();
  });

  test('is joined below another with the escapes it needs', () => {
    expect(joinPointer('/Params', 'callback/action', 0)).toBe('/Params/callback~1action/0');
    expect(joinPointer('')).toBe('');
  });
});
