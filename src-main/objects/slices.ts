/** Long work done in slices that leave the event loop free in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longest stretch of uninterrupted work, in milliseconds. */
const SLICE_MS = 8;

interface Slice {
  /** True when it is time for the others. Asked often, so that nothing is awaited while it is not. */
  isOver(): boolean;
  /** Lets the others work; then the next slice begins. */
  next(): Promise<void>;
}

/** Begins now. To be used as `if (slice.isOver()) await slice.next();`. */
export function startSlice(): Slice {
  let started = performance.now();
  return {
    isOver: () => performance.now() - started > SLICE_MS,
    async next() {
      await nextTurn();
      started = performance.now();
    },
  };
}
