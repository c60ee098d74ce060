/** `.Name`: methods, struct fields, map entries, and the texts for everything else. */
import { quote } from '../kit/go-quote.ts';
import { type Argument, callMethod, MISSING, type Piped } from './calls.ts';
import { mapEntries } from './containers.ts';
import type { ErrorNode } from './nodes.ts';
import type { State } from './state.ts';
import { GoMap, GoNamedBytes, type GoValue, HostObject, isJsonMap, ownEntry, typeName } from './values.ts';

/** Names every object inherits: an own entry must be told from these before it may be read. */
const INHERITED: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

const NO_ARGUMENTS: readonly Argument[] = [];

/**
 * Reads one field without arguments off a value that is most often a JSON map with that entry; undefined when the
 * long way must decide.
 */
export function quickFieldReader(name: string): (receiver: GoValue) => GoValue {
  if (INHERITED.has(name)) return (receiver) => (isJsonMap(receiver) ? ownEntry(receiver, name) : undefined);
  return (receiver) => {
    if (!isJsonMap(receiver)) return undefined;
    // Safe without an own-property test: Object.prototype has no such name.
    const value = receiver[name];
    if (typeof value === 'string') return value.toWellFormed();
    return typeof value === 'number' ? value : undefined;
  };
}

/** Follows the names from `receiver`; arguments belong to the last one. */
export function evaluateChain(
  state: State,
  node: ErrorNode,
  receiver: GoValue,
  isInterface: boolean,
  names: readonly string[],
  args: readonly Argument[],
  piped: Piped,
): GoValue {
  let value = receiver;
  let fromInterface = isInterface;
  const last = names.length - 1;
  for (let i = 0; i < last; i++) {
    const step = evaluateField(state, node, value, fromInterface, names[i] ?? '', NO_ARGUMENTS, MISSING);
    fromInterface = elementsAreInterfaces(value);
    value = step;
  }
  const result = evaluateField(state, node, value, fromInterface, names[last] ?? '', args, piped);
  state.isInterface = elementsAreInterfaces(value);
  return result;
}

/** Whether what was read out of `container` has the static type interface {}. */
function elementsAreInterfaces(container: GoValue): boolean {
  return container instanceof GoMap ? container.element === 'interface {}' : isJsonMap(container);
}

function evaluateField(
  state: State,
  node: ErrorNode,
  receiver: GoValue,
  isInterface: boolean,
  name: string,
  args: readonly Argument[],
  piped: Piped,
): GoValue {
  if (receiver === undefined) {
    if (state.program.unit.missingKey === 'error') state.fail(`nil data; no entry for key ${quote(name)}`);
    return undefined;
  }
  if (receiver === null) return state.fail(`nil pointer evaluating interface {}.${name}`);
  const hasArguments = args.length > 0 || piped !== MISSING;
  if (receiver instanceof HostObject) {
    const member = receiver.type.members.get(name) ?? receiver.type.extra?.(receiver.self, name);
    if (member?.kind === 'method') return callMethod(state, node, receiver, member, name, args, piped);
    if (member !== undefined) {
      if (hasArguments) state.fail(`${name} has arguments but cannot be invoked as function`);
      return receiver.read(name, member);
    }
  } else if (receiver instanceof GoNamedBytes) {
    if (name === 'String') {
      if (hasArguments)
        state.fail(`wrong number of args for String: want 0 got ${args.length + (piped === MISSING ? 0 : 1)}`);
      return receiver.text;
    }
  } else {
    const entries = mapEntries(receiver);
    if (entries !== undefined) {
      if (hasArguments) state.fail(`${name} is not a method but has arguments`);
      return ownEntry(entries, name) ?? absentEntry(state, receiver, entries, name);
    }
  }
  return state.fail(`can't evaluate field ${name} in type ${isInterface ? 'interface {}' : typeName(receiver)}`);
}

/** An entry that holds null, or is not there: then the missingkey option decides. */
function absentEntry(state: State, map: GoValue, entries: Readonly<Record<string, unknown>>, name: string): GoValue {
  if (Object.hasOwn(entries, name) && entries[name] !== undefined) return null;
  switch (state.program.unit.missingKey) {
    case 'error':
      return state.fail(`map has no entry for key ${quote(name)}`);
    case 'zero':
      return map instanceof GoMap && map.element === 'string' ? '' : null;
    default:
      return undefined;
  }
}
