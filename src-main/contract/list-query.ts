/**
 * List parameters (wire-format.md 3.4) into a typed query, and the query applied to objects. Pure; the server filters with
 * it, the renderer builds its links for it.
 *
 *   name          indexes first, then params of types that have them (also as `Params.<name>`), then `Meta.<key>`, then any other
 *                 field that holds a text, a number or a flag and is no secret
 *   several values of one name are OR-ed, different names AND-ed
 *   order         filters, sort (repeatable), reverse, offset, limit
 *
 * `Re(...)` takes RE2 syntax and runs in linear time (kit/linear-regex.ts); patterns over 256 characters are refused.
 */
import { parseInteger } from '../kit/go-text.ts';
import type { JsonObject } from '../kit/json.ts';
import { Problem } from './errors.ts';
import {
  comparableOf,
  compareComparables,
  type ObjectTest,
  objectTest,
  type ParamDefinitions,
  type ParamLookup,
} from './filter-test.ts';
import { type Comparable, FilterError, type ModelDefinition } from './models/definition.ts';
import type { Slim } from './models/shape.ts';

export type { ParamDefinitions, ParamLookup };

/** All values of one name; an object passes when one of `tests` does. */
export interface Filter {
  readonly name: string;
  readonly tests: readonly ObjectTest[];
  /** The values as given. */
  readonly texts: readonly string[];
  /** True when it looks at a param and not at the object alone. */
  readonly needsParams: boolean;
}

export interface SortKey {
  readonly index: string;
  readonly of: (value: JsonObject) => Comparable;
}

export interface ListQuery {
  readonly filters: readonly Filter[];
  readonly sort: readonly SortKey[];
  readonly reverse: boolean;
  /** Objects to leave out at the start. */
  readonly offset: number | undefined;
  /** At most so many; 0 is none. */
  readonly limit: number | undefined;
  readonly slim: Slim;
  /** Show secure params in clear. */
  readonly decode: boolean;
  /** Show params with those of profiles and stage. */
  readonly aggregate: boolean;
  /** Only these params; undefined: all. */
  readonly params: readonly string[] | undefined;
}

/** Query parameters as parsed from a URL. */
export type QueryParameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Names that are no filters. `token` is how browsers authenticate a websocket or a download. Of newer clients: `commented` and
 * `reduced` change nothing that a client must see, and the runner that `exclude-self` leaves out does not exist here.
 */
const CONTROLS: ReadonlySet<string> = new Set([
  'aggregate',
  'commented',
  'decode',
  'exclude-self',
  'limit',
  'offset',
  'params',
  'reduced',
  'reverse',
  'slim',
  'sort',
  'token',
]);

/** What newer servers do and this one does not: may be declined by name, but not asked for. */
const UNOFFERED: ReadonlySet<string> = new Set(['expand', 'range-only']);

function all(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}

/** `undefined` when the parameter is absent. */
function count(parameters: QueryParameters, name: 'limit' | 'offset'): number | undefined {
  const text = all(parameters[name])[0];
  if (text === undefined || text === '') return undefined;
  const label = name === 'limit' ? 'Limit' : 'Offset';
  const parsed = parseInteger(text);
  if (!parsed.ok) throw new FilterError(`${label} not valid: ${parsed.error}`);
  if (parsed.value < 0) throw new FilterError(`${label} cannot be negative`);
  return parsed.value;
}

function names(parameters: QueryParameters, name: string): readonly string[] | undefined {
  const given = parameters[name];
  return given === undefined
    ? undefined
    : all(given)
        .flatMap((text) => text.split(','))
        .map((text) => text.trim())
        .filter((text) => text !== '');
}

/** `Meta` and `Params` in any letter case; other names mean nothing. */
function slimOf(given: readonly string[]): Slim {
  const wanted = given.map((name) => name.toLowerCase());
  return { Meta: wanted.includes('meta'), Params: wanted.includes('params') };
}

/** Whether the text of a flag sets it: `true` in any letter case, `1`, `t`, or nothing at all. */
export function saysYes(text: string): boolean {
  return /^(?:true|t|1)?$/i.test(text);
}

/** Whether it takes it back: clients that send every option they have send `reverse=false`. */
function saysNo(text: string): boolean {
  return /^(?:false|f|0)$/i.test(text);
}

function flag(parameters: QueryParameters, name: string): boolean {
  return all(parameters[name]).some(saysYes);
}

function sortKey(definition: ModelDefinition, index: string): SortKey {
  const of = comparableOf(definition, index);
  if (!of) throw new FilterError(`Not sortable: ${index}`);
  return { index, of };
}

function isFilter(parameters: QueryParameters, name: string): boolean {
  if (CONTROLS.has(name)) return false;
  return !(UNOFFERED.has(name) && all(parameters[name]).every(saysNo));
}

function read(definition: ModelDefinition, parameters: QueryParameters, params: ParamDefinitions): ListQuery {
  const filters = Object.keys(parameters)
    .filter((name) => isFilter(parameters, name))
    .map(
      (name): Filter => ({
        name,
        tests: all(parameters[name]).map((text) => objectTest(definition, name, text, params)),
        texts: all(parameters[name]),
        needsParams: !Object.hasOwn(definition.indexes, name) && !name.startsWith('Meta.'),
      }),
    );
  return {
    filters,
    sort: all(parameters['sort']).map((index) => sortKey(definition, index)),
    // Presence is enough, unless it says no.
    reverse: parameters['reverse'] !== undefined && !all(parameters['reverse']).every(saysNo),
    offset: count(parameters, 'offset'),
    limit: count(parameters, 'limit'),
    slim: slimOf(names(parameters, 'slim') ?? []),
    decode: flag(parameters, 'decode'),
    aggregate: flag(parameters, 'aggregate'),
    params: names(parameters, 'params'),
  };
}

/**
 * Reads the parameters of a list of this type. Throws Problem `bad-filter` with the messages of wire-format.md 2.5.
 * `params` gives the Param object of a name.
 */
export function parseListQuery(
  definition: ModelDefinition,
  parameters: QueryParameters,
  params: ParamDefinitions = () => undefined,
): ListQuery {
  try {
    return read(definition, parameters, params);
  } catch (error) {
    if (error instanceof FilterError) throw new Problem('bad-filter', error.message, { model: definition.prefix });
    throw error;
  }
}

/** True when the object passes every filter. */
export function matches(
  query: Pick<ListQuery, 'filters'>,
  value: JsonObject,
  param: ParamLookup = () => undefined,
): boolean {
  return query.filters.every((filter) => filter.tests.some((test) => test(value, param)));
}

/**
 * Order of two objects by the sort keys in turn; 0 when they do not tell them apart (a stable sort keeps key order). Keys are
 * computed once per object, so use a new comparator for every sort.
 */
export function sortComparator(query: Pick<ListQuery, 'sort'>): (a: JsonObject, b: JsonObject) => number {
  const { sort } = query;
  const known = new Map<JsonObject, readonly Comparable[]>();
  const keysOf = (value: JsonObject): readonly Comparable[] => {
    const keys = known.get(value) ?? sort.map(({ of }) => of(value));
    known.set(value, keys);
    return keys;
  };
  return (a, b) => {
    const [left, right] = [keysOf(a), keysOf(b)];
    for (let i = 0; i < sort.length; i++) {
      const order = compareComparables(left[i] ?? '', right[i] ?? '');
      if (order !== 0) return order;
    }
    return 0;
  };
}
