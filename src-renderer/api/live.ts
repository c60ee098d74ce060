/**
 * Live changes: reads the change stream and marks what changed as stale. The stream is read with `fetch`
 * because EventSource cannot send the Authorization header. Where the server has no stream, or it breaks,
 * polling stands in and the stream is tried again; nothing on screen depends on which of the two runs.
 */
import { createStore } from 'zustand/vanilla';
import { API_PREFIX } from '../../src-main/contract/api-prefix.ts';
import { createEventParser } from './sse.ts';

/** One change, as the stream sends it. */
export interface ChangeEvent {
  /** Number of the change in the log. */
  readonly seq: number;
  /** Object prefix, `machines`. */
  readonly Type: string;
  readonly Action: string;
  readonly Key: string;
}

/** How changes arrive now; the status strip shows it. */
export const liveMode = createStore<{ mode: 'connecting' | 'streaming' | 'polling' }>(() => ({ mode: 'connecting' }));

interface LiveOptions {
  readonly token: () => string | undefined;
  readonly onChange: (event: ChangeEvent) => void;
  /** Called after a gap of unknown length: everything may have changed. */
  readonly onGap: () => void;
  /** Called every `pollEvery` ms while there is no stream. */
  readonly onPoll: () => void;
  readonly pollEvery: number;
  /** Called when an open stream ends: the server may be gone. */
  readonly onDrop: () => void;
  readonly fetch?: typeof fetch;
}

/** Waits before the stream is tried again, in ms; the last one repeats. */
const RECONNECT = [1_000, 2_000, 5_000, 10_000, 30_000];
/** A server without the route will not grow one while it runs; an upgrade may bring it. */
const RETRY_MISSING = 300_000;

interface Live {
  stop(): void;
  /** Tries the stream again now, as when the server has just come back. */
  wake(): void;
}

/** Starts reading. */
export function startLive(options: LiveOptions): Live {
  const stop = new AbortController();
  let cut = new AbortController();
  const pause = async (ms: number) => {
    cut = new AbortController();
    await sleep(ms, AbortSignal.any([stop.signal, cut.signal]));
  };
  const poll = setInterval(() => {
    if (liveMode.getState().mode !== 'streaming') options.onPoll();
  }, options.pollEvery);
  stop.signal.addEventListener('abort', () => clearInterval(poll));
  void run(options, stop.signal, pause);
  return { stop: () => stop.abort(), wake: () => cut.abort() };
}

type Pause = (ms: number) => Promise<void>;

async function run(options: LiveOptions, signal: AbortSignal, pause: Pause): Promise<void> {
  /** Id of the last event seen; the stream resumes after it. */
  let from: string | undefined;
  let failures = 0;
  while (!signal.aborted) {
    const outcome = await readStream(options, from, signal, () => {
      // After the first connection a resume with `from` replays what was missed; without a position nothing is known.
      if (failures > 0 && from === undefined) options.onGap();
      failures = 0;
      liveMode.setState({ mode: 'streaming' });
    });
    from = outcome.last;
    if (signal.aborted) return;
    if (liveMode.getState().mode === 'streaming') options.onDrop();
    liveMode.setState({ mode: 'polling' });
    const wait = outcome.missing ? RETRY_MISSING : (RECONNECT[Math.min(failures, RECONNECT.length - 1)] ?? 30_000);
    failures += 1;
    await pause(wait);
  }
}

interface Outcome {
  readonly last: string | undefined;
  /** The server has no such route. */
  readonly missing: boolean;
}

async function readStream(
  o: LiveOptions,
  from: string | undefined,
  signal: AbortSignal,
  onOpen: () => void,
): Promise<Outcome> {
  let last = from;
  try {
    const response = await (o.fetch ?? fetch)(`${API_PREFIX}/x/events${from === undefined ? '' : `?from=${from}`}`, {
      headers: { Accept: 'text/event-stream', Authorization: `Bearer ${o.token() ?? ''}` },
      credentials: 'omit',
      cache: 'no-store',
      signal,
    });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    if (!response.ok || !isStream || !response.body) {
      await response.body?.cancel();
      return { last, missing: response.status === 404 || response.status === 405 };
    }
    onOpen();
    const push = createEventParser(({ event, data, id }) => {
      // The server cannot replay from where we were.
      if (event === 'reset') o.onGap();
      const change = event === 'message' ? parseChange(data) : undefined;
      if (!change) return;
      last = id;
      o.onChange(change);
    });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) push(piece.value);
  } catch {
    // A broken stream is ordinary life (restart, sleep, network): the loop above goes on from `last`.
  }
  return { last, missing: false };
}

/** A change from one event's text, or undefined when it is not one (newer servers may send other kinds). */
export function parseChange(data: string): ChangeEvent | undefined {
  try {
    const event: unknown = JSON.parse(data);
    if (typeof event !== 'object' || event === null) return undefined;
    const { seq, Type, Action, Key } = event as Record<string, unknown>;
    return typeof seq === 'number' && typeof Type === 'string' && typeof Key === 'string'
      ? { seq, Type, Action: typeof Action === 'string' ? Action : '', Key }
      : undefined;
  } catch {
    return undefined;
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
