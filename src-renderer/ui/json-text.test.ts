import { expect, it } from 'vitest';
import { parseJson } from './json-text.ts';

it('parses what is JSON', () => {
  expect(parseJson(' {"a": [1]} ')).toEqual({ ok: true, value: { a: [1] } });
});

it('says line and column of what is not', () => {
  const parsed = parseJson('{\n  "a": 1,\n  b: 2\n}');
  expect(parsed).toMatchObject({ ok: false, message: expect.stringMatching(/^Line 3, column 3: /) });
});

it('points to the end of a text that stops too early', () => {
  expect(parseJson('{\n"a":')).toMatchObject({ ok: false, message: expect.stringMatching(/^Line 2, column 5: /) });
});

it('asks for a value when there is none', () => {
  expect(parseJson('  ')).toMatchObject({ ok: false, message: 'Empty: a JSON value is needed here.' });
});
