import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src-main/kit/json.ts';
import { jsonEquals } from '../../src-main/kit/json-patch.ts';
import { buildPatch, changedFields, invertPatch, type PatchOp } from './patch.ts';

/** A strict little interpreter, so that the property below does not trust the code it checks. */
function apply(document: JsonObject, ops: readonly PatchOp[]): JsonObject {
  const copy = structuredClone(document) as { [k: string]: Json };
  for (const op of ops) {
    const names = op.path
      .split('/')
      .slice(1)
      .map((t) => t.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = names.pop() as string;
    const parent = names.reduce((node, name) => node[name] as { [k: string]: Json }, copy);
    if (op.op === 'test') expect(parent[last]).toEqual(op.value);
    else if (op.op === 'remove') delete parent[last];
    else parent[last] = op.value;
  }
  return copy;
}

const value = fc.jsonValue().map((v) => v as Json);
const name = fc.string({ minLength: 1, maxLength: 6 }).filter((s) => s !== '__proto__');
const object = fc
  .dictionary(name, fc.oneof(value, fc.dictionary(name, value)), { maxKeys: 6, noNullPrototype: true })
  .map((v) => JSON.parse(JSON.stringify(v)) as JsonObject);

describe('buildPatch', () => {
  it('sends a test of the opened value before each change', () => {
    expect(buildPatch({ Name: 'a', Description: 'old' }, { Name: 'a', Description: 'new' })).toEqual([
      { op: 'test', path: '/Description', value: 'old' },
      { op: 'replace', path: '/Description', value: 'new' },
    ]);
  });

  it('changes one param by its own pointer, escaped, so that one claim is enough', () => {
    expect(buildPatch({ Params: { 'a/b': 1, 'c~d': 2, x: 3 } }, { Params: { 'a/b': 9, x: 3, y: 4 } })).toEqual([
      { op: 'test', path: '/Params/a~1b', value: 1 },
      { op: 'replace', path: '/Params/a~1b', value: 9 },
      { op: 'test', path: '/Params/c~0d', value: 2 },
      { op: 'remove', path: '/Params/c~0d' },
      { op: 'add', path: '/Params/y', value: 4 },
    ]);
  });

  it('replaces lists whole', () => {
    expect(buildPatch({ Roles: ['a'] }, { Roles: ['a', 'b'] })).toEqual([
      { op: 'test', path: '/Roles', value: ['a'] },
      { op: 'replace', path: '/Roles', value: ['a', 'b'] },
    ]);
  });

  it('never sends what only the server writes', () => {
    const opened = { Errors: [], Available: true, ReadOnly: false, Validated: true };
    const edited = { Errors: ['x'], Available: false, ReadOnly: true, Validated: false, PasswordHash: 'x' };
    expect(buildPatch(opened, edited)).toEqual([]);
    expect(changedFields(opened, edited)).toEqual([]);
  });

  it('turns the opened object into the draft, and inverted, back', () => {
    fc.assert(
      fc.property(object, object, (opened, draft) => {
        const ops = buildPatch(opened, draft);
        const saved = apply(opened, ops);
        const fields = changedFields(opened, draft);
        for (const field of fields) expect(jsonEquals(saved[field], draft[field])).toBe(true);
        const back = apply(saved, invertPatch(ops));
        expect(changedFields(opened, back)).toEqual([]);
      }),
      { seed: 20261121, numRuns: 300 },
    );
  });
});

describe('invertPatch', () => {
  it('guards the way back by what was written', () => {
    expect(invertPatch(buildPatch({ D: 1, G: 2 }, { D: 5, N: 3 }))).toEqual([
      { op: 'test', path: '/D', value: 5 },
      { op: 'replace', path: '/D', value: 1 },
      { op: 'add', path: '/G', value: 2 },
      { op: 'test', path: '/N', value: 3 },
      { op: 'remove', path: '/N' },
    ]);
  });
});
