import { describeDriver } from '../conformance.ts';
import { memoryDatabase, memoryDriver, readMemoryBackup } from './memory.ts';

describeDriver('memory', () => {
  const database = memoryDatabase();
  return {
    driver: () => memoryDriver(database),
    restored: (dir) => memoryDriver(readMemoryBackup(dir)),
    dispose: () => undefined,
  };
});
