/**
 * The frame every benchmark runs in. Cases run interleaved, in shuffled rounds, in one process and one run, so
 * that a noisy machine slows all of them alike; what is reported is a ratio to a peer measured beside it.
 */

export interface Case {
  readonly name: string;
  /** Performs `operations` units of work. Set-up belongs outside, or into `prepare`. */
  readonly run: (operations: number) => void | Promise<void>;
  /** Makes what `run` will use up; not timed. */
  readonly prepare?: (operations: number) => void | Promise<void>;
  /** Fixed number of operations per round; otherwise it is calibrated to `roundMs`. */
  readonly operations?: number;
}

export interface Measured {
  readonly name: string;
  /** Operations per second: median over the rounds. */
  readonly perSecond: number;
  /** Half the interquartile range over the median, 0..1. */
  readonly spread: number;
  readonly rounds: readonly number[];
}

export interface Result {
  readonly name: string;
  readonly ratio: number;
  readonly better: 'higher' | 'lower';
  readonly budget: number | null;
  readonly met: boolean | null;
  readonly spread: number;
  /** What the ratio is taken against, for the table. */
  readonly against: string;
}

export interface Bench {
  readonly name: string;
  readonly run: (b: BenchRun) => Promise<void>;
}

export interface BenchRun {
  /** Measures the cases interleaved; answers them by name. */
  measure(cases: readonly Case[], options?: { rounds?: number; roundMs?: number }): Promise<Map<string, Measured>>;
  /** Reports `value` against `peer` (both higher-is-better rates) with a budget. The ratio is taken round by round. */
  ratio(name: string, value: Measured, peer: Measured, budget: number | null): void;
  /** Reports a plain number (milliseconds, bytes, a ratio computed by the bench itself). */
  number(
    name: string,
    value: number,
    options: { better: 'higher' | 'lower'; budget: number | null; spread?: number; against: string },
  ): void;
  /** A line for people; left out of the JSON. */
  note(text: string): void;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(q * sorted.length) - 1))] ?? 0;
}

function spreadOf(values: readonly number[]): number {
  const m = median(values);
  return m === 0 ? 0 : (quantile(values, 0.75) - quantile(values, 0.25)) / 2 / m;
}

/** Small deterministic generator: the order of cases is shuffled, yet a run can be repeated. */
export function shuffler(seed: number): <T>(items: readonly T[]) => T[] {
  let state = seed >>> 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  return (items) => {
    const out = [...items];
    for (let i = out.length - 1; i > 0; i--) {
      const j = Math.floor(next() * (i + 1));
      [out[i], out[j]] = [out[j] as (typeof out)[number], out[i] as (typeof out)[number]];
    }
    return out;
  };
}

async function timed(one: Case, operations: number): Promise<number> {
  await one.prepare?.(operations);
  const start = process.hrtime.bigint();
  await one.run(operations);
  return Number(process.hrtime.bigint() - start) / 1e9;
}

async function calibrate(one: Case, roundMs: number): Promise<number> {
  if (one.operations) return one.operations;
  let operations = 1;
  for (;;) {
    const seconds = await timed(one, operations);
    if (seconds * 1000 >= roundMs / 4 || operations >= 1e9)
      return Math.max(1, Math.round((operations * roundMs) / 1000 / Math.max(seconds, 1e-9)));
    operations = Math.max(
      operations + 1,
      Math.min(operations * 10, Math.round((operations * roundMs) / 2000 / Math.max(seconds, 1e-6))),
    );
  }
}

export function createRun(out: (line: string) => void): { run: BenchRun; results: Result[] } {
  const results: Result[] = [];
  const shuffle = shuffler(20_261_121);
  const run: BenchRun = {
    async measure(cases, options = {}) {
      const { rounds = 9, roundMs = 150 } = options;
      const plan = new Map<Case, number>();
      for (const one of cases) plan.set(one, await calibrate(one, roundMs));
      const rates = new Map<string, number[]>(cases.map((one) => [one.name, []]));
      for (let round = 0; round < rounds; round++) {
        for (const one of shuffle(cases)) {
          const operations = plan.get(one) ?? 1;
          rates.get(one.name)?.push(operations / (await timed(one, operations)));
        }
      }
      return new Map(
        [...rates].map(([name, list]) => [
          name,
          { name, perSecond: median(list), spread: spreadOf(list), rounds: list } satisfies Measured,
        ]),
      );
    },
    ratio(name, value, peer, budget) {
      const ratios = value.rounds.map((rate, i) => rate / (peer.rounds[i] ?? peer.perSecond));
      const ratio = median(ratios);
      const met = budget === null ? null : ratio >= budget;
      const against = `${peer.name} (${Math.round(peer.perSecond).toLocaleString('en')}/s)`;
      results.push({ name, ratio, better: 'higher', budget, met, spread: spreadOf(ratios), against });
      out(`${value.name}: ${Math.round(value.perSecond).toLocaleString('en')}/s`);
    },
    number(name, value, { better, budget, spread = 0, against }) {
      const met = budget === null ? null : better === 'higher' ? value >= budget : value <= budget;
      results.push({ name, ratio: value, better, budget, met, spread, against });
    },
    note: out,
  };
  return { run, results };
}
