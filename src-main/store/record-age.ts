/**
 * Times by which records grow old. A clock that was ahead left records from the future; their age is that of the record after
 * them, or one of them would keep the whole log until its time has come. `after`: the time that follows the last.
 */
export function agingTimes(times: readonly number[], nowMs: number, after: number): number[] {
  let later = after;
  return times
    .toReversed()
    .map((time) => {
      if (time <= nowMs) later = time;
      return later;
    })
    .reverse();
}
