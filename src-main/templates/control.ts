/** Bodies compiled to flat programs: text, actions, branches, loops and template calls as steps with jumps. */
import { quote } from '../kit/go-quote.ts';
import { compilePipe } from './expressions.ts';
import { countedEntries, isTrue } from './containers.ts';
import type { Evaluate } from './calls.ts';
import type { BranchNode, ListNode, OperandNode, PipeNode, StatementNode, TemplateNode } from './nodes.ts';
import type { Definitions } from './parser.ts';
import { sprint } from './printer.ts';
import { outputTooLong } from './limits.ts';
import { type CallFrame, type Frame, type Operation, type Program, type RangeFrame, type State, SWITCH, type Unit } from './state.ts';
import type { GoValue, MissingKey } from './values.ts';

/** All templates of one text, ready to run. */
export function compileUnit(parseName: string, text: string, definitions: Definitions, missingKey: MissingKey): Unit {
  const programs = new Map<string, Program>();
  const unit: Unit = { parseName, text, missingKey, programs };
  for (const [name, body] of definitions) {
    const operations: Operation[] = [];
    new BodyCompiler(operations).list(body);
    programs.set(name, { name, operations, unit });
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
    const setElse = this.addJump((otherwise, next) => (state) => (isTrue(condition(state)) ? next : otherwise()));
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
      if (!isTrue(value)) return otherwise();
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

function frameOf(state: State): Omit<Frame, 'kind'> {
  return { below: state.frames, dot: state.dot, dotIsInterface: state.dotIsInterface, variables: state.variables };
}

function openScope(state: State, next: number): number {
  state.frames = { kind: 'scope', ...frameOf(state) };
  return next;
}

function closeScope(state: State, next: number): number {
  const frame = state.frames;
  if (frame !== undefined) {
    state.frames = frame.below;
    restore(state, frame);
  }
  return next;
}

function restore(state: State, frame: Frame): void {
  state.dot = frame.dot;
  state.dotIsInterface = frame.dotIsInterface;
  state.variables = frame.variables;
}

const NOTHING = { size: 0, isInterface: false, at: (): readonly [GoValue, GoValue] => [undefined, undefined] };

function openRange(state: State, subject: Evaluate, next: number, otherwise: () => number): number {
  const outer = frameOf(state);
  const value = subject(state);
  const entries = value === undefined ? NOTHING : countedEntries(value);
  if (entries === undefined) {
    return state.fail(`range can't iterate over ${sprint([value], state.session.limits.outputLength)}`);
  }
  state.charge(entries.size);
  if (entries.size === 0) {
    // A break in the else body means the loop around this one, so that body runs in a plain scope.
    state.frames = { kind: 'scope', ...outer };
    return otherwise();
  }
  const frame: RangeFrame = { kind: 'range', ...outer, inner: state.variables, source: entries, index: 0 };
  state.frames = frame;
  return next;
}

/** Sets dot and the declared variables; false when the range is done. */
function nextIteration(state: State, declared: number): boolean {
  const frame = state.frames as RangeFrame;
  const { source, inner } = frame;
  if (frame.index >= source.size) return false;
  const [key, element] = source.at(frame.index++);
  state.variables = inner;
  state.dot = element;
  state.dotIsInterface = source.isInterface;
  if (declared > 0) setTop(state, inner, element, source.isInterface);
  if (declared > 1) setTop(state, inner?.below, key, false);
  return true;
}

/** Go sets the newest variables by position, even where the range assigned to older ones. */
function setTop(state: State, variable: State['variables'], value: GoValue, isInterface: boolean): void {
  if (variable === undefined) {
    state.root = value;
    return;
  }
  variable.value = value;
  variable.isInterface = isInterface;
}

function unwindToRange(state: State): void {
  while (state.frames !== undefined && state.frames.kind !== 'range') state.frames = state.frames.below;
}

function callTemplate(state: State, name: string, argument: Evaluate | undefined, next: number): number {
  const { session } = state;
  const target =
    state.program.unit.programs.get(name) ?? state.unit.programs.get(name) ?? session.lookup?.(name)?.programs.get(name);
  if (target === undefined) return state.fail(`template ${quote(name)} not defined`);
  if (state.depth >= session.limits.depth) state.fail(`exceeded maximum template depth (${session.limits.depth})`);
  const dot = argument?.(state);
  const frame: CallFrame = {
    kind: 'call',
    ...frameOf(state),
    program: state.program,
    resumeAt: next,
    root: state.root,
  };
  state.frames = frame;
  state.depth++;
  state.program = target;
  state.dot = dot;
  state.dotIsInterface = false;
  state.root = dot;
  state.variables = undefined;
  state.resumeAt = 0;
  return SWITCH;
}
