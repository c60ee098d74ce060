/**
 * The fast lane for templates that are rendered often: bodies of nothing but text, fields and conditions on fields,
 * written out as one JavaScript function. It knows only the plain case, texts in JSON maps; for everything else it
 * answers undefined, and the executor renders from the start. So it decides speed, never output.
 *
 * What is written into the function is field names, which the lexer has reduced to letters, digits and `_`, and
 * text as JSON literals; the function sees its arguments and nothing of this module.
 */
import type { ActionNode, BranchNode, ListNode, PipeNode } from './nodes.ts';
import { isJsonMap } from './values.ts';

/** The output, or undefined when the executor has to decide. */
export type QuickRender = (dot: unknown) => string | undefined;

/** Larger bodies gain too little to be worth a function of their own. */
const MAX_STATEMENTS = 200;

/** The quick form of a body; undefined when something in it is beyond the fast lane. */
export function compileQuick(body: ListNode, maxLength: number): QuickRender | undefined {
  const writer = new QuickWriter();
  if (!writer.list(body)) return undefined;
  const source = `'use strict'; return (dot) => {
    if (!isMap(dot)) return undefined;
    let out = '';
    ${writer.source()}
    return out.length > ${maxLength} ? undefined : out;
  };`;
  try {
    return new Function('isMap', source)(isJsonMap) as QuickRender;
  } catch {
    // A host that forbids making functions from text renders everything with the executor.
    return undefined;
  }
}

class QuickWriter {
  private readonly lines: string[] = [];
  private pending: string[] = [];
  private values = 0;
  private statements = 0;

  source(): string {
    this.flush();
    return this.lines.join('\n');
  }

  /** False when the list holds something the fast lane does not know. */
  list(nodes: ListNode): boolean {
    return nodes.every((node) => {
      if (++this.statements > MAX_STATEMENTS) return false;
      if (node.kind === 'text') return this.append(JSON.stringify(node.text));
      if (node.kind === 'action') return this.action(node);
      return node.kind === 'if' && this.conditional(node);
    });
  }

  private append(expression: string): true {
    this.pending.push(expression);
    return true;
  }

  /** Several pieces are joined in one expression. */
  private flush(): void {
    if (this.pending.length > 0) this.lines.push(`out = out + ${this.pending.join(' + ')};`);
    this.pending = [];
  }

  private action(node: ActionNode): boolean {
    const value = this.field(node.pipe);
    if (value === undefined) return false;
    this.lines.push(`if (typeof ${value} !== 'string' || !${value}.isWellFormed()) return undefined;`);
    return this.append(value);
  }

  private conditional(node: BranchNode): boolean {
    const value = this.field(node.pipe);
    if (value === undefined) return false;
    this.flush();
    this.lines.push(
      `if (typeof ${value} !== 'string' && typeof ${value} !== 'boolean' && ${value} !== undefined) return undefined;`,
      `if (${value}) {`,
    );
    if (!this.list(node.list)) return false;
    this.flush();
    this.lines.push('} else {');
    if (!this.list(node.elseList ?? [])) return false;
    this.flush();
    this.lines.push('}');
    return true;
  }

  /** Reads the field of a pipe that is nothing but a field; the name of the variable it is in. */
  private field(pipe: PipeNode): string | undefined {
    const [command, ...others] = pipe.commands;
    const [operand, ...args] = command?.args ?? [];
    if (pipe.declared.length > 0 || others.length > 0 || args.length > 0 || operand?.kind !== 'field') return undefined;
    let owner = 'dot';
    for (const [index, name] of operand.names.entries()) {
      // An inherited name would need a test that the entry is the map's own.
      if (name in Object.prototype) return undefined;
      if (index > 0) this.lines.push(`if (!isMap(${owner})) return undefined;`);
      const value = `value${this.values++}`;
      this.lines.push(`const ${value} = ${owner}[${JSON.stringify(name)}];`);
      owner = value;
    }
    return owner;
  }
}
