/**
 * Waiting for a machine to change: events say that something happened, a fresh read says what. A socket that is lost is opened
 * again, and meanwhile the machine is read now and then.
 */
import WebSocket from 'ws';
import { API_PREFIX } from '../contract/api-prefix.ts';

const RECONNECT_MS = 1_000;
const POLL_MS = 10_000;

export interface MachineWatch {
  /** Moves with every sign that the machine may have changed. Note it before reading. */
  version(): number;
  /** Resolves once the version is no longer `seen`, or after `ms` at the latest. */
  moved(seen: number, ms: number): Promise<void>;
  close(): void;
}

interface WatchOptions {
  /** `https://HOST:PORT`. */
  readonly endpoint: string;
  readonly token: string;
  readonly ca: string | undefined;
  readonly machine: string;
  readonly signal: AbortSignal;
}

export function watchMachine({ endpoint, token, ca, machine, signal }: WatchOptions): MachineWatch {
  let version = 0;
  let isClosed = false;
  let socket: WebSocket | undefined;
  let reconnecting: NodeJS.Timeout | undefined;
  const waiters = new Set<() => void>();

  const move = (): void => {
    version++;
    for (const wake of waiters) wake();
  };
  const connect = (): void => {
    if (isClosed) return;
    socket = new WebSocket(`${endpoint.replace(/^http/, 'ws')}${API_PREFIX}/ws`, {
      headers: { authorization: `Bearer ${token}` },
      ...(ca === undefined ? { rejectUnauthorized: false } : { ca }),
    });
    socket.on('open', () => socket?.send(`register machines.*.${machine}`));
    // The acknowledgement counts too: what happened before it may have been missed.
    socket.on('message', move);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (!isClosed) reconnecting = setTimeout(connect, RECONNECT_MS);
    });
  };
  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    clearTimeout(reconnecting);
    socket?.terminate();
    move();
  };
  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) close();
  else connect();

  return {
    version: () => version,
    moved(seen, ms) {
      if (version !== seen || isClosed) return Promise.resolve();
      return new Promise((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          waiters.delete(done);
          resolve();
        };
        const timer = setTimeout(done, Math.min(ms, POLL_MS));
        waiters.add(done);
      });
    },
    close() {
      signal.removeEventListener('abort', close);
      close();
    },
  };
}
