/**
 * Circuit breaker per destination: after enough failures in a row nobody asks it any more; after a cool-down one delivery
 * may try, and its result decides for all.
 *
 *   closed ──failures──► open ──cool-down──► half-open ──success──► closed
 *                         ▲                     │ failure
 *                         └─────────────────────┘
 */
import type { BreakerConfig } from './extras.ts';
import type { AttemptResult } from './outcome.ts';
import type { Clock } from './ports.ts';
import { type Stop, Stopped } from './stop.ts';

type BreakerState =
  | { readonly kind: 'closed'; readonly failures: number }
  | { readonly kind: 'open' }
  /** `probing`: the one trial is under way. */
  | { readonly kind: 'half-open'; readonly probing: boolean };

type BreakerInput = 'success' | 'failure' | 'cooled' | 'probe' | 'abandoned';

/** The next state: pure. */
function nextBreakerState(state: BreakerState, input: BreakerInput, config: BreakerConfig): BreakerState {
  switch (input) {
    case 'success':
      return { kind: 'closed', failures: 0 };
    case 'failure': {
      if (state.kind !== 'closed') return { kind: 'open' };
      const failures = state.failures + 1;
      return failures >= config.failures ? { kind: 'open' } : { kind: 'closed', failures };
    }
    case 'cooled':
      return state.kind === 'open' ? { kind: 'half-open', probing: false } : state;
    case 'probe':
      return state.kind === 'half-open' ? { kind: 'half-open', probing: true } : state;
    case 'abandoned':
      return state.kind === 'half-open' ? { kind: 'half-open', probing: false } : state;
  }
}

/** Closed, or half-open without a trial under way. */
function mayPass(state: BreakerState): boolean {
  return state.kind === 'closed' || (state.kind === 'half-open' && !state.probing);
}

/** Whether an attempt shows its destination well; undefined when it says nothing about it. */
export function healthOf(result: AttemptResult): boolean | undefined {
  if (result.kind === 'no-answer') return false;
  if (result.kind === 'answered') return result.status < 500 && result.status !== 429;
  return result.kind === 'stopped' && result.reason === 'timeout' ? false : undefined;
}

interface Circuit {
  state: BreakerState;
  readonly waiting: Set<() => void>;
}

/** What has a circuit of its own: an origin as one plugin asks it. */
export interface Destination {
  readonly plugin: string;
  readonly origin: string;
}

export interface BreakerNews extends Destination {
  readonly to: 'open' | 'closed';
}

export class Breakers {
  readonly #clock: Clock;
  readonly #tell: (news: BreakerNews) => void;
  readonly #circuits = new Map<string, Circuit>();

  constructor(clock: Clock, tell: (news: BreakerNews) => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  /** Destinations that nobody may ask now. */
  get open(): number {
    let count = 0;
    for (const circuit of this.#circuits.values()) if (circuit.state.kind !== 'closed') count++;
    return count;
  }

  /** True when a request may go out now. Every true must be followed by `report` or `abandon`. */
  tryPass(destination: Destination, config: BreakerConfig): boolean {
    const circuit = this.#circuit(destination);
    if (!mayPass(circuit.state)) return false;
    circuit.state = nextBreakerState(circuit.state, 'probe', config);
    return true;
  }

  /**
   * Resolves when `tryPass` is worth trying: at once, or when it is this one's turn. Who was told and does not try must call
   * `passOn`. Rejects with Stopped.
   */
  chance(destination: Destination, stop: Stop): Promise<void> {
    const { state, waiting } = this.#circuit(destination);
    if (stop.reason !== undefined) return Promise.reject(new Stopped(stop.reason));
    if (mayPass(state)) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const wake = (): void => {
        off();
        resolve();
      };
      waiting.add(wake);
      const off = stop.on((reason) => {
        waiting.delete(wake);
        reject(new Stopped(reason));
      });
    });
  }

  /** A chance that is not taken goes to the next who waits for one. */
  passOn(destination: Destination): void {
    const circuit = this.#circuit(destination);
    if (mayPass(circuit.state)) this.#wakeOne(circuit);
  }

  report(destination: Destination, config: BreakerConfig, ok: boolean): void {
    const circuit = this.#circuit(destination);
    const before = circuit.state.kind;
    circuit.state = nextBreakerState(circuit.state, ok ? 'success' : 'failure', config);
    const after = circuit.state.kind;
    if (after === 'open' && before !== 'open') {
      if (before === 'closed') this.#tell({ ...destination, to: 'open' });
      this.#clock.after(config.cooldownSeconds * 1000, () => {
        circuit.state = nextBreakerState(circuit.state, 'cooled', config);
        this.#wakeOne(circuit);
      });
    }
    if (after === 'closed' && before !== 'closed') {
      this.#tell({ ...destination, to: 'closed' });
      const waiting = [...circuit.waiting];
      circuit.waiting.clear();
      for (const wake of waiting) wake();
    }
  }

  /** The request that was let through did not come to an end. */
  abandon(destination: Destination, config: BreakerConfig): void {
    const circuit = this.#circuit(destination);
    if (circuit.state.kind !== 'half-open') return;
    circuit.state = nextBreakerState(circuit.state, 'abandoned', config);
    this.#wakeOne(circuit);
  }

  #wakeOne(circuit: Circuit): void {
    for (const wake of circuit.waiting) {
      circuit.waiting.delete(wake);
      wake();
      return;
    }
  }

  #circuit({ plugin, origin }: Destination): Circuit {
    // Origins have no spaces, names of plugins may.
    const key = `${origin} ${plugin}`;
    let circuit = this.#circuits.get(key);
    if (!circuit) {
      circuit = { state: { kind: 'closed', failures: 0 }, waiting: new Set() };
      this.#circuits.set(key, circuit);
    }
    return circuit;
  }
}
