/** fmt.Sprintf: the format text, argument indexes and the texts Go writes where arguments do not fit. */
import { noFlags } from './format.ts';
import { Printer } from './printer.ts';
import { GoInt, type GoValue, typeName } from './values.ts';

/** Go refuses widths and precisions beyond this. */
const MAX_NUMBER = 1_000_000n;

interface Cursor {
  at: number;
  argument: number;
  isReordered: boolean;
  isGoodArgument: boolean;
  afterIndex: boolean;
}

/** Digits at the cursor; undefined when there are none or too many. */
function takeNumber(format: string, cursor: { at: number }): number | undefined {
  const digits = /^\d*/.exec(format.slice(cursor.at, cursor.at + 12))?.[0] ?? '';
  if (digits === '') return undefined;
  let value = 0n;
  for (let at = cursor.at; /^\d$/.test(format.charAt(at)); at++) {
    if (value > MAX_NUMBER) {
      // Go gives up here, and reads nothing more of this directive.
      cursor.at = format.length;
      return undefined;
    }
    value = value * 10n + BigInt(format.charAt(at));
    cursor.at = at + 1;
  }
  return Number(value);
}

/** `*`: the width or precision is an argument. Undefined when that is no usable integer. */
function takeStar(args: readonly GoValue[], cursor: Cursor): number | undefined {
  if (cursor.argument >= args.length) return undefined;
  const value = args[cursor.argument++];
  if (!(value instanceof GoInt) || value.value > MAX_NUMBER || value.value < -MAX_NUMBER) return undefined;
  return Number(value.value);
}

/** `[n]` at the cursor: picks the argument. */
function takeIndex(format: string, cursor: Cursor, count: number): void {
  cursor.afterIndex = false;
  if (format.charAt(cursor.at) !== '[') return;
  cursor.isReordered = true;
  const close = format.indexOf(']', cursor.at + 1);
  if (format.length - cursor.at < 3 || close < 0) {
    cursor.isGoodArgument = false;
    cursor.at += 1;
    return;
  }
  const number = { at: cursor.at + 1 };
  const index = takeNumber(format.slice(0, close), number);
  const isNumber = index !== undefined && number.at === close;
  cursor.at = close + 1;
  if (isNumber && index >= 1 && index <= count) {
    cursor.argument = index - 1;
    cursor.afterIndex = true;
    return;
  }
  cursor.isGoodArgument = false;
  cursor.afterIndex = isNumber;
}

/** Formats; the result may be at most `maxLength` long, else LimitExceeded is thrown. */
export function sprintf(format: string, args: readonly GoValue[], maxLength: number): string {
  const printer = new Printer(maxLength);
  const cursor: Cursor = { at: 0, argument: 0, isReordered: false, isGoodArgument: true, afterIndex: false };
  while (cursor.at < format.length) {
    const percent = format.indexOf('%', cursor.at);
    printer.write(format.slice(cursor.at, percent < 0 ? format.length : percent));
    if (percent < 0) break;
    cursor.at = percent + 1;
    cursor.isGoodArgument = true;
    printer.flags = noFlags();
    if (!takeFlags(format, printer, cursor, args)) continue;
    if (!takeDirective(format, printer, cursor, args)) break;
  }
  if (!cursor.isReordered && cursor.argument < args.length) writeExtra(printer, args.slice(cursor.argument));
  return printer.text();
}

/** Flags, and at once the verb when nothing stands between. Returns false when the verb is done. */
function takeFlags(format: string, printer: Printer, cursor: Cursor, args: readonly GoValue[]): boolean {
  const { flags } = printer;
  for (; cursor.at < format.length; cursor.at++) {
    const character = format.charAt(cursor.at);
    if (character === '#') flags.sharp = true;
    else if (character === '0') flags.zero = !flags.minus;
    else if (character === '+') flags.plus = true;
    else if (character === ' ') flags.space = true;
    else if (character === '-') {
      flags.minus = true;
      flags.zero = false;
    } else if (character >= 'a' && character <= 'z' && cursor.argument < args.length) {
      printVerb(printer, character, args[cursor.argument++]);
      cursor.at++;
      return false;
    } else return true;
  }
  return true;
}

function printVerb(printer: Printer, verb: string, value: GoValue): void {
  const { flags } = printer;
  if (verb === 'v') {
    flags.sharpV = flags.sharp;
    flags.sharp = false;
    flags.plusV = flags.plus;
    flags.plus = false;
  }
  printer.printArgument(value, verb);
}

/** Index, width, precision and verb. Returns false at the end of the format. */
function takeDirective(format: string, printer: Printer, cursor: Cursor, args: readonly GoValue[]): boolean {
  takeIndex(format, cursor, args.length);
  takeWidth(format, printer, cursor, args);
  // A point that ends the format is the verb.
  if (cursor.at + 1 < format.length && format.charAt(cursor.at) === '.') takePrecision(format, printer, cursor, args);
  if (!cursor.afterIndex) takeIndex(format, cursor, args.length);
  const code = format.codePointAt(cursor.at);
  if (code === undefined) {
    printer.write('%!(NOVERB)');
    return false;
  }
  cursor.at += code > 0xffff ? 2 : 1;
  const verb = String.fromCodePoint(code >= 0xd800 && code <= 0xdfff ? 0xfffd : code);
  if (verb === '%') printer.write('%');
  else if (!cursor.isGoodArgument) printer.write(`%!${verb}(BADINDEX)`);
  else if (cursor.argument >= args.length) printer.write(`%!${verb}(MISSING)`);
  else printVerb(printer, verb, args[cursor.argument++]);
  return true;
}

function takeWidth(format: string, printer: Printer, cursor: Cursor, args: readonly GoValue[]): void {
  const { flags } = printer;
  if (format.charAt(cursor.at) !== '*') {
    const width = takeNumber(format, cursor);
    flags.width = width ?? 0;
    flags.hasWidth = width !== undefined;
    if (cursor.afterIndex && flags.hasWidth) cursor.isGoodArgument = false;
    return;
  }
  cursor.at++;
  const width = takeStar(args, cursor);
  flags.hasWidth = width !== undefined;
  if (width === undefined) printer.write('%!(BADWIDTH)');
  flags.width = Math.abs(width ?? 0);
  if (width !== undefined && width < 0) {
    flags.minus = true;
    flags.zero = false;
  }
  cursor.afterIndex = false;
}

function takePrecision(format: string, printer: Printer, cursor: Cursor, args: readonly GoValue[]): void {
  const { flags } = printer;
  cursor.at++;
  if (cursor.afterIndex) cursor.isGoodArgument = false;
  takeIndex(format, cursor, args.length);
  if (format.charAt(cursor.at) !== '*') {
    flags.precision = takeNumber(format, cursor) ?? 0;
    flags.hasPrecision = true;
    return;
  }
  cursor.at++;
  const precision = takeStar(args, cursor);
  flags.hasPrecision = precision !== undefined && precision >= 0;
  flags.precision = flags.hasPrecision ? (precision ?? 0) : 0;
  if (!flags.hasPrecision) printer.write('%!(BADPREC)');
  cursor.afterIndex = false;
}

function writeExtra(printer: Printer, extra: readonly GoValue[]): void {
  printer.flags = noFlags();
  printer.write('%!(EXTRA ');
  extra.forEach((value, index) => {
    if (index > 0) printer.write(', ');
    if (value === null || value === undefined) printer.write('<nil>');
    else {
      printer.write(`${typeName(value)}=`);
      printer.printArgument(value, 'v');
    }
  });
  printer.write(')');
}
