import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Entry, Lanes } from './lanes.ts';

const entry = (id: string, machine: string, destination = 'd'): Entry => ({ id, machine, destination });

function drain(lanes: Lanes): string[] {
  const ids: string[] = [];
  for (let next = lanes.next(); next; next = lanes.next()) ids.push(next.id);
  return ids;
}

describe('lanes', () => {
  test('one machine goes one by one, in order', () => {
    const lanes = new Lanes({ total: 10, perDestination: 10 });
    const [a, b] = [entry('a', 'm'), entry('b', 'm')];
    lanes.add(a);
    lanes.add(b);
    expect(drain(lanes)).toEqual(['a']);
    lanes.done(a);
    expect(drain(lanes)).toEqual(['b']);
    lanes.done(b);
    expect(lanes.size).toBe(0);
  });

  test('destinations take turns', () => {
    const lanes = new Lanes({ total: 10, perDestination: 10 });
    for (const id of ['a1', 'a2', 'a3']) lanes.add(entry(id, id, 'a'));
    for (const id of ['b1', 'b2']) lanes.add(entry(id, id, 'b'));
    expect(drain(lanes)).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  test('a full destination leaves its places to others, a full house to nobody', () => {
    const lanes = new Lanes({ total: 3, perDestination: 2 });
    for (const id of ['a1', 'a2', 'a3']) lanes.add(entry(id, id, 'a'));
    for (const id of ['b1', 'b2']) lanes.add(entry(id, id, 'b'));
    expect(drain(lanes)).toEqual(['a1', 'b1', 'a2']);
  });

  test('a parked head closes its lane but frees its place', () => {
    const lanes = new Lanes({ total: 1, perDestination: 1 });
    const head = entry('a', 'm');
    lanes.add(head);
    lanes.add(entry('b', 'm'));
    lanes.add(entry('c', 'other'));
    expect(drain(lanes)).toEqual(['a']);
    lanes.park(head);
    expect(drain(lanes)).toEqual(['c']);
    lanes.unpark(head);
    expect(drain(lanes)).toEqual([]);
    lanes.done(entry('c', 'other'));
    expect(lanes.size).toBe(3);
  });

  test('a head that wants its place back and then does not leaves it to others', () => {
    const lanes = new Lanes({ total: 1, perDestination: 1 });
    const head = entry('a', 'm');
    lanes.add(head);
    lanes.add(entry('b', 'm'));
    expect(drain(lanes)).toEqual(['a']);
    lanes.park(head);
    lanes.unpark(head);
    lanes.park(head);
    expect(drain(lanes)).toEqual([]);
    lanes.unpark(head);
    expect(drain(lanes)).toEqual(['a']);
    lanes.done(head);
    expect(drain(lanes)).toEqual(['b']);
  });

  test('what has not begun can be taken out', () => {
    const lanes = new Lanes({ total: 1, perDestination: 1 });
    for (const id of ['a', 'b', 'c']) lanes.add(entry(id, 'm'));
    expect(drain(lanes)).toEqual(['a']);
    expect([lanes.remove('m', 'a'), lanes.remove('m', 'b'), lanes.remove('m', 'x')]).toEqual([false, true, false]);
    expect(lanes.size).toBe(2);
  });
});

test('whatever happens, nothing is lost, order holds and limits are kept', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), machine: fc.nat(4), destination: fc.nat(2) }),
    fc.record({
      kind: fc.constantFrom('next' as const, 'done' as const, 'park' as const, 'unpark' as const, 'give up' as const),
      pick: fc.nat(20),
    }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 150 }), (steps) => {
      const lanes = new Lanes({ total: 4, perDestination: 2 });
      const running: Entry[] = [];
      const parked: Entry[] = [];
      /** They want to go on and have no place yet. */
      const back: Entry[] = [];
      const seen: Entry[] = [];
      let added = 0;
      const take = (): boolean => {
        const next = lanes.next();
        if (!next) return false;
        if (!seen.includes(next)) seen.push(next);
        if (back.includes(next)) back.splice(back.indexOf(next), 1);
        running.push(next);
        expect(running.length).toBeLessThanOrEqual(4);
        expect(running.filter((one) => one.destination === next.destination).length).toBeLessThanOrEqual(2);
        expect(new Set([...running, ...parked].map((one) => one.machine)).size).toBe(running.length + parked.length);
        return true;
      };
      const pickFrom = (list: Entry[], pick: number): Entry | undefined =>
        list.splice(pick % Math.max(1, list.length), 1)[0];
      for (const one of steps) {
        if (one.kind === 'add')
          lanes.add(entry(String(++added).padStart(4, '0'), `m${one.machine}`, `d${one.destination}`));
        else if (one.kind === 'next') take();
        else {
          const from = { unpark: parked, 'give up': back, park: running, done: running }[one.kind];
          const chosen = pickFrom(from, one.pick);
          if (!chosen) continue;
          lanes[one.kind === 'give up' ? 'park' : one.kind](chosen);
          if (one.kind === 'unpark') back.push(chosen);
          else if (one.kind !== 'done') parked.push(chosen);
        }
      }
      for (const one of parked.splice(0)) lanes.unpark(one);
      for (;;) {
        const one = running.pop();
        if (one) lanes.done(one);
        else if (!take()) break;
      }
      expect(lanes.size).toBe(0);
      expect(seen).toHaveLength(added);
      for (const machine of new Set(seen.map((one) => one.machine))) {
        const ids = seen.filter((one) => one.machine === machine).map((one) => one.id);
        expect(ids).toEqual([...ids].sort());
      }
    }),
    { seed: 3, numRuns: 300 },
  );
});
