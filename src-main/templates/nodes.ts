/** The syntax tree, and its text as Go prints nodes in error messages. Positions are UTF-16 offsets in the text. */
import { quote } from '../kit/go-quote.ts';
import type { NumberConstant } from './numbers.ts';

interface Positioned {
  readonly position: number;
}

export interface FieldNode extends Positioned {
  readonly kind: 'field';
  readonly names: readonly string[];
}
export interface VariableNode extends Positioned {
  readonly kind: 'variable';
  /** `$x` and then field names. */
  readonly names: readonly string[];
}
export interface ChainNode extends Positioned {
  readonly kind: 'chain';
  readonly base: PipeNode | IdentifierNode;
  readonly names: readonly string[];
}
export interface IdentifierNode extends Positioned {
  readonly kind: 'identifier';
  readonly name: string;
}
export interface DotNode extends Positioned {
  readonly kind: 'dot';
}
export interface NilNode extends Positioned {
  readonly kind: 'nil';
}
export interface BoolNode extends Positioned {
  readonly kind: 'bool';
  readonly value: boolean;
}
export interface NumberNode extends Positioned {
  readonly kind: 'number';
  readonly text: string;
  readonly constant: NumberConstant;
}
export interface StringNode extends Positioned {
  readonly kind: 'string';
  /** As written, with its quotes. */
  readonly literal: string;
  readonly value: string;
}
export interface CommandNode extends Positioned {
  readonly kind: 'command';
  readonly args: readonly OperandNode[];
}
export interface PipeNode extends Positioned {
  readonly kind: 'pipe';
  readonly declared: readonly VariableNode[];
  readonly isAssign: boolean;
  readonly commands: readonly CommandNode[];
}
export type OperandNode =
  | FieldNode
  | VariableNode
  | ChainNode
  | IdentifierNode
  | DotNode
  | NilNode
  | BoolNode
  | NumberNode
  | StringNode
  | PipeNode;

export interface TextNode extends Positioned {
  readonly kind: 'text';
  readonly text: string;
}
export interface ActionNode extends Positioned {
  readonly kind: 'action';
  readonly pipe: PipeNode;
}
export interface BranchNode extends Positioned {
  readonly kind: 'if' | 'with' | 'range';
  readonly pipe: PipeNode;
  readonly list: ListNode;
  readonly elseList: ListNode | undefined;
}
export interface JumpNode extends Positioned {
  readonly kind: 'break' | 'continue';
}
export interface TemplateNode extends Positioned {
  readonly kind: 'template';
  readonly name: string;
  readonly pipe: PipeNode | undefined;
}
export type StatementNode = TextNode | ActionNode | BranchNode | JumpNode | TemplateNode;
export type ListNode = readonly StatementNode[];

/** Nodes an execution error can point at. */
export type ErrorNode = OperandNode | CommandNode | StatementNode;

/** Go's Node.String(). */
export function nodeText(node: ErrorNode): string {
  switch (node.kind) {
    case 'field':
      return node.names.map((name) => `.${name}`).join('');
    case 'variable':
      return node.names.join('.');
    case 'chain':
      return [node.base.kind === 'pipe' ? `(${nodeText(node.base)})` : node.base.name, ...node.names].join('.');
    case 'identifier':
      return node.name;
    case 'dot':
      return '.';
    case 'nil':
      return 'nil';
    case 'bool':
      return String(node.value);
    case 'number':
      return node.text;
    case 'string':
      return node.literal;
    case 'command':
      return node.args.map((arg) => (arg.kind === 'pipe' ? `(${nodeText(arg)})` : nodeText(arg))).join(' ');
    case 'pipe':
      return pipeText(node);
    case 'text':
      return node.text;
    case 'action':
      return `{{${nodeText(node.pipe)}}}`;
    case 'break':
    case 'continue':
      return `{{${node.kind}}}`;
    case 'template':
      return `{{template ${quote(node.name)}${node.pipe === undefined ? '' : ` ${nodeText(node.pipe)}`}}}`;
    default:
      return branchText(node);
  }
}

function pipeText(pipe: PipeNode): string {
  // Go writes := here for assignments too.
  const declared = pipe.declared.length === 0 ? '' : `${pipe.declared.map(nodeText).join(', ')} := `;
  return declared + pipe.commands.map(nodeText).join(' | ');
}

function branchText(node: BranchNode): string {
  const otherwise = node.elseList === undefined ? '' : `{{else}}${node.elseList.map(nodeText).join('')}`;
  return `{{${node.kind} ${nodeText(node.pipe)}}}${node.list.map(nodeText).join('')}${otherwise}{{end}}`;
}
