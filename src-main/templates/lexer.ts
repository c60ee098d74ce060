/**
 * Text to tokens. Every token knows its offset (UTF-16 units) and line; the first error ends the list, as Go's
 * lexer stops there. Error texts are Go's.
 */
import { quote } from '../kit/go-quote.ts';
import { isLetterOrDigit, isPrint } from '../kit/go-unicode.ts';
import { KEYWORDS, type Token, type TokenType } from './tokens.ts';

const EOF = -1;
const LEFT = '{{';
const RIGHT = '}}';

const isSpace = (code: number): boolean => code === 32 || code === 9 || code === 13 || code === 10;

function isAlphaNumeric(code: number): boolean {
  if (code < 0x80) {
    return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;
  }
  return isLetterOrDigit(code);
}

/** `%#U`. */
function unicodeName(code: number): string {
  const shown = isPrint(code) ? ` '${String.fromCodePoint(code)}'` : '';
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}${shown}`;
}

/** Looks at nothing beyond `to`: searching on to the next newline would make long lines cost their square. */
function countNewlines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = from; at < to; at++) if (text.charCodeAt(at) === 10) lines++;
  return lines;
}

/** Scans the whole text. The last token is always 'eof' or 'error'. */
export function tokenize(text: string): readonly Token[] {
  return new Lexer(text).run();
}

type State = (() => State) | undefined;

class Lexer {
  private readonly input: string;
  private readonly tokens: Token[] = [];
  private position = 0;
  private start = 0;
  private line = 1;
  private startLine = 1;
  private parentheses = 0;

  constructor(input: string) {
    this.input = input;
  }

  run(): readonly Token[] {
    let state: State = this.inText;
    while (state !== undefined) state = state.call(this);
    return this.tokens;
  }

  private emit(type: TokenType): void {
    const text = this.input.slice(this.start, this.position);
    this.tokens.push({ type, position: this.start, text, line: this.startLine });
    this.start = this.position;
    this.startLine = this.line;
  }

  /** Drops what was scanned and counts its lines. */
  private ignore(): void {
    this.line += countNewlines(this.input, this.start, this.position);
    this.start = this.position;
    this.startLine = this.line;
  }

  private fail(message: string): undefined {
    this.tokens.push({ type: 'error', position: this.start, text: message, line: this.startLine });
    return undefined;
  }

  private peek(): number {
    return this.input.codePointAt(this.position) ?? EOF;
  }

  private next(): number {
    const code = this.peek();
    if (code === EOF) return EOF;
    this.position += code > 0xffff ? 2 : 1;
    if (code === 10) this.line++;
    return code;
  }

  private accept(valid: string): boolean {
    const code = this.peek();
    if (code === EOF || !valid.includes(String.fromCodePoint(code))) return false;
    this.next();
    return true;
  }

  private hasLeftTrim(at: number): boolean {
    return this.input.charAt(at) === '-' && isSpace(this.input.charCodeAt(at + 1));
  }

  private hasRightTrim(at: number): boolean {
    return isSpace(this.input.charCodeAt(at)) && this.input.charAt(at + 1) === '-';
  }

  private rightDelimiter(): 'none' | 'plain' | 'trimming' {
    if (this.hasRightTrim(this.position) && this.input.startsWith(RIGHT, this.position + 2)) return 'trimming';
    return this.input.startsWith(RIGHT, this.position) ? 'plain' : 'none';
  }

  private skipSpaceAfterTrim(): void {
    while (isSpace(this.input.charCodeAt(this.position))) this.position++;
  }

  private inText(): State {
    const open = this.input.indexOf(LEFT, this.position);
    const end = open < 0 ? this.input.length : open;
    this.position = end;
    if (open >= 0 && this.hasLeftTrim(open + LEFT.length)) {
      while (this.position > this.start && isSpace(this.input.charCodeAt(this.position - 1))) this.position--;
    }
    if (this.position > this.start) {
      this.line += countNewlines(this.input, this.start, this.position);
      this.emit('text');
    }
    if (open < 0) {
      this.emit('eof');
      return undefined;
    }
    this.position = open;
    this.ignore();
    return this.atLeftDelimiter;
  }

  private atLeftDelimiter(): State {
    this.position += LEFT.length;
    const marker = this.hasLeftTrim(this.position) ? 2 : 0;
    if (this.input.startsWith('/*', this.position + marker)) {
      this.position += marker;
      this.ignore();
      return this.inComment;
    }
    this.emit('left delimiter');
    this.position += marker;
    this.ignore();
    this.parentheses = 0;
    return this.inAction;
  }

  private inComment(): State {
    const end = this.input.indexOf('*/', this.position + 2);
    if (end < 0) return this.fail('unclosed comment');
    this.position = end + 2;
    const delimiter = this.rightDelimiter();
    if (delimiter === 'none') return this.fail('comment ends before closing delimiter');
    this.position += (delimiter === 'trimming' ? 2 : 0) + RIGHT.length;
    if (delimiter === 'trimming') this.skipSpaceAfterTrim();
    this.ignore();
    return this.inText;
  }

  private atRightDelimiter(): State {
    const trims = this.hasRightTrim(this.position);
    if (trims) {
      this.position += 2;
      this.ignore();
    }
    this.position += RIGHT.length;
    this.emit('right delimiter');
    if (trims) {
      this.skipSpaceAfterTrim();
      this.ignore();
    }
    return this.inText;
  }

  private inAction(): State {
    if (this.rightDelimiter() !== 'none') {
      return this.parentheses === 0 ? this.atRightDelimiter : this.fail('unclosed left paren');
    }
    const code = this.peek();
    if (code === EOF) return this.fail('unclosed action');
    if (isSpace(code)) return this.inSpace;
    const character = String.fromCodePoint(code);
    if (character === '.' && !this.isNumberAfterPoint()) {
      this.next();
      return this.inFieldOrVariable('dot', 'field');
    }
    if ('.+-0123456789'.includes(character)) return this.inNumber;
    if (isAlphaNumeric(code)) return this.inIdentifier;
    this.next();
    switch (character) {
      case '=':
        this.emit('assign');
        return this.inAction;
      case ':':
        if (this.next() !== 61) return this.fail('expected :=');
        this.emit('declare');
        return this.inAction;
      case '|':
        this.emit('pipe');
        return this.inAction;
      case '"':
        return this.inQuoted('"', 'string', 'unterminated quoted string');
      case "'":
        return this.inQuoted("'", 'character constant', 'unterminated character constant');
      case '`':
        return this.inRawString;
      case '$':
        return this.inFieldOrVariable('variable', 'variable');
      case '(':
        this.emit('left parenthesis');
        this.parentheses++;
        return this.inAction;
      case ')':
        this.emit('right parenthesis');
        this.parentheses--;
        return this.parentheses < 0 ? this.fail(`unexpected right paren ${unicodeName(code)}`) : this.inAction;
      default:
    }
    if (code >= 0x80 || !isPrint(code)) return this.fail(`unrecognized character in action: ${unicodeName(code)}`);
    this.emit('character');
    return this.inAction;
  }

  /** A point at the end of the text starts a number too: Go looks for a digit only when something follows. */
  private isNumberAfterPoint(): boolean {
    const after = this.input.charCodeAt(this.position + 1);
    return Number.isNaN(after) || (after >= 48 && after <= 57);
  }

  private inSpace(): State {
    const from = this.position;
    while (isSpace(this.peek())) this.next();
    if (this.hasRightTrim(this.position - 1) && this.input.startsWith(RIGHT, this.position + 1)) {
      // The last space belongs to the trim marker.
      this.position--;
      if (this.input.charCodeAt(this.position) === 10) this.line--;
      if (this.position === from) return this.atRightDelimiter;
    }
    this.emit('space');
    return this.inAction;
  }

  private atTerminator(): boolean {
    const code = this.peek();
    return (
      code === EOF ||
      isSpace(code) ||
      '.,|:)('.includes(String.fromCodePoint(code)) ||
      this.input.startsWith(RIGHT, this.position)
    );
  }

  private skipAlphaNumeric(): void {
    for (let code = this.peek(); code !== EOF && isAlphaNumeric(code); code = this.peek()) this.next();
  }

  private inIdentifier(): State {
    this.skipAlphaNumeric();
    if (!this.atTerminator()) return this.fail(`bad character ${unicodeName(this.peek())}`);
    this.emit(KEYWORDS.get(this.input.slice(this.start, this.position)) ?? 'identifier');
    return this.inAction;
  }

  private inFieldOrVariable(alone: TokenType, named: TokenType): State {
    if (this.atTerminator()) {
      this.emit(alone);
      return this.inAction;
    }
    this.skipAlphaNumeric();
    if (!this.atTerminator()) return this.fail(`bad character ${unicodeName(this.peek())}`);
    this.emit(named);
    return this.inAction;
  }

  private inQuoted(mark: string, type: TokenType, unterminated: string): State {
    for (;;) {
      let code = this.next();
      if (code === 92) {
        code = this.next();
        if (code !== EOF && code !== 10) continue;
      }
      if (code === EOF || code === 10) return this.fail(unterminated);
      if (code === mark.charCodeAt(0)) break;
    }
    this.emit(type);
    return this.inAction;
  }

  private inRawString(): State {
    for (let code = this.next(); code !== 96; code = this.next()) {
      if (code === EOF) return this.fail('unterminated raw quoted string');
    }
    this.emit('raw string');
    return this.inAction;
  }

  private inNumber(): State {
    if (!this.scanNumber()) return this.badNumber();
    const sign = this.peek();
    if (sign !== 43 && sign !== 45) {
      this.emit('number');
      return this.inAction;
    }
    if (!this.scanNumber() || this.input.charAt(this.position - 1) !== 'i') return this.badNumber();
    this.emit('complex');
    return this.inAction;
  }

  private badNumber(): undefined {
    return this.fail(`bad number syntax: ${quote(this.input.slice(this.start, this.position))}`);
  }

  /** Takes what looks like a number; the parser decides whether it is one. */
  private scanNumber(): boolean {
    this.accept('+-');
    let digits = '0123456789_';
    if (this.accept('0')) {
      if (this.accept('xX')) digits = '0123456789abcdefABCDEF_';
      else if (this.accept('oO')) digits = '01234567_';
      else if (this.accept('bB')) digits = '01_';
    }
    const takeDigits = (valid: string): void => {
      while (this.accept(valid));
    };
    takeDigits(digits);
    if (this.accept('.')) takeDigits(digits);
    if ((digits.length === 11 && this.accept('eE')) || (digits.length === 23 && this.accept('pP'))) {
      this.accept('+-');
      takeDigits('0123456789_');
    }
    this.accept('i');
    const code = this.peek();
    if (code === EOF || !isAlphaNumeric(code)) return true;
    this.next();
    return false;
  }
}
