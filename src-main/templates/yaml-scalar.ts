/** How yaml.v2 writes one text: which quoting it needs, decided by what a YAML 1.1 reader would take it for. */
import { parseFloat64 } from '../kit/go-float.ts';
import { parseMagnitude } from '../kit/go-integer.ts';

/** Words that YAML 1.1 reads as a boolean, null or a special number. */
const RESERVED = new Set(
  [
    'y Y yes Yes YES true True TRUE on On ON n N no No NO false False FALSE off Off OFF',
    '~ null Null NULL .nan .NaN .NAN .inf .Inf .INF +.inf +.Inf +.INF -.inf -.Inf -.INF',
  ].flatMap((line) => line.split(' ')),
);

const BASE_60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
const DATE_TIME = /^(\d{4})-(\d{1,2})-(\d{1,2})([Tt ])(\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(Z|[+-]\d\d:\d\d)?$/;
const MIN_INT64 = -(2n ** 63n);

/** True when an unquoted text would be read back as something else than this text. */
function resolvesToOtherType(text: string): boolean {
  if (text === '' || RESERVED.has(text) || BASE_60.test(text)) return true;
  const first = text.charAt(0);
  if (first === '.') return parseFloat64(text) !== undefined;
  if (!/[-+0-9]/.test(first)) return false;
  if (isTimestamp(text)) return true;
  const plain = text.replaceAll('_', '');
  if (isInteger(plain)) return true;
  return /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/.test(plain) && parseFloat64(plain) !== undefined;
}

function isInteger(text: string): boolean {
  const [, sign = '', body = ''] = /^([-+]?)(.+)$/s.exec(text) ?? [];
  const value = parseMagnitude(body);
  if (value === undefined) return false;
  if (sign === '-') return -value >= MIN_INT64;
  return sign === '' || value < -MIN_INT64;
}

function isTimestamp(text: string): boolean {
  const date = DATE.exec(text);
  if (date !== null) return isDay(date);
  const time = DATE_TIME.exec(text);
  if (time === null || !isDay(time)) return false;
  const hasZone = time[8] !== undefined;
  if ((time[4] === ' ') === hasZone) return false;
  return Number(time[5]) < 24 && Number(time[6]) < 60 && Number(time[7]) < 60;
}

function isDay([, year, month, day]: RegExpExecArray): boolean {
  const monthNumber = Number(month);
  const dayNumber = Number(day);
  if (monthNumber < 1 || monthNumber > 12 || dayNumber < 1) return false;
  const leapYear = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0);
  const longMonth = monthNumber === 2 ? (leapYear ? 29 : 28) : [4, 6, 9, 11].includes(monthNumber) ? 30 : 31;
  return dayNumber <= longMonth;
}

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal';

export const isBreak = (character: string | undefined): boolean =>
  character === '\n' ||
  character === '\r' ||
  character === '\u0085' ||
  character === '\u2028' ||
  character === '\u2029';

const isBlank = (character: string): boolean => character === ' ' || character === '\t';

/** What the emitter writes as it is; everything else goes into double quotes as an escape. */
function isPlainCharacter(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  if (code === 0x0a || (code >= 0x20 && code <= 0x7e)) return true;
  return code >= 0xa0 && code <= 0xfffd && code !== 0xfeff;
}

interface Analysis {
  readonly isMultiline: boolean;
  readonly allowsPlain: boolean;
  readonly allowsSingle: boolean;
  readonly allowsLiteral: boolean;
}

/** Which styles could hold the text, outside of flow collections. */
export function analyse(characters: readonly string[]): Analysis {
  const first = characters[0] ?? '';
  const last = characters.at(-1) ?? '';
  if (characters.length === 0)
    return { isMultiline: false, allowsPlain: true, allowsSingle: true, allowsLiteral: false };
  const head = characters.slice(0, 3).join('');
  let hasIndicator = head === '---' || head === '...';
  let isSpecial = false;
  let isMultiline = false;
  let spaceAfterBreak = false;
  let breakAfterSpace = false;
  characters.forEach((character, index) => {
    const next = characters[index + 1];
    const previous = characters[index - 1];
    hasIndicator ||=
      index === 0 ? isLeadingIndicator(character, next) : isInnerIndicator(character, previous ?? '', next);
    isSpecial ||= !isPlainCharacter(character);
    isMultiline ||= isBreak(character);
    spaceAfterBreak ||= character === ' ' && isBreak(previous);
    breakAfterSpace ||= isBreak(character) && previous === ' ';
  });
  const hasEdge = first === ' ' || isBreak(first) || last === ' ' || isBreak(last);
  const needsEscapes = breakAfterSpace || isSpecial;
  return {
    isMultiline,
    allowsPlain: !(hasEdge || spaceAfterBreak || needsEscapes || isMultiline || hasIndicator),
    allowsSingle: !(spaceAfterBreak || needsEscapes),
    allowsLiteral: last !== ' ' && !needsEscapes,
  };
}

function isLeadingIndicator(character: string, next: string | undefined): boolean {
  if ('#,[]{}&*!|>\'"%@`'.includes(character)) return true;
  return '?:-'.includes(character) && (next === undefined || isBlank(next));
}

function isInnerIndicator(character: string, previous: string, next: string | undefined): boolean {
  if (character === ':') return next === undefined || isBlank(next);
  return character === '#' && (isBlank(previous) || isBreak(previous) || previous === '\0');
}

export function chooseStyle(text: string, analysis: Analysis, isSimpleKey: boolean): ScalarStyle {
  let style: ScalarStyle = text.includes('\n') ? 'literal' : resolvesToOtherType(text) ? 'double' : 'plain';
  if (isSimpleKey && analysis.isMultiline) style = 'double';
  if (style === 'plain' && (!analysis.allowsPlain || (text === '' && isSimpleKey))) style = 'single';
  if (style === 'single' && !analysis.allowsSingle) style = 'double';
  if (style === 'literal' && (!analysis.allowsLiteral || isSimpleKey)) style = 'double';
  return style;
}

const NAMED_ESCAPES: Readonly<Record<number, string>> = {
  0: '0',
  7: 'a',
  8: 'b',
  9: 't',
  10: 'n',
  11: 'v',
  12: 'f',
  13: 'r',
  27: 'e',
  34: '"',
  92: '\\',
  133: 'N',
  160: '_',
  8232: 'L',
  8233: 'P',
};

/** The double-quoted form of a character that cannot stand for itself there; undefined when it can. */
export function doubleQuotedEscape(character: string): string | undefined {
  const standsForItself = isPlainCharacter(character) && !isBreak(character) && character !== '"' && character !== '\\';
  return standsForItself ? undefined : escapeCharacter(character);
}

export function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const named = NAMED_ESCAPES[code];
  if (named !== undefined) return `\\${named}`;
  const digits = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${digits.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
}
