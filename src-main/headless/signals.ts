/** Signals that end a server. A second one ends it at once. */

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves at the first ending signal. */
export function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let seen = false;
    for (const name of ENDING) {
      process.on(name, (signal) => {
        if (seen) process.exit(130);
        seen = true;
        resolve(signal);
      });
    }
  });
}
