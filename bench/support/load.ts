/** Load from this process on a server in another: a fixed number of connections, each asking again as soon as it was answered. */
import { Pool } from 'undici';

export interface Load {
  /** Performs `count` requests and resolves when all were answered with `status`. */
  run(count: number): Promise<void>;
  close(): Promise<void>;
}

export interface LoadRequest {
  readonly method: 'GET' | 'PATCH' | 'POST';
  /** Path of the n-th request. */
  readonly path: (n: number) => string;
  readonly headers: (n: number) => Record<string, string>;
  readonly body?: (n: number) => string;
  readonly status?: number;
}

export function createLoad(origin: string, connections: number, ask: LoadRequest): Load {
  const pool = new Pool(origin, { connections, pipelining: 1, connect: { rejectUnauthorized: false } });
  const status = ask.status ?? 200;
  let n = 0;
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const i = n++;
      let failed: Error | undefined;
      pool.dispatch(
        {
          method: ask.method,
          path: ask.path(i),
          headers: ask.headers(i),
          ...(ask.body ? { body: ask.body(i) } : {}),
        },
        {
          onRequestStart: () => undefined,
          onResponseStart: (_controller, code) => {
            if (code !== status) failed = new Error(`${ask.method} ${ask.path(i)} answered ${code}`);
          },
          onResponseData: () => undefined,
          onResponseEnd: () => (failed ? reject(failed) : resolve()),
          onResponseError: (_controller, error) => reject(error),
        },
      );
    });
  return {
    async run(count) {
      let left = count;
      await Promise.all(
        Array.from({ length: Math.min(connections, count) }, async () => {
          while (left-- > 0) await one();
        }),
      );
    },
    close: () => pool.close(),
  };
}
