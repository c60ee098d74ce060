/** Counters of this room in the text format of Prometheus. */

import type { Delivery, DeliveryState } from '../contract/deliveries.ts';
import type { AttemptReport } from './records.ts';

export type Counts = Readonly<Record<DeliveryState, number>>;

/** Upper bounds in seconds. */
const BUCKETS = [0.005, 0.025, 0.1, 0.25, 1, 2.5, 10, 60, 600];

class Counter {
  readonly #values = new Map<string, number>();

  /** Labels as they are printed. Their values come from a closed set of words, so nothing has to be escaped. */
  add(labels: string): void {
    this.#values.set(labels, (this.#values.get(labels) ?? 0) + 1);
  }

  lines(name: string): string[] {
    return [...this.#values].map(([labels, value]) => `${name}{${labels}} ${value}`);
  }
}

function block(name: string, type: string, help: string, lines: readonly string[]): string {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

interface Gauges {
  readonly counts: Counts;
  readonly queued: number;
  readonly openBreakers: number;
  readonly pools: number;
}

export class Meters {
  readonly #deliveries = new Counter();
  readonly #attempts = new Counter();
  readonly #buckets = BUCKETS.map(() => 0);
  #seconds = 0;
  #timed = 0;

  attempt(report: AttemptReport): void {
    const answer = report.Status === 0 ? 'none' : `${Math.floor(report.Status / 100)}xx`;
    this.#attempts.add(`state="${report.State}",answer="${answer}"`);
    if (!report.Timing) return;
    const seconds = report.Timing.Total / 1000;
    this.#seconds += seconds;
    this.#timed++;
    for (let i = BUCKETS.length - 1; i >= 0 && seconds <= (BUCKETS[i] ?? 0); i--)
      this.#buckets[i] = (this.#buckets[i] ?? 0) + 1;
  }

  /** A delivery left the engine: finished, or waiting for the next start. */
  ended(row: Delivery): void {
    this.#deliveries.add(`trigger="${row.Trigger}",state="${row.State}"`);
  }

  render({ counts, queued, openBreakers, pools }: Gauges): string {
    const duration = 'proviso_callback_attempt_seconds';
    return [
      block(
        'proviso_callback_deliveries',
        'gauge',
        'Deliveries on record by state.',
        Object.entries(counts).map(([state, count]) => `proviso_callback_deliveries{state="${state}"} ${count}`),
      ),
      block('proviso_callback_queue', 'gauge', 'Deliveries queued or under way.', [`proviso_callback_queue ${queued}`]),
      block(
        'proviso_callback_deliveries_total',
        'counter',
        'Deliveries that came to an end since the start.',
        this.#deliveries.lines('proviso_callback_deliveries_total'),
      ),
      block(
        'proviso_callback_attempts_total',
        'counter',
        'Attempts since the start by how they ended and class of answer.',
        this.#attempts.lines('proviso_callback_attempts_total'),
      ),
      block(duration, 'histogram', 'Duration of attempts that were sent.', [
        ...BUCKETS.map((bound, i) => `${duration}_bucket{le="${bound}"} ${this.#buckets[i]}`),
        `${duration}_bucket{le="+Inf"} ${this.#timed}`,
        `${duration}_sum ${Math.round(this.#seconds * 1e6) / 1e6}`,
        `${duration}_count ${this.#timed}`,
      ]),
      block('proviso_callback_breakers_open', 'gauge', 'Destinations with an open circuit breaker.', [
        `proviso_callback_breakers_open ${openBreakers}`,
      ]),
      block('proviso_callback_connection_pools', 'gauge', 'Destinations with a connection pool.', [
        `proviso_callback_connection_pools ${pools}`,
      ]),
    ].join('');
  }
}
