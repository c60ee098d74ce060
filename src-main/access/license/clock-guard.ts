/**
 * Notices a clock that was set back, so that setting it back does not lengthen a license. The highest time ever seen
 * is kept in a file; licenses are judged by it while the clock is more than an hour behind.
 */
import { type LicenseFiles, readIfThere, replaceFile } from './directory.ts';

/** A clock corrected by less is no reason for anything. */
const TOLERANCE_MS = 3_600_000;
/** How far the file may lag behind what was seen. */
const SAVED_EVERY_MS = 600_000;

/** `now` is what licenses are judged by. */
type ClockVerdict =
  | { readonly state: 'steady'; readonly now: number }
  | { readonly state: 'set-back'; readonly now: number; readonly sentence: string };

/** Pure: the verdict for a clock reading, given the highest seen before. */
function judgeClock(reading: number, highest: number, file: string): ClockVerdict {
  if (reading >= highest - TOLERANCE_MS) return { state: 'steady', now: reading };
  const sentence =
    `The clock was set back: it reads ${new Date(reading).toISOString()}, but ${new Date(highest).toISOString()} was seen before. ` +
    `Licenses are judged by the later time. Set the clock right; if the later time was the wrong one, stop the service and remove ${file}.`;
  return { state: 'set-back', now: highest, sentence };
}

function readHighest(file: string): number {
  try {
    const { highest } = JSON.parse(readIfThere(file) ?? '{}') as { highest?: unknown };
    const time = typeof highest === 'string' ? Date.parse(highest) : Number.NaN;
    return Number.isNaN(time) ? 0 : time;
  } catch {
    return 0;
  }
}

interface ClockGuard {
  /** Verdict for a clock reading, which is remembered. */
  judge(reading: number): ClockVerdict;
  /** Writes down the highest time seen. */
  save(): void;
}

/** `writable: false` reads the file and leaves it as it is. */
export function createClockGuard(files: LicenseFiles, writable: boolean): ClockGuard {
  let saved = readHighest(files.clock);
  let highest = saved;
  const save = (): void => {
    if (!writable || highest <= saved) return;
    try {
      replaceFile(files.clock, `${JSON.stringify({ highest: new Date(highest).toISOString() })}\n`, 0o600);
      saved = highest;
    } catch {
      // No license directory yet, or it is read-only: there is nothing here that could be lengthened.
    }
  };
  return {
    judge(reading) {
      const verdict = judgeClock(reading, highest, files.clock);
      if (reading > highest) highest = reading;
      if (highest - saved > SAVED_EVERY_MS) save();
      return verdict;
    },
    save,
  };
}
