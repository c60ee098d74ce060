/** What a template's text is made of, and how Go's error texts show it. */
import { quote } from '../kit/go-quote.ts';
import { byteLength } from '../kit/go-string.ts';

export type TokenType =
  | 'error'
  | 'eof'
  | 'text'
  | 'left delimiter'
  | 'right delimiter'
  | 'space'
  | 'assign'
  | 'declare'
  | 'pipe'
  | 'left parenthesis'
  | 'right parenthesis'
  | 'character'
  | 'bool'
  | 'character constant'
  | 'number'
  | 'complex'
  | 'string'
  | 'raw string'
  | 'field'
  | 'variable'
  | 'identifier'
  | 'dot'
  | 'nil'
  | KeywordType;

type KeywordType = 'block' | 'break' | 'continue' | 'define' | 'else' | 'end' | 'if' | 'range' | 'template' | 'with';

export interface Token {
  readonly type: TokenType;
  readonly position: number;
  readonly text: string;
  readonly line: number;
}

export const KEYWORDS: ReadonlyMap<string, TokenType> = new Map<string, TokenType>([
  ...(['block', 'break', 'continue', 'define', 'else', 'end', 'if', 'range', 'template', 'with', 'nil'] as const).map(
    (word) => [word, word] as const,
  ),
  ['true', 'bool'],
  ['false', 'bool'],
]);

const BRACKETED: ReadonlySet<TokenType> = new Set<TokenType>([...KEYWORDS.values(), 'dot']);

/** A token as Go's error texts show it. */
export function describeToken(token: Token): string {
  if (token.type === 'eof') return 'EOF';
  if (token.type === 'error') return token.text;
  if (token.type !== 'bool' && BRACKETED.has(token.type)) return `<${token.text}>`;
  const characters = [...token.text];
  // Go asks for more than ten bytes, then cuts at ten characters.
  if (byteLength(token.text) <= 10) return quote(token.text);
  return `${quote(characters.slice(0, 10).join(''))}...`;
}
