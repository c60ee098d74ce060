import { expect, it } from 'vitest';
import type { Delivery } from '../../src-main/contract/deliveries.ts';
import { byCallback, curlOfRequest, deliveriesPath, durationOf, filterOf, phasesOf, showBody } from './deliveries.ts';

it('asks for the newest, and for the states of a filter', () => {
  expect(deliveriesPath(undefined)).toBe('/api/v3/x/deliveries?reverse=true&limit=500');
  expect(deliveriesPath('unfinished')).toContain('&State=In(waiting,sending,held)');
});

it('knows its filters, and nothing an address may invent', () => {
  expect(filterOf('failed')).toBe('failed');
  expect(filterOf('toString')).toBeUndefined();
  expect(filterOf(undefined)).toBeUndefined();
});

it('measures only what has ended', () => {
  const delivery = { Time: '2026-01-01T00:00:00.000Z', EndTime: '2026-01-01T00:00:01.500Z' } as Delivery;
  expect(durationOf(delivery)).toBe(1500);
  expect(durationOf({ ...delivery, EndTime: '' })).toBeUndefined();
});

it('splits an attempt into parts that add up to its total, the rest being the body', () => {
  const phases = phasesOf({ Wait: 1, Connect: 2, Tls: 0, FirstByte: 3, Total: 10.5 });
  expect(phases.map(({ name, ms }) => [name, ms])).toEqual([
    ['Wait', 1],
    ['Connect', 2],
    ['First byte', 3],
    ['Body', 4.5],
  ]);
});

it('shows JSON in lines, cut JSON as text', () => {
  expect(showBody({ Body: '{"a":1}', Bytes: 7 })).toEqual({ text: '{\n  "a": 1\n}', language: 'json', cut: false });
  expect(showBody({ Body: '{"a":', Bytes: 700 })).toEqual({ text: '{"a":', language: 'text', cut: true });
  expect(showBody({ Body: '42', Bytes: 2 })).toEqual({ text: '42', language: 'text', cut: false });
  expect(showBody({ Body: 'ä', Bytes: 2 }).cut).toBe(false);
});

it('writes the request as a line a shell reads back', () => {
  const line = curlOfRequest({
    Method: 'PUT',
    Url: 'https://cmdb.example/x',
    Headers: { Authorization: '***' },
    Body: "it's",
    Bytes: 4,
  });
  expect(line).toBe(`curl -X PUT -H 'Authorization: ***' --data-raw 'it'\\''s' 'https://cmdb.example/x'`);
});

it('lists the callbacks with the most deliveries first', () => {
  expect(byCallback({ 'b/x': 1, 'a/x': 1, 'c/x': 12 })).toEqual(['c/x: 12', 'a/x: 1', 'b/x: 1']);
});
