/** One verb of one printf: flags, width and precision applied to the basic kinds, as Go's fmt does. */
import { type FloatVerb, formatFloat } from '../kit/go-float.ts';
import { canBackquote, isRune, quote, quoteRune } from '../kit/go-quote.ts';
import { byteLength, sliceBytes, toBytes } from '../kit/go-string.ts';
import { isPrint } from '../kit/go-unicode.ts';

export interface Flags {
  width: number;
  hasWidth: boolean;
  precision: number;
  hasPrecision: boolean;
  plus: boolean;
  minus: boolean;
  sharp: boolean;
  space: boolean;
  zero: boolean;
  /** `%+v` and `%#v`: the flag belongs to the verb and not to what is inside. */
  plusV: boolean;
  sharpV: boolean;
}

export function noFlags(): Flags {
  return {
    width: 0,
    hasWidth: false,
    precision: 0,
    hasPrecision: false,
    plus: false,
    minus: false,
    sharp: false,
    space: false,
    zero: false,
    plusV: false,
    sharpV: false,
  };
}

const LOW_SURROGATE_AFTER_HIGH = /[\ud800-\udbff][\udc00-\udfff]/g;

function runeCount(text: string): number {
  return text.length - (text.match(LOW_SURROGATE_AFTER_HIGH)?.length ?? 0);
}

function padding(flags: Flags, count: number): string {
  return count > 0 ? (flags.zero ? '0' : ' ').repeat(count) : '';
}

/** Pads to the width, which counts characters. */
export function pad(flags: Flags, text: string): string {
  if (!flags.hasWidth || flags.width === 0) return text;
  const fill = padding(flags, flags.width - runeCount(text));
  return flags.minus ? text + fill : fill + text;
}

function padWithSpaces(flags: Flags, text: string): string {
  return pad({ ...flags, zero: false }, text);
}

function truncate(flags: Flags, text: string): string {
  if (!flags.hasPrecision || text.length <= flags.precision) return text;
  let end = 0;
  for (let rest = flags.precision; rest > 0 && end < text.length; rest--)
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return text.slice(0, end);
}

export function formatBool(flags: Flags, value: boolean): string {
  return pad(flags, String(value));
}

export function formatString(flags: Flags, text: string): string {
  return pad(flags, truncate(flags, text));
}

export function formatQuoted(flags: Flags, text: string): string {
  const shown = truncate(flags, text);
  if (flags.sharp && canBackquote(shown)) return pad(flags, `\`${shown}\``);
  return pad(flags, quote(shown, flags.plus));
}

/** `%x` and `%X` of the bytes of a string. */
export function formatHexBytes(flags: Flags, bytes: Uint8Array, upper: boolean): string {
  const shown = flags.hasPrecision ? bytes.subarray(0, flags.precision) : bytes;
  if (shown.length === 0) return flags.hasWidth ? padding(flags, flags.width) : '';
  const digits = Array.from(shown, (byte) => byte.toString(16).padStart(2, '0'));
  const prefix = flags.sharp ? '0x' : '';
  const text = flags.space ? digits.map((pair) => prefix + pair).join(' ') : prefix + digits.join('');
  const cased = upper ? text.toUpperCase() : text;
  if (!flags.hasWidth) return cased;
  const fill = padding(flags, flags.width - cased.length);
  return flags.minus ? cased + fill : fill + cased;
}

export function hexOfString(flags: Flags, text: string, upper: boolean): string {
  const needed = flags.hasPrecision && flags.precision < byteLength(text) ? sliceBytes(text, 0, flags.precision) : text;
  return formatHexBytes(flags, toBytes(needed), upper);
}

/** Integers in base 2, 8, 10 or 16. `verb` O writes the 0o prefix. */
export function formatInteger(flags: Flags, value: bigint, base: 2 | 8 | 10 | 16, verb: string): string {
  const isNegative = value < 0n;
  let digits = (isNegative ? -value : value).toString(base);
  let wanted = 0;
  if (flags.hasPrecision) {
    wanted = flags.precision;
    if (wanted === 0 && value === 0n) return padding({ ...flags, zero: false }, flags.width);
  } else if (flags.zero && flags.hasWidth) {
    wanted = flags.width - (isNegative || flags.plus || flags.space ? 1 : 0);
  }
  digits = digits.padStart(wanted, '0');
  if (flags.sharp) {
    if (base === 2) digits = `0b${digits}`;
    else if (base === 8 && !digits.startsWith('0')) digits = `0${digits}`;
    else if (base === 16) digits = `0x${digits}`;
  }
  if (verb === 'X') digits = digits.toUpperCase();
  if (verb === 'O') digits = `0o${digits}`;
  const sign = isNegative ? '-' : flags.plus ? '+' : flags.space ? ' ' : '';
  return padWithSpaces(flags, sign + digits);
}

/** The value as Go converts it to a rune: 64 bits unsigned, too large for a character gives U+FFFD. */
function runeOf(value: bigint): number {
  const code = BigInt.asUintN(64, value);
  return code <= 0x10ffffn && isRune(Number(code)) ? Number(code) : 0xfffd;
}

export function formatCharacter(flags: Flags, value: bigint): string {
  return pad(flags, String.fromCodePoint(runeOf(value)));
}

export function formatQuotedCharacter(flags: Flags, value: bigint): string {
  return pad(flags, quoteRune(runeOf(value), flags.plus));
}

export function formatUnicode(flags: Flags, value: bigint): string {
  const code = BigInt.asUintN(64, value);
  const digits = flags.hasPrecision && flags.precision > 4 ? flags.precision : 4;
  const shown =
    flags.sharp && code <= 0x10ffffn && isPrint(Number(code)) ? ` '${String.fromCodePoint(Number(code))}'` : '';
  return padWithSpaces(flags, `U+${code.toString(16).toUpperCase().padStart(digits, '0')}${shown}`);
}

/** Floats; `precision` is what the verb uses when none is given. */
export function formatFloatVerb(flags: Flags, value: number, verb: FloatVerb, precision: number): string {
  const digits = flags.hasPrecision ? flags.precision : precision;
  let text = formatFloat(value, verb, digits);
  if (!/^[+-]/.test(text)) text = `+${text}`;
  if (flags.space && text.startsWith('+') && !flags.plus) text = ` ${text.slice(1)}`;
  if (!Number.isFinite(value)) return notFinite(flags, text);
  if (flags.sharp && verb !== 'b') text = withAllDigits(text, verb, digits);
  const sign = text.charAt(0);
  if (!flags.plus && sign === '+') return pad(flags, text.slice(1));
  if (flags.zero && flags.hasWidth && flags.width > text.length) {
    return sign + padding(flags, flags.width - text.length) + text.slice(1);
  }
  return pad(flags, text);
}

function notFinite(flags: Flags, text: string): string {
  const isNan = text.endsWith('NaN');
  const shown = isNan && !flags.space && !flags.plus ? text.slice(1) : text;
  return padWithSpaces(flags, !isNan && shown.startsWith('+') && !flags.plus ? shown.slice(1) : shown);
}

/** The `#` flag: always a decimal point, and for %g no trailing zeros taken away. */
function withAllDigits(text: string, verb: FloatVerb, precision: number): string {
  const isHex = verb === 'x' || verb === 'X';
  const tailAt = text.search(isHex ? /[pP]/ : /[eEpP]/);
  const tail = tailAt < 0 ? '' : text.slice(tailAt);
  let body = tailAt < 0 ? text : text.slice(0, tailAt);
  let missing = verb === 'g' || verb === 'G' || verb === 'x' ? (precision === -1 ? 6 : precision) : 0;
  // For %x Go counts the x of the prefix as a digit.
  missing -= body.slice(1).replace('.', '').replace(/^0+/, '').length;
  if (!body.includes('.')) {
    if (body.slice(1) === '0') missing--;
    body += '.';
  }
  return body + '0'.repeat(Math.max(missing, 0)) + tail;
}
