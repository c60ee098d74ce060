/**
 * Go strings are byte sequences; JavaScript strings are not. A byte that is no part of valid UTF-8 is carried as
 * one lone low surrogate U+DC80..U+DCFF ("raw byte"), which no decoded UTF-8 text can contain. Everything here
 * counts, cuts and orders such strings the way Go does: by UTF-8 bytes.
 */

const ASCII_ONLY = /^[\0-\x7f]*$/;
const WHITE_SPACE = /^\p{White_Space}$/u;
const REPLACEMENT = '\ufffd';
const encoder = new TextEncoder();

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** Whether every character is one byte. */
export function isAscii(text: string): boolean {
  return ASCII_ONLY.test(text);
}

/** True for the code unit (or code point) that stands for one invalid byte. */
export function isRawByte(code: number): boolean {
  return code >= 0xdc80 && code <= 0xdcff;
}

/** Number of bytes of the string in UTF-8, a raw byte counting as one. */
export function byteLength(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (isHigh(unit) && isLow(text.charCodeAt(i + 1))) {
      bytes += 4;
      i++;
    } else bytes += isRawByte(unit) ? 1 : 3;
  }
  return bytes;
}

/** The bytes of the string: UTF-8, raw bytes as themselves, any other lone surrogate as U+FFFD. */
export function toBytes(text: string): Uint8Array {
  if (text.isWellFormed()) return encoder.encode(text);
  const bytes = new Uint8Array(byteLength(text));
  let at = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (isRawByte(code)) bytes[at++] = code - 0xdc00;
    else at += encoder.encodeInto(character, bytes.subarray(at)).written;
  }
  return bytes;
}

/** Length in bytes of the valid UTF-8 sequence that starts at `at`, or 0 when there is none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const size = first >= 0xc2 && first <= 0xdf ? 2 : first >= 0xe0 && first <= 0xef ? 3 : first <= 0xf4 ? 4 : 0;
  if (first < 0xc2 || size === 0 || at + size > bytes.length) return 0;
  const second = bytes[at + 1] ?? 0;
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 0;
  for (let i = 2; i < size; i++) {
    const next = bytes[at + i] ?? 0;
    if (next < 0x80 || next > 0xbf) return 0;
  }
  return size;
}

/** The string of these bytes, invalid ones carried as raw bytes. The inverse of `toBytes`. */
export function fromBytes(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; ) {
    const size = sequenceLength(bytes, i);
    const byte = bytes[i] ?? 0;
    if (size === 0) text += String.fromCharCode(0xdc00 + byte);
    else if (size === 1) text += String.fromCharCode(byte);
    else text += decodeSequence(bytes, i, size);
    i += Math.max(size, 1);
  }
  return text;
}

function decodeSequence(bytes: Uint8Array, at: number, size: number): string {
  const lead = (bytes[at] ?? 0) & (0xff >> (size + 1));
  let code = lead;
  for (let i = 1; i < size; i++) code = code * 64 + ((bytes[at + i] ?? 0) & 0x3f);
  return String.fromCodePoint(code);
}

/** Joins raw bytes that have become neighbours and now spell valid UTF-8. Call after concatenating. */
export function joinRawBytes(text: string): string {
  if (text.isWellFormed()) return text;
  return text.replace(/(?<![\ud800-\udbff])[\udc80-\udcff]{2,}/g, (run) => fromBytes(toBytes(run)));
}

/** Every raw byte and every other lone surrogate as U+FFFD: what Go writes when it must write valid text. */
export function toValidText(text: string): string {
  return text.isWellFormed() ? text : joinRawBytes(text).toWellFormed();
}

/** `text[from:to]` in bytes. Cuts inside a character leave raw bytes. */
export function sliceBytes(text: string, from: number, to: number): string {
  if (isAscii(text)) return text.slice(from, to);
  return fromBytes(toBytes(text).subarray(from, to));
}

/** `text[at]`, the byte value, or undefined outside of the string. */
export function byteAt(text: string, at: number): number | undefined {
  if (isAscii(text)) return at >= 0 && at < text.length ? text.charCodeAt(at) : undefined;
  return toBytes(text)[at];
}

/** Go's `<` on strings as a comparator: by UTF-8 bytes, which UTF-16 order is not for characters above U+FFFF. */
export function compareBytes(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    if (x < 0xd800 && y < 0xd800) return x - y;
    const from = i > 0 && isLow(x) && isHigh(a.charCodeAt(i - 1)) ? i - 1 : i;
    return compareByteArrays(toBytes(a.slice(from, i + 2)), toBytes(b.slice(from, i + 2)));
  }
  return a.length - b.length;
}

function compareByteArrays(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** strings.TrimSpace: the White_Space characters of Unicode, and not the byte order mark that `trim` takes too. */
export function trimSpace(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && WHITE_SPACE.test(text.charAt(from))) from++;
  while (to > from && WHITE_SPACE.test(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}

/** Iterates as `for range` does: code points, a raw byte given as U+FFFD. */
export function* runes(
  text: string,
): Generator<{ readonly text: string; readonly code: number; readonly raw: boolean }> {
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const lone = code >= 0xd800 && code <= 0xdfff;
    yield { text: lone ? REPLACEMENT : character, code: lone ? 0xfffd : code, raw: isRawByte(code) };
  }
}
