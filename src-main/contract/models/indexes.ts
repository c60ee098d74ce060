/** Builders of indexes (wire-format.md 3.10) with the filter messages clients compare (2.5). */
import { parseTime } from '../../kit/go-text.ts';
import { addressKey, isInNetwork, parseNetwork, v4Number } from '../../kit/ip-address.ts';
import type { JsonObject } from '../../kit/json.ts';
import { flagOf, textOf } from '../../kit/json-read.ts';
import { type Comparable, FilterError, type IndexDefinition } from './definition.ts';

/** A flag as text in a query, the way Go or Python write it; undefined: it is none. */
export function readFlag(text: string): boolean | undefined {
  if (text === 'true' || text === 'True') return true;
  return text === 'false' || text === 'False' ? false : undefined;
}

type Indexes = Readonly<Record<string, IndexDefinition>>;

interface TextIndex {
  readonly type?: string;
  readonly unique?: boolean;
  /** Orders texts; default: as they are. An unset value must order first. */
  readonly comparable?: (text: string) => Comparable;
  readonly parse?: (text: string) => Comparable;
  readonly matches?: (object: JsonObject, wanted: Comparable) => boolean;
}

function textIndex(value: (object: JsonObject) => string, options: TextIndex = {}): IndexDefinition {
  const { type = 'string', unique = false, comparable = (text) => text, parse = (text) => text, matches } = options;
  return {
    Type: type,
    Unique: unique,
    Unordered: false,
    Regex: type === 'string',
    value,
    comparable: (object) => comparable(value(object)),
    parse,
    ...(matches && { matches }),
  };
}

export function stringIndex(field: string): IndexDefinition {
  return textIndex((object) => textOf(object, field));
}

/** The field that names the object. */
export function nameIndex(field: string): IndexDefinition {
  return textIndex((object) => textOf(object, field), { unique: true });
}

export function booleanIndex(field: string, label = field): IndexDefinition {
  const value = (object: JsonObject): boolean => flagOf(object, field);
  return {
    Type: 'boolean',
    Unique: false,
    Unordered: false,
    Regex: false,
    value,
    comparable: value,
    parse(text) {
      const found = readFlag(text);
      if (found === undefined) throw new FilterError(`${label} must be true or false`);
      return found;
    },
  };
}

const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;

export function uuidIndex(field: string, unique = false): IndexDefinition {
  return textIndex((object) => textOf(object, field), {
    type: 'UUID string',
    unique,
    comparable: (text) => text.toLowerCase(),
    parse(text) {
      if (!UUID.test(text)) throw new FilterError(`Invalid UUID: ${text}`);
      return text.toLowerCase();
    },
  });
}

/** `complaint` makes the message for a text that is no address; the types do not agree on one. */
export function addressIndex(field: string, complaint: (text: string) => string): IndexDefinition {
  return textIndex((object) => textOf(object, field), {
    type: 'IP Address',
    comparable: (text) => addressKey(text) ?? '',
    parse: (text) => readAddress(text, complaint),
  });
}

function readAddress(text: string, complaint: (text: string) => string): string {
  const key = addressKey(text);
  if (key === undefined) throw new FilterError(complaint(text));
  return key;
}

/** Published type differs: `dateTime` for jobs, `Date/Time string` for leases; so does what comes before the parser's text. */
export function timeIndex(field: string, type: string, before = ''): IndexDefinition {
  return textIndex((object) => textOf(object, field), {
    type,
    comparable(text) {
      const parsed = parseTime(text);
      return parsed.ok ? parsed.ms : Number.NEGATIVE_INFINITY;
    },
    parse(text) {
      const parsed = parseTime(text);
      if (!parsed.ok) throw new FilterError(before + parsed.error);
      return parsed.ms;
    },
  });
}

/** Orders by address, then by length of the prefix. */
function networkOrder(text: string): Comparable {
  const network = parseNetwork(text);
  return network ? network.base * 64 + network.bits : -1;
}

export function networkIndex(field: string): IndexDefinition {
  return textIndex((object) => textOf(object, field), {
    type: 'CIDR Address',
    unique: true,
    comparable: networkOrder,
    parse(text) {
      if (!parseNetwork(text)) throw new FilterError(`Invalid subnet CIDR: ${text}`);
      return networkOrder(text);
    },
  });
}

/** Finds networks by an address in them. */
export function networkContainsIndex(field: string): IndexDefinition {
  return textIndex((object) => textOf(object, field), {
    type: 'IP Address',
    comparable: (text) => addressKey(text.split('/')[0] ?? '') ?? '',
    parse: (text) => readAddress(text, (given) => `Invalid Address: ${given}`),
    matches(object, wanted) {
      const network = parseNetwork(textOf(object, field));
      return network !== undefined && isInNetwork(network, dotted(wanted));
    },
  });
}

/** Finds ranges by an address in them, both ends included. */
export function rangeContainsIndex(first: string, last: string): IndexDefinition {
  return textIndex((object) => textOf(object, first), {
    type: 'IP Address',
    comparable: (text) => addressKey(text) ?? '',
    parse: (text) => readAddress(text, (given) => `Invalid Address: ${given}`),
    matches(object, wanted) {
      const address = v4Number(dotted(wanted));
      const from = v4Number(textOf(object, first));
      const to = v4Number(textOf(object, last));
      return address !== undefined && from !== undefined && to !== undefined && address >= from && address <= to;
    },
  });
}

/** The last four bytes of an address key, dotted. */
function dotted(key: Comparable): string {
  return (
    String(key)
      .slice(24)
      .match(/../g)
      ?.map((byte) => Number.parseInt(byte, 16))
      .join('.') ?? ''
  );
}

/** What every indexed type has, then its own. */
export function indexesOf(keyOf: (object: JsonObject) => string, own: Indexes): Indexes {
  return {
    Key: textIndex(keyOf, { unique: true }),
    Available: booleanIndex('Available'),
    Valid: booleanIndex('Validated', 'Valid'),
    ReadOnly: booleanIndex('ReadOnly'),
    ...own,
  };
}
