import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deliveryRound } from './delivery-rounds.ts';
import { orderProblems, type Seen } from './troubled-receiver.ts';

test('SIGKILL while callbacks are under way: each failure is told, once taken up again, under its id, in order', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'proviso-deliveries-'));
  const { failures } = await deliveryRound(dir, inTurn([0.2, 0.75, 0.5, 0.95, 0.1, 0.3, 0.85]));
  expect(failures).toBeGreaterThan(0);
  rmSync(dir, { recursive: true });
}, 60_000);

test('the check of the order finds what it is for', () => {
  const seen = (id: string, attempt: number, okAt?: number, machine = 'm'): Seen => ({
    id,
    attempt,
    machine,
    at: 0,
    okAt,
  });
  expect(orderProblems([seen('a', 1), seen('a', 2, 1), seen('b', 1, 2), seen('c', 1, 0, 'other')])).toEqual([]);
  expect(orderProblems([seen('a', 1), seen('a', 1)])).toEqual(['attempt 1 of a came after attempt 1']);
  expect(orderProblems([seen('b', 1, 1), seen('a', 1)])).toEqual(['a came after b, which is younger, of one machine']);
  expect(orderProblems([seen('a', 1), seen('b', 1)])).toEqual(['b came before a of the same machine was delivered']);
});

function inTurn(numbers: readonly number[]): () => number {
  let i = 0;
  return () => numbers[i++ % numbers.length] ?? 0;
}
