/**
 * The delivery record: what is stored, and the pure steps from one version of it to the next.
 *
 *   waiting ──► sending ──► ok
 *      ▲  ▲        │ ├────► failed
 *      │  └─retry──┘ └────► cancelled (also from waiting and held)
 *      └── held (breaker open, plugin not available)        finished ──replay──► waiting
 *
 * `X-Delivery-Id` is `Id`, `X-Delivery-Attempt` counts on over retries, restarts and replays.
 */
import type { Attempt, Delivery, DeliveryState, Trigger } from '../contract/deliveries.ts';
import type { Json, JsonObject } from '../kit/json.ts';
import type { Stored } from '../store/index.ts';

export const DELIVERIES = 'deliveries';

/** Attempts with bodies that are kept: the first and the latest. */
const DETAILED = 10;
/** Attempts kept at all. */
const KEPT = 100;

/** A callback with thousands of retries must not grow without end: old attempts lose their bodies, very old ones go. */
function bounded(attempts: readonly Attempt[]): readonly Attempt[] {
  if (attempts.length <= DETAILED) return attempts;
  const cut =
    attempts.length > KEPT ? [...attempts.slice(0, 1), ...attempts.slice(attempts.length - KEPT + 1)] : attempts;
  return cut.map((attempt, i) => {
    if (i === 0 || i > cut.length - DETAILED || (!attempt.Request && !attempt.Response)) return attempt;
    const { Request: _request, Response: _response, ...rest } = attempt;
    return rest;
  });
}

interface NewDelivery {
  readonly id: string;
  readonly time: string;
  readonly machine: string;
  readonly plugin: string;
  readonly action: string;
  readonly trigger: Trigger;
  readonly job?: string;
  readonly override?: { readonly value: Json } | undefined;
}

export function newDelivery(wanted: NewDelivery): Delivery {
  return {
    Id: wanted.id,
    Time: wanted.time,
    Machine: wanted.machine,
    Plugin: wanted.plugin,
    Action: wanted.action,
    Trigger: wanted.trigger,
    State: 'waiting',
    Job: wanted.job ?? '',
    Error: '',
    NextAttempt: '',
    EndTime: '',
    Replays: 0,
    Retries: 0,
    Elapsed: 0,
    AttemptCount: 0,
    Attempts: [],
    ...(wanted.override && { Override: { Value: wanted.override.value } }),
  };
}

/** An attempt that was under way when the process ended: nobody knows whether it arrived. */
const INTERRUPTED = 'the service ended during this attempt; it may have arrived';

function closeOpenAttempts(attempts: readonly Attempt[]): readonly Attempt[] {
  if (!attempts.some((attempt) => attempt.State === 'sending')) return attempts;
  return attempts.map((attempt) =>
    attempt.State === 'sending' ? { ...attempt, State: 'interrupted' as const, Error: INTERRUPTED } : attempt,
  );
}

/** Written before the request goes out, so that a crash leaves a trace of it. */
export function attemptStarted(delivery: Delivery, time: string): Delivery {
  const number = delivery.AttemptCount + 1;
  const attempt: Attempt = { Attempt: number, Time: time, State: 'sending', Auth: '', Status: 0, Error: '' };
  return {
    ...delivery,
    State: 'sending',
    NextAttempt: '',
    AttemptCount: number,
    Attempts: bounded([...closeOpenAttempts(delivery.Attempts), attempt]),
  };
}

export type AttemptReport = Omit<Attempt, 'Attempt' | 'Time'>;

/** Fills in how the open attempt ended. */
export function attemptEnded(delivery: Delivery, report: AttemptReport): Delivery {
  const open = delivery.Attempts.at(-1);
  if (!open) return delivery;
  const ended: Attempt = { Attempt: open.Attempt, Time: open.Time, ...report };
  return { ...delivery, Attempts: [...delivery.Attempts.slice(0, -1), ended] };
}

interface Waiting {
  /** RFC 3339, or empty for at once. */
  readonly nextAttempt: string;
  readonly retries: number;
  readonly elapsed: number;
}

export function waitsAgain(delivery: Delivery, { nextAttempt, retries, elapsed }: Waiting): Delivery {
  return { ...delivery, State: 'waiting', NextAttempt: nextAttempt, Retries: retries, Elapsed: elapsed };
}

export function held(delivery: Delivery, reason: string): Delivery {
  return { ...delivery, State: 'held', Error: reason, NextAttempt: '' };
}

export function ended(delivery: Delivery, state: 'ok' | 'failed' | 'cancelled', time: string, error = ''): Delivery {
  return { ...delivery, State: state, Error: error, NextAttempt: '', EndTime: time };
}

/** Back to the start with a fresh Timeout and fresh retries; id, arguments and attempts stay. */
export function replayed(delivery: Delivery): Delivery {
  return {
    ...delivery,
    State: 'waiting',
    Error: '',
    NextAttempt: '',
    EndTime: '',
    Replays: delivery.Replays + 1,
    Retries: 0,
    Elapsed: 0,
  };
}

// ---- on disk: what is empty is left out, since every byte is written several times

const EMPTY_DELIVERY = {
  Job: '',
  Error: '',
  NextAttempt: '',
  EndTime: '',
  Replays: 0,
  Retries: 0,
  Elapsed: 0,
  AttemptCount: 0,
  Attempts: [] as readonly Attempt[],
};
const HEAD = /^{"State":"([a-z]+)","Time":"([^"\\]*)"/;
const HEAD_BYTES = 64;
const EMPTY_ATTEMPT = { Auth: '', Status: 0, Error: '' };
const NO_TIME = { Wait: 0, Connect: 0, Tls: 0, FirstByte: 0, Total: 0 };

function withoutEmpty(value: JsonObject): { [k: string]: Json } {
  const kept: { [k: string]: Json } = {};
  for (const name in value) {
    const field = value[name];
    if (field !== '' && field !== 0 && field !== undefined) kept[name] = field;
  }
  return kept;
}

function packedAttempt(attempt: Attempt): JsonObject {
  const kept = withoutEmpty(attempt);
  if (attempt.Timing) kept['Timing'] = withoutEmpty(attempt.Timing);
  return kept;
}

/** The record as it is stored. State and Time stand first: `headOf` reads them there. */
export function packed(delivery: Delivery): JsonObject {
  const { State, Time, Attempts: _attempts, ...rest } = delivery;
  const kept: { [k: string]: Json } = { State, Time, ...withoutEmpty(rest) };
  if (delivery.Attempts.length > 0) kept['Attempts'] = delivery.Attempts.map(packedAttempt);
  return kept;
}

function unpackedAttempt(attempt: Attempt): Attempt {
  const full = { ...EMPTY_ATTEMPT, ...attempt };
  return attempt.Timing ? { ...full, Timing: { ...NO_TIME, ...attempt.Timing } } : full;
}

/** A stored record is what this room wrote: nobody else writes the prefix. */
export function deliveryOf(value: JsonObject): Delivery {
  const stored = value as unknown as Delivery;
  const full = { ...EMPTY_DELIVERY, ...stored };
  return full.Attempts.length === 0 ? full : { ...full, Attempts: full.Attempts.map(unpackedAttempt) };
}

/** State and time of a stored record, as a rule without parsing it: of thousands that are looked through few are wanted. */
export function headOf(stored: Pick<Stored, 'bytes' | 'value'>): {
  readonly state: DeliveryState;
  readonly time: string;
} {
  const head = HEAD.exec(stored.bytes.toString('latin1', 0, HEAD_BYTES));
  if (head) return { state: head[1] as DeliveryState, time: head[2] as string };
  const { State, Time } = stored.value as unknown as Delivery;
  return { state: State, time: Time };
}

/** The state alone, without unpacking. */
export function stateOf(value: JsonObject): DeliveryState {
  return (value as unknown as Delivery).State;
}
