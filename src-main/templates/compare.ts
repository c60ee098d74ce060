/** eq, lt and what is made of them: only values of the same basic kind compare. */
import { compareBytes } from '../kit/go-string.ts';
import { FunctionError } from './errors.ts';
import { sprintf } from './printf.ts';
import {
  GoComplex,
  GoInt,
  GoMap,
  GoNamedBytes,
  GoSlice,
  type GoValue,
  HostObject,
  kindOf,
  typeName,
} from './values.ts';

const BASIC_KINDS: ReadonlySet<string> = new Set(['bool', 'int', 'uint', 'float', 'complex', 'string']);

type BasicKind = 'none' | 'bool' | 'int' | 'uint' | 'float' | 'complex' | 'string';

function basicKind(value: GoValue): BasicKind {
  const kind = kindOf(value);
  return BASIC_KINDS.has(kind) ? (kind as BasicKind) : 'none';
}

const isAbsent = (value: GoValue): boolean => value === undefined || value === null;

function isNil(value: GoValue): boolean {
  if (value instanceof GoNamedBytes) return value.bytes.length === 0;
  return isAbsent(value) || ((value instanceof GoSlice || value instanceof GoMap) && value.isNil);
}

const integer = (value: GoValue): bigint => (value instanceof GoInt ? value.value : 0n);

/** eq: whether `first` equals any of `others`. */
export function isEqual(first: GoValue, others: readonly GoValue[], maxLength: number): boolean {
  if (others.length === 0) throw new FunctionError('missing argument for comparison');
  return others.some((other) => areEqual(first, other, maxLength));
}

function areEqual(left: GoValue, right: GoValue, maxLength: number): boolean {
  const kind = basicKind(left);
  const other = basicKind(right);
  if (kind !== other) {
    if ((kind === 'int' && other === 'uint') || (kind === 'uint' && other === 'int'))
      return integer(left) === integer(right);
    if (isAbsent(left) || isAbsent(right)) return false;
    throw new FunctionError('incompatible types for comparison');
  }
  switch (kind) {
    case 'none':
      return areEqualReferences(left, right, maxLength);
    case 'int':
    case 'uint':
      return integer(left) === integer(right);
    case 'complex':
      return areEqualComplex(left, right);
    default:
      return left === right;
  }
}

function areEqualComplex(left: GoValue, right: GoValue): boolean {
  if (!(left instanceof GoComplex && right instanceof GoComplex)) return false;
  return left.real === right.real && left.imaginary === right.imaginary;
}

/** Lists, maps, pointers and nil. */
function areEqualReferences(left: GoValue, right: GoValue, maxLength: number): boolean {
  if (!isAbsent(left) && !isAbsent(right) && kindOf(left) !== kindOf(right)) {
    const types = [left, typeName(left), typeName(right), right];
    throw new FunctionError(sprintf('non-comparable types %s: %v, %s: %v', types, maxLength));
  }
  if (isNil(left) || isNil(right)) return isNil(left) === isNil(right);
  if (!(right instanceof HostObject)) {
    throw new FunctionError(sprintf('non-comparable type %s: %v', [right, typeName(right)], maxLength));
  }
  return left === right;
}

/** lt. */
export function isLess(left: GoValue, right: GoValue): boolean {
  const kind = basicKind(left);
  const other = basicKind(right);
  if (kind === 'none' || other === 'none') throw new FunctionError('invalid type for comparison');
  if (left instanceof GoInt && right instanceof GoInt) return left.value < right.value;
  if (kind !== other) throw new FunctionError('incompatible types for comparison');
  if (typeof left === 'string' && typeof right === 'string') return compareBytes(left, right) < 0;
  if (typeof left === 'number' && typeof right === 'number') return left < right;
  throw new FunctionError('invalid type for comparison');
}

/** le. */
export function isLessOrEqual(left: GoValue, right: GoValue, maxLength: number): boolean {
  return isLess(left, right) || isEqual(left, [right], maxLength);
}
