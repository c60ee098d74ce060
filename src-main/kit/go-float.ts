/** strconv.FormatFloat and ParseFloat for float64, exact for every precision. */

export type FloatVerb = 'e' | 'E' | 'f' | 'g' | 'G' | 'x' | 'X' | 'b';

/** 0.d1d2d3… × 10^point; no digits for zero. */
interface Decimal {
  readonly digits: string;
  readonly point: number;
}

const bits = new DataView(new ArrayBuffer(8));

/** value = mantissa × 2^exponent, with the mantissa an integer of at most 53 bits. */
function decompose(value: number): { readonly mantissa: bigint; readonly exponent: number } {
  bits.setFloat64(0, Math.abs(value));
  const raw = bits.getBigUint64(0);
  const biased = Number(raw >> 52n);
  const fraction = raw & 0xfffffffffffffn;
  return biased === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | 0x10000000000000n, exponent: biased - 1075 };
}

function withoutTrailingZeros(digits: string, point: number): Decimal {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 48) end--;
  return end === 0 ? { digits: '', point: 0 } : { digits: digits.slice(0, end), point };
}

function shortestDecimal(value: number): Decimal {
  const [mantissa = '', exponent = '0'] = Math.abs(value).toExponential().split('e');
  return withoutTrailingZeros(mantissa.replace('.', ''), Number(exponent) + 1);
}

function exactDecimal(value: number): Decimal {
  const { mantissa, exponent } = decompose(value);
  if (exponent >= 0) {
    const digits = (mantissa << BigInt(exponent)).toString();
    return withoutTrailingZeros(digits, digits.length);
  }
  const digits = (mantissa * 5n ** BigInt(-exponent)).toString();
  return withoutTrailingZeros(digits, digits.length + exponent);
}

/** Keeps `count` digits, rounding half to even as Go does on the exact value. */
function round(decimal: Decimal, count: number): Decimal {
  if (count < 0) return { digits: '', point: 0 };
  if (count >= decimal.digits.length) return decimal;
  const kept = decimal.digits.slice(0, count);
  const rest = decimal.digits.slice(count);
  const odd = count > 0 && decimal.digits.charCodeAt(count - 1) % 2 === 1;
  const up = rest.charAt(0) > '5' || (rest.charAt(0) === '5' && (rest.length > 1 || odd));
  if (!up) return withoutTrailingZeros(kept, decimal.point);
  const raised = (BigInt(kept === '' ? '0' : kept) + 1n).toString().padStart(count, '0');
  return withoutTrailingZeros(raised, decimal.point + (raised.length - count));
}

function exponentText(exponent: number): string {
  return `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function scientific(decimal: Decimal, precision: number, letter: string): string {
  const exponent = decimal.digits === '' ? 0 : decimal.point - 1;
  const first = decimal.digits.charAt(0) || '0';
  const rest = precision > 0 ? `.${decimal.digits.slice(1, precision + 1).padEnd(precision, '0')}` : '';
  return `${first}${rest}${letter}${exponentText(exponent)}`;
}

function positional(decimal: Decimal, precision: number): string {
  const { digits, point } = decimal;
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  if (precision <= 0) return whole;
  const fraction = point > 0 ? digits.slice(point) : '0'.repeat(Math.min(-point, precision)) + digits;
  return `${whole}.${fraction.slice(0, precision).padEnd(precision, '0')}`;
}

function general(decimal: Decimal, precision: number, isShortest: boolean, letter: string): string {
  const count = decimal.digits.length;
  let threshold = precision;
  if (threshold > count && count >= decimal.point) threshold = count;
  if (isShortest) threshold = 6;
  const exponent = decimal.point - 1;
  if (exponent < -4 || exponent >= threshold) return scientific(decimal, Math.min(precision, count) - 1, letter);
  return positional(decimal, Math.max(count - decimal.point, 0));
}

function hexadecimal(value: number, precision: number, upper: boolean): string {
  let { mantissa, exponent } = decompose(value);
  exponent = mantissa === 0n ? 0 : exponent + 52;
  // One leading bit, 60 bits of fraction: fifteen whole hexadecimal digits.
  while (mantissa !== 0n && mantissa < 0x10000000000000n) {
    mantissa <<= 1n;
    exponent--;
  }
  mantissa <<= 8n;
  if (precision >= 0 && precision < 15) {
    const shift = BigInt(60 - precision * 4);
    const extra = mantissa & ((1n << shift) - 1n);
    mantissa >>= shift;
    const half = 1n << (shift - 1n);
    if (extra > half || (extra === half && (mantissa & 1n) === 1n)) mantissa++;
    mantissa <<= shift;
    if (mantissa >> 61n !== 0n) {
      mantissa >>= 1n;
      exponent++;
    }
  }
  const all = (mantissa & ((1n << 60n) - 1n)).toString(16).padStart(15, '0');
  const fraction = precision < 0 ? all.replace(/0+$/, '') : all.slice(0, precision).padEnd(precision, '0');
  const text = `0x${mantissa >> 60n}${fraction === '' ? '' : `.${fraction}`}p${exponentText(exponent)}`;
  return upper ? text.toUpperCase() : text;
}

/** strconv.FormatFloat(value, verb, precision, 64); precision -1 is the shortest text that reads back the same. */
export function formatFloat(value: number, verb: FloatVerb, precision: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  if (verb === 'x' || verb === 'X') return sign + hexadecimal(value, precision, verb === 'X');
  if (verb === 'b') {
    const { mantissa, exponent } = decompose(value);
    return `${sign}${mantissa}p${exponent < 0 ? '' : '+'}${exponent}`;
  }
  const isShortest = precision < 0;
  const letter = verb === 'E' || verb === 'G' ? 'E' : 'e';
  if (verb === 'f') {
    if (isShortest) {
      const decimal = shortestDecimal(value);
      return sign + positional(decimal, Math.max(decimal.digits.length - decimal.point, 0));
    }
    const exact = exactDecimal(value);
    return sign + positional(round(exact, exact.point + precision), precision);
  }
  if (verb === 'e' || verb === 'E') {
    if (isShortest) {
      const decimal = shortestDecimal(value);
      return sign + scientific(decimal, Math.max(decimal.digits.length - 1, 0), letter);
    }
    return sign + scientific(round(exactDecimal(value), precision + 1), precision, letter);
  }
  if (isShortest) {
    const decimal = shortestDecimal(value);
    return sign + general(decimal, decimal.digits.length, true, letter);
  }
  const wanted = Math.max(precision, 1);
  return sign + general(round(exactDecimal(value), wanted), wanted, false, letter);
}

/** Text of a float64 as print and `%v` give it: six digits decide for the exponent form, or JSON-size numbers do. */
export function shortestFloat(value: number): string {
  if (Number.isInteger(value) && value > -1e6 && value < 1e6) return Object.is(value, -0) ? '-0' : String(value);
  return formatFloat(value, 'g', -1);
}

/** Go's rule for `_` in numbers: between digits, or after a base prefix. */
export function underscoresAreValid(text: string): boolean {
  const body = text.replace(/^[+-]/, '');
  const prefixed = /^0[bBoOxX]/.test(body);
  return !/__|_$/.test(body) && !(prefixed ? /[^0-9a-fA-FbBoOxX]_|_[^0-9a-fA-F]/ : /^_|[^0-9]_|_[^0-9]/).test(body);
}

/** strconv.ParseFloat(text, 64) for literals; undefined for bad syntax and for numbers beyond float64. */
export function parseFloat64(text: string): number | undefined {
  if (text.includes('_') && !underscoresAreValid(text)) return undefined;
  const plain = text.replaceAll('_', '');
  const hexadecimalForm = /^([+-]?)0[xX]([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?[pP]([+-]?\d+)$/.exec(plain);
  const value = hexadecimalForm ? parseHexFloat(hexadecimalForm) : parseDecimalFloat(plain);
  return value === undefined || !Number.isFinite(value) ? undefined : value;
}

/** The syntax of a decimal float. Digits are matched in one way only, so that long texts cost no more than their length. */
export const DECIMAL_FLOAT = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

function parseDecimalFloat(text: string): number | undefined {
  return DECIMAL_FLOAT.test(text) ? Number(text) : undefined;
}

function parseHexFloat(parts: RegExpExecArray): number | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  if (whole === '' && fraction === '') return undefined;
  let mantissa = BigInt(`0x0${whole}${fraction}`);
  let power = Math.max(-1e6, Math.min(1e6, Number(exponent))) - fraction.length * 4;
  const length = mantissa.toString(2).length;
  // Round once, to the 53 bits (fewer for subnormal results) a float64 has, half to even.
  const spare = Math.max(length - 53, -1074 - power);
  if (mantissa !== 0n && spare > 0) {
    if (spare > length + 1) return sign === '-' ? -0 : 0;
    const shift = BigInt(spare);
    const rest = mantissa & ((1n << shift) - 1n);
    const half = 1n << (shift - 1n);
    mantissa >>= shift;
    if (rest > half || (rest === half && (mantissa & 1n) === 1n)) mantissa++;
    power += spare;
  }
  const magnitude = scale(Number(mantissa), power);
  return sign === '-' ? -magnitude : magnitude;
}

/** value × 2^power without the intermediate overflow or double rounding of one big step. */
function scale(value: number, power: number): number {
  let result = value;
  for (let rest = power; rest !== 0 && result !== 0 && Number.isFinite(result); ) {
    const step = Math.max(-1000, Math.min(1000, rest));
    result *= 2 ** step;
    rest -= step;
  }
  return result;
}
