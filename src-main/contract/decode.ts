/**
 * Bodies into objects, by the rules clients depend on (wire-format.md 0.2): field names match in any letter case, the
 * exact spelling wins; unknown fields are ignored; null means unset; a value of the wrong kind is an error in Go's words.
 * Map keys stay verbatim, except `__proto__`, which is dropped wherever it stands.
 */
import type { TObject } from 'typebox';
import { parseTime } from '../kit/go-text.ts';
import { addressKey } from '../kit/ip-address.ts';
import { isJsonObject, type Json, type JsonObject } from '../kit/json.ts';
import type { ModelDefinition } from './models/definition.ts';
import type { TextForm } from './models/fields.ts';
import { type Field, type Node, planOf, type StructPlan } from './models/plan.ts';
import { fill, fillSchema } from './models/shape.ts';

/** The body is no such object. The message is Go's; the caller knows the status. */
export class DecodeError extends Error {}

/** Deeper documents are refused: what walks them afterwards must not run out of stack. */
const MAX_DEPTH = 256;

/** Where the value stands: the type that holds the field, and the fields above it. */
interface Place {
  readonly struct: string;
  readonly path: string;
  readonly depth: number;
}

function kindName(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function mismatch(value: unknown, node: Node, place: Place, literal = ''): DecodeError {
  const target = place.path === '' ? 'Go value' : `Go struct field ${place.struct}.${place.path}`;
  return new DecodeError(`json: cannot unmarshal ${kindName(value)}${literal} into ${target} of type ${node.go}`);
}

function deeper(place: Place): Place {
  if (place.depth >= MAX_DEPTH) throw new DecodeError('json: exceeded max depth');
  return { ...place, depth: place.depth + 1 };
}

const UUID = /^(?:urn:uuid:)?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i;

/** Offset of the first character that standard base64 does not allow; undefined when all is well. */
function base64Fault(text: string): number | undefined {
  const body = /^[A-Za-z0-9+/]*/.exec(text)?.[0].length ?? 0;
  const padding = text.slice(body);
  if (!/^={0,2}$/.test(padding)) return body + padding.search(/[^=]|(?<===)=/);
  return text.length % 4 === 0 ? undefined : text.length - (text.length % 4);
}

/** Canonical form of a text. Throws DecodeError when it has not the form. */
function canonical(text: string, form: TextForm): string {
  switch (form) {
    case 'uuid': {
      if (text === '') return text;
      const found = UUID.exec(text)?.[1];
      if (found === undefined) throw new DecodeError(`invalid UUID format: ${text}`);
      return found.toLowerCase();
    }
    case 'ip':
      if (text !== '' && addressKey(text) === undefined) throw new DecodeError(`invalid IP address: ${text}`);
      return text;
    case 'time': {
      const parsed = parseTime(text);
      if (!parsed.ok) throw new DecodeError(parsed.error);
      return text;
    }
    case 'bytes': {
      const at = base64Fault(text);
      if (at !== undefined) throw new DecodeError(`illegal base64 data at input byte ${at}`);
      return text;
    }
  }
}

/** A free value: numbers finite, depth bounded, no `__proto__`. Gives back the same value when nothing had to go. */
function clean(value: unknown, place: Place): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new DecodeError(`json: unsupported value: ${value}`);
    return value;
  }
  if (typeof value !== 'object') throw new DecodeError(`json: unsupported type: ${typeof value}`);
  const below = deeper(place);
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    const out = list.map((item) => clean(item ?? null, below));
    return out.every((item, i) => item === list[i]) ? (list as readonly Json[]) : out;
  }
  const entries = Object.entries(value as Readonly<Record<string, unknown>>);
  let isSame = true;
  const out: [string, Json][] = [];
  for (const [key, member] of entries) {
    const cleaned = key === '__proto__' ? undefined : clean(member ?? null, below);
    isSame &&= cleaned === member;
    if (cleaned !== undefined) out.push([key, cleaned]);
  }
  return isSame ? (value as JsonObject) : Object.fromEntries(out);
}

function decodeMap(node: Extract<Node, { kind: 'map' }>, value: unknown, place: Place): JsonObject {
  if (!isJsonObject(value)) throw mismatch(value, node, place);
  const below = deeper(place);
  const entries = Object.entries(value as Readonly<Record<string, unknown>>).filter(([key]) => key !== '__proto__');
  return Object.fromEntries(entries.map(([key, member]) => [key, decodeNode(node.value, member, below)]));
}

function decodeInteger(node: Extract<Node, { kind: 'integer' }>, value: unknown, place: Place): number {
  if (typeof value !== 'number') throw mismatch(value, node, place);
  if (!Number.isInteger(value) || value < node.min || value > node.max) throw mismatch(value, node, place, ` ${value}`);
  return value + 0;
}

/** Bytes may also come as a list of numbers; they are kept as base64 either way. */
function bytesOfNumbers(node: Node, list: readonly unknown[], place: Place): string {
  const bytes = list.map((item) => {
    if (item === null) return 0;
    if (typeof item !== 'number') throw mismatch(item, node, place);
    if (!Number.isInteger(item) || item < 0 || item > 255) throw mismatch(item, node, place, ` ${item}`);
    return item;
  });
  return btoa(bytes.map((byte) => String.fromCharCode(byte)).join(''));
}

/** A value in a list or map: null is the zero value there. */
function decodeNode(node: Node, value: unknown, place: Place): Json {
  if (value === null || value === undefined) return zeroInside(node);
  switch (node.kind) {
    case 'text':
      if (node.form === 'bytes' && Array.isArray(value)) return bytesOfNumbers(node, value, place);
      if (typeof value !== 'string') throw mismatch(value, node, place);
      return node.form === undefined ? value : canonical(value, node.form);
    case 'integer':
      return decodeInteger(node, value, place);
    case 'flag':
      if (typeof value !== 'boolean') throw mismatch(value, node, place);
      return value;
    case 'any':
      return clean(value, place);
    case 'list': {
      if (!Array.isArray(value)) throw mismatch(value, node, place);
      const below = deeper(place);
      return value.map((item: unknown) => decodeNode(node.item, item, below));
    }
    case 'map':
      return decodeMap(node, value, place);
    case 'struct':
      if (typeof value !== 'object' || Array.isArray(value)) throw mismatch(value, node, place);
      return decodeStruct(node.plan, value as Readonly<Record<string, unknown>>, deeper(place), {});
  }
}

function zeroInside(node: Node): Json {
  switch (node.kind) {
    case 'text':
      return '';
    case 'integer':
      return 0;
    case 'flag':
      return false;
    case 'any':
      return null;
    case 'list':
      return [];
    case 'map':
    case 'struct':
      return {};
  }
}

function fieldFor(plan: StructPlan, key: string, input: Readonly<Record<string, unknown>>): Field | undefined {
  const exact = plan.byName.get(key);
  if (exact) return exact;
  const folded = plan.byFold.get(key.toLowerCase());
  // Another letter case only counts where the exact spelling is not there, or a pointer could name one field and mean another.
  return folded && !Object.hasOwn(input, folded.name) ? folded : undefined;
}

function decodeStruct(
  plan: StructPlan,
  input: Readonly<Record<string, unknown>>,
  place: Place,
  base: JsonObject,
): { [k: string]: Json } {
  const out: { [k: string]: Json } = { ...base };
  for (const key of Object.keys(input)) {
    const field = fieldFor(plan, key, input);
    if (!field) continue;
    const value = input[key];
    const { kind } = field.node;
    if (value === null || value === undefined) {
      // Null empties what can be empty and leaves scalars as they are.
      if (kind === 'list' || kind === 'map' || kind === 'struct' || kind === 'any') delete out[field.name];
      continue;
    }
    const path = place.path === '' ? field.name : `${place.path}.${field.name}`;
    const inside: Place = { struct: plan.name, path, depth: place.depth };
    const current = out[field.name];
    out[field.name] =
      field.node.kind === 'struct' && isJsonObject(current) && typeof value === 'object' && !Array.isArray(value)
        ? decodeStruct(field.node.plan, value as Readonly<Record<string, unknown>>, deeper(inside), current)
        : decodeNode(field.node, value, inside);
  }
  return out;
}

function decodeTop(schema: TObject, input: unknown, base: JsonObject): { [k: string]: Json } {
  const plan = planOf(schema);
  const place: Place = { struct: plan.name, path: '', depth: 0 };
  if (input === null || input === undefined) return { ...base };
  if (typeof input !== 'object' || Array.isArray(input)) {
    throw mismatch(input, { kind: 'struct', plan, go: `models.${plan.name}` }, place);
  }
  return decodeStruct(plan, input as Readonly<Record<string, unknown>>, place, base);
}

/** Release 3 machines carry an embedded profile; params sent in it are the machine's own (wire-format.md 4.1). */
function takeEmbeddedParams(value: { [k: string]: Json }): JsonObject {
  const embedded = value['Profile'];
  if (!isJsonObject(embedded)) return value;
  const { Profile: _, ...rest } = value;
  const sent = embedded['Params'];
  if (!isJsonObject(sent)) return rest;
  return { ...rest, Params: { ...sent, ...(isJsonObject(rest['Params']) ? rest['Params'] : {}) } };
}

/**
 * Reads a body into a filled object, over `base` (default: a blank one). Fields that only the server sets are read like any
 * other: whoever stores the object recomputes them. Throws DecodeError.
 */
export function decode(definition: ModelDefinition, input: unknown, base: JsonObject = {}): JsonObject {
  const decoded = decodeTop(definition.schema, input, base);
  return fill(definition, definition.prefix === 'machines' ? takeEmbeddedParams(decoded) : decoded);
}

/** `decode` for bodies that are no object type: content, a password, an event. Throws DecodeError. */
export function decodeSchema(schema: TObject, input: unknown): JsonObject {
  return fillSchema(schema, decodeTop(schema, input, {}));
}
