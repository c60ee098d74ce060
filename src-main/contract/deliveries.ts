/**
 * Deliveries of callbacks as `/x/deliveries` answers them and as they are stored, shared by the server and the screens. Types, not
 * interfaces, where the store takes them as JSON.
 */
import type { Json } from '../kit/json.ts';

export type DeliveryState = 'waiting' | 'sending' | 'held' | 'ok' | 'failed' | 'cancelled';
/** True when nothing is sent any more unless somebody replays it. */
export function isFinished(state: DeliveryState): boolean {
  return state === 'ok' || state === 'failed' || state === 'cancelled';
}

export type AttemptState = 'sending' | 'ok' | 'failed' | 'interrupted' | 'cancelled';
/** `callbackDo` for the action; otherwise the name of the event. */
export type Trigger = 'callbackDo' | 'jobfail';

/** Milliseconds, each part for itself; Wait is the time without a connection to send on. */
export type Timing = {
  readonly Wait: number;
  readonly Connect: number;
  readonly Tls: number;
  readonly FirstByte: number;
  readonly Total: number;
};

/** A body as it is kept: secrets masked, cut where it is long; Bytes is the full length. */
export type RecordedBody = {
  readonly Body: string;
  readonly Bytes: number;
};

export type RecordedRequest = RecordedBody & {
  readonly Method: string;
  readonly Url: string;
  readonly Headers: Readonly<Record<string, string>>;
};

export type RecordedResponse = RecordedBody & {
  readonly Status: number;
  readonly Headers: Readonly<Record<string, string>>;
};

export type Attempt = {
  readonly Attempt: number;
  readonly Time: string;
  readonly State: AttemptState;
  /** Name of the auth method used; empty: none. */
  readonly Auth: string;
  /** Status of the answer; 0: none came. */
  readonly Status: number;
  readonly Error: string;
  readonly Timing?: Timing;
  readonly Request?: RecordedRequest;
  readonly Response?: RecordedResponse;
};

export type Delivery = {
  readonly Id: string;
  /** When it was asked for. */
  readonly Time: string;
  readonly Machine: string;
  readonly Plugin: string;
  readonly Action: string;
  readonly Trigger: Trigger;
  readonly State: DeliveryState;
  /** The job whose failure caused it; empty for callbackDo. */
  readonly Job: string;
  /** Why it is held or failed. */
  readonly Error: string;
  /** When the next attempt is due; empty: as soon as possible, or never. */
  readonly NextAttempt: string;
  readonly EndTime: string;
  /** How often it was replayed. */
  readonly Replays: number;
  /** Retries used up since it was asked for or replayed. */
  readonly Retries: number;
  /** Milliseconds of its Timeout used up in earlier lives of this process. */
  readonly Elapsed: number;
  /** All attempts ever; `Attempts` may hold fewer. */
  readonly AttemptCount: number;
  readonly Attempts: readonly Attempt[];
  readonly Override?: { readonly Value: Json };
};

export interface ReplayPreview {
  readonly Count: number;
  readonly Machines: number;
  /** Deliveries per plugin and action. */
  readonly Callbacks: Readonly<Record<string, number>>;
  /** First and last of the range; empty when it is. */
  readonly Oldest: string;
  readonly Newest: string;
}
