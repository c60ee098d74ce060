/**
 * Three tokens of lookahead over one token list, shared by a template and the definitions inside of it. Go reports
 * a parse error at the line of the token it read last, wherever the offending one was, so the buffer keeps its
 * exact shape.
 */
import type { Token } from './tokens.ts';

/** What Go's lexer hands out after it has stopped at an error. */
const EXHAUSTED: Token = { type: 'error', position: 0, text: '', line: 0 };

export class TokenSource {
  private readonly tokens: readonly Token[];
  private at = 0;
  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }
  next(): Token {
    return this.tokens[this.at++] ?? EXHAUSTED;
  }
}

export class TokenBuffer {
  private readonly source: TokenSource;
  private readonly held: [Token, Token, Token] = [EXHAUSTED, EXHAUSTED, EXHAUSTED];
  private count = 0;

  constructor(source: TokenSource) {
    this.source = source;
  }

  /** The token errors are reported at. */
  get latest(): Token {
    return this.held[0];
  }

  next(): Token {
    if (this.count > 0) this.count--;
    else this.held[0] = this.source.next();
    return this.held[this.count] ?? EXHAUSTED;
  }

  peek(): Token {
    if (this.count === 0) {
      this.held[0] = this.source.next();
      this.count = 1;
    }
    return this.held[this.count - 1] ?? EXHAUSTED;
  }

  nextNonSpace(): Token {
    for (;;) {
      const token = this.next();
      if (token.type !== 'space') return token;
    }
  }

  peekNonSpace(): Token {
    const token = this.nextNonSpace();
    this.back();
    return token;
  }

  /** Gives the token just read back. */
  back(): void {
    this.count++;
  }

  /** Gives back `token` as well, which was read before the latest one. */
  backWith(token: Token): void {
    this.held[1] = token;
    this.count = 2;
  }

  /** Gives back `first` and `second` as well, read in this order before the latest one. */
  backWithBoth(first: Token, second: Token): void {
    this.held[1] = second;
    this.held[2] = first;
    this.count = 3;
  }
}
