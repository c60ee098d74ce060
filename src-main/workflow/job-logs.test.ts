import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MODELS } from '../contract/models/index.ts';
import { type Log, SILENT } from '../kit/log.ts';
import { createJobLogs, forgetLogsOfRemovedJobs, type JobLogs } from './job-logs.ts';
import { CALL, createWorld } from './test-world.ts';

const JOB = '3e7031fe-3062-45f1-835c-92541bc9cbd3';
let dir: string;
let logs: JobLogs;
let lines: string[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'job-logs-'));
  lines = [];
  const log: Log = { ...SILENT, debug: (fields, message) => lines.push(`${JSON.stringify(fields)} ${message}`) };
  logs = createJobLogs(join(dir, 'logs'), log, 100);
});
afterEach(() => rm(dir, { recursive: true }));

const whole = async (): Promise<string> => {
  const { size, stream } = await logs.read(JOB);
  const read = await text(stream());
  expect(Buffer.byteLength(read)).toBe(size);
  return read;
};

test('a log begins with the name of its job, whether anything was written or not', async () => {
  expect(await whole()).toBe(`Log for Job: ${JOB}\n`);
  await logs.append(JOB, Buffer.from('Fred\n'));
  await logs.append(JOB, Buffer.from('Jane\n'));
  expect(await whole()).toBe(`Log for Job: ${JOB}\nFred\nJane\n`);
  expect(lines).toEqual([1, 2].map(() => `{"job":"${JOB}"} Job ${JOB}: 5 bytes appended to log`));
});

test('pieces sent at the same time are written whole and in order', async () => {
  const pieces = Array.from({ length: 9 }, (_, i) => `${i}`.repeat(3));
  await Promise.all(pieces.map((piece) => logs.append(JOB, Buffer.from(piece))));
  expect(await whole()).toBe(`Log for Job: ${JOB}\n${pieces.join('')}`);
});

test('a log that is full says so once and takes no more', async () => {
  await logs.append(JOB, Buffer.from('x'.repeat(200)));
  await logs.append(JOB, Buffer.from('more'));
  const read = await whole();
  expect(read).toMatch(/x\nThe log is full; what follows is left out\.\n$/);
  expect(read.split('The log is full')).toHaveLength(2);
  expect(read).not.toContain('more');
});

test('a removed log is empty again, and removing nothing is no error', async () => {
  await logs.append(JOB, Buffer.from('Fred\n'));
  await logs.remove(JOB);
  await logs.remove(JOB);
  expect(await whole()).toBe(`Log for Job: ${JOB}\n`);
});

test.each(['../../etc/passwd', 'a/b', '', '.', `${JOB}/..`])('the key %j names no file', async (key) => {
  await expect(logs.append(key, Buffer.from('x'))).rejects.toThrow();
  await expect(logs.read(key)).rejects.toThrow();
  expect(await readdir(dir)).toEqual([]);
});

test('a disk that cannot be written is reported as such', async () => {
  await writeFile(join(dir, 'logs'), 'a file where the directory should be');
  await expect(logs.append(JOB, Buffer.from('x'))).rejects.toMatchObject({ code: 'storage-failed', status: 500 });
});

test('a log goes with its job, and with no other change of it', async () => {
  const world = await createWorld();
  const removed: string[] = [];
  const stop = forgetLogsOfRemovedJobs(
    world.objects.events,
    { ...logs, remove: async (job) => void removed.push(job) },
    SILENT,
  );
  await world.create('tasks', { Name: 'task' });
  await world.create('machines', { Uuid: JOB, Name: 'john', Tasks: ['task'] });
  const job = String((await world.startJob(JOB))['Uuid']);
  await world.patch('jobs', job, { State: 'finished' });
  expect(removed).toEqual([]);
  await world.objects.remove(CALL, MODELS.jobs, job);
  expect(removed).toEqual([job]);
  stop();
});
