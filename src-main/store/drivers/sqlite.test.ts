import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeDriver } from '../conformance.ts';
import { createSqliteDriver } from './sqlite.ts';

describeDriver('sqlite', () => {
  const dir = mkdtempSync(join(tmpdir(), 'proviso-sqlite-'));
  return {
    driver: () => createSqliteDriver({ path: join(dir, 'proviso.db') }),
    restored: (copy) => createSqliteDriver({ path: join(copy, 'proviso.db') }),
    dispose: () => rmSync(dir, { recursive: true, force: true }),
  };
});
