/** Bodies compiled to flat programs: text, actions, branches, loops and template calls as steps with jumps. */
import type { Evaluate } from './calls.ts';
import { compilePipe } from './expressions.ts';
import { outputTooLong } from './limits.ts';
import type { BranchNode, ListNode, OperandNode, PipeNode, StatementNode, TemplateNode } from './nodes.ts';
import type { Definitions } from './parser.ts';
import type { Operation, Program, Unit } from './state.ts';
import { callTemplate, closeScope, nextIteration, openRange, openScope, unwindToRange } from './steps.ts';
import type { MissingKey } from './values.ts';

/** All templates of one text, ready to run. */
export function compileUnit(parseName: string, text: string, definitions: Definitions, missingKey: MissingKey): Unit {
  const programs = new Map<string, Program>();
  const unit: Unit = { parseName, text, missingKey, programs };
  for (const [name, body] of definitions) {
    const operations: Operation[] = [];
    new BodyCompiler(operations).list(body);
    programs.set(name, { name, operations, body, unit });
  }
  return unit;
}

/** Jumps of a loop that still need their targets. */
interface Loop {
  readonly start: number;
  readonly exits: ((target: number) => void)[];
}

class BodyCompiler {
  private readonly operations: Operation[];
  private readonly loops: Loop[] = [];

  constructor(operations: Operation[]) {
    this.operations = operations;
  }

  list(nodes: ListNode): void {
    for (const node of nodes) this.statement(node);
  }

  private get here(): number {
    return this.operations.length;
  }

  /** Adds an operation that is told where it stands. */
  private add(make: (next: number) => Operation): number {
    const at = this.here;
    this.operations.push(make(at + 1));
    return at;
  }

  private statement(node: StatementNode): void {
    switch (node.kind) {
      case 'text':
        this.text(node.text);
        break;
      case 'action':
        this.action(compilePipe(node.pipe), node.pipe.declared.length > 0);
        break;
      case 'template':
        this.templateCall(node);
        break;
      case 'if':
        this.conditional(node);
        break;
      case 'with':
        this.with(node);
        break;
      case 'range':
        this.range(node);
        break;
      default:
        this.jump(node.kind);
    }
  }

  private text(text: string): void {
    this.add((next) => (state) => {
      state.out += text;
      if (state.out.length > state.session.limits.outputLength) throw outputTooLong(state.session.limits.outputLength);
      return next;
    });
  }

  private action(value: Evaluate, isDeclaration: boolean): void {
    this.add((next) => {
      if (isDeclaration) {
        return (state) => {
          value(state);
          return next;
        };
      }
      return (state) => {
        state.write(value(state));
        return next;
      };
    });
  }

  /** An operation whose jump target is known only later. */
  private addJump(make: (target: () => number, next: number) => Operation): (target: number) => void {
    let target = 0;
    this.add((next) => make(() => target, next));
    return (resolved) => {
      target = resolved;
    };
  }

  private conditional(node: BranchNode): void {
    const condition = compilePipe(node.pipe);
    // A scope is only needed when something in it can declare a variable.
    const isScope = declares(node.pipe) || declaresDirectly(node.list) || declaresDirectly(node.elseList ?? []);
    if (isScope) this.add((next) => (state) => openScope(state, next));
    const setElse = this.addJump((otherwise, next) => (state) => (state.isTrue(condition(state)) ? next : otherwise()));
    this.list(node.list);
    if (node.elseList !== undefined && node.elseList.length > 0) {
      const setEnd = this.addJump((end) => () => end());
      setElse(this.here);
      this.list(node.elseList);
      setEnd(this.here);
    } else setElse(this.here);
    if (isScope) this.add((next) => (state) => closeScope(state, next));
  }

  private with(node: BranchNode): void {
    const subject = compilePipe(node.pipe);
    this.add((next) => (state) => openScope(state, next));
    const setElse = this.addJump((otherwise, next) => (state) => {
      const value = subject(state);
      if (!state.isTrue(value)) return otherwise();
      state.dot = value;
      state.dotIsInterface = false;
      return next;
    });
    this.list(node.list);
    const setEnd = this.addJump((end) => () => end());
    setElse(this.here);
    this.list(node.elseList ?? []);
    setEnd(this.here);
    this.add((next) => (state) => closeScope(state, next));
  }

  private range(node: BranchNode): void {
    const subject = compilePipe(node.pipe);
    const declared = node.pipe.declared.length;
    const setElse = this.addJump((otherwise, next) => (state) => {
      state.node = node;
      return openRange(state, subject, next, otherwise);
    });
    const start = this.here;
    const loop: Loop = { start, exits: [] };
    loop.exits.push(this.addJump((end, next) => (state) => (nextIteration(state, declared) ? next : end())));
    this.loops.push(loop);
    this.list(node.list);
    this.loops.pop();
    this.add(() => () => start);
    setElse(this.here);
    this.list(node.elseList ?? []);
    for (const exit of loop.exits) exit(this.here);
    this.add((next) => (state) => closeScope(state, next));
  }

  private jump(kind: 'break' | 'continue'): void {
    const loop = this.loops.at(-1);
    if (loop === undefined) return;
    if (kind === 'continue') {
      this.add(() => (state) => {
        unwindToRange(state);
        return loop.start;
      });
      return;
    }
    loop.exits.push(
      this.addJump((end) => (state) => {
        unwindToRange(state);
        return end();
      }),
    );
  }

  private templateCall(node: TemplateNode): void {
    const argument = node.pipe === undefined ? undefined : compilePipe(node.pipe);
    this.add((next) => (state) => {
      state.node = node;
      return callTemplate(state, node.name, argument, next);
    });
  }
}

/** Whether evaluating the pipe may declare a variable, in parentheses too. */
function declares(pipe: PipeNode): boolean {
  if (pipe.declared.length > 0) return true;
  return pipe.commands.some((command) => command.args.some(operandDeclares));
}

function operandDeclares(node: OperandNode): boolean {
  if (node.kind === 'pipe') return declares(node);
  return node.kind === 'chain' && node.base.kind === 'pipe' && declares(node.base);
}

function declaresDirectly(list: ListNode): boolean {
  return list.some((node) => {
    if (node.kind === 'action') return declares(node.pipe);
    return node.kind === 'template' && node.pipe !== undefined && declares(node.pipe);
  });
}
