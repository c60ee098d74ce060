import { expect, it } from 'vitest';
import { temporaryDirectory } from './conformance-support.ts';
import { killRound, randomNumbers } from './testing/kill-rounds.ts';

it('ten times SIGKILL under load: every acknowledged write is there, none is half there, order is kept', async () => {
  const dir = temporaryDirectory();
  const random = randomNumbers(20_261_121);
  let acknowledged = 0;
  for (let round = 0; round < 10; round++) acknowledged += (await killRound(dir, random)).acknowledged;
  expect(acknowledged).toBeGreaterThan(100);
}, 60_000);
