/** The html, js and urlquery functions. */
import { isRawByte } from '../kit/go-string.ts';
import { isPrint } from '../kit/go-unicode.ts';

const HTML: Readonly<Record<string, string>> = {
  '\0': '\ufffd',
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[\0"'&<>]/g, (character) => HTML[character] ?? character);
}

const JS: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '"': '\\"',
  '<': '\\u003C',
  '>': '\\u003E',
  '&': '\\u0026',
  '=': '\\u003D',
};

/** `\uXXXX` as Go writes it: at least four digits, more for characters beyond U+FFFF. */
const unicodeEscape = (code: number): string => `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`;

export function escapeJs(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is escaped.
  return text.replace(/[\0-\x1f\\'"<>&=]|[^\0-\x7f]/gu, (character) => {
    const known = JS[character];
    if (known !== undefined) return known;
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) return unicodeEscape(code);
    // Go takes U+FFFD, which it reads for an invalid byte, for printable and copies the byte.
    return isRawByte(code) || isPrint(code) ? character : unicodeEscape(code);
  });
}

/** url.QueryEscape. */
export function escapeQuery(bytes: Uint8Array): string {
  let escaped = '';
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    if (/[A-Za-z0-9_.~-]/.test(character)) escaped += character;
    else escaped += byte === 0x20 ? '+' : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return escaped;
}
