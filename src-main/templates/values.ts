/**
 * The values a template computes with. JSON stands for Go's decoded JSON: number is float64, string, boolean, array
 * ([]interface {}), plain object (map[string]interface {}). `null` is a nil inside an interface, `undefined` is no
 * value at all (reflect's zero Value): Go treats the two differently, and so do we. Everything that has another Go
 * type is one of the classes below. Only own properties of plain objects are ever read.
 */

export type GoValue =
  | undefined
  | null
  | boolean
  | number
  | string
  | GoInt
  | GoComplex
  | GoSlice
  | GoMap
  | GoNamedBytes
  | HostObject
  | readonly unknown[]
  | { readonly [key: string]: unknown };

/** A Go integer. `type` is the Go type name; constants and lengths are int, bytes of strings uint8. */
export class GoInt {
  readonly value: bigint;
  readonly type: 'int' | 'uint8';
  constructor(value: bigint, type: 'int' | 'uint8' = 'int') {
    this.value = value;
    this.type = type;
  }
}

const SMALL_INTS: readonly GoInt[] = Array.from({ length: 256 }, (_, i) => new GoInt(BigInt(i)));

/** A Go int from a safe integer. */
export function goInt(value: number): GoInt {
  return SMALL_INTS[value] ?? new GoInt(BigInt(value));
}

/** complex128. */
export class GoComplex {
  readonly real: number;
  readonly imaginary: number;
  constructor(real: number, imaginary: number) {
    this.real = real;
    this.imaginary = imaginary;
  }
}

/** A slice that is not a whole decoded JSON array: typed (`[]string`), nil, or cut by the slice function. */
export class GoSlice {
  readonly type: string;
  readonly backing: readonly unknown[];
  readonly start: number;
  readonly length: number;
  readonly capacity: number;
  readonly isNil: boolean;
  constructor(
    type: string,
    backing: readonly unknown[],
    start: number,
    length: number,
    capacity: number,
    isNil = false,
  ) {
    this.type = type;
    this.backing = backing;
    this.start = start;
    this.length = length;
    this.capacity = capacity;
    this.isNil = isNil;
  }
  /** A typed list as encoding/json decodes it: the capacity grows by half, from four. */
  static of(type: string, items: readonly unknown[] | null | undefined): GoSlice {
    const list = items ?? [];
    let capacity = 0;
    while (capacity < list.length) capacity = Math.max(4, capacity + (capacity >>> 1));
    return new GoSlice(type, list, 0, list.length, capacity, !items);
  }
}

/** A map with another type than map[string]interface {}: `type` such as models.Meta, `element` such as string. */
export class GoMap {
  readonly type: string;
  readonly element: string;
  readonly entries: Readonly<Record<string, unknown>>;
  readonly isNil: boolean;
  constructor(type: string, element: string, entries: Readonly<Record<string, unknown>> | null | undefined) {
    this.type = type;
    this.element = element;
    this.entries = entries ?? {};
    this.isNil = !entries;
  }
}

/** A named byte slice with a String method: net.IP, uuid.UUID. */
export class GoNamedBytes {
  readonly type: string;
  readonly bytes: Uint8Array;
  private readonly describe: (bytes: Uint8Array) => string;
  constructor(type: string, bytes: Uint8Array, describe: (bytes: Uint8Array) => string) {
    this.type = type;
    this.bytes = bytes;
    this.describe = describe;
  }
  /** What its String method returns. */
  get text(): string {
    return this.describe(this.bytes);
  }
  slice(from: number, to: number): GoNamedBytes {
    return new GoNamedBytes(this.type, this.bytes.subarray(from, to), this.describe);
  }
}

/** What a host function may ask for: Go's string, int, or interface {}. */
export type ParameterType = 'string' | 'int' | 'any';

/** What a host function gets besides its arguments: a way to render more text on the budget of this rendering. */
export interface HostCalls {
  render(
    text: string,
    options: { readonly name: string; readonly dot: GoValue; readonly missingKey: MissingKey },
  ): string;
}

export type MissingKey = 'default' | 'zero' | 'error';

/** A method callable from a template. Throw an Error to fail: its message follows "error calling NAME: ". */
export interface HostMethod<Self> {
  readonly kind: 'method';
  readonly parameters: readonly ParameterType[];
  /** Type of any further arguments. */
  readonly variadic?: ParameterType;
  /** True when two calls may differ or do something: such calls run once per rendering, even when it is resumed. */
  readonly hasEffect?: boolean;
  call(self: Self, args: readonly GoValue[], host: HostCalls): GoValue | Promise<GoValue>;
}

export interface HostField<Self> {
  readonly kind: 'field';
  get(self: Self): GoValue;
}

export type HostMember<Self> = HostField<Self> | HostMethod<Self>;

/** A Go pointer to a struct: `name` is what error texts call it, such as *models.Info. */
export interface HostType<Self> {
  readonly name: string;
  readonly members: ReadonlyMap<string, HostMember<Self>>;
  /** Members that only some objects of the type have; asked after `members`. */
  extra?(self: Self, name: string): HostMember<Self> | undefined;
}

export class HostObject<Self = unknown> {
  readonly type: HostType<Self>;
  readonly self: Self;
  private made: Map<string, GoValue> | undefined;
  constructor(type: HostType<Self>, self: Self) {
    this.type = type;
    this.self = self;
  }
  /** The value of its field `name`. Lists and maps are built once, because a loop may read them any number of times. */
  read(name: string, field: HostField<Self>): GoValue {
    const known = this.made?.get(name);
    if (known !== undefined) return known;
    const value = field.get(this.self);
    if (typeof value === 'object' && value !== null) {
      this.made ??= new Map();
      this.made.set(name, value);
    }
    return value;
  }
}

type Kind = 'invalid' | 'nil' | 'bool' | 'int' | 'uint' | 'float' | 'complex' | 'string' | 'slice' | 'map' | 'pointer';

/** reflect's Kind, as far as it matters here. */
export function kindOf(value: GoValue): Kind {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'undefined':
      return 'invalid';
    default:
      return value === null ? 'nil' : kindOfObject(value);
  }
}

function kindOfObject(value: object): Kind {
  if (Array.isArray(value) || value instanceof GoSlice || value instanceof GoNamedBytes) return 'slice';
  if (value instanceof GoInt) return value.type === 'int' ? 'int' : 'uint';
  if (value instanceof GoComplex) return 'complex';
  return value instanceof HostObject ? 'pointer' : 'map';
}

/** The Go type name: `%T`, and what error texts say. */
export function typeName(value: GoValue): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return 'float64';
    case 'boolean':
      return 'bool';
    case 'undefined':
      return 'interface {}';
    default:
  }
  if (value === null) return 'interface {}';
  if (value instanceof HostObject) return value.type.name;
  if (value instanceof GoComplex) return 'complex128';
  if (value instanceof GoInt || value instanceof GoSlice || value instanceof GoMap || value instanceof GoNamedBytes) {
    return value.type;
  }
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}

/** An object of decoded JSON, as opposed to arrays and the classes above. */
export function isJsonMap(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * Data as a value. Anything foreign (functions, symbols, class instances) reads as nil, and a lone surrogate in a text
 * as U+FFFD, as Go decodes it: inside a rendering it would mean a raw byte.
 */
export function fromData(value: unknown): GoValue {
  switch (typeof value) {
    case 'string':
      return value.toWellFormed();
    case 'number':
    case 'boolean':
      return value;
    case 'object':
      return isGoObject(value) ? value : null;
    default:
      return value === undefined ? undefined : null;
  }
}

function isGoObject(value: object | null): value is Extract<GoValue, object> | null {
  return (
    value === null ||
    Array.isArray(value) ||
    isJsonMap(value) ||
    value instanceof HostObject ||
    value instanceof GoInt ||
    value instanceof GoSlice ||
    value instanceof GoMap ||
    value instanceof GoNamedBytes ||
    value instanceof GoComplex
  );
}

/** The own property of a JSON map, undefined when there is none: prototypes are never consulted. */
export function ownEntry(map: Readonly<Record<string, unknown>>, key: string): GoValue {
  return Object.hasOwn(map, key) ? fromData(map[key]) : undefined;
}
