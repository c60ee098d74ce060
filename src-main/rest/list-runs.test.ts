import { expect, it } from 'vitest';
import type { Stored } from '../objects/index.ts';
import { createRuns, type Runs } from './list-runs.ts';

const stored = (text: string): Stored => ({ key: text, bytes: Buffer.from(JSON.stringify(text)) }) as unknown as Stored;
const some = (count: number, prefix = 'o'): Stored[] =>
  Array.from({ length: count }, (_, i) => stored(`${prefix}${i}`));

/** The list as a route sends it, with how often the bytes of an object were asked for. */
function send(runs: Runs, list: readonly Stored[], keep = true): { text: string; length: number; asked: number } {
  let asked = 0;
  const bytesOf = (one: Stored): Buffer => {
    asked++;
    return one.bytes;
  };
  const parts: Buffer[] = [];
  let length = 1;
  for (let at = 0; at < list.length; ) {
    const run = runs.next(list, at, bytesOf);
    const bytes = runs.bytes(run, at === 0, bytesOf, keep);
    at += run.items.length;
    length += run.length - 1;
    parts.push(at === list.length ? bytes : bytes.subarray(0, -1));
  }
  return { text: Buffer.concat(parts).toString(), length, asked };
}

const json = (list: readonly Stored[]): string => JSON.stringify(list.map(({ key }) => key));

it('joins what a list has, whatever its length, and tells the length before', () => {
  const runs = createRuns();
  for (const count of [1, 2, 255, 256, 257, 513, 2000]) {
    const list = some(count);
    const sent = send(runs, list);
    expect(sent.text).toBe(json(list));
    expect(sent.length).toBe(Buffer.byteLength(sent.text));
  }
});

it('a list sent again asks no object for its bytes; a changed object asks its neighbours only', () => {
  const runs = createRuns();
  const list = some(2000);
  send(runs, list);
  expect(send(runs, [...list])).toMatchObject({ text: json(list), asked: 0 });
  const changed = list.with(300, stored('changed'));
  expect(send(runs, changed)).toMatchObject({ text: json(changed), asked: 512 });
  expect(send(runs, list)).toMatchObject({ text: json(list), asked: 512 });
});

it('tells lists apart that begin alike: shorter, longer, one missing, one more, another order', () => {
  const runs = createRuns();
  const list = some(600);
  const lists = [
    list,
    list.slice(0, 10),
    list.slice(0, 300),
    list.toSpliced(5, 1),
    list.toSpliced(5, 0, stored('new')),
    [list[0] as Stored, ...list.slice(1).toReversed()],
    list.slice(256),
    list,
  ];
  for (const one of lists) expect(send(runs, one).text).toBe(json(one));
});

it('keeps no more bytes than it may, and nothing it shall not keep', () => {
  const small = createRuns(2000);
  const [a, b] = [some(100, 'a'), some(100, 'b')];
  send(small, a);
  expect(send(small, a).asked).toBe(0);
  for (const list of [b, some(100, 'c'), some(100, 'd')]) send(small, list);
  expect(send(small, a).asked).toBeGreaterThan(0);
  const none = createRuns();
  send(none, a, false);
  expect(send(none, a, false).asked).toBeGreaterThan(0);
});

it('a very large object is a run of its own', () => {
  const big = stored('x'.repeat(2_000_000));
  const list = [stored('a'), big, stored('b')];
  const runs = createRuns();
  for (let i = 0; i < 2; i++) expect(send(runs, list).text).toBe(json(list));
});
