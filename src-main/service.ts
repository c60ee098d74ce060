/**
 * Assembles one run of the service: store, access, objects, callbacks and REST, wired to each other. The host mounts what comes
 * out and stops it again; nothing here outlives a stop.
 */
import { type Access, createAccess, hashPassword, newSecret, verifyPassword } from './access/index.ts';
import { createAccessReader } from './access-reader.ts';
import { MODELS } from './contract/models/index.ts';
import type { DataDirectory, Service } from './host/index.ts';
import { buildInfo } from './info.ts';
import { goPrint } from './kit/go-text.ts';
import { newUuid } from './kit/ids.ts';
import type { JsonObject } from './kit/json.ts';
import type { Log } from './kit/log.ts';
import {
  type ActionDeps,
  createObjects,
  DEFAULT_PASSWORD,
  DEFAULT_USER,
  isStoreIndex,
  type Objects,
  plantSeeds,
  SECURE_KEYS,
  type Shape,
} from './objects/index.ts';
import { allRoutes, type Context, createEventSockets, createRest, shapeOf } from './rest/index.ts';
import { openStore, type Store } from './store/index.ts';
import { sqliteDriver } from './store/drivers/sqlite.ts';

export interface ServiceOptions {
  readonly directory: DataDirectory & { readonly record: { readonly created: string } };
  readonly url: string;
  readonly version: string;
  readonly clock: () => number;
  readonly log: Log;
  readonly compat: 'auto' | Shape;
}

/** Unique indexes that the store enforces, by prefix. */
function uniqueIndexes(): Record<string, Record<string, (value: JsonObject) => string | undefined>> {
  return Object.fromEntries(
    Object.values(MODELS).map((definition) => [
      definition.prefix,
      Object.fromEntries(
        Object.entries(definition.indexes)
          .filter(([index]) => isStoreIndex(definition, index))
          .map(([index, spec]) => [
            index,
            (value: JsonObject): string | undefined => {
              const text = String(spec.value(value));
              return text === '' ? undefined : text;
            },
          ]),
      ),
    ]),
  );
}

/** What no log record may hold, by prefix. */
function secretFields(): Record<string, readonly string[]> {
  return {
    ...Object.fromEntries(Object.values(MODELS).map(({ prefix, secretFields: fields }) => [prefix, fields])),
    [SECURE_KEYS]: ['/privateKey'],
  };
}

export async function startService(options: ServiceOptions): Promise<Service> {
  const { directory, clock, log } = options;
  const store: Store = await openStore({
    driver: sqliteDriver({ path: directory.database }),
    uniqueIndexes: uniqueIndexes(),
    secretFields: secretFields(),
    clock,
  });
  const undo: (() => unknown)[] = [() => store.close()];
  try {
    return await assembleOn(store, options, undo);
  } catch (error) {
    for (const step of undo) await step();
    throw error;
  }
}
