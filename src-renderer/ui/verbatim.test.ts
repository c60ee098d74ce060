import { expect, it } from 'vitest';
import { verbatim } from './verbatim.ts';

it('shows what turns the direction of a text, and leaves the text itself alone', () => {
  expect(verbatim('{"action":"get,\u202etel\u2069"}')).toBe('{"action":"get,\\u202etel\\u2069"}');
  expect(verbatim('\u061c\u200f\u2066')).toBe('\\u061c\\u200f\\u2066');
  expect(verbatim('مدير, Größe, 管理')).toBe('مدير, Größe, 管理');
});
