import { describe, expect, test } from 'vitest';
import {
  afterScript,
  exitCodesOf,
  exitStateOf,
  FAILED,
  FINE,
  finalState,
  stopsMachine,
  type Verdict,
  verdictOf,
} from './exit-codes.ts';

/** Letters of what holds: f, i, r, p, s. */
const short = (verdict: Verdict): string =>
  Object.entries(verdict)
    .filter(([, holds]) => holds)
    .map(([name]) => name[0])
    .join('');

test.each([
  [0, '', ''],
  [1, 'f', 'r'],
  [2, 'f', 'i'],
  [3, 'f', 'ir'],
  [4, 'f', 'f'],
  [16, 's', 'f'],
  [17, 'f', 'f'],
  [32, 'p', 'f'],
  [48, 'f', 'f'],
  [64, 'r', 'f'],
  [128, 'i', 'f'],
  [144, 'is', 'f'],
  [160, 'ip', 'f'],
  [192, 'ir', 'f'],
  [255, 'f', 'f'],
  [undefined, 'f', 'f'],
])('the exit code %s means %j in sane codes and %j in original ones', (code, sane, original) => {
  expect(short(verdictOf(code, 'sane'))).toBe(sane);
  expect(short(verdictOf(code, 'original'))).toBe(original);
});

test.each([
  ['', false, 'sane'],
  ['sane-exit-codes', false, 'sane'],
  ['original-exit-codes', false, 'original'],
  ['a, original-exit-codes', false, 'original'],
  ['original-exit-codes', true, 'sane'],
] as const)('the flags %j with a marker file (%s) mean %s codes', (flags, hasFile, expected) => {
  expect(exitCodesOf(flags, hasFile)).toBe(expected);
});

describe('after a script', () => {
  const reboot = { ...FINE, reboot: true };
  const incomplete = { ...FINE, incomplete: true };

  test.each<[string, Verdict, boolean, string]>([
    ['that is fine, the next one runs', FINE, false, 'on'],
    ['that is fine and the last, the task is done', FINE, true, ''],
    ['that failed, the task has failed', FAILED, false, 'f'],
    ['that asks for a reboot, the rest is left for later', reboot, false, 'ir'],
    ['that asks for a reboot at the end, nothing is left', reboot, true, 'r'],
    ['that asks to stop, the rest is left for later', { ...FINE, stop: true }, false, 'is'],
    ['that ends the task early, the task is done', incomplete, false, ''],
    ['that is incomplete at the end, so is the task', incomplete, true, 'i'],
  ])('%s', (_what, verdict, isLast, expected) => {
    const course = afterScript(verdict, isLast);
    expect(course.goOn ? 'on' : short(course.verdict)).toBe(expected);
  });
});

test.each<[Partial<Verdict>, string, string, boolean]>([
  [{}, 'finished', 'complete', false],
  [{ failed: true }, 'failed', 'failed', true],
  [{ incomplete: true }, 'incomplete', 'complete', true],
  [{ reboot: true }, 'finished', 'reboot', true],
  [{ incomplete: true, reboot: true }, 'incomplete', 'reboot', true],
  [{ poweroff: true, stop: true }, 'finished', 'poweroff', true],
  [{ stop: true, failed: true }, 'failed', 'stop', true],
])('%j is reported as %s, %s, and stops the machine: %s', (verdict, state, exitState, stops) => {
  const whole = { ...FINE, ...verdict };
  expect([finalState(whole), exitStateOf(whole), stopsMachine(whole)]).toEqual([state, exitState, stops]);
});
