/** JSON as Go's encoding/json writes it: keys in byte order, <, > and & escaped. */
import { compareBytes } from '../kit/go-string.ts';

const ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function textToJson(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is escaped.
  const escaped = text.toWellFormed().replace(/[\0-\x1f"\\<>&\u2028\u2029]/g, (character) => {
    return ESCAPES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return `"${escaped}"`;
}

function numberToJson(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** One line, no spaces. Values that JSON does not know are null. */
export function toGoJson(value: unknown): string {
  if (typeof value === 'string') return textToJson(value);
  if (typeof value === 'number') return numberToJson(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'object' || value === null) return 'null';
  if (Array.isArray(value)) return `[${value.map(toGoJson).join(',')}]`;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  entries.sort(([a], [b]) => compareBytes(a, b));
  return `{${entries.map(([key, item]) => `${textToJson(key)}:${toGoJson(item)}`).join(',')}}`;
}
