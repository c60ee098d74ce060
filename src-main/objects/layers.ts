/**
 * The stack of read-only content layers below the writable store (wire-format.md 10.1). A stack is immutable: a change of
 * content builds a new one, checks it whole, and swaps it in.
 */
import { DecodeError, decode, decodeSchema } from '../contract/decode.ts';
import { Problem } from '../contract/errors.ts';
import { ContentMeta, isPrefix, MODELS, type Prefix } from '../contract/models/index.ts';
import { isJsonObject, type Json, type JsonObject } from '../kit/json.ts';
import type { Reader, Stored } from '../store/index.ts';

export type LayerType = 'writable' | 'local' | 'dynamic' | 'default' | 'plugin' | 'basic';

/** A content pack: `meta` and `sections` of prefix -> key -> object (wire-format.md 4.19). */
export interface Pack {
  readonly meta: JsonObject;
  readonly sections: Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;
}

export interface Layer {
  readonly name: string;
  readonly type: LayerType;
  readonly pack: Pack;
}

/** Objects of these layers may be shadowed by upper ones. */
export function isOverwritable(type: LayerType): boolean {
  return type === 'local' || type === 'default' || type === 'basic';
}

const ORDER: readonly LayerType[] = ['local', 'dynamic', 'default', 'plugin', 'basic'];

/** Completes an object of a layer: filled, ReadOnly, with the name of its layer. */
type Complete = (prefix: string, key: string, value: JsonObject, layer: Layer) => JsonObject;

export interface LayerStack {
  /** Top to bottom, as `GET /contents` lists them. */
  readonly layers: readonly Layer[];
  get(prefix: string, key: string): Stored | undefined;
  find(prefix: string, wanted: (stored: Stored) => boolean): Stored | undefined;
  keys(prefix: string): readonly string[];
  merged(prefix: string, reader: Reader): Iterable<Stored>;
  countUnshadowed(prefix: string, reader: Reader): number;
}

class LayeredObject implements Stored {
  readonly prefix: string;
  readonly key: string;
  readonly value: JsonObject;
  readonly revision: number;
  #bytes: Buffer | undefined;

  constructor(prefix: string, key: string, value: JsonObject, revision: number) {
    this.prefix = prefix;
    this.key = key;
    this.value = value;
    this.revision = revision;
  }

  get bytes(): Buffer {
    this.#bytes ??= Buffer.from(JSON.stringify(this.value));
    return this.#bytes;
  }
}

const byteOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Merges two ascending runs; the upper one wins where keys meet. */
function* merge(upper: Iterable<Stored>, lower: readonly Stored[]): Iterable<Stored> {
  let i = 0;
  for (const stored of upper) {
    for (let next = lower[i]; next && byteOrder(next.key, stored.key) < 0; next = lower[i]) {
      yield next;
      i++;
    }
    if (lower[i]?.key === stored.key) i++;
    yield stored;
  }
  for (; i < lower.length; i++) yield lower[i] as Stored;
}

/**
 * Builds a stack. `revision` marks its objects (they change when the stack does).
 * Throws Problem `invalid` when a key stands in two layers that cannot be shadowed, or an object of theirs is
 * none of its type.
 */
export function buildStack(layers: readonly Layer[], complete: Complete, revision: number): LayerStack {
  const ordered = [...layers].sort((a, b) => ORDER.indexOf(a.type) - ORDER.indexOf(b.type));
  const byPrefix = new Map<string, Map<string, { stored: Stored; layer: Layer; position: number }>>();
  const clashes: string[] = [];
  for (const [position, layer] of ordered.entries()) {
    for (const [prefix, section] of Object.entries(layer.pack.sections)) {
      if (!isPrefix(prefix)) continue;
      const objects = byPrefix.get(prefix) ?? new Map();
      byPrefix.set(prefix, objects);
      for (const [key, value] of Object.entries(section)) {
        const above = objects.get(key);
        if (above) {
          if (!isOverwritable(layer.type))
            clashes.push(`keysCannotBeOverridden: ${key} is already in layer ${above.position + 1}`);
          continue;
        }
        const full = complete(prefix, key, value, layer);
        objects.set(key, { stored: new LayeredObject(prefix, key, full, revision), layer, position });
      }
    }
  }
  if (clashes.length > 0) {
    throw new Problem(
      'invalid',
      clashes.length === 1
        ? `New layer violates key restrictions: ${clashes[0]}`
        : ['New layer violates key restrictions:', ...clashes],
    );
  }
  const sorted = new Map<string, readonly Stored[]>();
  for (const [prefix, objects] of byPrefix) {
    sorted.set(
      prefix,
      [...objects.values()].map((o) => o.stored).sort((a, b) => byteOrder(a.key, b.key)),
    );
  }
  const list = (prefix: string): readonly Stored[] => sorted.get(prefix) ?? [];
  return {
    layers: ordered,
    get: (prefix, key) => byPrefix.get(prefix)?.get(key)?.stored,
    find: (prefix, wanted) => list(prefix).find(wanted),
    keys: (prefix) => list(prefix).map((stored) => stored.key),
    merged: (prefix, reader) =>
      list(prefix).length === 0 ? reader.entries(prefix) : merge(reader.entries(prefix), list(prefix)),
    countUnshadowed: (prefix, reader) =>
      list(prefix).reduce((n, stored) => n + (reader.get(prefix, stored.key) ? 0 : 1), 0),
  };
}

/** An object of a pack that is none of its type. */
export class UndecodableObject extends Error {
  readonly prefix: string;

  constructor(prefix: string, reason: string, options?: ErrorOptions) {
    super(`Unable to load ${prefix}: error unmarshaling JSON: while decoding JSON: ${reason}`, options);
    this.prefix = prefix;
  }
}

function decodeObject(prefix: Prefix, key: string, value: JsonObject): JsonObject {
  const definition = MODELS[prefix];
  let object: JsonObject;
  try {
    object = decode(definition, value);
  } catch (error) {
    if (error instanceof DecodeError) throw new UndecodableObject(prefix, error.message, { cause: error });
    throw error;
  }
  const own = definition.keyOf(object);
  if (own !== '' && own !== key)
    throw new Problem('invalid', `Section ${prefix} has ${own} under the key ${key}`, { model: prefix, key });
  return object;
}

/**
 * The layer with its objects read as objects of their types; sections of unknown types stay as they are.
 * Throws UndecodableObject; Problem `invalid` when an object stands under a key that is not its own.
 */
export function decodeLayer(layer: Layer): Layer {
  const sections = Object.entries(layer.pack.sections).map(([prefix, section]) => [
    prefix,
    isPrefix(prefix)
      ? Object.fromEntries(Object.entries(section).map(([key, value]) => [key, decodeObject(prefix, key, value)]))
      : section,
  ]);
  return { ...layer, pack: { ...layer.pack, sections: Object.fromEntries(sections) } };
}

/** The layer without the objects that cannot be read. */
export function withoutUndecodable(layer: Layer): Layer {
  const isReadable = (prefix: string, key: string, value: JsonObject): boolean => {
    try {
      if (isPrefix(prefix)) decodeObject(prefix, key, value);
      return true;
    } catch (error) {
      if (error instanceof UndecodableObject) return false;
      throw error;
    }
  };
  const sections = Object.entries(layer.pack.sections).map(([prefix, section]) => [
    prefix,
    Object.fromEntries(Object.entries(section).filter(([key, value]) => isReadable(prefix, key, value))),
  ]);
  return { ...layer, pack: { ...layer.pack, sections: Object.fromEntries(sections) } };
}

function readMeta(meta: JsonObject): JsonObject {
  try {
    return Object.fromEntries(
      Object.entries(decodeSchema(ContentMeta, meta)).map(([name, value]) => [
        name,
        typeof value === 'string' ? value.trim() : value,
      ]),
    );
  } catch (error) {
    if (error instanceof DecodeError) throw new Problem('malformed-json', error.message, { cause: error });
    throw error;
  }
}

/** A pack from a decoded body; tolerant of absent parts, strict about their kinds. */
export function readPack(body: { readonly [k: string]: Json }): Pack {
  const meta = body['meta'];
  const sections = body['sections'] ?? {};
  if (!isJsonObject(meta))
    throw new Problem('bad-request', 'A content pack needs a meta object', { model: 'contents' });
  if (!isJsonObject(sections))
    throw new Problem('bad-request', 'sections must be an object of prefix to objects', { model: 'contents' });
  for (const [prefix, section] of Object.entries(sections)) {
    if (!isJsonObject(section))
      throw new Problem('bad-request', `Section ${prefix} must be an object of key to object`, { model: 'contents' });
    for (const [key, value] of Object.entries(section)) {
      if (!isJsonObject(value))
        throw new Problem('bad-request', `Section ${prefix}: ${key} must be an object`, { model: 'contents' });
    }
  }
  return { meta: readMeta(meta), sections: sections as Pack['sections'] };
}
