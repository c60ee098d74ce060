/**
 * Which texts may name an object (wire-format.md 4, "Name rules"). The published regular expressions backtrack badly, so
 * the rules are walked character by character: one pass, no backtracking, whatever the input.
 */

export interface NameRule {
  /** Separators allowed after the first character. */
  readonly separators: string;
  /** Whether the first character may be a digit. */
  readonly digitFirst: boolean;
}

/** Every name without a rule of its own: `^\pL+([- _.]+|\pN+|\pL+)+$`. */
export const PLAIN_NAME: NameRule = { separators: '- _.', digitFirst: false };
/** Machine names and template IDs: may start with a digit. */
export const MACHINE_NAME: NameRule = { separators: '- _.', digitFirst: true };
/** Param names: `/` separates groups. */
export const PARAM_NAME: NameRule = { separators: '- _./', digitFirst: false };
/** User names: may look like a mail address. */
export const USER_NAME: NameRule = { separators: '- @_.', digitFirst: false };

const LETTER = /^\p{L}$/u;
const NUMBER = /^\p{N}$/u;

function isAsciiLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

function isLetter(character: string): boolean {
  const code = character.charCodeAt(0);
  return code < 0x80 ? isAsciiLetter(code) : LETTER.test(character);
}

function isNumber(character: string): boolean {
  const code = character.charCodeAt(0);
  return code < 0x80 ? code >= 0x30 && code <= 0x39 : NUMBER.test(character);
}

/** True when `text` keeps the rule: two characters at least, the first a letter (or digit), then letters, numbers, separators. */
export function isName(text: string, rule: NameRule): boolean {
  let length = 0;
  for (const character of text) {
    const letter = isLetter(character);
    if (length === 0) {
      if (!letter && !(rule.digitFirst && isNumber(character))) return false;
    } else if (!letter && !isNumber(character) && !rule.separators.includes(character)) {
      return false;
    }
    length++;
  }
  return length >= 2;
}
