/** Old deliveries go: finished ones that are too old, and the oldest finished ones when there are too many. */
import type { Store } from '../store/index.ts';
import { DELIVERIES, isFinished, stateOf } from './records.ts';
import { eachInSlices } from './slices.ts';

/** Removed per commit, so that no commit is long. */
const BATCH = 200;

export interface RetentionPolicy {
  readonly retentionMs: number;
  readonly retentionCount: number;
}

const ORIGIN = { actor: 'callbacks/retention', requestId: '' };

async function removeAll(store: Store, ids: readonly string[]): Promise<void> {
  for (let i = 0; i < ids.length; i += BATCH) {
    await store.transact(ORIGIN, (tx) => {
      for (const id of ids.slice(i, i + BATCH)) {
        const row = tx.get(DELIVERIES, id);
        // It may have been replayed meanwhile.
        if (row && isFinished(stateOf(row.value))) tx.remove(DELIVERIES, id);
      }
    });
  }
}

/** Resolves to how many were removed. `now` in milliseconds since 1970. Works in slices. */
export async function sweepDeliveries(store: Store, policy: RetentionPolicy, now: number): Promise<number> {
  const oldest = new Date(now - policy.retentionMs).toISOString();
  let surplus = store.count(DELIVERIES) - policy.retentionCount;
  const ids: string[] = [];
  await eachInSlices(store.entries(DELIVERIES), ({ key, value }) => {
    // Keys ascend with time: nothing further on is older.
    if (surplus <= 0 && String(value['Time']) >= oldest) return false;
    if (isFinished(stateOf(value))) {
      ids.push(key);
      surplus--;
    }
    return undefined;
  });
  await removeAll(store, ids);
  return ids.length;
}
