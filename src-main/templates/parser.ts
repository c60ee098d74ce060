/** Tokens to syntax trees: blocks and definitions. Expressions are in pipeline-parser.ts. */
import { quote, unquote } from '../kit/go-quote.ts';
import { trimSpace } from '../kit/go-string.ts';
import { tokenize } from './lexer.ts';
import type { BranchNode, ListNode, PipeNode, StatementNode, TemplateNode } from './nodes.ts';
import { type ParseScope, PipelineParser } from './pipeline-parser.ts';
import { TokenSource } from './token-buffer.ts';
import type { Token } from './tokens.ts';

/** Name to body: the text's own template and everything it defines. */
export type Definitions = ReadonlyMap<string, ListNode>;

/** How a list of nodes ended, and where. */
interface ListEnd {
  readonly kind: 'end' | 'else';
  readonly position: number;
}

type Item = StatementNode | ListEnd;

const isListEnd = (item: Item): item is ListEnd => item.kind === 'end' || item.kind === 'else';

/**
 * Parses `text` as the template `name`. `functions` are the callable names.
 * Throws TemplateError of class parse, in Go's words.
 */
export function parse(name: string, text: string, functions: ReadonlySet<string>): Definitions {
  const definitions = new Map<string, ListNode>();
  const scope: ParseScope = { parseName: name, text, functions, nesting: 0 };
  new TreeParser(scope, new TokenSource(tokenize(text)), definitions).parseTemplate(name);
  return definitions;
}

class TreeParser extends PipelineParser {
  private readonly source: TokenSource;
  private readonly definitions: Map<string, ListNode>;
  private rangeDepth = 0;

  constructor(scope: ParseScope, source: TokenSource, definitions: Map<string, ListNode>) {
    super(scope, source);
    this.source = source;
    this.definitions = definitions;
  }

  parseTemplate(name: string): void {
    const root: StatementNode[] = [];
    while (this.tokens.peek().type !== 'eof') {
      if (this.tokens.peek().type === 'left delimiter') {
        const delimiter = this.tokens.next();
        if (this.tokens.nextNonSpace().type === 'define') {
          new TreeParser(this.scope, this.source, this.definitions).parseDefinition();
          continue;
        }
        this.tokens.backWith(delimiter);
      }
      const item = this.textOrAction();
      if (isListEnd(item)) this.fail(`unexpected {{${item.kind}}}`);
      else root.push(item);
    }
    this.define(name, root);
  }

  private parseDefinition(): void {
    const context = 'define clause';
    const token = this.tokens.nextNonSpace();
    if (token.type !== 'string' && token.type !== 'raw string') this.unexpected(token, context);
    const name = this.unquoted(token);
    this.expect('right delimiter', context);
    this.defineBody(name, context, this);
  }

  /** `reporter` is the tree Go blames when the body ends with else. */
  private defineBody(name: string, context: string, reporter: TreeParser): void {
    const { list, end } = this.itemList();
    if (end.kind !== 'end') reporter.fail(`unexpected {{${end.kind}}} in ${context}`);
    this.define(name, list);
  }

  private define(name: string, body: ListNode): void {
    const existing = this.definitions.get(name);
    if (existing === undefined || isEmpty(existing)) this.definitions.set(name, body);
    else if (!isEmpty(body)) this.fail(`template: multiple definition of template ${quote(name)}`);
  }

  private itemList(): { readonly list: ListNode; readonly end: ListEnd } {
    const list: StatementNode[] = [];
    while (this.tokens.peekNonSpace().type !== 'eof') {
      const item = this.textOrAction();
      if (isListEnd(item)) return { list, end: item };
      list.push(item);
    }
    return this.fail('unexpected EOF');
  }

  private textOrAction(): Item {
    const token = this.tokens.nextNonSpace();
    if (token.type === 'text') return { kind: 'text', position: token.position, text: token.text };
    if (token.type !== 'left delimiter') return this.unexpected(token, 'input');
    this.actionLine = token.line;
    const item = this.action();
    this.actionLine = 0;
    return item;
  }

  private action(): Item {
    const token = this.tokens.nextNonSpace();
    switch (token.type) {
      case 'block':
        return this.block();
      case 'break':
      case 'continue':
        return this.jump(token.type, token.position);
      case 'else':
        return this.elseClause();
      case 'end':
        return { kind: 'end', position: this.expect('right delimiter', 'end').position };
      case 'if':
      case 'range':
      case 'with':
        return this.branch(token.type);
      case 'template':
        return this.templateCall();
      default:
    }
    this.tokens.back();
    const { position } = this.tokens.peek();
    return { kind: 'action', position, pipe: this.pipeline('command', 'right delimiter') };
  }

  private jump(kind: 'break' | 'continue', position: number): StatementNode {
    const token = this.tokens.nextNonSpace();
    if (token.type !== 'right delimiter') this.unexpected(token, `{{${kind}}}`);
    if (this.rangeDepth === 0) this.fail(`{{${kind}}} outside {{range}}`);
    return { kind, position };
  }

  private elseClause(): ListEnd {
    const token = this.tokens.peekNonSpace();
    if (token.type === 'if') return { kind: 'else', position: token.position };
    return { kind: 'else', position: this.expect('right delimiter', 'else').position };
  }

  private branch(kind: BranchNode['kind']): BranchNode {
    const mark = this.variableCount;
    this.enter();
    const pipe = this.pipeline(kind, 'right delimiter');
    if (kind === 'range') this.rangeDepth++;
    const { list, end } = this.itemList();
    if (kind === 'range') this.rangeDepth--;
    const elseList = end.kind === 'else' ? this.elseList(kind) : undefined;
    this.leave();
    this.forgetVariables(mark);
    return { kind, position: pipe.position, pipe, list, elseList };
  }

  private elseList(kind: BranchNode['kind']): ListNode {
    if (kind === 'if' && this.tokens.peek().type === 'if') {
      this.tokens.next();
      return [this.branch('if')];
    }
    const { list, end } = this.itemList();
    if (end.kind !== 'end') this.fail(`expected end; found {{${end.kind}}}`);
    return list;
  }

  private block(): TemplateNode {
    const context = 'block clause';
    const token = this.tokens.nextNonSpace();
    const name = this.templateName(token, context);
    const pipe = this.pipeline(context, 'right delimiter');
    this.enter();
    new TreeParser(this.scope, this.source, this.definitions).defineBody(name, context, this);
    this.leave();
    return { kind: 'template', position: token.position, name, pipe };
  }

  private templateCall(): TemplateNode {
    const context = 'template clause';
    const token = this.tokens.nextNonSpace();
    const name = this.templateName(token, context);
    let pipe: PipeNode | undefined;
    if (this.tokens.nextNonSpace().type !== 'right delimiter') {
      this.tokens.back();
      pipe = this.pipeline(context, 'right delimiter');
    }
    return { kind: 'template', position: token.position, name, pipe };
  }

  private templateName(token: Token, context: string): string {
    if (token.type !== 'string' && token.type !== 'raw string') this.unexpected(token, context);
    return this.unquoted(token);
  }

  private unquoted(token: Token): string {
    return unquote(token.text) ?? this.fail('invalid syntax');
  }

  private expect(type: Token['type'], context: string): Token {
    const token = this.tokens.nextNonSpace();
    return token.type === type ? token : this.unexpected(token, context);
  }
}

/** A body of white space alone does not count as a definition. */
function isEmpty(list: ListNode): boolean {
  return list.every((node) => node.kind === 'text' && trimSpace(node.text) === '');
}
