import { describe, expect, test } from 'vitest';
import { goPrint, parseInteger, parseTime } from './go-text.ts';

test.each([
  [[5], '[5]'],
  [{ b: [1, 'x'], a: 1 }, 'map[a:1 b:[1 x]]'],
  [null, '<nil>'],
  [true, 'true'],
  ['text', 'text'],
  [1.5, '1.5'],
  [1e6, '1e+06'],
  [1e20, '1e+20'],
  [1e21, '1e+21'],
  [0.00001, '1e-05'],
  [1.5e-7, '1.5e-07'],
  [-0, '-0'],
])('%j prints as %s', (value, expected) => {
  expect(goPrint(value)).toBe(expected);
});

describe('integers', () => {
  test.each([
    ['cow', 'strconv.Atoi: parsing "cow": invalid syntax'],
    ['', 'strconv.Atoi: parsing "": invalid syntax'],
    ['1.5', 'strconv.Atoi: parsing "1.5": invalid syntax'],
    ['0x10', 'strconv.Atoi: parsing "0x10": invalid syntax'],
    ['99999999999999999999', 'strconv.Atoi: parsing "99999999999999999999": value out of range'],
  ])('%j is refused', (text, error) => {
    expect(parseInteger(text)).toEqual({ ok: false, error });
  });

  test('are read with a sign, and name the function asked for', () => {
    expect(parseInteger('-12')).toEqual({ ok: true, value: -12 });
    expect(parseInteger('+7')).toEqual({ ok: true, value: 7 });
    expect(parseInteger('cow', 'ParseInt')).toEqual({
      ok: false,
      error: 'strconv.ParseInt: parsing "cow": invalid syntax',
    });
  });
});

describe('times', () => {
  test.each([
    ['1970-01-01T00:00:01Z', 1000],
    ['1970-01-01T01:00:00.5+01:00', 500],
    ['1969-12-31T23:00:00-01:00', 0],
    ['0001-01-01T00:00:00Z', -62_135_596_800_000],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
  ])('%s is an instant', (text, ms) => {
    expect(parseTime(text)).toEqual({ ok: true, ms });
  });

  const layout = '"2006-01-02T15:04:05Z07:00"';
  test.each([
    ['fred', `parsing time "fred" as ${layout}: cannot parse "fred" as "2006"`],
    ['', `parsing time "" as ${layout}: cannot parse "" as "2006"`],
    ['2020-1-01', `parsing time "2020-1-01" as ${layout}: cannot parse "1-01" as "01"`],
    ['2020-01-01', `parsing time "2020-01-01" as ${layout}: cannot parse "" as "T"`],
    ['2020-13-01T00:00:00Z', 'parsing time "2020-13-01T00:00:00Z": month out of range'],
    ['2023-02-29T00:00:00Z', 'parsing time "2023-02-29T00:00:00Z": day out of range'],
    ['2020-01-01T24:00:00Z', 'parsing time "2020-01-01T24:00:00Z": hour out of range'],
    ['2020-01-01T00:00:00', `parsing time "2020-01-01T00:00:00" as ${layout}: cannot parse "" as "Z07:00"`],
    ['2020-01-01T00:00:00Zx', 'parsing time "2020-01-01T00:00:00Zx": extra text: x'],
  ])('%j is refused', (text, error) => {
    expect(parseTime(text)).toEqual({ ok: false, error });
  });
});
