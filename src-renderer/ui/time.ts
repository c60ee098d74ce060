/** Times and durations as text. Local time first; the exact UTC text belongs into a `title`. Pure. */

/** Today's times without the date, others with it; `seconds` for logs. */
export function localTime(iso: string, now: number = Date.now()): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const sameDay = at.toDateString() === new Date(now).toDateString();
  const time = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
  return sameDay
    ? at.toLocaleTimeString(undefined, time)
    : at.toLocaleString(undefined, { year: 'numeric', month: '2-digit', day: '2-digit', ...time });
}

const UNITS = [
  ['year', 365 * 86_400],
  ['day', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** `3 years`, `7 days`, `1 h 30 min`: the two largest parts that are not zero. Whole seconds, from 0 on. */
export function duration(seconds: number): string {
  const parts: string[] = [];
  let rest = Math.max(0, Math.round(seconds));
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0)
      parts.push(`${count.toLocaleString()} ${unit}${unit.length > 3 || unit === 'day' ? plural(count) : ''}`);
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return parts.join(' ') || '0 s';
}

function plural(count: number): string {
  return count === 1 ? '' : 's';
}

/** `in 59 min`, `now` or `10 s ago`, from `now` in ms. */
export function remaining(iso: string, now: number): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1000);
  if (seconds === 0) return 'now';
  return seconds > 0 ? `in ${duration(seconds)}` : `${duration(-seconds)} ago`;
}

/** Milliseconds as people read them: `0.4 ms`, `120 ms`, `2.4 s`, `3 min 20 s`. */
export function milliseconds(ms: number): string {
  if (ms < 10) return `${Math.round(ms * 10) / 10} ms`;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return duration(ms / 1_000);
}
