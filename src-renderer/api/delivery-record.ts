/** A delivery as `GET /x/deliveries` answers it. */
import type { Json } from '../../src-main/kit/json.ts';

export type DeliveryState = 'waiting' | 'sending' | 'held' | 'ok' | 'failed' | 'cancelled';
export type AttemptState = 'sending' | 'ok' | 'failed' | 'interrupted' | 'cancelled';

/** Milliseconds, each part for itself; Wait is the time without a connection to send on. */
export interface Timing {
  readonly Wait: number;
  readonly Connect: number;
  readonly Tls: number;
  readonly FirstByte: number;
  readonly Total: number;
}

/** A body as it is kept: secrets masked, cut where it is long; Bytes is the full length. */
export interface RecordedBody {
  readonly Body: string;
  readonly Bytes: number;
}

export interface RecordedRequest extends RecordedBody {
  readonly Method: string;
  readonly Url: string;
  readonly Headers: Readonly<Record<string, string>>;
}

export interface RecordedResponse extends RecordedBody {
  readonly Status: number;
  readonly Headers: Readonly<Record<string, string>>;
}

export interface Attempt {
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
}

export interface Delivery {
  readonly Id: string;
  /** When it was asked for. */
  readonly Time: string;
  /** Uuid. */
  readonly Machine: string;
  readonly Plugin: string;
  readonly Action: string;
  /** `callbackDo`, or the name of the event. */
  readonly Trigger: string;
  readonly State: DeliveryState;
  /** The job whose failure caused it; empty for callbackDo. */
  readonly Job: string;
  /** Why it is held or failed. */
  readonly Error: string;
  /** When the next attempt is due; empty: as soon as possible, or never. */
  readonly NextAttempt: string;
  readonly EndTime: string;
  readonly Replays: number;
  readonly Retries: number;
  /** All attempts ever; `Attempts` may hold fewer. */
  readonly AttemptCount: number;
  readonly Attempts: readonly Attempt[];
  readonly Override?: { readonly Value: Json };
}
