import { describe, expect, it } from 'vitest';
import type { Json } from './json.ts';
import { applyPatch, jsonEquals, type PatchOperation, readPatch } from './json-patch.ts';

const apply = (doc: Json, ...ops: PatchOperation[]) => applyPatch(doc, ops);

describe('a patch that asks for too much', () => {
  const TOO_MUCH = 'The patch copies or moves more than one request may';
  const refused = (doc: Json, ops: PatchOperation[]): string | undefined => {
    const result = applyPatch(doc, ops);
    return result.ok ? undefined : result.reason;
  };
  const times = (count: number, op: (i: number) => PatchOperation): PatchOperation[] =>
    Array.from({ length: count }, (_, i) => op(i));

  it('is refused before a list copied into itself fills the memory', () => {
    const ops = times(60, () => ({ op: 'copy', from: '/a', path: '/a/-' }));
    expect(refused({ a: [1] }, ops)).toBe(TOO_MUCH);
  });
  it('counts the texts it copies', () => {
    const ops = times(1000, (i) => ({ op: 'copy', from: '/a', path: `/b${i}` }));
    expect(refused({ a: 'x'.repeat(100_000) }, ops)).toBe(TOO_MUCH);
  });
  it('counts the elements it moves', () => {
    const doc = { a: Array.from({ length: 1_000_000 }, () => 0) };
    const ops = times(1000, () => ({ op: 'add', path: '/a/0', value: 1 }));
    expect(refused(doc, ops)).toBe(TOO_MUCH);
  });
  it('counts whole documents it compares', () => {
    expect(
      refused(
        {},
        times(1000, () => ({ op: 'test', path: '', value: {} })),
      ),
    ).toBe(TOO_MUCH);
  });
  it('does not nest without end, however short its paths are', () => {
    const swing = times(600, (i) =>
      i % 2 ? { op: 'move', from: '/b', path: '/a/x' } : { op: 'move', from: '/a', path: '/b/x' },
    );
    const refill = swing.flatMap((op, i) => [op, { op: 'add', path: i % 2 ? '/b' : '/a', value: {} }]);
    expect(refused({ a: {}, b: {} }, refill)).toContain('nested deeper than 256 levels');
  });
  it('may be long', () => {
    const ops = times(50_000, (i) => ({ op: 'add', path: `/p${i}`, value: i }));
    const result = applyPatch({}, ops);
    expect(result.ok && Object.keys(result.value as object).length).toBe(50_000);
  });
});

it('leaves a copy alone when the original changes, and the document it was given too', () => {
  const doc = { a: { list: [1] } };
  const result = applyPatch(doc, [
    { op: 'add', path: '/a/list/-', value: 2 },
    { op: 'copy', from: '/a', path: '/b' },
    { op: 'add', path: '/a/list/-', value: 3 },
    { op: 'add', path: '/b/list/0', value: 0 },
  ]);
  expect(result).toEqual({ ok: true, value: { a: { list: [1, 2, 3] }, b: { list: [0, 1, 2] } } });
  expect(doc).toEqual({ a: { list: [1] } });
});

it('leaves the values of its operations alone', () => {
  const value = { x: 1 };
  const ops = [
    { op: 'add', path: '/a', value },
    { op: 'add', path: '/a/y', value: 2 },
  ];
  expect(applyPatch({}, ops)).toEqual({ ok: true, value: { a: { x: 1, y: 2 } } });
  expect(value).toEqual({ x: 1 });
});

describe('applyPatch', () => {
  const rows: [string, Json, PatchOperation[], Json][] = [
    ['adds a member', { a: 1 }, [{ op: 'add', path: '/b', value: 2 }], { a: 1, b: 2 }],
    ['adds over a member', { a: 1 }, [{ op: 'add', path: '/a', value: 2 }], { a: 2 }],
    ['adds into an array', { a: [1, 3] }, [{ op: 'add', path: '/a/1', value: 2 }], { a: [1, 2, 3] }],
    ['adds at the end with -', { a: [1] }, [{ op: 'add', path: '/a/-', value: 2 }], { a: [1, 2] }],
    [
      'counts negative indexes from the end',
      { a: [1, 2, 3] },
      [{ op: 'replace', path: '/a/-1', value: 9 }],
      { a: [1, 2, 9] },
    ],
    ['removes a member', { a: 1, b: 2 }, [{ op: 'remove', path: '/a' }], { b: 2 }],
    ['removes an element', { a: [1, 2] }, [{ op: 'remove', path: '/a/0' }], { a: [2] }],
    [
      'takes the empty from and null value that clients send',
      { a: 1 },
      [{ op: 'remove', path: '/a', from: '', value: null }],
      {},
    ],
    ['replaces the whole document', { a: 1 }, [{ op: 'replace', path: '', value: { b: 1 } }], { b: 1 }],
    ['moves', { a: { b: 1 }, c: {} }, [{ op: 'move', from: '/a/b', path: '/c/d' }], { a: {}, c: { d: 1 } }],
    ['copies', { a: { b: [1] } }, [{ op: 'copy', from: '/a/b', path: '/c' }], { a: { b: [1] }, c: [1] }],
    [
      'reads escaped tokens',
      { 'x/y': { '~': 1 } },
      [{ op: 'replace', path: '/x~1y/~0', value: 2 }],
      { 'x/y': { '~': 2 } },
    ],
    [
      'tests without regard to member order',
      { a: { x: 1, y: 2 } },
      [{ op: 'test', path: '/a', value: { y: 2, x: 1 } }],
      { a: { x: 1, y: 2 } },
    ],
    ['does nothing for no operations', { a: 1 }, [], { a: 1 }],
  ];
  it.each(rows)('%s', (_name, doc, ops, expected) => {
    expect(apply(doc, ...ops)).toEqual({ ok: true, value: expected });
  });

  const refusals: [string, Json, PatchOperation, string][] = [
    ['a test that fails', { a: 1 }, { op: 'test', path: '/a', value: 2 }, 'Test op failed.'],
    ['remove of an absent member', {}, { op: 'remove', path: '/foo' }, '`/foo` does not point to an existing location'],
    [
      'replace of an absent member',
      {},
      { op: 'replace', path: '/x', value: 1 },
      '/x does not refer to an existing location',
    ],
    [
      'a path through an absent member',
      {},
      { op: 'test', path: '/john2', value: 1 },
      'Selector john2 not a member of map[string]interface {}{',
    ],
    ['an index past the end', { a: [1] }, { op: 'add', path: '/a/1', value: 2 }, 'Index out of bounds'],
    [
      'a path through a scalar',
      { a: 1 },
      { op: 'add', path: '/a/b', value: 2 },
      'Cannot index pointer /a/b for non-indexable JSON value',
    ],
    ['add at the whole document', {}, { op: 'add', path: '', value: {} }, 'Cannot put to non-indexable JSON value'],
    ['an unknown operation', {}, { op: 'frob', path: '/a' }, 'Invalid op frob'],
    ['a path that is no pointer', {}, { op: 'add', path: 'a', value: 1 }, 'a is not a JSON pointer'],
    ['a prototype', {}, { op: 'add', path: '/__proto__', value: {} }, '__proto__ is not a name'],
    ['a move into itself', { a: { b: 1 } }, { op: 'move', from: '/a', path: '/a/b' }, '/a cannot be moved into itself'],
  ];
  it.each(refusals)('refuses %s and says why', (_name, doc, op, reason) => {
    const result = apply(doc, op);
    expect(result).toMatchObject({ ok: false, index: 0 });
    expect(result.ok ? '' : result.reason).toContain(reason);
  });

  it('names the operation that failed and changes nothing', () => {
    const doc = { a: { b: 1 } };
    const result = apply(doc, { op: 'replace', path: '/a/b', value: 2 }, { op: 'test', path: '/a/b', value: 1 });
    expect(result).toMatchObject({ ok: false, index: 1 });
    expect(doc).toEqual({ a: { b: 1 } });
  });

  it('asks the caller how to compare whole documents', () => {
    const result = applyPatch({ a: 1, b: 2 }, [{ op: 'test', path: '', value: { a: 1 } }], {
      wholeDocumentEquals: () => true,
    });
    expect(result.ok).toBe(true);
  });
});

describe('readPatch', () => {
  it.each([[null], [undefined], [[]]])('takes %j as the empty patch', (body) => {
    expect(readPatch(body)).toEqual({ ok: true, operations: [] });
  });
  it.each([
    [{}, 'array'],
    [[1], 'Operation 0 is not an object'],
    [[{ path: '/a' }], 'Operation 0 has no op'],
    [[{ op: 'add' }], 'Operation 0 has no path'],
    [[{ op: 'move', path: '/a', from: 1 }], 'from must be text'],
  ])('refuses %j', (body, reason) => {
    const read = readPatch(body);
    expect(read.ok).toBe(false);
    expect(read.ok ? '' : read.reason).toContain(reason);
  });
});

describe('jsonEquals', () => {
  it('tells arrays from objects and absent from null', () => {
    expect(jsonEquals([], {})).toBe(false);
    expect(jsonEquals({ a: null }, {})).toBe(false);
    expect(jsonEquals({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] })).toBe(true);
  });
});
