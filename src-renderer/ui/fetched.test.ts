import { act, createElement, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it } from 'vitest';
import { FetchError, fetchAll, fetched, fetchFailed } from './fetched.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const Screen = ({ name }: { name: string }) => createElement('h1', null, name);

it('draws a component once it has been fetched, and fetches it once', async () => {
  let fetches = 0;
  const Part = fetched(async () => {
    fetches++;
    return Screen;
  });
  const box = document.createElement('div');
  const root = createRoot(box);
  await act(async () => root.render(createElement(Suspense, null, createElement(Part, { name: 'Users' }))));
  expect(box.innerHTML).toBe('<h1>Users</h1>');
  await Promise.all([Part.preload(), fetchAll()]);
  expect(fetches).toBe(1);
  await act(async () => root.unmount());
});

it('a fetch that failed is thrown where it is drawn, and made again by the next who asks', async () => {
  let serverIsAway = true;
  const Part = fetched(async () => {
    if (serverIsAway) throw new TypeError('Failed to fetch dynamically imported module');
    return Screen;
  });
  await expect(Part.preload()).resolves.toBeUndefined();
  expect(() => Part({ name: 'Users' })).toThrow(FetchError);
  await expect(fetchFailed()).resolves.toBe(false);
  serverIsAway = false;
  await expect(fetchFailed()).resolves.toBe(true);
  expect(Part({ name: 'Users' })).toEqual(createElement(Screen, { name: 'Users' }));
});

it('brings also what a fetched part brings along', async () => {
  const brought: string[] = [];
  fetched(async () => {
    brought.push('screen');
    fetched(async () => {
      brought.push('editor');
      return Screen;
    });
    return Screen;
  });
  await fetchAll();
  expect(brought).toEqual(['screen', 'editor']);
});
