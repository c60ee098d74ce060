/** What one rendering carries along while its program runs, and how it fails. */
import { quote } from '../kit/go-quote.ts';
import { byteLength } from '../kit/go-string.ts';
import { isTrue, mapEntries, mapSize } from './containers.ts';
import { TemplateError } from './errors.ts';
import { LimitExceeded, outputTooLong, type RenderLimits, tooManySteps } from './limits.ts';
import { type ErrorNode, type ListNode, nodeText } from './nodes.ts';
import { printed } from './printer.ts';
import type { GoValue, HostCalls, MissingKey } from './values.ts';

/** One step of a program: acts on the state, returns the index of the next step, or SWITCH. */
export type Operation = (state: State) => number;

/** Returned by an operation that has changed `state.program`; execution goes on at `state.resumeAt`. */
export const SWITCH = -1;

/** A template body as a flat list of steps. */
export interface Program {
  readonly name: string;
  readonly operations: readonly Operation[];
  readonly body: ListNode;
  readonly unit: Unit;
}

/** One parsed text: its own template and those it defines. */
export interface Unit {
  readonly parseName: string;
  readonly text: string;
  readonly missingKey: MissingKey;
  readonly programs: ReadonlyMap<string, Program>;
}

/** A declared variable; newest first, so that the innermost of a name is found first. */
export interface Variable {
  readonly name: string;
  value: GoValue;
  /** The value was taken from an interface {} container by range: only error texts can tell. */
  isInterface: boolean;
  readonly below: Variable | undefined;
}

/** What to put back when a block or a template call ends. */
export interface Frame {
  readonly kind: 'scope' | 'range' | 'call';
  readonly below: Frame | undefined;
  readonly dot: GoValue;
  readonly dotIsInterface: boolean;
  readonly variables: Variable | undefined;
}

export interface RangeFrame extends Frame {
  readonly kind: 'range';
  /** Variables including those the range declares: what `continue` goes back to. */
  readonly inner: Variable | undefined;
  readonly source: {
    readonly size: number;
    readonly isInterface: boolean;
    at(index: number): readonly [GoValue, GoValue];
  };
  index: number;
}

export interface CallFrame extends Frame {
  readonly kind: 'call';
  readonly program: Program;
  readonly resumeAt: number;
  readonly root: GoValue;
}

/** A call outside that has been made: replayed when the rendering is started again. */
export type SettledCall = { readonly value: GoValue } | { readonly error: Error };

/** What a rendering and the renderings inside of it share: budget, outside calls, stored templates. */
export interface Session {
  readonly limits: RenderLimits;
  steps: number;
  nesting: number;
  /** Whether the caller can wait for promises. */
  readonly canWait: boolean;
  readonly settled: SettledCall[];
  /** Sizes of the maps of the data that have been counted; data does not change during a rendering. */
  readonly mapSizes: WeakMap<object, number>;
  nextCall: number;
  /** Looks for a template that the text itself does not define. */
  readonly lookup: ((name: string) => Unit | undefined) | undefined;
  /** Renders text on behalf of a function called from `state`. */
  renderInside(state: State, ...request: Parameters<HostCalls['render']>): string;
}

/** Thrown to leave a rendering that must wait; it is started again with the result among the settled calls. */
export class Suspension {
  readonly promise: Promise<GoValue>;
  constructor(promise: Promise<GoValue>) {
    this.promise = promise;
  }
}

export class State {
  out = '';
  /** Whether `out` may hold raw bytes or other lone surrogates. */
  hasRawBytes = false;
  dot: GoValue;
  dotIsInterface = false;
  /** `$` */
  root: GoValue;
  variables: Variable | undefined = undefined;
  frames: Frame | undefined = undefined;
  depth = 0;
  resumeAt = 0;
  /** Whether the field, variable or dot evaluated last has the static type interface {}. */
  isInterface = false;
  /** Where an error would be reported. */
  node: ErrorNode | undefined = undefined;
  program: Program;
  /** The text the rendering began with: stored templates may call what it defines. */
  readonly unit: Unit;
  readonly session: Session;

  constructor(program: Program, dot: GoValue, session: Session) {
    this.program = program;
    this.unit = program.unit;
    this.dot = dot;
    this.root = dot;
    this.session = session;
  }

  /** Appends the value as an action prints it. */
  write(value: GoValue): void {
    const text = typeof value === 'string' ? value : this.printed(value);
    // Asked piece by piece, because asking the whole output would make the engine copy it together first.
    if (!text.isWellFormed()) this.hasRawBytes = true;
    this.out += text;
    if (this.out.length > this.session.limits.outputLength) throw outputTooLong(this.session.limits.outputLength);
  }

  private printed(value: GoValue): string {
    if (value === undefined) return '<no value>';
    return this.charged(2, (maxLength) => printed(value, maxLength));
  }

  /** Makes a text and charges one step for 2^shift of its characters. It is not made longer than can be paid for. */
  charged(shift: number, make: (maxLength: number) => string): string {
    const { limits, steps } = this.session;
    const payable = (limits.steps - steps + 1) * 2 ** shift;
    let text: string;
    try {
      text = make(Math.min(payable, limits.outputLength));
    } catch (error) {
      if (error instanceof LimitExceeded && payable < limits.outputLength) throw tooManySteps(limits.steps);
      throw error;
    }
    this.charge(text.length >>> shift);
    return text;
  }

  /** Go's notion of true. */
  isTrue(value: GoValue): boolean {
    const size = typeof value === 'object' ? this.sizeOfMap(value) : undefined;
    return size === undefined ? isTrue(value) : size > 0;
  }

  /** Number of keys; undefined for what is no map. Counting is dear, so it is charged, and done once per map. */
  sizeOfMap(value: GoValue): number | undefined {
    const entries = mapEntries(value);
    if (entries === undefined) return undefined;
    const { mapSizes } = this.session;
    let size = mapSizes.get(entries);
    if (size === undefined) {
      size = mapSize(value);
      this.charge(size);
      mapSizes.set(entries, size);
    }
    return size;
  }

  /** Charges work beyond the step itself: what grows with the length of a text or the size of a collection. */
  charge(steps: number): void {
    const { session } = this;
    session.steps += steps;
    if (session.steps > session.limits.steps) throw tooManySteps(session.limits.steps);
  }

  declare(name: string, value: GoValue): void {
    this.variables = { name, value, isInterface: false, below: this.variables };
  }

  /** The innermost variable of the name. `$` is there even when nothing has been declared. */
  find(name: string): Variable | undefined {
    let distance = 0;
    let variable = this.variables;
    for (; variable !== undefined && variable.name !== name; variable = variable.below) distance++;
    if (distance > 16) this.charge(distance >>> 4);
    return variable;
  }

  /** The error at the current node: "template: PLACE: executing NAME at <NODE>: message". */
  error(message: string): TemplateError {
    const { node, program } = this;
    if (node === undefined) {
      return new TemplateError('exec', `template: ${program.name}: ${message}`, { line: 1, column: 0 });
    }
    const place = placeOf(program.unit.text, node.position);
    const where = `${program.unit.parseName}:${place.line}:${place.column}`;
    const text = `template: ${where}: executing ${quote(program.name)} at <${nodeText(node)}>: ${message}`;
    return new TemplateError('exec', text, place);
  }

  fail(message: string): never {
    throw this.error(message);
  }
}

/** Line (from 1) and byte column (from 0) of an offset. */
function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  let line = 1;
  for (let at = before.indexOf('\n'); at >= 0; at = before.indexOf('\n', at + 1)) line++;
  return { line, column: byteLength(before.slice(lineStart)) };
}

/** Runs the program of the state to its end; what it prints is in `state.out`. */
export function run(state: State): void {
  const { session } = state;
  const maxSteps = session.limits.steps;
  let { operations } = state.program;
  let at = 0;
  for (;;) {
    const operation = operations[at];
    if (operation !== undefined) {
      if (++session.steps > maxSteps) throw tooManySteps(maxSteps);
      at = operation(state);
      if (at !== SWITCH) continue;
    } else if (!returnToCaller(state)) return;
    ({ operations } = state.program);
    at = state.resumeAt;
  }
}

function returnToCaller(state: State): boolean {
  const { frames } = state;
  if (frames?.kind !== 'call') return false;
  const call = frames as CallFrame;
  state.frames = call.below;
  state.dot = call.dot;
  state.dotIsInterface = call.dotIsInterface;
  state.variables = call.variables;
  state.root = call.root;
  state.program = call.program;
  state.resumeAt = call.resumeAt;
  state.depth--;
  return true;
}

/** Runs, and turns whatever goes wrong into a TemplateError that knows what had been written. */
export function execute(state: State): State {
  try {
    run(state);
    return state;
  } catch (error) {
    if (error instanceof Suspension) throw error;
    throw asTemplateError(error, state).after(state.out);
  }
}

function asTemplateError(error: unknown, state: State): TemplateError {
  if (error instanceof TemplateError) return error;
  if (error instanceof LimitExceeded) return state.error(error.message);
  // The engine's own stack, or the longest string it can hold: both need hostile data to be reached.
  if (error instanceof RangeError) return state.error('value is nested too deeply or too long to print');
  throw error;
}
