/**
 * Expressions compiled to closures. Each sets `state.node` exactly where Go does, because that is the node an error
 * is reported at.
 */
import { builtin } from './builtins.ts';
import {
  type Argument,
  type ArgumentType,
  type Evaluate,
  evaluateArguments,
  guarded,
  INTERFACE,
  MISSING,
  type Piped,
  validate,
} from './calls.ts';
import { evaluateChain, quickFieldReader } from './fields.ts';
import {
  type ChainNode,
  type CommandNode,
  type ErrorNode,
  type FieldNode,
  type IdentifierNode,
  type NumberNode,
  nodeText,
  type OperandNode,
  type PipeNode,
  type VariableNode,
} from './nodes.ts';
import { idealConstant } from './numbers.ts';
import type { State } from './state.ts';
import { GoInt, type GoValue } from './values.ts';

type Command = (state: State, piped: Piped) => GoValue;

/** A pipeline, with its declarations. The value of an empty interface is what is inside: nil becomes no value. */
export function compilePipe(pipe: PipeNode): Evaluate {
  const value = compileCommands(pipe);
  if (pipe.declared.length === 0) return value;
  const names = pipe.declared.map((variable) => variable.names[0] ?? '');
  if (!pipe.isAssign) {
    return (state) => {
      const result = value(state);
      for (const name of names) state.declare(name, result);
      return result;
    };
  }
  return (state) => {
    const result = value(state);
    for (const name of names) assign(state, name, result);
    return result;
  };
}

function assign(state: State, name: string, value: GoValue): void {
  const variable = state.find(name);
  if (variable !== undefined) {
    variable.value = value;
    variable.isInterface = false;
  } else if (name === '$') state.root = value;
  else state.fail(`undefined variable: ${name}`);
}

function compileCommands(pipe: PipeNode): Evaluate {
  const [only] = pipe.commands;
  if (pipe.commands.length === 1 && only !== undefined) {
    const command = compileCommand(only);
    const field = singleField(only);
    if (field !== undefined) {
      const read = quickFieldReader(field.names[0] ?? '');
      return (state) => {
        state.node = field;
        return read(state.dot) ?? unwrapped(command(state, MISSING));
      };
    }
    return (state) => {
      state.node = pipe;
      return unwrapped(command(state, MISSING));
    };
  }
  const commands = pipe.commands.map(compileCommand);
  return (state) => {
    state.node = pipe;
    let value: Piped = MISSING;
    for (const command of commands) value = unwrapped(command(state, value));
    return value === MISSING ? undefined : value;
  };
}

const unwrapped = (value: GoValue): GoValue => (value === null ? undefined : value);

/** `.Name` alone: by far the most frequent expression, and most often a text or number in a JSON map. */
function singleField(command: CommandNode): FieldNode | undefined {
  const [first] = command.args;
  const isSingle = command.args.length === 1 && first?.kind === 'field' && first.names.length === 1;
  return isSingle ? first : undefined;
}

function compileCommand(command: CommandNode): Command {
  const [first, ...rest] = command.args;
  if (first === undefined) return () => undefined;
  const args = rest.map(compileArgument);
  switch (first.kind) {
    case 'field':
      return compileField(first, args);
    case 'chain':
      return compileChain(first, args);
    case 'identifier':
      return compileFunction(first, command, args);
    case 'variable':
      return compileVariable(first, args);
    case 'pipe': {
      const pipe = compilePipe(first);
      return (state, piped) => {
        rejectArguments(state, first, args, piped);
        return pipe(state);
      };
    }
    default: {
      const value = compileConstant(first);
      return (state, piped) => {
        state.node = first;
        rejectArguments(state, first, args, piped);
        return value(state);
      };
    }
  }
}

function rejectArguments(state: State, first: OperandNode, args: readonly Argument[], piped: Piped): void {
  if (args.length > 0 || piped !== MISSING) state.fail(`can't give argument to non-function ${nodeText(first)}`);
}

function compileConstant(node: OperandNode): Evaluate {
  switch (node.kind) {
    case 'bool':
      return () => node.value;
    case 'string':
      return () => node.value;
    case 'number':
      return numberConstant(node);
    case 'nil':
      return (state) => state.fail('nil is not a command');
    default:
      return (state) => state.dot;
  }
}

function numberConstant(node: NumberNode): Evaluate {
  const value = idealConstant(node.text, node.constant);
  if (value !== undefined) return () => value;
  return (state) => state.fail(`${node.text} overflows int`);
}

function compileField(node: FieldNode, args: readonly Argument[]): Command {
  return (state, piped) => {
    state.node = node;
    return evaluateChain(state, node, state.dot, state.dotIsInterface, node.names, args, piped);
  };
}

function compileChain(node: ChainNode, args: readonly Argument[]): Command {
  const base = compileArgument(node.base).as('value');
  return (state, piped) => {
    state.node = node;
    return evaluateChain(state, node, base(state), false, node.names, args, piped);
  };
}

function compileVariable(node: VariableNode, args: readonly Argument[]): Command {
  const [name = '$', ...fields] = node.names;
  return (state, piped) => {
    state.node = node;
    const variable = state.find(name);
    if (variable === undefined && name !== '$') state.fail(`undefined variable: ${name}`);
    const value = variable === undefined ? state.root : variable.value;
    if (fields.length > 0)
      return evaluateChain(state, node, value, variable?.isInterface === true, fields, args, piped);
    rejectArguments(state, node, args, piped);
    state.isInterface = variable?.isInterface === true;
    return value;
  };
}

/** `at` is where a failing call is reported: the whole command, or the name when it stands alone as an argument. */
function compileFunction(node: IdentifierNode, at: ErrorNode, args: readonly Argument[]): Command {
  const { name } = node;
  if (name === 'and' || name === 'or') return compileLogic(node, name, args);
  const callee = builtin(name);
  if (callee === undefined) {
    return (state) => {
      state.node = node;
      return state.fail(`"${name}" is not a defined function`);
    };
  }
  return (state, piped) => {
    state.node = node;
    const values = evaluateArguments(state, name, callee, args, piped);
    return guarded(state, at, name, () => callee.call(values, state));
  };
}

/** and, or: stop at the deciding argument and return it as it is. */
function compileLogic(node: IdentifierNode, name: 'and' | 'or', args: readonly Argument[]): Command {
  const values = args.map((argument) => argument.as('value'));
  const decides = name === 'or';
  return (state, piped) => {
    state.node = node;
    if (values.length === 0 && piped === MISSING) state.fail(`wrong number of args for ${name}: want at least 1 got 0`);
    let result: GoValue;
    for (const evaluate of values) {
      result = evaluate(state);
      if (state.isTrue(result) === decides) return result;
    }
    return piped === MISSING ? result : piped;
  };
}

/** An argument; compiled for each parameter type it is asked for. */
function compileArgument(node: OperandNode): Argument {
  const compiled = new Map<ArgumentType, Evaluate>();
  return {
    node,
    as: (type) => {
      let evaluate = compiled.get(type);
      if (evaluate === undefined) {
        evaluate = compileArgumentAs(node, type);
        compiled.set(type, evaluate);
      }
      return evaluate;
    },
  };
}

function compileArgumentAs(node: OperandNode, type: ArgumentType): Evaluate {
  switch (node.kind) {
    case 'bool':
    case 'number':
    case 'string':
      return compileConstantAs(node, type);
    case 'nil':
      return (state) => {
        state.node = node;
        if (type === 'any') return null;
        return type === 'value' || type === 'boxed' ? undefined : state.fail(`cannot assign nil to ${type}`);
      };
    case 'dot':
      return (state) => {
        state.node = node;
        state.isInterface = state.dotIsInterface;
        return validate(state, box(state, state.dot, type), type);
      };
    case 'pipe': {
      const pipe = compilePipe(node);
      return (state) => {
        state.node = node;
        return validate(state, pipe(state), type);
      };
    }
    default: {
      const command = compileOperand(node);
      if (type !== 'boxed') return (state) => validate(state, command(state, MISSING), type);
      return (state) => {
        state.isInterface = false;
        return box(state, command(state, MISSING), type);
      };
    }
  }
}

function box(state: State, value: GoValue, type: ArgumentType): GoValue {
  const isBoxed = type === 'boxed' && state.isInterface && value !== undefined && !(value instanceof GoInt);
  return isBoxed ? INTERFACE : value;
}

function compileOperand(node: FieldNode | VariableNode | ChainNode | IdentifierNode): Command {
  switch (node.kind) {
    case 'field':
      return compileField(node, []);
    case 'variable':
      return compileVariable(node, []);
    case 'chain':
      return compileChain(node, []);
    default:
      return compileFunction(node, node, []);
  }
}

type ConstantNode = Extract<OperandNode, { kind: 'bool' | 'number' | 'string' }>;

function compileConstantAs(node: ConstantNode, type: ArgumentType): Evaluate {
  if (type === 'value' || type === 'boxed' || type === 'any') {
    const value = compileConstant(node);
    return (state) => {
      state.node = node;
      return value(state);
    };
  }
  const value = typedConstant(node, type);
  const wanted = type === 'int' ? 'integer' : type;
  return (state) => {
    state.node = node;
    return value ?? state.fail(`expected ${wanted}; found ${nodeText(node)}`);
  };
}

/** The constant as a value of exactly that type; undefined when it cannot be one. */
function typedConstant(node: ConstantNode, type: 'string' | 'int'): GoValue {
  if (type === 'string') return node.kind === 'string' ? node.value : undefined;
  return node.kind === 'number' && node.constant.int !== undefined ? new GoInt(node.constant.int) : undefined;
}
