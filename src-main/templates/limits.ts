/** Bounds on one rendering, so that no template can hang or exhaust the process. */

export interface RenderLimits {
  /** Longest output, and longest single string on the way to it, in UTF-16 units. */
  readonly outputLength: number;
  /**
   * Nodes executed, plus the work that grows with data: roughly one for 4 to 64 characters of text, by how dear the
   * function is, and one for each key of a map that is ranged over. A million is about a tenth of a second.
   */
  readonly steps: number;
  /** Nested {{template}} calls. Go's own bound is 100000. */
  readonly depth: number;
  /** Renderings inside renderings (ParamExpand). */
  readonly nesting: number;
  /** Calls that leave the rendering (GetAuthString, tokens). */
  readonly outsideCalls: number;
}

export const DEFAULT_LIMITS: RenderLimits = {
  outputLength: 16 * 1024 * 1024,
  steps: 1_000_000,
  depth: 100_000,
  nesting: 64,
  outsideCalls: 100,
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
