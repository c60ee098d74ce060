/** Old deliveries go: finished ones that are too old, and the oldest finished ones when there are too many. */

import { type DeliveryState, isFinished } from '../contract/deliveries.ts';
import type { Store } from '../store/index.ts';
import { DELIVERIES, headOf } from './records.ts';
import { eachInSlices } from './slices.ts';

/** Removed per commit, so that no commit is long. */
const BATCH = 200;

interface RetentionPolicy {
  readonly retentionMs: number;
  readonly retentionCount: number;
}

/** Actor of these commits: whoever counts deliveries by watching the store leaves them out, they are reported here. */
export const RETENTION = 'callbacks/retention';
const ORIGIN = { actor: RETENTION, requestId: '' };

type OnRemoved = (state: DeliveryState) => void;

async function removeAll(store: Store, ids: readonly string[], onRemoved: OnRemoved): Promise<void> {
  for (let i = 0; i < ids.length; i += BATCH) {
    const { result } = await store.transact(ORIGIN, (tx) => {
      const removed: DeliveryState[] = [];
      for (const id of ids.slice(i, i + BATCH)) {
        const stored = tx.get(DELIVERIES, id);
        if (!stored) continue;
        const { state } = headOf(stored);
        // It may have been replayed meanwhile.
        if (!isFinished(state)) continue;
        tx.remove(DELIVERIES, id);
        removed.push(state);
      }
      return removed;
    });
    for (const state of result) onRemoved(state);
  }
}

/** Resolves to how many were found to remove. `now` in milliseconds since 1970. Works in slices. */
export async function sweepDeliveries(
  store: Store,
  policy: RetentionPolicy,
  now: number,
  onRemoved: OnRemoved,
): Promise<number> {
  const oldest = new Date(now - policy.retentionMs).toISOString();
  let surplus = store.count(DELIVERIES) - policy.retentionCount;
  const ids: string[] = [];
  await eachInSlices(store.entries(DELIVERIES), (stored) => {
    const { state, time } = headOf(stored);
    // Keys ascend with time: nothing further on is older.
    if (surplus <= 0 && time >= oldest) return false;
    if (isFinished(state)) {
      ids.push(stored.key);
      surplus--;
    }
    return undefined;
  });
  await removeAll(store, ids, onRemoved);
  return ids.length;
}
