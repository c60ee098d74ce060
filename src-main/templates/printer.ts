/** Go's fmt on template values: Sprint, Sprintln, Sprintf. Result text may hold raw bytes (see kit/go-string). */
import { shortestFloat } from '../kit/go-float.ts';
import { joinRawBytes } from '../kit/go-string.ts';
import { listView, mapView } from './containers.ts';
import {
  type Flags,
  formatBool,
  formatCharacter,
  formatFloatVerb,
  formatHexBytes,
  formatInteger,
  formatQuoted,
  formatQuotedCharacter,
  formatString,
  formatUnicode,
  hexOfString,
  noFlags,
  pad,
} from './format.ts';
import { outputTooLong } from './limits.ts';
import { GoComplex, GoInt, GoMap, GoNamedBytes, GoSlice, type GoValue, HostObject, typeName } from './values.ts';

/** Where Go would print a memory address. */
const ADDRESS = 0xc000010000n;

/** The text of a value as print writes it, for the common kinds without a Printer. */
export function printed(value: GoValue, maxLength: number): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return shortestFloat(value);
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (value instanceof GoInt) return value.value.toString();
  const printer = new Printer(maxLength);
  // print itself shows a pointer with an ampersand; what comes here are actions and escapers.
  if (value instanceof HostObject) printer.printFields(value, 'v');
  else printer.printArgument(value, 'v');
  return printer.text();
}

/** fmt.Sprint: a space between two operands when neither is a string. Actions and escapers look through a pointer. */
export function sprint(
  values: readonly GoValue[],
  maxLength: number,
  pointers: 'with ampersand' | 'as actions do' = 'with ampersand',
): string {
  const printer = new Printer(maxLength);
  values.forEach((value, index) => {
    const isApart = index > 0 && typeof value !== 'string' && typeof values[index - 1] !== 'string';
    if (isApart) printer.write(' ');
    if (pointers === 'as actions do' && value instanceof HostObject) printer.printFields(value, 'v');
    else printer.printArgument(value, 'v');
  });
  return printer.text();
}

/** fmt.Sprintln: spaces between all, and a newline. */
export function sprintln(values: readonly GoValue[], maxLength: number): string {
  const printer = new Printer(maxLength);
  values.forEach((value, index) => {
    if (index > 0) printer.write(' ');
    printer.printArgument(value, 'v');
  });
  printer.write('\n');
  return printer.text();
}

function isNilContainer(value: GoValue): boolean {
  if (value instanceof GoNamedBytes) return value.bytes.length === 0;
  return (value instanceof GoSlice || value instanceof GoMap) && value.isNil;
}

/** Formats one value at a time into a growing text. Nil is `null`; `undefined` is taken for it. */
export class Printer {
  flags: Flags = noFlags();
  private buffer = '';
  private isErroring = false;
  /** What a wrong verb is reported about: an argument, or an element inside of one. */
  private culprit: GoValue = null;
  private readonly maxLength: number;

  constructor(maxLength: number) {
    this.maxLength = maxLength;
  }

  text(): string {
    return joinRawBytes(this.buffer);
  }

  write(text: string): void {
    this.buffer += text;
    if (this.buffer.length > this.maxLength) throw outputTooLong(this.maxLength);
  }

  badVerb(verb: string): void {
    this.isErroring = true;
    this.write(`%!${verb}(`);
    const { culprit } = this;
    if (culprit === null || culprit === undefined) this.write('<nil>');
    else {
      this.write(`${typeName(culprit)}=`);
      this.printArgument(culprit, 'v');
    }
    this.write(')');
    this.isErroring = false;
  }

  printArgument(value: GoValue, verb: string): void {
    this.culprit = value;
    if (value === null || value === undefined) {
      if (verb === 'T' || verb === 'v') this.write(pad(this.flags, '<nil>'));
      else this.badVerb(verb);
    } else if (verb === 'T') this.write(formatString(this.flags, typeName(value)));
    else if (verb === 'w') this.badVerb(verb);
    else if (verb === 'p') this.printAddress(value, verb);
    else if (!this.usesMethod(value, verb)) this.printConcrete(value, verb, 0);
  }

  /** An element of a container. `isInterface`: it sits there as an interface {} value. */
  private printElement(value: GoValue, verb: string, isInterface: boolean, depth: number): void {
    this.culprit = value;
    if (verb === 'w' && !this.isErroring) this.badVerb(verb);
    else if (value === null || value === undefined) {
      this.write(this.flags.sharpV && isInterface ? 'interface {}(nil)' : '<nil>');
    } else if (!this.usesMethod(value, verb)) this.printConcrete(value, verb, depth);
  }

  /** True when the value has a String method that this verb uses, and it has been printed that way. */
  private usesMethod(value: GoValue, verb: string): boolean {
    if (this.isErroring || !(value instanceof GoNamedBytes) || this.flags.sharpV) return false;
    if (!'vsxXq'.includes(verb)) return false;
    this.printString(value.text, verb);
    return true;
  }

  private printConcrete(value: GoValue, verb: string, depth: number): void {
    if (typeof value === 'string') this.printString(value, verb);
    else if (typeof value === 'number') this.printFloat(value, verb);
    else if (typeof value === 'boolean') {
      if (verb === 't' || verb === 'v') this.write(formatBool(this.flags, value));
      else this.badVerb(verb);
    } else if (value instanceof GoInt) this.printInteger(value, verb);
    else if (value instanceof GoComplex) this.printComplex(value, verb);
    else if (value instanceof HostObject) this.printPointer(value, verb, depth);
    else this.printContainer(value, verb, depth);
  }

  private printString(text: string, verb: string): void {
    if (verb === 's' || (verb === 'v' && !this.flags.sharpV)) this.write(formatString(this.flags, text));
    else if (verb === 'q' || verb === 'v') this.write(formatQuoted(this.flags, text));
    else if (verb === 'x' || verb === 'X') this.write(hexOfString(this.flags, text, verb === 'X'));
    else this.badVerb(verb);
  }

  private printFloat(value: number, verb: string): void {
    switch (verb) {
      case 'v':
        this.write(formatFloatVerb(this.flags, value, 'g', -1));
        break;
      case 'b':
      case 'g':
      case 'G':
      case 'x':
      case 'X':
        this.write(formatFloatVerb(this.flags, value, verb, -1));
        break;
      case 'e':
      case 'E':
      case 'f':
        this.write(formatFloatVerb(this.flags, value, verb, 6));
        break;
      case 'F':
        this.write(formatFloatVerb(this.flags, value, 'f', 6));
        break;
      default:
        this.badVerb(verb);
    }
  }

  private printComplex(value: GoComplex, verb: string): void {
    if (!'vbgGxXfFeE'.includes(verb)) {
      this.badVerb(verb);
      return;
    }
    const { plus } = this.flags;
    this.write('(');
    this.printFloat(value.real, verb);
    this.flags.plus = true;
    this.printFloat(value.imaginary, verb);
    this.write('i)');
    this.flags.plus = plus;
  }

  private printInteger(value: GoInt, verb: string): void {
    const { flags } = this;
    const number = value.value;
    switch (verb) {
      case 'v':
        if (flags.sharpV && value.type === 'uint8') this.write(this.hexadecimal(number, true));
        else this.write(formatInteger(flags, number, 10, verb));
        break;
      case 'd':
        this.write(formatInteger(flags, number, 10, verb));
        break;
      case 'b':
        this.write(formatInteger(flags, number, 2, verb));
        break;
      case 'o':
      case 'O':
        this.write(formatInteger(flags, number, 8, verb));
        break;
      case 'x':
      case 'X':
        this.write(formatInteger(flags, number, 16, verb));
        break;
      case 'c':
        this.write(formatCharacter(flags, number));
        break;
      case 'q':
        this.write(formatQuotedCharacter(flags, number));
        break;
      case 'U':
        this.write(formatUnicode(flags, number));
        break;
      default:
        this.badVerb(verb);
    }
  }

  private hexadecimal(value: bigint, withPrefix: boolean): string {
    return formatInteger({ ...this.flags, sharp: withPrefix }, value, 16, 'v');
  }

  private printContainer(value: GoValue, verb: string, depth: number): void {
    if (value instanceof GoNamedBytes && 'sqxX'.includes(verb)) {
      this.printBytes(value, verb);
      return;
    }
    const { sharpV } = this.flags;
    const map = mapView(value);
    if (sharpV) {
      this.write(typeName(value));
      if (isNilContainer(value)) {
        this.write('(nil)');
        return;
      }
    }
    this.write(sharpV ? '{' : map === undefined ? '[' : 'map[');
    const separator = sharpV ? ', ' : ' ';
    const list = listView(value);
    for (let i = 0; i < (list?.length ?? map?.keys.length ?? 0); i++) {
      if (i > 0) this.write(separator);
      if (list !== undefined) this.printElement(list.at(i), verb, list.isInterface, depth + 1);
      else if (map !== undefined) {
        const key = map.keys[i] ?? '';
        this.printElement(key, verb, false, depth + 1);
        this.write(':');
        this.printElement(map.get(key), verb, map.isInterface, depth + 1);
      }
    }
    this.write(sharpV ? '}' : ']');
  }

  private printBytes(value: GoNamedBytes, verb: string): void {
    if (verb === 'x' || verb === 'X') this.write(formatHexBytes(this.flags, value.bytes, verb === 'X'));
    else this.printString(value.text, verb);
  }

  /** A pointer to a struct: its fields at the outside, an address inside of something else. */
  private printPointer(value: HostObject, verb: string, depth: number): void {
    if (depth > 0) {
      this.printAddress(value, verb);
      return;
    }
    this.write('&');
    this.printFields(value, verb);
  }

  /** The struct behind a pointer. */
  printFields(value: HostObject, verb: string): void {
    const { sharpV, plusV } = this.flags;
    this.write(sharpV ? `${value.type.name.slice(1)}{` : '{');
    let isFirst = true;
    for (const [name, member] of value.type.members) {
      if (member.kind !== 'field') continue;
      if (!isFirst) this.write(sharpV ? ', ' : ' ');
      isFirst = false;
      if (sharpV || plusV) this.write(`${name}:`);
      this.printElement(value.read(name, member), verb, false, 1);
    }
    this.write('}');
  }

  private printAddress(value: GoValue, verb: string): void {
    const { flags } = this;
    const hasAddress = value instanceof HostObject || (listView(value) ?? mapView(value)) !== undefined;
    if (!hasAddress) this.badVerb(verb);
    else if (verb === 'p') this.write(this.hexadecimal(ADDRESS, !flags.sharp));
    else if (verb === 'v')
      this.write(
        flags.sharpV
          ? `(${typeName(value)})(${this.hexadecimal(ADDRESS, true)})`
          : this.hexadecimal(ADDRESS, !flags.sharp),
      );
    else if ('bodxX'.includes(verb)) this.printInteger(new GoInt(ADDRESS), verb);
    else this.badVerb(verb);
  }
}
