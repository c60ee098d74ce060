/** Tokens to expressions: pipelines, commands, operands. */
import { quote, unquote } from '../kit/go-quote.ts';
import { byteLength } from '../kit/go-string.ts';
import { TemplateError } from './errors.ts';
import { MAX_PARSE_NESTING } from './limits.ts';
import { type CommandNode, nodeText, type OperandNode, type PipeNode, type VariableNode } from './nodes.ts';
import { parseNumber } from './numbers.ts';
import { TokenBuffer, type TokenSource } from './token-buffer.ts';
import { describeToken, type Token, type TokenType } from './tokens.ts';

/** What a template and the definitions inside of it have in common. */
export interface ParseScope {
  readonly parseName: string;
  readonly text: string;
  readonly functions: ReadonlySet<string>;
  /** Blocks and parentheses open at this point. */
  nesting: number;
}

const OPERAND_STARTS: ReadonlySet<TokenType> = new Set<TokenType>([
  'bool',
  'character constant',
  'complex',
  'dot',
  'field',
  'identifier',
  'number',
  'nil',
  'raw string',
  'string',
  'variable',
  'left parenthesis',
]);

const NOT_EXECUTABLE: ReadonlySet<OperandNode['kind']> = new Set<OperandNode['kind']>([
  'bool',
  'dot',
  'nil',
  'number',
  'string',
]);

const fieldNames = (text: string): readonly string[] => text.split('.').slice(1);

export class PipelineParser {
  protected readonly scope: ParseScope;
  protected readonly tokens: TokenBuffer;
  /** Line of the action being parsed, 0 outside of actions. */
  protected actionLine = 0;
  private readonly variables: string[] = ['$'];
  private readonly visible = new Map<string, number>([['$', 1]]);

  constructor(scope: ParseScope, source: TokenSource) {
    this.scope = scope;
    this.tokens = new TokenBuffer(source);
  }

  /** Throws the parse error; `message` follows "template: NAME:LINE: ". */
  protected fail(message: string): never {
    const { parseName, text } = this.scope;
    const { line, position } = this.tokens.latest;
    const column = byteLength(text.slice(text.lastIndexOf('\n', position - 1) + 1, position));
    throw new TemplateError('parse', `template: ${parseName}:${line}: ${message}`, {
      line,
      column: Math.max(column, 0),
    });
  }

  protected unexpected(token: Token, context: string): never {
    if (token.type !== 'error') return this.fail(`unexpected ${describeToken(token)} in ${context}`);
    let where = '';
    if (this.actionLine !== 0 && this.actionLine !== token.line) {
      const started = ` started at ${this.scope.parseName}:${this.actionLine}`;
      where = token.text.endsWith(' action') ? started : ` in action${started}`;
    }
    return this.fail(token.text + where);
  }

  protected enter(): void {
    if (++this.scope.nesting > MAX_PARSE_NESTING) this.fail(`more than ${MAX_PARSE_NESTING} levels of nesting`);
  }

  protected leave(): void {
    this.scope.nesting--;
  }

  protected get variableCount(): number {
    return this.variables.length;
  }

  /** Ends the scope of the variables declared since there were `count`. */
  protected forgetVariables(count: number): void {
    while (this.variables.length > count) {
      const name = this.variables.pop() ?? '';
      this.visible.set(name, (this.visible.get(name) ?? 1) - 1);
    }
  }

  private remember(token: Token): VariableNode {
    this.variables.push(token.text);
    this.visible.set(token.text, (this.visible.get(token.text) ?? 0) + 1);
    return { kind: 'variable', position: token.position, names: [token.text] };
  }

  protected pipeline(context: string, end: TokenType): PipeNode {
    const { position } = this.tokens.peekNonSpace();
    const declared: VariableNode[] = [];
    const isAssign = this.declarations(context, declared);
    const commands: CommandNode[] = [];
    for (;;) {
      const token = this.tokens.nextNonSpace();
      if (token.type === end) break;
      if (!OPERAND_STARTS.has(token.type)) this.unexpected(token, context);
      this.tokens.back();
      commands.push(this.command());
    }
    this.checkPipeline(commands, context);
    return { kind: 'pipe', position, declared, isAssign, commands };
  }

  /** `$x :=`, `$x =`, and for range `$i, $x :=`. Returns true for an assignment. */
  private declarations(context: string, declared: VariableNode[]): boolean {
    for (;;) {
      const variable = this.tokens.peekNonSpace();
      if (variable.type !== 'variable') return false;
      this.tokens.next();
      // Whether a space follows must not be lost: it may separate the variable from an argument.
      const following = this.tokens.peek();
      const next = this.tokens.peekNonSpace();
      if (next.type === 'assign' || next.type === 'declare') {
        this.tokens.nextNonSpace();
        declared.push(this.remember(variable));
        return next.type === 'assign';
      }
      if (next.type === 'character' && next.text === ',') {
        this.tokens.nextNonSpace();
        declared.push(this.remember(variable));
        if (context !== 'range' || declared.length >= 2) this.fail(`too many declarations in ${context}`);
        const { type } = this.tokens.peekNonSpace();
        if (type !== 'variable' && type !== 'right delimiter' && type !== 'right parenthesis') {
          this.fail('range can only initialize variables');
        }
        continue;
      }
      if (following.type === 'space') this.tokens.backWithBoth(variable, following);
      else this.tokens.backWith(variable);
      return false;
    }
  }

  private checkPipeline(commands: readonly CommandNode[], context: string): void {
    if (commands.length === 0) this.fail(`missing value for ${context}`);
    commands.forEach((command, index) => {
      const first = command.args[0];
      if (index > 0 && first !== undefined && NOT_EXECUTABLE.has(first.kind)) {
        this.fail(`non executable command in pipeline stage ${index + 1}`);
      }
    });
  }

  private command(): CommandNode {
    const { position } = this.tokens.peekNonSpace();
    const args: OperandNode[] = [];
    for (;;) {
      this.tokens.peekNonSpace();
      const operand = this.operand();
      if (operand !== undefined) args.push(operand);
      const token = this.tokens.next();
      if (token.type === 'space') continue;
      if (token.type === 'right delimiter' || token.type === 'right parenthesis') this.tokens.back();
      else if (token.type !== 'pipe') this.unexpected(token, 'operand');
      break;
    }
    if (args.length === 0) this.fail('empty command');
    return { kind: 'command', position, args };
  }

  private operand(): OperandNode | undefined {
    const node = this.term();
    if (node === undefined || this.tokens.peek().type !== 'field') return node;
    // Go places a chain at its second part.
    const { position } = this.tokens.peek();
    const names: string[] = [];
    while (this.tokens.peek().type === 'field') names.push(...fieldNames(this.tokens.next().text));
    switch (node.kind) {
      case 'field':
      case 'variable':
        return { kind: node.kind, position, names: [...node.names, ...names] };
      case 'pipe':
      case 'identifier':
        return { kind: 'chain', position, base: node, names };
      default:
        return this.fail(`unexpected . after term ${quote(nodeText(node))}`);
    }
  }

  private term(): OperandNode | undefined {
    const token = this.tokens.nextNonSpace();
    const { position, text } = token;
    switch (token.type) {
      case 'identifier':
        if (!this.scope.functions.has(text)) this.fail(`function ${quote(text)} not defined`);
        return { kind: 'identifier', position, name: text };
      case 'dot':
      case 'nil':
        return { kind: token.type, position };
      case 'variable':
        if ((this.visible.get(text) ?? 0) === 0) this.fail(`undefined variable ${quote(text)}`);
        return { kind: 'variable', position, names: [text] };
      case 'field':
        return { kind: 'field', position, names: fieldNames(text) };
      case 'bool':
        return { kind: 'bool', position, value: text === 'true' };
      case 'character constant':
      case 'complex':
      case 'number': {
        const number = parseNumber(text, token.type);
        if ('error' in number) return this.fail(number.error);
        return { kind: 'number', position, text, constant: number.constant };
      }
      case 'left parenthesis': {
        this.enter();
        const pipe = this.pipeline('parenthesized pipeline', 'right parenthesis');
        this.leave();
        return pipe;
      }
      case 'string':
      case 'raw string':
        return { kind: 'string', position, literal: text, value: unquote(text) ?? this.fail('invalid syntax') };
      default:
        this.tokens.back();
        return undefined;
    }
  }
}
