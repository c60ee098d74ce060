/**
 * The data directory with the service stopped: for recovery from the command line. Holds the same lock as a server, validates like
 * one, and writes to the same log; only nobody is asked for claims.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Access, createAccess } from './access/index.ts';
import { createLicenses } from './access/license/index.ts';
import { createAccessReader } from './access-reader.ts';
import { openDataDirectory } from './host/index.ts';
import type { Json, JsonObject } from './kit/json.ts';
import { createObjects, type Objects } from './objects/index.ts';
import { explainFor } from './rest/routes/access.ts';
import { openObjectStore } from './service.ts';
import { wireCallbacks } from './service-callbacks.ts';
import { type VerifyReport, verifySqliteFile } from './store/index.ts';
import { PRODUCT_VERSION } from './version.ts';
import { WORKFLOW_RULES } from './workflow/index.ts';

export interface Offline {
  readonly objects: Objects;
  readonly access: Access;
  readonly licensed: (feature: string) => boolean;
  close(): Promise<void>;
}

/** Opens a directory nobody is using. Throws StartError when a server holds it, an Error when it is no data directory. */
export async function openOffline(dataDir: string): Promise<Offline> {
  // A mistyped name must not become a new, empty directory that answers every question with nothing.
  if (!existsSync(join(dataDir, 'proviso.db')))
    throw new Error(`${dataDir} is no data directory: it has no proviso.db.`);
  const directory = openDataDirectory(dataDir, PRODUCT_VERSION, new Date());
  const undo: (() => unknown)[] = [() => directory.release()];
  const close = async (): Promise<void> => {
    for (const step of undo) await step();
  };
  try {
    const store = await openObjectStore(directory.database, Date.now);
    undo.unshift(() => store.close());
    const license = createLicenses({ dataDirectory: directory.path, clock: Date.now, writable: false });
    undo.unshift(() => license.close());
    const licensed = (feature: string): boolean => license.has(feature);
    const objects: Objects = createObjects({
      store,
      clock: Date.now,
      hasFeature: licensed,
      rules: WORKFLOW_RULES,
      pluginLayers: [wireCallbacks(PRODUCT_VERSION, () => objects).layer],
      onDenied: () => undefined,
      onContentSwap: () => undefined,
    });
    undo.unshift(() => objects.close());
    const reader = createAccessReader(store, () => objects.view);
    undo.unshift(() => reader.close());
    const access = createAccess({
      read: reader,
      clock: Date.now,
      onSignIn: () => undefined,
      onPasswordUpgrade: () => undefined,
    });
    return { objects, access, licensed, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Checks the change log of `DATA/proviso.db` straight from the file: opening the store would refuse, or change, what is to be looked
 * at. Reads only, so a server may be using it.
 */
export async function verifyDataFile(file: string): Promise<VerifyReport> {
  return await verifySqliteFile(file);
}

/** Explains a request against the directory as it is. */
export async function explainOffline(
  dataDir: string,
  asked: { readonly user: string; readonly method: string; readonly path: string; readonly body?: Json },
): Promise<JsonObject> {
  const offline = await openOffline(dataDir);
  try {
    return explainFor(offline, asked);
  } finally {
    await offline.close();
  }
}
