/** Signals that end a server. A second one ends it at once. */

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * One Ctrl+C arrives several times: from the terminal to the whole process group, and again from npm or a wrapper that passes it
 * on. Signals this close together are one request, and it asked for a clean end.
 */
const ECHO_MS = 1_000;

/** Resolves at the first ending signal. */
export function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first: number | undefined;
    for (const name of ENDING) {
      process.on(name, (signal) => {
        const now = performance.now();
        if (first === undefined) {
          first = now;
          resolve(signal);
        } else if (now - first > ECHO_MS) process.exit(130);
      });
    }
  });
}
