/** Go string and character literals: strconv.Quote, Unquote and their relatives. */
import { isRawByte, joinRawBytes, runes } from './go-string.ts';
import { isPrint } from './go-unicode.ts';

const CONTROL_ESCAPES: Readonly<Record<number, string>> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
};
const SIMPLE_ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '\\': 92 };
const HEX_ESCAPE_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

function escapeRune(code: number, quote: string, asciiOnly: boolean): string {
  const character = String.fromCodePoint(code);
  if (character === quote || character === '\\') return `\\${character}`;
  if (isPrint(code) && (code < 0x80 || !asciiOnly)) return character;
  const control = CONTROL_ESCAPES[code];
  if (control !== undefined) return control;
  if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

/** strconv.Quote, or QuoteToASCII with `asciiOnly`. */
export function quote(text: string, asciiOnly = false): string {
  let body = '';
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (isRawByte(code)) body += `\\x${hex(code - 0xdc00, 2)}`;
    else body += escapeRune(code >= 0xd800 && code <= 0xdfff ? 0xfffd : code, '"', asciiOnly);
  }
  return `"${body}"`;
}

/** strconv.QuoteRune, or QuoteRuneToASCII with `asciiOnly`. A value that is no character becomes U+FFFD. */
export function quoteRune(code: number, asciiOnly = false): string {
  return `'${escapeRune(isRune(code) ? code : 0xfffd, "'", asciiOnly)}'`;
}

/** utf8.ValidRune. */
export function isRune(code: number): boolean {
  return code >= 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
}

/** strconv.CanBackquote: one line, no control character but tab, no backquote, valid UTF-8. */
export function canBackquote(text: string): boolean {
  for (const rune of runes(text)) {
    if (rune.raw || rune.code === 0xfeff || rune.code === 0x7f || rune.code === 0x60) return false;
    if (rune.code < 0x20 && rune.code !== 9) return false;
  }
  return true;
}

interface UnquotedCharacter {
  /** The character, or the byte value for \x and octal escapes. */
  readonly code: number;
  /** True when `code` is one byte of the string and not a character. */
  readonly isByte: boolean;
  /** Index of what follows. */
  readonly next: number;
}

/** strconv.UnquoteChar on `text` from `at`; undefined where Go says "invalid syntax". */
export function unquoteCharacter(text: string, at: number, quoteMark: string): UnquotedCharacter | undefined {
  const code = text.codePointAt(at);
  if (code === undefined) return undefined;
  const character = String.fromCodePoint(code);
  if (character === quoteMark) return undefined;
  if (character !== '\\') return { code, isByte: false, next: at + character.length };
  const letter = text.charAt(at + 1);
  const simple = SIMPLE_ESCAPES[letter];
  if (simple !== undefined) return { code: simple, isByte: false, next: at + 2 };
  if (letter === quoteMark && letter !== '') return { code: letter.charCodeAt(0), isByte: false, next: at + 2 };
  const digits = HEX_ESCAPE_DIGITS[letter];
  if (digits !== undefined) {
    const body = text.slice(at + 2, at + 2 + digits);
    if (body.length < digits || !/^[0-9a-fA-F]+$/.test(body)) return undefined;
    const value = Number.parseInt(body, 16);
    if (letter === 'x') return { code: value, isByte: true, next: at + 4 };
    return isRune(value) ? { code: value, isByte: false, next: at + 2 + digits } : undefined;
  }
  const octal = /^[0-7]{3}/.exec(text.slice(at + 1, at + 4))?.[0];
  if (octal === undefined) return undefined;
  const value = Number.parseInt(octal, 8);
  return value > 255 ? undefined : { code: value, isByte: true, next: at + 4 };
}

/** strconv.Unquote for "…" and `…` literals; undefined where Go says "invalid syntax". */
export function unquote(literal: string): string | undefined {
  const body = literal.slice(1, -1);
  if (literal.startsWith('`')) return body.replaceAll('\r', '');
  let text = '';
  for (let at = 0; at < body.length; ) {
    const character = unquoteCharacter(body, at, '"');
    if (character === undefined) return undefined;
    const isRaw = character.isByte && character.code >= 0x80;
    text += isRaw ? String.fromCharCode(0xdc00 + character.code) : String.fromCodePoint(character.code);
    at = character.next;
  }
  return joinRawBytes(text);
}
