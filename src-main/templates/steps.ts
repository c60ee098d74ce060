/** What the steps of a program do to scopes, loops and template calls while it runs. */
import { quote } from '../kit/go-quote.ts';
import type { Evaluate } from './calls.ts';
import { countedEntries } from './containers.ts';
import { printed } from './printer.ts';
import { type CallFrame, type Frame, type RangeFrame, type State, SWITCH } from './state.ts';
import type { GoValue } from './values.ts';

function frameOf(state: State): Omit<Frame, 'kind'> {
  return { below: state.frames, dot: state.dot, dotIsInterface: state.dotIsInterface, variables: state.variables };
}

export function openScope(state: State, next: number): number {
  state.frames = { kind: 'scope', ...frameOf(state) };
  return next;
}

export function closeScope(state: State, next: number): number {
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

export function openRange(state: State, subject: Evaluate, next: number, otherwise: () => number): number {
  const outer = frameOf(state);
  const value = subject(state);
  // Keys have to be sorted before the first iteration.
  state.charge(state.sizeOfMap(value) ?? 0);
  const entries = value === undefined ? NOTHING : countedEntries(value);
  if (entries === undefined) {
    return state.fail(`range can't iterate over ${printed(value, state.session.limits.outputLength)}`);
  }
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
export function nextIteration(state: State, declared: number): boolean {
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

export function unwindToRange(state: State): void {
  while (state.frames !== undefined && state.frames.kind !== 'range') state.frames = state.frames.below;
}

export function callTemplate(state: State, name: string, argument: Evaluate | undefined, next: number): number {
  const { session } = state;
  const target =
    state.program.unit.programs.get(name) ??
    state.unit.programs.get(name) ??
    session.lookup?.(name)?.programs.get(name);
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
