import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ERRORS, type ErrorCode, Problem } from './errors.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/status-codes.md'), 'utf8');
const documented = new Map(
  [...page.matchAll(/^\| ([a-z-]+) \| (\d+) \| [^|]+ \| ([a-z]*) ?\| (.+) \|$/gm)].map((row) => [
    row[1] as string,
    { status: Number(row[2]), reason: row[3] as string, hint: row[4] as string },
  ]),
);

describe('the error catalogue', () => {
  it('has every code on the page, with status, reason and hint', () => {
    for (const [code, spec] of Object.entries(ERRORS)) {
      const reason = 'reason' in spec ? spec.reason : '';
      expect(documented.get(code), code).toEqual({ status: spec.status, reason, hint: spec.hint });
    }
  });

  it('has no code on the page that is not in it', () => {
    expect([...documented.keys()].filter((code) => !Object.hasOwn(ERRORS, code))).toEqual([]);
  });

  it('gives a problem what its code says, and lets a row pin another status', () => {
    const code: ErrorCode = 'read-only';
    expect(new Problem(code, 'x')).toMatchObject({ status: 409, type: 'METHOD', reason: 'conflict', messages: ['x'] });
    expect(new Problem(code, ['x', 'y'], { status: 404, type: 'DELETE' })).toMatchObject({
      status: 404,
      type: 'DELETE',
      message: 'x; y',
    });
  });
});
