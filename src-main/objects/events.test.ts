import { describe, expect, it } from 'vitest';
import type { Commit } from '../store/index.ts';
import { createEventStream, type EventStream, isEventId } from './events.ts';

const START = 1_000;
const commit = (seq: number, ...keys: string[]): Commit => ({
  seq,
  time: 't',
  actor: 'a',
  requestId: 'r',
  changes: keys.map((key) => ({ prefix: 'profiles', key, after: { Name: key } })),
});
const ping = (stream: EventStream, key: string): void =>
  stream.publish({ type: 'lab', action: 'ping', key, object: null, principal: 'a' });
const keys = (events: ReturnType<EventStream['since']>): readonly string[] | undefined => events?.map(({ key }) => key);

function example(): { stream: EventStream; ids: string[] } {
  const stream = createEventStream(() => START, 36);
  const ids: string[] = [];
  stream.subscribe(({ id }) => ids.push(id));
  ping(stream, 'early');
  stream.commit(commit(37, 'a', 'b'), undefined);
  ping(stream, 'one');
  ping(stream, 'two');
  stream.commit(commit(38, 'c'), undefined);
  return { stream, ids };
}

describe('a listener resumes', () => {
  it('after any event, with a commit or without, and misses none', () => {
    const { stream, ids } = example();
    expect(new Set(ids).size).toBe(6);
    const all = ['early', 'a', 'b', 'one', 'two', 'c'];
    for (const [i, id] of ids.entries()) expect(keys(stream.since(id))).toEqual(all.slice(i + 1));
  });
  it('after a commit by its number alone: what came with no commit of its own is told', () => {
    const { stream } = example();
    expect(keys(stream.since('36'))).toEqual(['early', 'a', 'b', 'one', 'two', 'c']);
    expect(keys(stream.since('37'))).toEqual(['one', 'two', 'c']);
    expect(keys(stream.since('38'))).toEqual([]);
  });
});

describe('a listener reads anew', () => {
  it('when it comes from the future, or from before the start', () => {
    const { stream } = example();
    for (const id of ['39', '38.2', '35', '35.9', '36.2', 'x']) expect(stream.since(id), id).toBeUndefined();
  });
  it('when it comes from another life of the server', () => {
    const { ids } = example();
    const next = createEventStream(() => START + 10, 36);
    ping(next, 'other');
    expect(next.since(ids[0] ?? '')).toBeUndefined();
    expect(keys(next.since('36'))).toEqual(['other']);
  });
  it('when what it missed is kept no more', () => {
    const { stream, ids } = example();
    for (let i = 0; i < 4_000; i++) ping(stream, `k${i}`);
    expect(stream.since(ids[0] ?? '')).toBeUndefined();
    expect(stream.since('38')).toBeUndefined();
    expect(keys(stream.since(`38.${2_500}`))?.[0]).toBe('k2499');
  });
});

it('knows an id from other text', () => {
  expect(['7', '7.1'].filter(isEventId)).toHaveLength(2);
  expect(['', '7.', '.7', '-1', '7.1.1', '1e3', ' 7'].filter(isEventId)).toEqual([]);
});
