/** The server's log file. */
import { join } from 'node:path';
import { pino } from 'pino';
import type { Log } from './kit/log.ts';

/** Opens `DIR/proviso.log`, one JSON object a line; writes in the background. `close` resolves when everything is in the file. */
export function openLog(dir: string): { log: Log; close: () => Promise<void> } {
  const destination = pino.destination({ dest: join(dir, 'proviso.log'), mkdir: true, sync: false, append: true });
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
        destination.once('close', resolve);
        destination.end();
      }),
  };
}
