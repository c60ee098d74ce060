/**
 * What was on the wire, in one small record per commit instead of a new version of every delivery: a claim names the
 * deliveries whose next attempt begins. It goes when all of them have been written themselves. After a crash the claims
 * say whose attempt nobody knows the end of.
 */
import type { Reader, Transaction } from '../store/index.ts';

export const CLAIMS = 'delivery_claims';

/** Ids in all claims, with how often they are claimed. */
export function claimed(store: Pick<Reader, 'entries'>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { value } of store.entries(CLAIMS))
    for (const id of value['Ids'] as readonly string[]) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

export function removeClaims(tx: Transaction): void {
  for (const { key } of [...tx.entries(CLAIMS)]) tx.remove(CLAIMS, key);
}

/** Keeps count of the claims of this process. */
export class ClaimBook {
  #serial = 0;
  /** Deliveries of a claim that have not been written since. */
  readonly #open = new Map<string, number>();
  readonly #claimsOf = new Map<string, string[]>();

  /** A new claim for these deliveries. */
  add(ids: readonly string[]): string {
    const key = String(++this.#serial).padStart(16, '0');
    this.#open.set(key, ids.length);
    for (const id of ids) {
      const keys = this.#claimsOf.get(id);
      if (keys) keys.push(key);
      else this.#claimsOf.set(id, [key]);
    }
    return key;
  }

  /** A delivery is being written. Answers the claims that nobody needs any more. */
  written(id: string): string[] {
    const done: string[] = [];
    for (const key of this.#claimsOf.get(id) ?? []) {
      const open = (this.#open.get(key) ?? 1) - 1;
      if (open > 0) this.#open.set(key, open);
      else {
        this.#open.delete(key);
        done.push(key);
      }
    }
    this.#claimsOf.delete(id);
    return done;
  }
}
