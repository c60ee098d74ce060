import { beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../kit/json.ts';
import { type PurgeRequest, purgeJobs } from './job-purge.ts';
import { CALL, createWorld, NOW, type World } from './test-world.ts';

const M1 = '00000000-0000-0000-0000-0000000000c1';
const M2 = '00000000-0000-0000-0000-0000000000c2';
const GONE = '00000000-0000-0000-0000-0000000000cf';
const HOUR = 3_600_000;
let world: World;

const id = (n: number): string => `00000000-0000-0000-0000-00000000000${n}`;
const hoursAgo = (hours: number): string => new Date(NOW - hours * HOUR).toISOString();

beforeEach(async () => {
  world = await createWorld();
  for (const [Uuid, Name] of [
    [M1, 'm1'],
    [M2, 'm2'],
  ] as const)
    await world.create('machines', { Uuid, Name });
  const jobs: [number, string, string, number, boolean][] = [
    [1, M1, 'finished', 5, false],
    [2, M1, 'failed', 4, false],
    [3, M1, 'finished', 3, false],
    [4, M1, 'finished', 2, true],
    [5, M2, 'failed', 9, false],
    [6, M2, 'incomplete', 8, false],
    [7, M2, 'running', 1, true],
    [8, GONE, 'running', 1, true],
  ];
  await world.objects.committer.internal('test', (unit) => {
    for (const [n, Machine, State, hours, Current] of jobs) {
      const times: JsonObject = { StartTime: hoursAgo(hours), EndTime: hoursAgo(hours) };
      unit.put('jobs', id(n), { Uuid: id(n), Machine, State, Current, ...times });
    }
  });
});

const ALL: PurgeRequest = { dryRun: false, machine: undefined, jobsToKeep: 0, failedAfterMs: 0, completeAfterMs: 0 };
const purge = (request: Partial<PurgeRequest>, call = CALL): Promise<string[]> =>
  purgeJobs(world.objects, call, { ...ALL, ...request }, NOW);

test.each<[string, Partial<PurgeRequest>, number[]]>([
  ['everything that is over and not current, and what has no machine', {}, [1, 2, 3, 5, 8]],
  ['the jobs of one machine', { machine: M1 }, [1, 2, 3]],
  ['the jobs without a machine', { machine: 'missing' }, [8]],
  ['all but the newest of each machine', { jobsToKeep: 1 }, [1, 2, 8]],
  ['failed ones of a certain age', { failedAfterMs: 5 * HOUR }, [1, 3, 5, 8]],
  ['finished ones of a certain age', { completeAfterMs: 4 * HOUR }, [1, 2, 5, 8]],
])('removes %s', async (_what, request, gone) => {
  expect(await purge({ ...request, dryRun: true })).toEqual(gone.map(id));
  expect(world.objects.view.count('jobs')).toBe(8);
  expect(await purge(request)).toEqual(gone.map(id));
  expect([...world.objects.view.entries('jobs')].map((stored) => stored.key)).toEqual(
    [1, 2, 3, 4, 5, 6, 7, 8].filter((n) => !gone.includes(n)).map(id),
  );
});

test('needs the claim to delete all jobs', async () => {
  const actor = { ...CALL.actor, allows: () => false };
  await expect(purge({}, { ...CALL, actor })).rejects.toMatchObject({ status: 403 });
  expect(world.objects.view.count('jobs')).toBe(8);
});

test('leaves jobs alone that the tenant hides', async () => {
  const actor = {
    ...CALL.actor,
    allows: () => true,
    restricts: (scope: string) => scope === 'machines' || scope === 'jobs',
    sees: (scope: string, key: string) => scope === 'machines' && key === M2,
  };
  expect(await purge({}, { ...CALL, actor })).toEqual([id(5)]);
});
