/**
 * Characters that turn the direction of the text after them make a preview read differently from what is stored: a
 * verbatim text shows them as escapes instead.
 */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export function verbatim(text: string): string {
  return text.replace(DIRECTION, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
