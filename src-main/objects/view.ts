/**
 * The merged read: the writable store on top, the content layers below. Keys of different layers rarely meet
 * (only overwritable layers may be shadowed), so a lookup is the store's own and, failing that, one more Map.
 */
import type { ModelDefinition } from '../contract/models/index.ts';
import { v4Hex } from '../kit/ip-address.ts';
import type { Reader, Stored } from '../store/index.ts';
import type { LayerStack } from './layers.ts';
import { type LiveObjects, NOTHING_LIVE } from './live.ts';
import type { View } from './types.ts';

/** Indexes published as unique although several objects may share a value (wire-format.md 3.3). */
const NOT_REALLY_UNIQUE = new Set(['jobs/Machine']);

/** True when the store enforces the index and can be asked for it. */
export function isStoreIndex(definition: ModelDefinition, index: string): boolean {
  const spec = definition.indexes[index];
  return (
    spec?.Unique === true &&
    index !== 'Key' &&
    index !== definition.key &&
    !NOT_REALLY_UNIQUE.has(`${definition.prefix}/${index}`)
  );
}

/** Key as stored: reservations and leases may be named by their dotted address. */
export function nativeKey(definition: ModelDefinition, typed: string): string {
  return definition.key === 'Addr' ? (v4Hex(typed) ?? typed) : typed;
}

export function createView(reader: Reader, layers: () => LayerStack, live: LiveObjects = NOTHING_LIVE): View {
  const lookup = (prefix: string, key: string): Stored | undefined =>
    reader.get(prefix, key) ?? layers().get(prefix, key) ?? live.get(prefix, key);

  const byIndex = (definition: ModelDefinition, index: string, value: string): Stored | undefined => {
    if (index === 'Key' || index === definition.key) return lookup(definition.prefix, nativeKey(definition, value));
    if (isStoreIndex(definition, index)) {
      return (
        reader.find(definition.prefix, index, value) ??
        layers().find(definition.prefix, (stored) => String(definition.indexes[index]?.value(stored.value)) === value)
      );
    }
    for (const stored of reader.entries(definition.prefix)) {
      if (String(definition.indexes[index]?.value(stored.value)) === value) return stored;
    }
    return undefined;
  };

  return {
    get: lookup,
    resolve(definition, typed) {
      const direct = lookup(definition.prefix, nativeKey(definition, typed));
      if (direct) return direct;
      const colon = typed.indexOf(':');
      if (colon < 1) return undefined;
      const index = typed.slice(0, colon);
      if (definition.indexes[index]?.Unique !== true) return undefined;
      return byIndex(definition, index, typed.slice(colon + 1));
    },
    entries: (prefix) => live.entries(prefix) ?? layers().merged(prefix, reader),
    count: (prefix) => live.entries(prefix)?.length ?? reader.count(prefix) + layers().countUnshadowed(prefix, reader),
    isReadOnly: (prefix, key) => reader.get(prefix, key) === undefined && lookup(prefix, key) !== undefined,
    preference(name) {
      const value = reader.get('preferences', name)?.value['Val'];
      return typeof value === 'string' ? value : undefined;
    },
  };
}
