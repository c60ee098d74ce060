/**
 * The event stream: a reading of the change log plus what was published without a change (actions, log lines, POST /events).
 * The last events are kept so that a listener can resume; who needs older ones is told to read anew.
 */
import { MODELS } from '../contract/models/index.ts';
import type { JsonObject } from '../kit/json.ts';
import type { Commit } from '../store/index.ts';
import type { ObjectEvent } from './types.ts';

const KEPT = 2_000;

export interface EventStream {
  /** Every event from now on, in order. A listener must be quick and must not throw. */
  subscribe(listener: (event: ObjectEvent) => void): () => void;
  /**
   * Events after the one with this id that are still kept; undefined when some of them are gone. A number alone stands for the
   * whole commit: what came after it without one is told again rather than lost. Undefined for what is no id, too: see `isEventId`.
   */
  since(id: string): readonly ObjectEvent[] | undefined;
  /** Publishes an event that no object change stands behind. */
  publish(event: { type: string; action: string; key: string; object: unknown; principal: string }): void;
  /** Feeds a commit in. `subject` is the object the request was about: other objects changed with it are `save`d. */
  commit(commit: Commit, subject: string | undefined): void;
}

function actionOf(before: JsonObject | undefined, after: JsonObject | undefined, isSubject: boolean): string {
  if (!before) return 'create';
  if (!after) return 'delete';
  return isSubject ? 'update' : 'save';
}

const ID = /^(\d{1,15})(?:\.(\d{1,15}))?$/;

/** True for `seq.n` and for `seq` alone. */
export function isEventId(text: string): boolean {
  return ID.test(text);
}

/** `n` undefined: the end of the commit itself. */
interface Place {
  readonly seq: number;
  readonly n: number | undefined;
}

function placeOf(id: string): Place | undefined {
  const parts = ID.exec(id);
  return parts ? { seq: Number(parts[1]), n: parts[2] === undefined ? undefined : Number(parts[2]) } : undefined;
}

interface Kept {
  readonly event: ObjectEvent;
  readonly n: number;
  readonly hasCommit: boolean;
}

function isAfter({ event, n, hasCommit }: Kept, place: Place): boolean {
  if (event.seq !== place.seq) return event.seq > place.seq;
  return place.n === undefined ? !hasCommit : n > place.n;
}

export function createEventStream(clock: () => number, firstSeq: number): EventStream {
  const listeners = new Set<(event: ObjectEvent) => void>();
  let kept: Kept[] = [];
  let lastSeq = firstSeq;
  // Events without a commit are not remembered beyond a stop: the first ids of this life follow those of the one before by the time.
  let lastN = Math.max(0, Math.floor(clock()));
  let forgotten = { seq: firstSeq, n: lastN, cut: false };
  const emit = (event: Omit<ObjectEvent, 'id'>, hasCommit: boolean): void => {
    lastN += 1;
    const made = { ...event, id: `${event.seq}.${lastN}` };
    kept.push({ event: made, n: lastN, hasCommit });
    if (kept.length > 2 * KEPT) {
      const last = kept.at(-KEPT - 1);
      if (last) forgotten = { seq: last.event.seq, n: last.n, cut: true };
      kept = kept.slice(-KEPT);
    }
    for (const listener of listeners) listener(made);
  };
  const isKnown = ({ seq, n }: Place): boolean => {
    if (seq > lastSeq || (seq === lastSeq && n !== undefined && n > lastN)) return false;
    if (seq !== forgotten.seq) return seq > forgotten.seq;
    return n === undefined ? !forgotten.cut : n >= forgotten.n;
  };
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    since(id) {
      const place = placeOf(id);
      if (!place || !isKnown(place)) return undefined;
      return kept.filter((one) => isAfter(one, place)).map(({ event }) => event);
    },
    publish({ type, action, key, object, principal }) {
      emit({ seq: lastSeq, time: new Date(clock()).toISOString(), type, action, key, object, principal }, false);
    },
    commit(commit, subject) {
      lastSeq = commit.seq;
      lastN = 0;
      for (const { prefix, key, before, after } of commit.changes) {
        if (!Object.hasOwn(MODELS, prefix)) continue;
        emit(
          {
            seq: commit.seq,
            time: commit.time,
            type: prefix,
            action: actionOf(before, after, subject === undefined || subject === `${prefix}/${key}`),
            key,
            object: after ?? before,
            original: before,
            principal: commit.actor,
          },
          true,
        );
      }
    },
  };
}
