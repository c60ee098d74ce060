/**
 * The joined bytes of runs of objects that stand next to each other in lists. A list of ten thousand is about forty runs; a commit
 * that changes one object makes one of them anew. A run is found by its first object and holds for exactly the objects it was made
 * of: what is stored never changes, so comparing references is enough, and nothing has to be told of commits.
 */
import type { Stored } from '../objects/index.ts';

/** A run ends after so many objects, or once it has so many bytes. */
const RUN_ITEMS = 256;
const RUN_BYTES = 1024 * 1024;
/** Bytes of runs kept, for each of both shapes. */
export const KEPT_BYTES = 48 * 1024 * 1024;

const [OPEN, COMMA, CLOSE] = Buffer.from('[,]');

export interface Run {
  readonly items: readonly Stored[];
  /** `[` or `,`, the objects divided by commas, and `]`, which counts in the last run of a list only. */
  readonly length: number;
}

interface KeptRun extends Run {
  readonly bytes: Buffer;
}

export interface Runs {
  /** The next run of a list, from position `from`. */
  next(list: readonly Stored[], from: number, bytesOf: (stored: Stored) => Buffer): Run;
  /** Its bytes; kept, when `keep` says so, for the next list that has the same run. */
  bytes(run: Run, isFirst: boolean, bytesOf: (stored: Stored) => Buffer, keep: boolean): Buffer;
}

function holds(kept: KeptRun, list: readonly Stored[], from: number): boolean {
  const { items } = kept;
  if (from + items.length > list.length) return false;
  // A list that goes on where the kept one ended would get ever smaller runs.
  if (items.length < RUN_ITEMS && kept.length < RUN_BYTES && from + items.length < list.length) return false;
  for (let i = 0; i < items.length; i++) if (items[i] !== list[from + i]) return false;
  return true;
}

function join(run: Run, isFirst: boolean, bytesOf: (stored: Stored) => Buffer): Buffer {
  const joined = Buffer.allocUnsafeSlow(run.length);
  joined[0] = (isFirst ? OPEN : COMMA) as number;
  let at = 1;
  for (const [i, stored] of run.items.entries()) {
    if (i > 0) joined[at++] = COMMA as number;
    const bytes = bytesOf(stored);
    joined.set(bytes, at);
    at += bytes.length;
  }
  joined[at] = CLOSE as number;
  return joined;
}

export function createRuns(keptBytes = KEPT_BYTES): Runs {
  // The runs a list begins with differ from the others in their first byte. The least recently used stand first.
  const kept = { first: new Map<Stored, KeptRun>(), later: new Map<Stored, KeptRun>() };
  let size = 0;
  const forget = (runs: Map<Stored, KeptRun>, head: Stored): void => {
    size -= runs.get(head)?.length ?? 0;
    runs.delete(head);
  };
  return {
    next(list, from, bytesOf) {
      const known = kept[from === 0 ? 'first' : 'later'].get(list[from] as Stored);
      if (known && holds(known, list, from)) return known;
      let length = 2;
      let to = from;
      while (to < list.length && to - from < RUN_ITEMS && length < RUN_BYTES)
        length += bytesOf(list[to++] as Stored).length + 1;
      return { items: list.slice(from, to), length: length - 1 };
    },
    bytes(run, isFirst, bytesOf, keep) {
      const runs = kept[isFirst ? 'first' : 'later'];
      const [head] = run.items;
      if ('bytes' in run) {
        const known = run as KeptRun;
        if (head && runs.get(head) === known) {
          runs.delete(head);
          runs.set(head, known);
        }
        return known.bytes;
      }
      const bytes = join(run, isFirst, bytesOf);
      if (keep && head) {
        forget(runs, head);
        runs.set(head, { ...run, bytes });
        size += run.length;
        for (const some of [kept.later, kept.first])
          for (const oldest of some.keys()) {
            if (size <= keptBytes) break;
            forget(some, oldest);
          }
      }
      return bytes;
    },
  };
}
