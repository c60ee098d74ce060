/** The functions of text/template itself. Error texts are Go's; the caller puts "error calling NAME: " before them. */
import { toBytes } from '../kit/go-string.ts';
import type { ArgumentType } from './calls.ts';
import { isEqual, isLess, isLessOrEqual } from './compare.ts';
import { lengthOf } from './containers.ts';
import { FunctionError } from './errors.ts';
import { escapeHtml, escapeJs, escapeQuery } from './escape.ts';
import { indexValue, sliceValue } from './indexing.ts';
import { printed, sprint, sprintln } from './printer.ts';
import { sprintf } from './printf.ts';
import type { State } from './state.ts';
import { type GoValue, goInt, typeName } from './values.ts';

interface Builtin {
  readonly parameters: readonly ArgumentType[];
  readonly variadic?: ArgumentType;
  call(args: readonly GoValue[], state: State): GoValue;
}

/** eq, lt and the like: comparing texts is charged by their length. */
const comparison = (decide: (left: GoValue, right: GoValue, maxLength: number) => boolean): Builtin => ({
  parameters: ['value', 'value'],
  call: ([left, right], state) => {
    if (typeof left === 'string') state.charge(left.length >>> 6);
    return decide(left, right, state.session.limits.outputLength);
  },
});

function equality(args: readonly GoValue[], state: State): GoValue {
  const [first, ...others] = args;
  if (typeof first === 'string') state.charge((first.length * others.length) >>> 6);
  return isEqual(first, others, state.session.limits.outputLength);
}

const text = (
  parameters: readonly ArgumentType[],
  make: (args: readonly GoValue[], maxLength: number) => string,
): Builtin => ({
  parameters,
  variadic: 'any',
  call: (args, state) => {
    for (const arg of args) if (typeof arg === 'string') state.charge(arg.length >>> 3);
    const isCheap = args.every((arg) => typeof arg !== 'object');
    return state.charged(isCheap ? 3 : 2, (maxLength) => make(args, maxLength));
  },
});

/** html, js and urlquery take the text of all arguments together, as print makes it. */
function joined(args: readonly GoValue[], maxLength: number): string {
  const [only] = args;
  if (args.length === 1 && only !== undefined && only !== null) return printed(only, maxLength);
  // Nil and pointers print as an action would print them.
  return sprint(
    args.map((arg) => arg ?? '<no value>'),
    maxLength,
    'as actions do',
  );
}

function call([callee]: readonly GoValue[]): GoValue {
  if (callee === undefined || callee === null) throw new FunctionError('call of nil');
  // No value a template can hold is a function: methods are called where they are named.
  throw new FunctionError(`non-function of type ${typeName(callee)}`);
}

function length([value]: readonly GoValue[], state: State): GoValue {
  if (value === undefined) throw new FunctionError('reflect: call of reflect.Value.Type on zero Value');
  if (value === null) throw new FunctionError('len of nil pointer');
  const size = state.sizeOfMap(value) ?? lengthOf(value);
  if (size === undefined) throw new FunctionError(`len of type ${structName(value)}`);
  if (typeof value === 'string') state.charge(value.length >>> 5);
  return goInt(size);
}

/** len looks through a pointer before it complains. */
const structName = (value: GoValue): string => typeName(value).replace(/^\*/, '');

const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ['call', { parameters: ['value'], variadic: 'value', call }],
  ['html', text([], (args, max) => escapeHtml(joined(args, max)))],
  ['js', text([], (args, max) => escapeJs(joined(args, max)))],
  ['urlquery', text([], (args, max) => escapeQuery(toBytes(joined(args, max))))],
  ['print', text([], sprint)],
  ['println', text([], sprintln)],
  [
    'printf',
    text(['string'], ([format, ...args], max) => sprintf(typeof format === 'string' ? format : '', args, max)),
  ],
  ['len', { parameters: ['value'], call: length }],
  [
    'index',
    { parameters: ['value'], variadic: 'value', call: ([item, ...keys], state) => indexValue(item, keys, state) },
  ],
  [
    'slice',
    { parameters: ['value'], variadic: 'boxed', call: ([item, ...keys], state) => sliceValue(item, keys, state) },
  ],
  ['not', { parameters: ['value'], call: ([value], state) => !state.isTrue(value) }],
  ['eq', { parameters: ['value'], variadic: 'value', call: equality }],
  ['ne', comparison((left, right, max) => !isEqual(left, [right], max))],
  ['lt', comparison(isLess)],
  ['le', comparison(isLessOrEqual)],
  ['gt', comparison((left, right, max) => !isLessOrEqual(left, right, max))],
  ['ge', comparison((left, right) => !isLess(left, right))],
]);

export function builtin(name: string): Builtin | undefined {
  return BUILTINS.get(name);
}

/** Every name a template may call. */
export const FUNCTION_NAMES: ReadonlySet<string> = new Set([...BUILTINS.keys(), 'and', 'or']);
