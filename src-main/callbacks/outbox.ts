/**
 * Events that cause callbacks. The waiting row is written in the transaction of the change itself: neither is there without
 * the other, and nothing waits for a receiver.
 */
import type { JsonObject } from '../kit/json.ts';
import type { Transaction } from '../store/index.ts';
import type { ConfigBook } from './config-book.ts';
import type { DeliveryIds } from './delivery-ids.ts';
import { DELIVERIES, newDelivery, packed } from './records.ts';

/** The callback that fires by itself when the current job of a machine fails (service.md, Events). */
const JOB_FAIL = 'jobfail';

const BEFORE_FAILURE = new Set(['created', 'running', 'incomplete']);

/** True for the one change by which a job fails: not for later writes of a failed job, and not for a finished one. */
function isFailure(before: JsonObject | undefined, after: JsonObject | undefined): boolean {
  if (after?.['State'] !== 'failed') return false;
  const state = before?.['State'];
  return typeof state !== 'string' || state === '' || BEFORE_FAILURE.has(state);
}

interface OutboxDeps {
  readonly book: ConfigBook;
  readonly ids: DeliveryIds;
  readonly now: () => number;
}

/** Writes one waiting delivery per plugin with a `jobfail` callback, if `after` is the machine's current job failing. */
export function recordJobFailure(
  deps: OutboxDeps,
  tx: Pick<Transaction, 'get' | 'put'>,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): void {
  if (!after || !isFailure(before, after)) return;
  const machine = String(after['Machine'] ?? '');
  const job = String(after['Uuid'] ?? '');
  if (tx.get('machines', machine)?.value['CurrentJob'] !== job) return;
  const now = deps.now();
  for (const plugin of deps.book.entries()) {
    if (!plugin.config.callbacks.has(JOB_FAIL)) continue;
    const id = deps.ids.next(now);
    const time = new Date(now).toISOString();
    const wanted = { id, time, machine, plugin: plugin.name, action: JOB_FAIL, trigger: 'jobfail', job } as const;
    tx.put(DELIVERIES, id, packed(newDelivery(wanted)), 'absent');
  }
}
