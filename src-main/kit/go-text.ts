/** Wordings of Go's standard library that clients of this API compare: values printed with %v, parse errors. Small on purpose. */
import { shortestFloat } from './go-float.ts';
import { compareBytes } from './go-string.ts';

/** A JSON value as Go's `%v` prints it: `[5]`, `map[a:1]`, `<nil>`; members in key order. */
export function goPrint(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'number') return shortestFloat(value);
  if (Array.isArray(value)) return `[${value.map(goPrint).join(' ')}]`;
  if (typeof value === 'object') {
    const entries = Object.entries(value).sort(([a], [b]) => compareBytes(a, b));
    return `map[${entries.map(([key, member]) => `${key}:${goPrint(member)}`).join(' ')}]`;
  }
  return String(value);
}

/** Text between double quotes, as strconv.Quote does for what error texts hold. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

type IntegerResult = { readonly ok: true; readonly value: number } | { readonly ok: false; readonly error: string };

/** strconv.Atoi or strconv.ParseInt, base 10. Values beyond what a JSON number holds exactly are out of range. */
export function parseInteger(text: string, func: 'Atoi' | 'ParseInt' = 'Atoi'): IntegerResult {
  const fail = (why: string): IntegerResult => ({
    ok: false,
    error: `strconv.${func}: parsing ${quoted(text)}: ${why}`,
  });
  if (!/^[+-]?[0-9]+$/.test(text)) return fail('invalid syntax');
  const value = Number(text);
  return Number.isSafeInteger(value) ? { ok: true, value: value + 0 } : fail('value out of range');
}

type TimeResult =
  /** Milliseconds since 1970, with a fraction for what is finer. */
  { readonly ok: true; readonly ms: number } | { readonly ok: false; readonly error: string };

const RFC3339 = '2006-01-02T15:04:05Z07:00';
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** time.Parse with the layout RFC 3339, and its error texts. */
export function parseTime(text: string): TimeResult {
  const head = `parsing time ${quoted(text)} as ${quoted(RFC3339)}: `;
  let rest = text;
  const numbers: number[] = [];
  const cannot = (element: string): TimeResult => ({
    ok: false,
    error: `${head}cannot parse ${quoted(rest)} as ${quoted(element)}`,
  });
  const outOfRange = (what: string): TimeResult => ({
    ok: false,
    error: `parsing time ${quoted(text)}: ${what} out of range`,
  });
  const steps: readonly (readonly [element: string, shape: RegExp, min: number, max: number, what: string])[] = [
    ['2006', /^[0-9]{4}/, 0, 9999, 'year'],
    ['-', /^-/, 0, 0, ''],
    ['01', /^[0-9]{2}/, 1, 12, 'month'],
    ['-', /^-/, 0, 0, ''],
    ['02', /^[0-9]{2}/, 1, 31, 'day'],
    ['T', /^T/, 0, 0, ''],
    ['15', /^[0-9]{2}/, 0, 23, 'hour'],
    [':', /^:/, 0, 0, ''],
    ['04', /^[0-9]{2}/, 0, 59, 'minute'],
    [':', /^:/, 0, 0, ''],
    ['05', /^[0-9]{2}/, 0, 59, 'second'],
  ];
  for (const [element, shape, min, max, what] of steps) {
    const found = shape.exec(rest)?.[0];
    if (found === undefined) return cannot(element);
    if (what !== '') {
      const value = Number(found);
      if (value < min || value > max) return outOfRange(what);
      numbers.push(value);
    }
    rest = rest.slice(found.length);
  }
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = numbers;
  const fraction = /^\.([0-9]{1,9})[0-9]*/.exec(rest);
  if (fraction) rest = rest.slice(fraction[0].length);
  const zone = /^(?:Z|([+-])([0-9]{2}):([0-9]{2}))/.exec(rest);
  if (!zone) return cannot('Z07:00');
  if (zone[0].length < rest.length) {
    return { ok: false, error: `parsing time ${quoted(text)}: extra text: ${rest.slice(zone[0].length)}` };
  }
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  if (day > (month === 2 && !isLeap ? 28 : (DAYS[month - 1] ?? 31))) return outOfRange('day');
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  const offset = zone[1] ? (zone[1] === '-' ? -1 : 1) * (Number(zone[2]) * 60 + Number(zone[3])) : 0;
  const millis = fraction ? Number(`0.${fraction[1]}`) * 1000 : 0;
  return { ok: true, ms: date.getTime() - offset * 60_000 + millis };
}
