/** One filter value as a test of objects: by an index, by the value of a param, or by a Meta entry. See list-query.ts. */
import { parseInteger } from '../kit/go-text.ts';
import { isJsonObject, type Json, type JsonObject } from '../kit/json.ts';
import { jsonEquals } from '../kit/json-patch.ts';
import { objectOf } from '../kit/json-read.ts';
import { compileRegex, RegexError } from '../kit/linear-regex.ts';
import { type FilterText, type OrderedFilter, readFilterText } from './filter-text.ts';
import { type Comparable, FilterError, type IndexDefinition, type ModelDefinition } from './models/definition.ts';
import { readFlag } from './models/indexes.ts';

/** Value of a param on an object: for machines the aggregated one. Undefined: it has none. */
export type ParamLookup = (name: string) => Json | undefined;

/** The Param object of a name; undefined when no such param is defined. */
export type ParamDefinitions = (name: string) => JsonObject | undefined;

const MAX_PATTERN = 256;
/** Longer texts match no pattern: a list must not stand still over one object. */
const MAX_MATCHED_TEXT = 4096;

/** How values of one kind are read, told apart and ordered. */
interface Ordered<V> {
  readonly read: (argument: string) => V;
  readonly equals: (value: V, wanted: V) => boolean;
  /** Negative, zero or positive; NaN when the two have no order. */
  readonly compare: (value: V, wanted: V) => number;
}

type Test<V> = (value: V) => boolean;

function orderedTest<V>(filter: OrderedFilter, of: Ordered<V>): Test<V> {
  switch (filter.op) {
    case 'Between':
    case 'Except': {
      const [low, high] = [of.read(filter.low), of.read(filter.high)];
      const isBetween: Test<V> = (value) => of.compare(value, low) >= 0 && of.compare(value, high) <= 0;
      return filter.op === 'Between' ? isBetween : (value) => !isBetween(value);
    }
    case 'In':
    case 'Nin': {
      const wanted = filter.items.map(of.read);
      const isIn: Test<V> = (value) => wanted.some((item) => of.equals(value, item));
      return filter.op === 'In' ? isIn : (value) => !isIn(value);
    }
    case 'Eq':
    case 'Ne':
    case 'Lt':
    case 'Lte':
    case 'Gt':
    case 'Gte': {
      const wanted = of.read(filter.argument);
      const tests: Readonly<Record<typeof filter.op, Test<V>>> = {
        Eq: (value) => of.equals(value, wanted),
        Ne: (value) => !of.equals(value, wanted),
        Lt: (value) => of.compare(value, wanted) < 0,
        Lte: (value) => of.compare(value, wanted) <= 0,
        Gt: (value) => of.compare(value, wanted) > 0,
        Gte: (value) => of.compare(value, wanted) >= 0,
      };
      return tests[filter.op];
    }
  }
}

/** Ascending. */
export function compareComparables(a: Comparable, b: Comparable): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function regexTest(name: string, pattern: string): Test<string> {
  if (pattern.length > MAX_PATTERN) {
    throw new FilterError(`${name}: the pattern is longer than ${MAX_PATTERN} characters`);
  }
  try {
    const regex = compileRegex(pattern);
    return (text) => text.length <= MAX_MATCHED_TEXT && regex.test(text);
  } catch (error) {
    if (error instanceof RegexError) throw new FilterError(`${name}: invalid pattern: ${error.message}`);
    throw error;
  }
}

function filterText(name: string, text: string): FilterText {
  const filter = readFilterText(text);
  if (!filter) throw new FilterError(`${name}: ${text} needs two arguments, low and high`);
  return filter;
}

/** Whether an object passes one filter value. */
export type ObjectTest = (value: JsonObject, param: ParamLookup) => boolean;

function indexTest(name: string, index: IndexDefinition, text: string): ObjectTest {
  const filter = filterText(name, text);
  if (filter.op === 'Re') {
    if (!index.Regex) throw new FilterError(`${name} cannot be matched with Re`);
    const test = regexTest(name, filter.pattern);
    return (value) => test(String(index.value(value)));
  }
  const { matches } = index;
  if (matches) {
    // Equality means something else here, so it needs the object and not only its value.
    const test = orderedTest<JsonObject | Comparable>(filter, {
      read: (argument) => index.parse(argument),
      equals: (value, wanted) => typeof value === 'object' && typeof wanted !== 'object' && matches(value, wanted),
      compare: (value, wanted) =>
        typeof value === 'object' && typeof wanted !== 'object'
          ? compareComparables(index.comparable(value), wanted)
          : Number.NaN,
    });
    return (value) => test(value);
  }
  const test = orderedTest<Comparable>(filter, {
    read: (argument) => index.parse(argument),
    equals: (value, wanted) => value === wanted,
    compare: compareComparables,
  });
  return (value) => test(index.comparable(value));
}

const RANK: Readonly<Record<string, number>> = { boolean: 1, number: 2, string: 3 };

/** Order of JSON values of one kind; NaN between kinds and for what has no order. */
function compareJson(a: Json | undefined, b: Json | undefined): number {
  if (typeof a !== typeof b || RANK[typeof a] === undefined) return Number.NaN;
  return compareComparables(a as Comparable, b as Comparable);
}

/** A JSON value; a bare word is a string where the param's schema says so. */
function readParamValue(name: string, definition: JsonObject, argument: string): Json {
  const schema = definition['Schema'];
  const isText = isJsonObject(schema) && schema['type'] === 'string';
  try {
    const value = JSON.parse(argument) as Json;
    // `Name=42` on a text param means the text.
    return isText && typeof value !== 'string' ? argument : value;
  } catch {
    if (isText) return argument;
    throw new FilterError(`${name}: ${argument} is not a JSON value`);
  }
}

function paramTest(name: string, definition: JsonObject, text: string): ObjectTest {
  const filter = filterText(name, text);
  if (filter.op === 'Re') {
    const test = regexTest(name, filter.pattern);
    return (_, param) => {
      const value = param(name);
      return typeof value === 'string' && test(value);
    };
  }
  const test = orderedTest<Json | undefined>(filter, {
    read: (argument) => readParamValue(name, definition, argument),
    equals: jsonEquals,
    compare: compareJson,
  });
  return (_, param) => test(param(name));
}

function metaTest(name: string, key: string, text: string): ObjectTest {
  const filter = filterText(name, text);
  const held = (value: JsonObject): Json | undefined => {
    const meta = objectOf(value, 'Meta');
    return Object.hasOwn(meta, key) ? meta[key] : undefined;
  };
  if (filter.op === 'Re') {
    const test = regexTest(name, filter.pattern);
    return (value) => {
      const text = held(value);
      return typeof text === 'string' && test(text);
    };
  }
  const test = orderedTest<Json | undefined>(filter, {
    read: (argument) => argument,
    equals: jsonEquals,
    compare: compareJson,
  });
  return (value) => test(held(value));
}

/** How a field without an index is read from a filter and from an object; undefined: it cannot be filtered by. */
function plainField(definition: ModelDefinition, name: string): { read(argument: string): Comparable } | undefined {
  const field = Object.hasOwn(definition.schema.properties, name) ? definition.schema.properties[name] : undefined;
  // Whoever may only count must not find out a secret by asking for it letter by letter.
  if (!field || definition.secretFields.includes(`/${name}`)) return undefined;
  switch ((field as { type?: unknown }).type) {
    case 'string':
      return { read: (argument) => argument };
    case 'boolean':
      return {
        read(argument) {
          const found = readFlag(argument);
          if (found === undefined) throw new FilterError(`${name} must be true or false`);
          return found;
        },
      };
    case 'integer':
      return {
        read(argument) {
          const parsed = parseInteger(argument);
          if (!parsed.ok) throw new FilterError(`${name} not valid: ${parsed.error}`);
          return parsed.value;
        },
      };
    default:
      return undefined;
  }
}

function fieldTest(name: string, field: { read(argument: string): Comparable }, text: string): ObjectTest {
  const filter = filterText(name, text);
  if (filter.op === 'Re') {
    const test = regexTest(name, filter.pattern);
    return (value) => typeof value[name] === 'string' && test(value[name]);
  }
  const test = orderedTest<Json | undefined>(filter, { read: field.read, equals: jsonEquals, compare: compareJson });
  return (value) => test(value[name]);
}

/** What to sort by under this name: an index or a plain field; undefined: objects have no order by it. */
export function comparableOf(
  definition: ModelDefinition,
  name: string,
): ((value: JsonObject) => Comparable) | undefined {
  const index = Object.hasOwn(definition.indexes, name) ? definition.indexes[name] : undefined;
  if (index) return (value) => index.comparable(value);
  return plainField(definition, name) && ((value) => (value[name] ?? '') as Comparable);
}

/** The test that `name=text` asks for. Throws FilterError. */
export function objectTest(
  definition: ModelDefinition,
  name: string,
  text: string,
  params: ParamDefinitions,
): ObjectTest {
  const index = Object.hasOwn(definition.indexes, name) ? definition.indexes[name] : undefined;
  if (index) return indexTest(name, index, text);
  const param = definition.hasParams ? params(name) : undefined;
  if (param) return paramTest(name, param, text);
  const long = definition.hasParams && name.startsWith('Params.') ? name.slice('Params.'.length) : '';
  const named = long === '' ? undefined : params(long);
  if (named) return paramTest(long, named, text);
  if (definition.hasMeta && name.startsWith('Meta.')) return metaTest(name, name.slice('Meta.'.length), text);
  const field = plainField(definition, name);
  if (field) return fieldTest(name, field, text);
  throw new FilterError(`Filter not found: ${name}`);
}
