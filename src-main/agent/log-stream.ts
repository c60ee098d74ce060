/** What scripts print, sent to the job's log in pieces: at most 64 KiB each, at least one a second while there is something. */

export const MAX_PIECE = 64 * 1024;
const EVERY_MS = 1_000;

export interface LogStream {
  /** Resolves when so little is waiting that more may come: whoever reads a pipe waits for it. */
  write(data: Buffer | string): Promise<void>;
  /** Sends what is left. */
  end(): Promise<void>;
}

/**
 * `send` is called with one piece after the other. A piece that cannot be sent is given up with everything after it: `onLost` is
 * told once, and the task goes on without its log.
 */
export function createLogStream(
  send: (piece: Buffer) => Promise<void>,
  onLost: (error: unknown) => void,
  everyMs = EVERY_MS,
): LogStream {
  let waiting: Buffer[] = [];
  let size = 0;
  let sending: Promise<void> = Promise.resolve();
  let isLost = false;

  const drain = async (): Promise<void> => {
    while (size > 0 && !isLost) {
      const all = Buffer.concat(waiting);
      const piece = all.subarray(0, MAX_PIECE);
      const rest = all.subarray(piece.length);
      waiting = rest.length > 0 ? [rest] : [];
      size = rest.length;
      try {
        await send(piece);
      } catch (error) {
        isLost = true;
        onLost(error);
      }
    }
  };
  const flush = (): Promise<void> => {
    sending = sending.then(drain);
    return sending;
  };
  const timer = setInterval(() => {
    if (size > 0) void flush();
  }, everyMs);
  timer.unref();

  return {
    async write(data) {
      if (isLost) return;
      const bytes = Buffer.from(data);
      waiting.push(bytes);
      size += bytes.length;
      if (size >= MAX_PIECE) await flush();
    },
    async end() {
      clearInterval(timer);
      await flush();
    },
  };
}
