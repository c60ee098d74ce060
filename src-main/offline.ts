/**
 * The data directory with the service stopped: for recovery from the command line. Holds the same lock as a server, validates like
 * one, and writes to the same log; only nobody is asked for claims.
 */
import { createLicenses } from './access/license/index.ts';
import { openDataDirectory } from './host/index.ts';
import { goPrint } from './kit/go-text.ts';
import { createObjects, type Objects } from './objects/index.ts';
import { openObjectStore } from './service.ts';
import { PRODUCT_VERSION } from './version.ts';

export interface Offline {
  readonly objects: Objects;
  close(): Promise<void>;
}

/** Opens a directory nobody is using. Throws StartError when a server holds it. */
export async function openOffline(dataDir: string): Promise<Offline> {
  const directory = openDataDirectory(dataDir, PRODUCT_VERSION, new Date());
  try {
    const store = await openObjectStore(directory.database, Date.now);
    const license = createLicenses({ dataDirectory: directory.path, clock: Date.now, writable: false });
    const objects = createObjects({
      store,
      clock: Date.now,
      hasFeature: (feature) => license.has(feature),
      rules: {},
      pluginLayers: [],
      goPrint,
      onDenied: () => undefined,
      onContentSwap: () => undefined,
    });
    return {
      objects,
      async close() {
        objects.close();
        license.close();
        await store.close();
        directory.release();
      },
    };
  } catch (error) {
    directory.release();
    throw error;
  }
}
