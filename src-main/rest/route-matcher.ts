/** Which methods a path has: to tell an unknown route (404) from a wrong method (405). */
import type { Route } from './http.ts';

interface Pattern {
  readonly segments: readonly string[];
  readonly method: string;
}

function fits(pattern: readonly string[], path: readonly string[]): boolean {
  for (const [i, segment] of pattern.entries()) {
    if (segment === '*') return path.length > i;
    if (path[i] === undefined) return false;
    if (!segment.startsWith(':') && segment !== path[i]) return false;
  }
  return pattern.length === path.length;
}

/** Answers the methods of a path below the prefix, sorted; none: no such route. */
export function routeMatcher(routes: readonly Route[]): (path: string) => readonly string[] {
  const patterns: Pattern[] = routes.map(({ method, path }) => ({ method, segments: path.split('/').slice(1) }));
  return (path) => {
    const segments = path.replace(/\/+$/, '').split('/').slice(1);
    const methods = new Set(
      patterns.filter((pattern) => fits(pattern.segments, segments)).map((pattern) => pattern.method),
    );
    return [...methods].sort();
  };
}
