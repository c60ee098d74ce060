import { describe, expect, it } from 'vitest';
import { mergeThreeWay, resolve } from './merge.ts';

const opened = { Name: 'ana', Description: 'old', Roles: ['a', 'b'], Params: { rack: 1, row: 2 } };

describe('mergeThreeWay', () => {
  it('puts changes of different fields together without asking', () => {
    const merge = mergeThreeWay(
      opened,
      { ...opened, Params: { rack: 7, row: 2 } },
      { ...opened, Params: { rack: 1, row: 9 } },
    );
    expect(merge).toEqual({ merged: { ...opened, Params: { rack: 7, row: 9 } }, clashes: [] });
  });

  it('keeps mine where theirs is unchanged and theirs where mine is unchanged', () => {
    const merge = mergeThreeWay(opened, { ...opened, Name: 'bo' }, { ...opened, Description: 'new' });
    expect(merge.merged).toEqual({ ...opened, Name: 'bo', Description: 'new' });
  });

  it('merges lists item by item: their removals and my additions both hold', () => {
    const merge = mergeThreeWay(opened, { ...opened, Roles: ['b', 'c'] }, { ...opened, Roles: ['a', 'b', 'd'] });
    expect(merge).toEqual({ merged: { ...opened, Roles: ['b', 'c', 'd'] }, clashes: [] });
  });

  it('does not add twice what both added', () => {
    const merge = mergeThreeWay(
      opened,
      { ...opened, Roles: ['a', 'b', 'x'] },
      { ...opened, Roles: ['a', 'b', 'x', 'y'] },
    );
    expect(merge.merged.Roles).toEqual(['a', 'b', 'x', 'y']);
  });

  it('asks about a field both changed differently, with the pointer escaped', () => {
    const before = { Params: { 'a/b': 1 } };
    const merge = mergeThreeWay(before, { Params: { 'a/b': 2 } }, { Params: { 'a/b': 3 } });
    expect(merge.clashes).toEqual([{ pointer: '/Params/a~1b', opened: 1, theirs: 2, mine: 3 }]);
    expect(resolve(merge, new Set())).toEqual({ Params: { 'a/b': 3 } });
    expect(resolve(merge, new Set(['/Params/a~1b']))).toEqual({ Params: { 'a/b': 2 } });
  });

  it('asks when one side removed what the other changed, and can take the removal', () => {
    const merge = mergeThreeWay({ P: { k: 1 } }, { P: {} }, { P: { k: 2 } });
    expect(merge.clashes).toEqual([{ pointer: '/P/k', opened: 1, theirs: undefined, mine: 2 }]);
    expect(resolve(merge, new Set(['/P/k']))).toEqual({ P: {} });
  });

  it('leaves out what both removed', () => {
    expect(mergeThreeWay({ a: 1, b: 2 }, { b: 2 }, { b: 3 })).toEqual({ merged: { b: 3 }, clashes: [] });
  });
});
