import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longest stretch of uninterrupted work, in milliseconds. */
const SLICE_MS = 8;

/** Visits all items, handing the event loop back now and then. `visit` answers false to end early. */
export async function eachInSlices<T>(items: Iterable<T>, visit: (item: T) => boolean | undefined): Promise<void> {
  let slice = performance.now();
  for (const item of items) {
    if (visit(item) === false) return;
    if (performance.now() - slice < SLICE_MS) continue;
    await nextTurn();
    slice = performance.now();
  }
}
