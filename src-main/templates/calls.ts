/** Calling functions and methods: counting and checking arguments, and what a failing call reports. */

import { FunctionError } from './errors.ts';
import { LimitExceeded } from './limits.ts';
import type { ErrorNode, OperandNode } from './nodes.ts';
import { type SettledCall, type State, Suspension } from './state.ts';
import { type GoValue, type HostCalls, type HostMethod, HostObject, type ParameterType, typeName } from './values.ts';

/** No value is piped into the command. */
export const MISSING: unique symbol = Symbol('no piped value');
export type Piped = GoValue | typeof MISSING;

/**
 * What a parameter takes: a host parameter type, a value with nil and absence kept apart (reflect.Value), or such a
 * value where one inside of an interface {} is given as INTERFACE, unless it is an int.
 */
export type ArgumentType = ParameterType | 'value' | 'boxed';

/** Stands for a value inside of an interface {} where Go does not look inside: only its type shows. */
export const INTERFACE: GoValue = new HostObject({ name: 'interface {}', members: new Map() }, undefined);

export type Evaluate = (state: State) => GoValue;

/** An argument as written; how it is evaluated depends on what the callee wants. */
export interface Argument {
  readonly node: OperandNode;
  as(type: ArgumentType): Evaluate;
}

interface Signature {
  readonly parameters: readonly ArgumentType[];
  readonly variadic?: ArgumentType | undefined;
}

/** Checks the value against the parameter type, as Go does for everything but constants. */
export function validate(state: State, value: GoValue, type: ArgumentType): GoValue {
  if (type === 'value' || type === 'boxed') return value;
  if (type === 'any') return value === undefined ? null : value;
  if (value === undefined) return state.fail(`invalid value; expected ${type}`);
  const actual = typeName(value);
  if (actual !== type) state.fail(`wrong type for value; expected ${type}; got ${actual}`);
  return value;
}

/** Evaluates the arguments for a callee, after checking how many it wants. */
export function evaluateArguments(
  state: State,
  name: string,
  signature: Signature,
  args: readonly Argument[],
  piped: Piped,
): GoValue[] {
  const { parameters, variadic } = signature;
  const given = args.length + (piped === MISSING ? 0 : 1);
  if (variadic !== undefined) {
    if (given < parameters.length) {
      state.fail(`wrong number of args for ${name}: want at least ${parameters.length} got ${args.length}`);
    }
  } else if (given !== parameters.length) {
    state.fail(`wrong number of args for ${name}: want ${parameters.length} got ${given}`);
  }
  const values: GoValue[] = [];
  for (let i = 0; i < args.length; i++) {
    const evaluate = args[i]?.as(parameters[i] ?? variadic ?? 'value');
    values.push(evaluate?.(state));
  }
  if (piped !== MISSING) values.push(validate(state, piped, parameters[given - 1] ?? variadic ?? 'value'));
  return values;
}

/** Runs `call`; an error it throws becomes "error calling NAME: …" at the node of the call. */
export function guarded(state: State, node: ErrorNode, name: string, call: () => GoValue): GoValue {
  try {
    return call();
  } catch (error) {
    if (!(error instanceof Error) || passesThrough(error)) throw error;
    state.node = node;
    return state.fail(`error calling ${name}: ${error.message}`);
  }
}

/** What is no failure of the function itself: a limit, or the engine's own stack at its end. */
function passesThrough(error: Error): boolean {
  return error instanceof LimitExceeded || error instanceof RangeError;
}

export function callMethod(
  state: State,
  node: ErrorNode,
  receiver: HostObject,
  method: HostMethod<unknown>,
  name: string,
  args: readonly Argument[],
  piped: Piped,
): GoValue {
  const values = evaluateArguments(state, name, method, args, piped);
  const result = guarded(state, node, name, () => invoke(state, receiver, method, name, values));
  if (typeof result === 'string') state.charge(result.length >>> 2);
  return result;
}

function invoke(
  state: State,
  receiver: HostObject,
  method: HostMethod<unknown>,
  name: string,
  values: readonly GoValue[],
): GoValue {
  const { session } = state;
  if (method.hasEffect !== true) return immediate(method.call(receiver.self, values, hostCalls(state)), name);
  const earlier = session.settled[session.nextCall];
  if (earlier !== undefined) {
    session.nextCall++;
    return outcomeOf(earlier);
  }
  const { outsideCalls } = session.limits;
  if (session.nextCall >= outsideCalls) throw new LimitExceeded(`more than ${outsideCalls} calls of functions outside`);
  const settled = attempt(() => method.call(receiver.self, values, hostCalls(state)));
  if (settled instanceof Promise) {
    if (session.canWait) throw new Suspension(settled);
    settled.catch(() => undefined);
    throw new FunctionError(`${name} has to wait for something outside: render this template asynchronously`);
  }
  session.settled.push(settled);
  session.nextCall++;
  return outcomeOf(settled);
}

function immediate(result: GoValue | Promise<GoValue>, name: string): GoValue {
  if (!(result instanceof Promise)) return result;
  result.catch(() => undefined);
  throw new FunctionError(`${name} is not declared as a function that waits`);
}

function attempt(call: () => GoValue | Promise<GoValue>): SettledCall | Promise<GoValue> {
  try {
    const value = call();
    return value instanceof Promise ? value : { value };
  } catch (error) {
    if (error instanceof Error && !(error instanceof LimitExceeded)) return { error };
    throw error;
  }
}

function outcomeOf(settled: SettledCall): GoValue {
  if ('error' in settled) throw settled.error;
  return settled.value;
}

function hostCalls(state: State): HostCalls {
  return { render: (text, options) => state.session.renderInside(state, text, options) };
}
