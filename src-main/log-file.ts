/** The server's log file. */
import { join } from 'node:path';
import { pino } from 'pino';
import type { Log } from './kit/log.ts';

/** Bytes that wait for a disk that takes nothing; lines beyond are dropped. */
const MOST_WAITING = 4 * 1024 * 1024;
const LONGEST_CLOSE_MS = 1_000;

/**
 * Opens a log file, one JSON object a line; writes in the background. `close` resolves when everything is in the file, or after a
 * second: what a full disk does not take by then is dropped, and nobody waits for it.
 */
export function openLog(dir: string, name = 'proviso.log'): { log: Log; close: () => Promise<void> } {
  const destination = pino.destination({
    dest: join(dir, name),
    mkdir: true,
    sync: false,
    append: true,
    maxLength: MOST_WAITING,
  });
  const log = pino(
    {
      level: 'info',
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      // An error under any other name would be written as {}.
      serializers: { err: pino.stdSerializers.err, error: pino.stdSerializers.err },
      // Belt and braces: nothing that is logged is a secret, and if it ever is, it is not written.
      redact: {
        paths: ['*.password', '*.Password', '*.token', '*.Token', '*.Secret', '*.authorization'],
        censor: '***',
      },
    },
    destination,
  );
  // A log that cannot be written must not end the server.
  destination.on('error', () => undefined);
  return {
    log,
    close: () =>
      new Promise((resolve) => {
        // At the end of the process the library would try for ever to write what is left.
        const timer = setTimeout(() => destination.destroy(), LONGEST_CLOSE_MS);
        destination.once('close', () => {
          clearTimeout(timer);
          resolve();
        });
        destination.end();
      }),
  };
}
