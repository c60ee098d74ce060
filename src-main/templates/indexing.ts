/** The index and slice functions. */
import { byteAt, byteLength, isAscii, sliceBytes } from '../kit/go-string.ts';
import { capacityOf, listView, mapEntries } from './containers.ts';
import { FunctionError } from './errors.ts';
import type { State } from './state.ts';
import { GoInt, GoMap, GoNamedBytes, GoSlice, type GoValue, HostObject, ownEntry, typeName } from './values.ts';

/** An index as a number, checked against 0..max. Index `max` itself passes here and fails where it is used. */
function indexArgument(index: GoValue, max: number): number {
  if (index === undefined || index === null) throw new FunctionError('cannot index slice/array with nil');
  if (!(index instanceof GoInt)) throw new FunctionError(`cannot index slice/array with type ${typeName(index)}`);
  if (index.value < 0n || index.value > BigInt(max)) throw new FunctionError(`index out of range: ${index.value}`);
  return Number(index.value);
}

export function indexValue(item: GoValue, keys: readonly GoValue[], state: State): GoValue {
  if (item === undefined || item === null) throw new FunctionError('index of untyped nil');
  let current: GoValue = item;
  for (const key of keys) {
    if (current === undefined || current === null) throw new FunctionError('index of nil pointer');
    current = indexOnce(current, key, state);
  }
  return current;
}

function indexOnce(item: NonNullable<GoValue>, key: GoValue, state: State): GoValue {
  if (typeof item === 'string') {
    state.charge(item.length >>> 5);
    const at = indexArgument(key, byteLength(item));
    const byte = byteAt(item, at);
    if (byte === undefined) throw new FunctionError('reflect: string index out of range');
    return new GoInt(BigInt(byte), 'uint8');
  }
  const list = listView(item);
  if (list !== undefined) {
    const at = indexArgument(key, list.length);
    if (at === list.length) throw new FunctionError('reflect: slice index out of range');
    return list.at(at);
  }
  const entries = mapEntries(item);
  if (entries === undefined) throw new FunctionError(`can't index item of type ${structName(item)}`);
  if (key === undefined || key === null) throw new FunctionError('value is nil; should be of type string');
  if (typeof key !== 'string') throw new FunctionError(`value has type ${typeName(key)}; should be string`);
  // An absent key gives the zero value of the element type: nil, or the empty string.
  return ownEntry(entries, key) ?? (item instanceof GoMap && item.element === 'string' ? '' : null);
}

/** index looks through a pointer before it complains. */
const structName = (value: GoValue): string =>
  value instanceof HostObject ? value.type.name.slice(1) : typeName(value);

export function sliceValue(item: GoValue, keys: readonly GoValue[], state: State): GoValue {
  if (item === undefined || item === null) throw new FunctionError('slice of untyped nil');
  if (keys.length > 3) throw new FunctionError(`too many slice indexes: ${keys.length}`);
  if (typeof item === 'string') return sliceString(item, keys, state);
  const list = listView(item);
  if (list === undefined) throw new FunctionError(`can't slice item of type ${typeName(item)}`);
  const isSlice = Array.isArray(item) || item instanceof GoSlice || item instanceof GoNamedBytes;
  const capacity = isSlice ? capacityOf(item) : list.length;
  const [low, high, max] = bounds(keys, list.length, capacity);
  if (item instanceof GoNamedBytes) return item.slice(low, high);
  const backing: readonly unknown[] = Array.isArray(item) ? item : item instanceof GoSlice ? item.backing : [];
  const start = item instanceof GoSlice ? item.start : 0;
  return new GoSlice(typeName(item), backing, start + low, high - low, (max ?? capacity) - low);
}

function sliceString(text: string, keys: readonly GoValue[], state: State): string {
  if (keys.length === 3) throw new FunctionError('cannot 3-index slice a string');
  state.charge(text.length >>> (isAscii(text) ? 6 : 3));
  const length = byteLength(text);
  const [low, high] = bounds(keys, length, length);
  return sliceBytes(text, low, high);
}

function bounds(
  keys: readonly GoValue[],
  length: number,
  capacity: number,
): readonly [number, number, number | undefined] {
  const [low = 0, high = length, max] = keys.map((key) => indexArgument(key, capacity));
  if (low > high) throw new FunctionError(`invalid slice index: ${low} > ${high}`);
  if (max !== undefined && high > max) throw new FunctionError(`invalid slice index: ${high} > ${max}`);
  return [low, high, max];
}
