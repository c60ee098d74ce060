/**
 * Objects nobody stores: measured (network interfaces) or built in (plugin providers). The view shows them like any other, so that
 * lists, tenants and claims need no second way.
 */
import { createHash } from 'node:crypto';
import { fill, MODELS, type Prefix } from '../contract/models/index.ts';
import type { JsonObject } from '../kit/json.ts';
import type { Stored } from '../store/index.ts';

/** The objects of a type as they are now; called for every read, so it must be quick. */
export type LiveSource = () => readonly JsonObject[];
export type LiveSources = Readonly<Partial<Record<Prefix, LiveSource>>>;

export interface LiveObjects {
  /** Undefined for types that are stored. Ascending by key. */
  entries(prefix: string): readonly Stored[] | undefined;
  get(prefix: string, key: string): Stored | undefined;
}

/** A revision that changes with the content and is the same after a restart. */
function contentRevision(bytes: Buffer): number {
  return createHash('sha256').update(bytes).digest().readUIntBE(0, 6);
}

export function createLiveObjects(sources: LiveSources): LiveObjects {
  const known = new Map<string, Stored>();
  const stored = (prefix: Prefix, value: JsonObject): Stored => {
    const definition = MODELS[prefix];
    const full = fill(definition, value);
    const key = definition.keyOf(full);
    const bytes = Buffer.from(JSON.stringify(full));
    const before = known.get(`${prefix}/${key}`);
    if (before?.bytes.equals(bytes)) return before;
    const made: Stored = { prefix, key, value: full, bytes, revision: contentRevision(bytes) };
    known.set(`${prefix}/${key}`, made);
    return made;
  };
  const entries = (prefix: string): readonly Stored[] | undefined =>
    sources[prefix as Prefix]?.()
      .map((value) => stored(prefix as Prefix, value))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
  return { entries, get: (prefix, key) => entries(prefix)?.find((one) => one.key === key) };
}

export const NOTHING_LIVE: LiveObjects = { entries: () => undefined, get: () => undefined };
