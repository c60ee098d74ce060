import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { matches, parseListQuery } from '../contract/list-query.ts';
import { fill, MODELS } from '../contract/models/index.ts';
import type { JsonObject } from '../kit/json.ts';
import { memoryDriver, openStore, type Store, type Stored } from '../store/index.ts';
import { buildStack } from './layers.ts';
import { createListCache, type ListCache } from './list-cache.ts';
import { createView } from './view.ts';

const profile = (name: string, description: string): JsonObject =>
  fill(MODELS.profiles, { Name: name, Description: description });
const origin = { actor: 'test', requestId: 'r' };

let store: Store;
let cache: ListCache;
beforeEach(async () => {
  store = await openStore({ driver: memoryDriver() });
  const stack = buildStack([], (_p, _k, value) => value, 0);
  const view = createView(store, () => stack);
  cache = createListCache(view, () => false);
  store.watch((commit) => cache.changed(commit));
});

const ask = async (text: string): Promise<string[]> => {
  const query = parseListQuery(MODELS.profiles, { Name: text });
  const found = await cache.find('profiles', query, (stored: Stored) => matches(query, stored.value));
  return found.map((stored) => stored.key);
};
const put = (name: string, description = ''): Promise<unknown> =>
  store.transact(origin, (tx) => tx.put('profiles', name, profile(name, description)));
const remove = (name: string): Promise<unknown> => store.transact(origin, (tx) => tx.remove('profiles', name));

describe('the list cache', () => {
  it('answers what is there, in key order, and follows every change', async () => {
    await put('bb');
    await put('aa');
    expect(await ask('Gte(aa)')).toEqual(['aa', 'bb']);
    await put('ab');
    await remove('bb');
    expect(await ask('Gte(aa)')).toEqual(['aa', 'ab']);
  });

  it('shows the present revision of an object that still matches', async () => {
    await put('aa', 'old');
    const query = parseListQuery(MODELS.profiles, {});
    const all = () => cache.find('profiles', query, () => true);
    expect((await all())[0]?.value['Description']).toBe('old');
    await put('aa', 'new');
    expect((await all())[0]?.value['Description']).toBe('new');
  });

  it('leaves the list alone that somebody is still reading', async () => {
    await put('aa');
    const query = parseListQuery(MODELS.profiles, {});
    const before = await cache.find('profiles', query, () => true);
    await put('ab');
    await cache.find('profiles', query, () => true);
    expect(before.map((stored) => stored.key)).toEqual(['aa']);
  });

  it('agrees with a fresh look after any run of changes', async () => {
    const step = fc.record({
      name: fc.constantFrom('aa', 'ab', 'ba', 'bb', 'cc'),
      kind: fc.constantFrom('put', 'remove', 'ask'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        for (const { name, kind } of steps) {
          if (kind === 'put') await put(name);
          else if (kind === 'remove' && store.get('profiles', name)) await remove(name);
          else await ask('Between(ab,bb)');
        }
        const fresh = [...store.entries('profiles')]
          .map((stored) => stored.key)
          .filter((key) => key >= 'ab' && key <= 'bb');
        expect(await ask('Between(ab,bb)')).toEqual(fresh);
      }),
      { seed: 20_261_121, numRuns: 60 },
    );
  });
});
