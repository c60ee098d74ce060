/** JSON values as yaml.v2 writes them: block style, two spaces, folding at 80 columns, keys in natural order. */
import { shortestFloat } from '../kit/go-float.ts';
import { byteLength } from '../kit/go-string.ts';
import { analyse, chooseStyle, doubleQuotedEscape, escapeCharacter, isBreak, type ScalarStyle } from './yaml-scalar.ts';

const WIDTH = 80;
const INDENT = 2;
/** Keys longer than this, in bytes, get the `? key` form. */
const MAX_SIMPLE_KEY = 128;

/** Marshals the value; the result ends with a newline. */
export function toGoYaml(value: unknown): string {
  const emitter = new YamlEmitter();
  emitter.node(value, 'root');
  return emitter.finish();
}

type Place = 'root' | 'item' | 'value' | 'simple key' | 'long key';

class YamlEmitter {
  private out = '';
  private column = 0;
  private indent = -1;
  /** The last thing written was a space, or nothing yet on this line. */
  private hasSpace = true;
  /** Only indentation (and `-`, `?`, `:`) stands on this line so far. */
  private isIndention = true;

  finish(): string {
    this.writeIndent();
    return this.out;
  }

  node(value: unknown, place: Place): void {
    if (Array.isArray(value)) this.sequence(value, place);
    else if (typeof value === 'object' && value !== null) this.mapping(value);
    else this.scalar(scalarText(value), typeof value === 'string' ? undefined : 'plain', place);
  }

  private put(text: string): void {
    this.out += text;
    this.column += [...text].length;
  }

  private lineBreak(): void {
    this.out += '\n';
    this.column = 0;
  }

  private writeIndent(): void {
    const indent = Math.max(this.indent, 0);
    if (!this.isIndention || this.column > indent || (this.column === indent && !this.hasSpace)) this.lineBreak();
    if (this.column < indent) this.put(' '.repeat(indent - this.column));
    this.hasSpace = true;
    this.isIndention = true;
  }

  private indicator(text: string, keepsIndention: boolean): void {
    if (!this.hasSpace) this.put(' ');
    this.put(text);
    this.hasSpace = false;
    this.isIndention = this.isIndention && keepsIndention;
  }

  private sequence(items: readonly unknown[], place: Place): void {
    if (items.length === 0) {
      this.indicator('[]', false);
      return;
    }
    const outer = this.indent;
    // A list that is the value of a key is not indented under it.
    const isIndentless = (place === 'value' || place === 'long key') && !this.isIndention;
    if (outer < 0) this.indent = 0;
    else if (!isIndentless) this.indent += INDENT;
    for (const item of items) {
      this.writeIndent();
      this.indicator('-', true);
      this.node(item ?? null, 'item');
    }
    this.indent = outer;
  }

  private mapping(map: object): void {
    const entries = Object.entries(map).filter(([, value]) => value !== undefined);
    if (entries.length === 0) {
      this.indicator('{}', false);
      return;
    }
    const outer = this.indent;
    this.indent = outer < 0 ? 0 : outer + INDENT;
    for (const [key, value] of entries.sort(([a], [b]) => compareNaturally(a, b))) this.entry(key, value);
    this.indent = outer;
  }

  private entry(key: string, value: unknown): void {
    this.writeIndent();
    const text = key.toWellFormed();
    if (!analyse([...text]).isMultiline && byteLength(text) <= MAX_SIMPLE_KEY) {
      this.scalar(text, undefined, 'simple key');
      this.put(':');
      this.hasSpace = false;
      this.isIndention = false;
    } else {
      this.indicator('?', true);
      this.scalar(text, undefined, 'long key');
      this.writeIndent();
      this.indicator(':', true);
    }
    this.node(value, 'value');
  }

  private scalar(text: string, fixedStyle: ScalarStyle | undefined, place: Place): void {
    const characters = [...text];
    const isKey = place === 'simple key';
    const style = fixedStyle ?? chooseStyle(text, analyse(characters), isKey);
    const outer = this.indent;
    this.indent = Math.max(outer, 0) + INDENT;
    if (style === 'literal') this.literal(characters);
    else if (style === 'double') this.doubleQuoted(characters, !isKey);
    else this.flowScalar(characters, style === 'single', !isKey);
    this.indent = outer;
  }

  /** Plain and single-quoted text, folded at single spaces beyond the width. */
  private flowScalar(characters: readonly string[], isQuoted: boolean, mayFold: boolean): void {
    if (isQuoted) this.indicator("'", false);
    else if (!this.hasSpace) this.put(' ');
    let afterSpace = false;
    let afterBreak = false;
    characters.forEach((character, index) => {
      if (character === ' ') {
        const isInside = !isQuoted || (index > 0 && index < characters.length - 1);
        const folds = mayFold && !afterSpace && this.column > WIDTH && isInside && characters[index + 1] !== ' ';
        if (folds) this.writeIndent();
        else this.put(' ');
        afterSpace = true;
      } else if (isBreak(character)) {
        if (!afterBreak && character === '\n') this.lineBreak();
        this.breakAs(character);
        this.isIndention = true;
        afterBreak = true;
      } else {
        if (afterBreak) this.writeIndent();
        this.put(isQuoted && character === "'" ? "''" : character);
        this.isIndention = false;
        afterSpace = false;
        afterBreak = false;
      }
    });
    if (isQuoted) this.put("'");
    this.hasSpace = false;
    this.isIndention = false;
  }

  private breakAs(character: string): void {
    if (character === '\n') this.lineBreak();
    else {
      this.out += character;
      this.column = 0;
    }
  }

  private doubleQuoted(characters: readonly string[], mayFold: boolean): void {
    this.indicator('"', false);
    let afterSpace = false;
    // yaml.v2 compares with the length in bytes here; only the last character could tell the difference.
    const lastByte = byteLength(characters.join('')) - 1;
    let byte = 0;
    // yaml.v2 looks for a byte order mark at the start of the text whichever character it is at.
    const escapeOf = characters[0] === '\ufeff' ? escapeCharacter : doubleQuotedEscape;
    characters.forEach((character, index) => {
      const escaped = escapeOf(character);
      if (escaped !== undefined) this.put(escaped);
      else if (character !== ' ') this.put(character);
      else if (mayFold && !afterSpace && this.column > WIDTH && index > 0 && byte < lastByte) {
        this.writeIndent();
        if (characters[index + 1] === ' ') this.put('\\');
      } else this.put(' ');
      afterSpace = character === ' ' && escaped === undefined;
      byte += byteLength(character);
    });
    this.put('"');
    this.hasSpace = false;
    this.isIndention = false;
  }

  private literal(characters: readonly string[]): void {
    this.indicator(`|${blockHints(characters)}`, false);
    this.lineBreak();
    this.isIndention = true;
    this.hasSpace = true;
    let afterBreak = true;
    for (const character of characters) {
      if (isBreak(character)) {
        this.breakAs(character);
        this.isIndention = true;
        afterBreak = true;
      } else {
        if (afterBreak) this.writeIndent();
        this.put(character);
        this.isIndention = false;
        afterBreak = false;
      }
    }
  }
}

function scalarText(value: unknown): string {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'number') return shortestFloat(value);
  return typeof value === 'boolean' ? String(value) : 'null';
}

/** Indentation and chomping hints after the `|`. */
function blockHints(characters: readonly string[]): string {
  const [first] = characters;
  const indentation = first === ' ' || isBreak(first) ? String(INDENT) : '';
  if (!isBreak(characters.at(-1))) return `${indentation}-`;
  const keepsBreaks = characters.length === 1 || isBreak(characters.at(-2));
  return indentation + (keepsBreaks ? '+' : '');
}

const isLetter = (character: string): boolean => /^\p{L}$/u.test(character);
const isDigit = (character: string): boolean => /^\p{Nd}$/u.test(character);

/** yaml.v2's key order: runs of digits compare as numbers, letters come after everything else. */
function compareNaturally(a: string, b: string): number {
  const left = [...a];
  const right = [...b];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const x = left[i] ?? '';
    const y = right[i] ?? '';
    if (x !== y) return compareFrom(left, right, i);
  }
  return left.length - right.length;
}

function compareFrom(left: readonly string[], right: readonly string[], at: number): number {
  const x = left[at] ?? '';
  const y = right[at] ?? '';
  const byCode = (x.codePointAt(0) ?? 0) - (y.codePointAt(0) ?? 0);
  const xIsLetter = isLetter(x);
  const yIsLetter = isLetter(y);
  if (xIsLetter && yIsLetter) return byCode;
  if (xIsLetter || yIsLetter) return yIsLetter ? -1 : 1;
  // Inside of a number that began before, a zero counts as a digit and not as a leading zero.
  const seed = (x === '0' || y === '0') && isInsideNumber(left, at) ? 1n : 0n;
  const xNumber = numberAt(left, at, seed);
  const yNumber = numberAt(right, at, seed);
  if (xNumber.value !== yNumber.value) return xNumber.value < yNumber.value ? -1 : 1;
  return xNumber.end === yNumber.end ? byCode : xNumber.end - yNumber.end;
}

function isInsideNumber(characters: readonly string[], at: number): boolean {
  for (let i = at - 1; i >= 0 && isDigit(characters[i] ?? ''); i--) if (characters[i] !== '0') return true;
  return false;
}

function numberAt(
  characters: readonly string[],
  at: number,
  seed: bigint,
): { readonly value: bigint; readonly end: number } {
  let value = seed;
  let end = at;
  for (; end < characters.length && isDigit(characters[end] ?? ''); end++) {
    value = BigInt.asIntN(64, value * 10n + BigInt((characters[end]?.codePointAt(0) ?? 48) - 48));
  }
  return { value, end };
}
