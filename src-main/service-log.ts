/** The log of one run of the service: the file below, the last lines for `GET /logs`, and each line as an event. */
import type { Log } from './kit/log.ts';
import { createLogLines, type LogLines, type Objects } from './objects/index.ts';

/** Preference that sets the level of a service; others go by `logLevel`. */
const LEVEL_PREFERENCE: Readonly<Record<string, string>> = {
  frontend: 'debugFrontend',
  bootenv: 'debugBootEnv',
  dhcp: 'debugDhcp',
  plugin: 'debugPlugins',
  renderer: 'debugRenderer',
};

export interface ServiceLog {
  /** Requests and connections. */
  readonly frontend: Log;
  /** Everything else. */
  readonly backend: Log;
  readonly lines: LogLines;
}

/** `objects` answers undefined while the service is being put together. */
export function createServiceLog(below: Log, clock: () => number, objects: () => Objects | undefined): ServiceLog {
  const lines = createLogLines({
    clock,
    threshold: (service) => objects()?.preference(LEVEL_PREFERENCE[service] ?? 'logLevel') ?? 'warn',
    onLine: (line) =>
      objects()?.events.publish({
        type: 'log',
        action: line.Level,
        key: line.Service,
        object: line,
        principal: 'system',
      }),
  });
  return { frontend: lines.of('frontend', below), backend: lines.of('backend', below), lines };
}
