/** Bounds on one rendering, so that no template can hang or exhaust the process. */

export interface RenderLimits {
  /** Longest output, and longest single string on the way to it, in UTF-16 units. */
  readonly outputLength: number;
  /** Nodes executed plus one for every 64 units of text produced or scanned on the way. */
  readonly steps: number;
  /** Nested {{template}} calls. Go's own bound is 100000. */
  readonly depth: number;
  /** Renderings inside renderings (ParamExpand). */
  readonly nesting: number;
}

export const DEFAULT_LIMITS: RenderLimits = {
  outputLength: 16 * 1024 * 1024,
  steps: 4_000_000,
  depth: 100_000,
  nesting: 64,
};

/** Blocks and parentheses inside one another; beyond it parsing stops with an error. */
export const MAX_PARSE_NESTING = 500;

/** Thrown where a bound is hit; the executor gives it template, line and column. */
export class LimitExceeded extends Error {
  override readonly name = 'LimitExceeded';
}

export function outputTooLong(limit: number): LimitExceeded {
  return new LimitExceeded(`output exceeds the limit of ${limit} characters`);
}

export function tooManySteps(limit: number): LimitExceeded {
  return new LimitExceeded(`rendering exceeds the limit of ${limit} steps`);
}
