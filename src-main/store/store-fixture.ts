/** The store over each driver, in a place of its own for every test: what the tests of the store as a whole share. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe } from 'vitest';
import type { Driver } from './driver.ts';
import { memoryDatabase, memoryDriver } from './drivers/memory.ts';
import { createSqliteDriver } from './drivers/sqlite.ts';
import { openStore } from './store.ts';
import type { JsonObject, Store, StoreOptions } from './types.ts';

export const ANN = { actor: 'ann', requestId: 'r1' };
const OPTIONS: Omit<StoreOptions, 'driver'> = {
  uniqueIndexes: {
    machines: {
      address: { version: 1, value: ({ Address }) => (typeof Address === 'string' ? Address : undefined) },
    },
  },
  secretFields: { users: ['/PasswordHash', '/Tokens/*/Secret'] },
};

interface StoreFixture {
  readonly kind: 'memory' | 'sqlite';
  /** Opened before each test; a test that restarts puts the new one here. */
  store: Store;
  dir: string;
  createDriver: () => Driver;
  /** Opens another store over the same data; closed after the test. */
  open(options?: Partial<StoreOptions>): Promise<Store>;
  put(key: string, value: JsonObject, prefix?: string): ReturnType<Store['transact']>;
  keys(prefix?: string): string[];
}

/** Registers the tests once for each driver. */
export function describeStore(title: string, tests: (on: StoreFixture) => void): void {
  describe.each(['memory', 'sqlite'] as const)(`${title} over %s`, (kind) => {
    const opened: Store[] = [];
    const on: StoreFixture = {
      kind,
      // Set before each test.
      store: undefined as unknown as Store,
      dir: '',
      createDriver: () => memoryDriver(memoryDatabase()),
      async open(options = {}) {
        const one = await openStore({ driver: on.createDriver(), ...OPTIONS, ...options });
        opened.push(one);
        return one;
      },
      put: (key, value, prefix = 'machines') => on.store.transact(ANN, (tx) => tx.put(prefix, key, value)),
      keys: (prefix = 'machines') => [...on.store.entries(prefix)].map((object) => object.key),
    };
    beforeEach(async () => {
      const database = memoryDatabase();
      const dir = mkdtempSync(join(tmpdir(), 'proviso-store-'));
      on.dir = dir;
      on.createDriver =
        kind === 'memory' ? () => memoryDriver(database) : () => createSqliteDriver({ path: join(dir, 'proviso.db') });
      on.store = await on.open();
    });
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((one) => one.close()));
      rmSync(on.dir, { recursive: true, force: true });
    });
    tests(on);
  });
}
