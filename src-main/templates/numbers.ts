/** Numeric constants: what a literal may be used as, by Go's rules for ideal constants. */

import { DECIMAL_FLOAT, parseFloat64, underscoresAreValid } from '../kit/go-float.ts';
import { parseMagnitude } from '../kit/go-integer.ts';
import { quote, unquoteCharacter } from '../kit/go-quote.ts';
import { GoComplex, GoInt, type GoValue } from './values.ts';

export interface NumberConstant {
  /** Set when usable as a signed integer. */
  readonly int?: bigint;
  readonly isUnsigned: boolean;
  /** Set when usable as a float. */
  readonly float?: number;
  readonly complex?: GoComplex;
}

/** The constant, or the text of Go's error. */
type ParsedNumber = { readonly constant: NumberConstant } | { readonly error: string };

const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);
const MAX_UINT64 = 2n ** 64n - 1n;

export function parseNumber(text: string, type: 'character constant' | 'complex' | 'number'): ParsedNumber {
  if (type === 'character constant') return parseCharacter(text);
  if (type === 'complex') return parseComplex(text);
  if (text.endsWith('i')) {
    const imaginary = parseFloat64(text.slice(0, -1));
    if (imaginary !== undefined) return { constant: complexConstant(0, imaginary) };
  }
  const integer = parseInteger(text);
  if (integer !== undefined) return integerConstant(integer, text);
  const float = parseFloat64(text);
  if (float === undefined) return { error: `illegal number syntax: ${quote(text)}` };
  if (!/[.eEpP]/.test(text)) return { error: `integer overflow: ${quote(text)}` };
  return { constant: floatConstant(float) };
}

function parseCharacter(text: string): ParsedNumber {
  const character = unquoteCharacter(text, 1, "'");
  if (character === undefined) return { error: 'invalid syntax' };
  if (text.slice(character.next) !== "'") return { error: `malformed character constant: ${text}` };
  const { code } = character;
  return { constant: { int: BigInt(code), isUnsigned: true, float: code } };
}

/** One number as Go's scanner takes it off a text; an i in front belongs to a would-be Inf. */
const SCANNED_FLOAT =
  /^[+-]?[iI]?(?:0[xX][0-9a-fA-F_]*(?:\.[0-9a-fA-F_]*)?(?:[pP][+-]?[\d_]*)?|[\d_]*(?:\.[\d_]*)?(?:[eEpP][+-]?[\d_]*)?)/;

function parseComplex(text: string): ParsedNumber {
  const real = SCANNED_FLOAT.exec(text)?.[0] ?? '';
  const rest = text.slice(real.length);
  const imaginary = SCANNED_FLOAT.exec(rest)?.[0] ?? '';
  if (!/^[+-]/.test(rest) || rest.charAt(imaginary.length) !== 'i')
    return { error: 'syntax error scanning complex number' };
  for (const part of [real, imaginary]) {
    if (parseFloat64(part) === undefined)
      return { error: `strconv.ParseFloat: parsing ${quote(part)}: ${floatProblem(part)}` };
  }
  return { constant: complexConstant(parseFloat64(real) ?? 0, parseFloat64(imaginary) ?? 0) };
}

/** Why a text is no float64: too large, or no number at all. */
function floatProblem(text: string): string {
  const isNumber = DECIMAL_FLOAT.test(text.replaceAll('_', '')) && underscoresAreValid(text);
  return isNumber ? 'value out of range' : 'invalid syntax';
}

/** strconv.ParseInt and ParseUint with base 0: prefixes and underscores allowed; undefined when it is no integer. */
function parseInteger(text: string): bigint | undefined {
  const [, sign = '', body = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  if (!underscoresAreValid(body)) return undefined;
  const magnitude = parseMagnitude(body.replaceAll('_', ''));
  if (magnitude === undefined || sign === '') return magnitude;
  const value = sign === '-' ? -magnitude : magnitude;
  return value <= MAX_INT64 && value >= MIN_INT64 ? value : undefined;
}

function integerConstant(value: bigint, text: string): ParsedNumber {
  const isSigned = value <= MAX_INT64;
  const isUnsigned = value === 0n || (value > 0n && !/^[+-]/.test(text));
  const constant = { isUnsigned, float: Number(value) };
  return { constant: isSigned ? { ...constant, int: value } : constant };
}

function floatConstant(value: number): NumberConstant {
  const integer = Number.isInteger(value) ? BigInt(value) : undefined;
  const isUnsigned = integer !== undefined && integer >= 0n && integer <= MAX_UINT64;
  if (integer === undefined || integer > MAX_INT64 || integer < MIN_INT64) return { isUnsigned, float: value };
  return { int: integer, isUnsigned, float: value };
}

function complexConstant(real: number, imaginary: number): NumberConstant {
  const complex = new GoComplex(real, imaginary);
  return imaginary === 0 ? { ...floatConstant(real), complex } : { isUnsigned: false, complex };
}

/** The value of a constant where any type will do; undefined when an integer does not fit Go's int. */
export function idealConstant(text: string, constant: NumberConstant): GoValue {
  if (constant.complex !== undefined) return constant.complex;
  const isHexInteger = /^0[xX]./s.test(text) && !/[pP]/.test(text);
  if (constant.float !== undefined && !isHexInteger && !text.startsWith("'") && /[.eEpP]/.test(text))
    return constant.float;
  return constant.int === undefined ? undefined : new GoInt(constant.int);
}
