/** JSON objects seen as Go structs: each field has a Go type, and its zero value when the JSON lacks it. */
import { ipText, parseIp, toHex } from '../kit/go-ip.ts';
import { fromData, GoInt, GoMap, GoNamedBytes, GoSlice, type GoValue, type HostField } from './values.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export type FieldType = 'string' | 'int' | 'bool' | 'strings' | 'map' | 'meta' | 'ip' | 'uuid' | 'any';

const NO_BYTES = new Uint8Array();

export function ipValue(json: unknown): GoNamedBytes {
  const bytes = (typeof json === 'string' ? parseIp(json) : undefined) ?? NO_BYTES;
  return new GoNamedBytes('net.IP', bytes, ipText);
}

/** Canonical text of a UUID; empty for what is none. */
export function uuidText(json: unknown): string {
  const hex = typeof json === 'string' ? json.replaceAll('-', '').toLowerCase() : '';
  return /^[0-9a-f]{32}$/.test(hex) ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : '';
}

function uuidValue(json: unknown): GoNamedBytes {
  const pairs = uuidText(json).replaceAll('-', '').match(/../g) ?? [];
  const bytes = Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
  return new GoNamedBytes('uuid.UUID', bytes, (shown) => uuidText(toHex(shown)));
}

export function stringOf(json: unknown): string {
  return typeof json === 'string' ? json : '';
}

/** The text of a JSON field; a lone surrogate reads as U+FFFD, as everywhere in data. */
export function textOf(json: unknown): string {
  return stringOf(json).toWellFormed();
}

function intOf(json: unknown): GoInt {
  return new GoInt(typeof json === 'number' && Number.isFinite(json) ? BigInt(Math.trunc(json)) : 0n);
}

export function jsonObject(json: unknown): JsonObject | undefined {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as JsonObject) : undefined;
}

/** The JSON value as the Go field of that type would hold it. */
export function typedValue(type: FieldType, json: unknown): GoValue {
  switch (type) {
    case 'string':
      return textOf(json);
    case 'int':
      return intOf(json);
    case 'bool':
      return json === true;
    case 'strings':
      return GoSlice.of('[]string', Array.isArray(json) ? json.map(textOf) : undefined);
    case 'map':
      return new GoMap('map[string]interface {}', 'interface {}', jsonObject(json));
    case 'meta':
      return new GoMap('models.Meta', 'string', stringEntries(jsonObject(json)));
    case 'ip':
      return ipValue(json);
    case 'uuid':
      return uuidValue(json);
    default:
      return fromData(json) ?? null;
  }
}

function stringEntries(json: JsonObject | undefined): Readonly<Record<string, string>> | undefined {
  if (json === undefined) return undefined;
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, textOf(value)]));
}

/** Own entry of a JSON object. */
export function entry(json: JsonObject, key: string): unknown {
  return Object.hasOwn(json, key) ? json[key] : undefined;
}

/** A field read from the JSON that `json` finds on the object's own state. */
export function jsonField<Self>(type: FieldType, key: string, json: (self: Self) => JsonObject): HostField<Self> {
  return { kind: 'field', get: (self) => typedValue(type, entry(json(self), key)) };
}
