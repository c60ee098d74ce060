import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChangeEvent } from './live.ts';
import { createQueryClient, keys, type Listed } from './queries.ts';
import { createRefresh, type Refresh, withChange } from './refresh.ts';
import type { ObjectOf, User } from './types.ts';

const user = (name: string, description = '') => ({ Name: name, Description: description }) as unknown as User;
const event = (key: string, action = 'update', type = 'users'): ChangeEvent => ({
  seq: 1,
  Type: type,
  Action: action,
  Key: key,
});

beforeEach(() => void vi.useFakeTimers());
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.useRealTimers();
});

/** A list of users on screen, read by `readList`; single objects by `readRow`. */
async function screen(readRow: (key: string) => Promise<User>) {
  const cache = createQueryClient();
  const readList = vi.fn(
    (): Promise<Listed<'users'>> => Promise.resolve({ rows: [user('ana'), user('bo')], texts: new Map(), total: 2 }),
  );
  const observer = new QueryObserver(cache, {
    queryKey: keys.list('users'),
    queryFn: readList,
    structuralSharing: false,
  });
  const leave = observer.subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(0);
  const row = vi.fn(readRow);
  const refresh: Refresh = createRefresh(cache, (_, key) => row(key) as Promise<ObjectOf<never>>);
  stops.push(leave, refresh.stop, () => cache.clear());
  const shown = () => cache.getQueryData<Listed<'users'>>(keys.list('users'))?.rows.map((u) => u.Description);
  const forget = () => {
    leave();
    cache.removeQueries({ queryKey: keys.list('users') });
  };
  return { refresh, readList, row, shown, forget };
}

describe('withChange', () => {
  it('tells updated objects apart, up to a number', () => {
    let pending = withChange(undefined, event('a'));
    expect(withChange(pending, event('b', 'save'))).toEqual(new Set(['a', 'b']));
    for (let i = 0; i < 20; i++) pending = withChange(pending, event(`k${i}`));
    expect(pending).toBe('everything');
    expect(withChange(pending, event('a'))).toBe('everything');
  });

  it.each(['create', 'delete', 'somethingelse'])('takes "%s" for a change of the whole list', (action) => {
    expect(withChange(new Set(['b']), event('a', action))).toBe('everything');
  });
});

describe('createRefresh', () => {
  it('reads one updated object and puts it in its row; the list is not read again', async () => {
    const { refresh, readList, row, shown } = await screen((key) => Promise.resolve(user(key, 'new')));
    refresh.changed(event('bo'));
    refresh.changed(event('bo'));
    await vi.advanceTimersByTimeAsync(200);
    expect(shown()).toEqual(['', 'new']);
    expect(row).toHaveBeenCalledTimes(1);
    expect(readList).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['a new object', event('cy', 'create')],
    ['an object without a row', event('cy')],
    ['a role, which may decide what can be seen', event('r', 'update', 'roles')],
  ])('reads the list anew for %s', async (_, change) => {
    const { refresh, readList } = await screen((key) => Promise.resolve(user(key)));
    refresh.changed(change);
    await vi.advanceTimersByTimeAsync(200);
    expect(readList).toHaveBeenCalledTimes(2);
  });

  it('reads the list anew when an object cannot be read', async () => {
    const { refresh, readList } = await screen(() => Promise.reject(new Error('gone')));
    refresh.changed(event('bo'));
    await vi.advanceTimersByTimeAsync(200);
    expect(readList).toHaveBeenCalledTimes(2);
  });

  it('brings nothing back that was forgotten while it read', async () => {
    const { refresh, forget, shown } = await screen(
      (key) => new Promise((resolve) => setTimeout(() => resolve(user(key, 'of the last user')), 100)),
    );
    refresh.changed(event('bo'));
    await vi.advanceTimersByTimeAsync(200);
    forget();
    await vi.advanceTimersByTimeAsync(200);
    expect(shown()).toBeUndefined();
  });

  it('finishes a reading of the list under steady change, and reads what came meanwhile afterwards', async () => {
    const { refresh, readList, shown } = await screen((key) => Promise.resolve(user(key, 'newest')));
    const slow = () =>
      new Promise<Listed<'users'>>((resolve) => {
        setTimeout(() => resolve({ rows: [user('ana'), user('bo', 'newer')], texts: new Map(), total: 2 }), 500);
      });
    readList.mockImplementationOnce(slow);
    refresh.changed(event('cy', 'create'));
    for (let ms = 0; ms < 600; ms += 50) {
      await vi.advanceTimersByTimeAsync(50);
      refresh.changed(event('bo'));
    }
    expect(readList).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(300);
    expect(shown()).toEqual(['', 'newest']);
  });
});
