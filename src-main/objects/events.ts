/**
 * The event stream: a reading of the change log plus what was published without a change (actions, log lines, POST /events).
 * The last events are kept so that a listener can resume; who needs older ones is told to read anew.
 */
import { MODELS } from '../contract/models/index.ts';
import type { JsonObject } from '../kit/json.ts';
import type { Commit } from '../store/index.ts';
import type { ObjectEvent } from './types.ts';

const KEPT = 2_000;

interface EventStream {
  /** Every event from now on, in order. A listener must be quick and must not throw. */
  subscribe(listener: (event: ObjectEvent) => void): () => void;
  /** Events after `seq` that are still kept; undefined when some of them are gone. */
  since(seq: number): readonly ObjectEvent[] | undefined;
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

export function createEventStream(clock: () => number, firstSeq: number): EventStream {
  const listeners = new Set<(event: ObjectEvent) => void>();
  let kept: ObjectEvent[] = [];
  let lastSeq = firstSeq;
  let forgottenThrough = firstSeq;
  const emit = (event: ObjectEvent): void => {
    kept.push(event);
    if (kept.length > 2 * KEPT) {
      forgottenThrough = kept.at(-KEPT - 1)?.seq ?? forgottenThrough;
      kept = kept.slice(-KEPT);
    }
    for (const listener of listeners) listener(event);
  };
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    since(seq) {
      if (seq > lastSeq || seq < forgottenThrough) return undefined;
      return kept.filter((event) => event.seq > seq);
    },
    publish({ type, action, key, object, principal }) {
      emit({ seq: lastSeq, time: new Date(clock()).toISOString(), type, action, key, object, principal });
    },
    commit(commit, subject) {
      lastSeq = commit.seq;
      for (const { prefix, key, before, after } of commit.changes) {
        if (!Object.hasOwn(MODELS, prefix)) continue;
        emit({
          seq: commit.seq,
          time: commit.time,
          type: prefix,
          action: actionOf(before, after, subject === undefined || subject === `${prefix}/${key}`),
          key,
          object: after ?? before,
          original: before,
          principal: commit.actor,
        });
      }
    },
  };
}
