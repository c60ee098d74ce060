/** Reading lists, maps and strings the way Go's reflection does. */
import { byteLength, compareBytes } from '../kit/go-string.ts';
import { fromData, GoComplex, GoInt, GoMap, GoNamedBytes, GoSlice, type GoValue, goInt, HostObject } from './values.ts';

/** A list seen without regard to how it is stored. `isInterface`: elements are interface {} values. */
interface ListView {
  readonly length: number;
  readonly isInterface: boolean;
  at(index: number): GoValue;
}

export function listView(value: GoValue): ListView | undefined {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return { length: items.length, isInterface: true, at: (index) => elementOf(items[index]) };
  }
  if (value instanceof GoSlice) {
    const { backing, start } = value;
    const isInterface = value.type === '[]interface {}';
    return {
      length: value.length,
      isInterface,
      // The spare capacity behind a list of texts holds empty ones.
      at: (index) => fromData(backing[start + index]) ?? (isInterface ? null : ''),
    };
  }
  if (value instanceof GoNamedBytes) {
    const { bytes } = value;
    return { length: bytes.length, isInterface: false, at: (index) => new GoInt(BigInt(bytes[index] ?? 0), 'uint8') };
  }
  return undefined;
}

/** A hole in an array, or the spare capacity behind it, holds nil. */
function elementOf(item: unknown): GoValue {
  return fromData(item) ?? null;
}

interface MapView {
  /** Keys in Go's printing and ranging order: by UTF-8 bytes. */
  readonly keys: readonly string[];
  readonly isInterface: boolean;
  get(key: string): GoValue;
}

export function mapView(value: GoValue): MapView | undefined {
  const entries = mapEntries(value);
  if (entries === undefined) return undefined;
  const keys = Object.keys(entries).filter((key) => entries[key] !== undefined);
  const isInterface = !(value instanceof GoMap) || value.element === 'interface {}';
  if (!keys.every((key) => key.isWellFormed())) {
    const repaired = new Map(keys.map((key) => [key.toWellFormed(), entries[key]]));
    return { keys: sortedKeys([...repaired.keys()]), isInterface, get: (key) => fromData(repaired.get(key)) };
  }
  return { keys: sortedKeys(keys), isInterface, get: (key) => fromData(entries[key]) };
}

/** Without characters beyond U+FFFF the engine's own order is the one by bytes, and much faster. */
function sortedKeys(keys: string[]): readonly string[] {
  return keys.some((key) => /[\ud800-\udfff]/.test(key))
    ? keys.sort(compareBytes)
    : keys.sort((a, b) => (a < b ? -1 : 1));
}

/** The record behind a map value; undefined for everything that is no map. */
export function mapEntries(value: GoValue): Readonly<Record<string, unknown>> | undefined {
  if (value instanceof GoMap) return value.entries;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  if (value instanceof GoInt || value instanceof GoComplex || value instanceof HostObject) return undefined;
  if (value instanceof GoSlice || value instanceof GoNamedBytes) return undefined;
  return value as Readonly<Record<string, unknown>>;
}

/** reflect's Len; undefined for kinds that have no length. Strings count bytes. */
export function lengthOf(value: GoValue): number | undefined {
  if (typeof value === 'string') return byteLength(value);
  if (Array.isArray(value)) return value.length;
  if (value instanceof GoSlice) return value.length;
  if (value instanceof GoNamedBytes) return value.bytes.length;
  return mapEntries(value) === undefined ? undefined : mapSize(value);
}

/** Number of keys of a map, 0 for everything else. */
export function mapSize(value: GoValue): number {
  const entries = mapEntries(value);
  if (entries === undefined) return 0;
  let size = 0;
  for (const key of Object.keys(entries)) if (entries[key] !== undefined) size++;
  return size;
}

/** Capacities a growing list of interfaces goes through beyond 512, by Go's growth formula and allocation sizes. */
const LARGE_CAPACITIES = [
  848, 1280, 1792, 2560, 3584, 5120, 6656, 8704, 11264, 14336, 18432, 23552, 29696, 37376, 47104, 59392, 74752, 93696,
  117760, 147456, 184832, 231424, 289792, 362496, 453632, 567296, 709632, 887296, 1109504,
];

/**
 * What Go's slice function may reach: encoding/json grows lists as append does, and elements between length and
 * capacity are nil. Beyond a million elements we stop at the length.
 */
export function capacityOf(value: readonly unknown[] | GoSlice | GoNamedBytes): number {
  if (value instanceof GoSlice) return value.capacity;
  if (value instanceof GoNamedBytes) return value.bytes.length;
  const { length } = value;
  if (length === 0) return 0;
  if (length <= 512) return 2 ** Math.ceil(Math.log2(length));
  return LARGE_CAPACITIES.find((capacity) => capacity >= length) ?? length;
}

/** Go's notion of true in if, with, and, or, not: not the zero value, not empty. */
export function isTrue(value: GoValue): boolean {
  switch (typeof value) {
    case 'string':
      return value !== '';
    case 'boolean':
      return value;
    case 'number':
      return value !== 0;
    case 'undefined':
      return false;
    default:
  }
  if (value === null) return false;
  if (value instanceof GoInt) return value.value !== 0n;
  if (value instanceof GoComplex) return value.real !== 0 || value.imaginary !== 0;
  return (lengthOf(value) ?? 1) > 0;
}

/** The elements of a list or map in ranging order, with Go's index or key. */
export function countedEntries(
  value: GoValue,
): { readonly size: number; readonly isInterface: boolean; at(i: number): readonly [GoValue, GoValue] } | undefined {
  const list = listView(value);
  if (list !== undefined) {
    return { size: list.length, isInterface: list.isInterface, at: (i) => [goInt(i), list.at(i)] };
  }
  const map = mapView(value);
  if (map === undefined) return undefined;
  const { keys } = map;
  return {
    size: keys.length,
    isInterface: map.isInterface,
    at: (i) => {
      const key = keys[i] ?? '';
      return [key, map.get(key)];
    },
  };
}
