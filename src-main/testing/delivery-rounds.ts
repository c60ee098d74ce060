/**
 * Kills a real server at random moments while jobs fail and their callbacks are under way, starts it again and checks what
 * became of them: for `npm test` once, for `npm run soak` often. The receiver is a real one that is in trouble until the kill.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { orderProblems, type Seen, TroubledReceiver } from './troubled-receiver.ts';

const MAIN = join(import.meta.dirname, '../headless/main.ts');
const ADMIN = 'rocketskates:r0cketsk8ts';
const MACHINES = 10;
const FAILURES_PER_MACHINE = 5;
const KILL_FROM_MS = 200;
const KILL_UNTIL_MS = 3_000;
/** What the service promises: unfinished deliveries are taken up again within this time. */
const TAKEN_UP_MS = 15_000;
/** Between an answer and the record of it. */
const RECORD_MS = 1_000;

interface Delivery {
  readonly Id: string;
  readonly Machine: string;
  readonly Job: string;
  readonly State: string;
  readonly AttemptCount: number;
  readonly Attempts: readonly { readonly Attempt: number; readonly State: string }[];
}

interface DeliveryRound {
  /** Failures of jobs that the server acknowledged before it was killed. */
  readonly failures: number;
  /** Deliveries that were unfinished after the kill. */
  readonly unfinished: number;
  /** From the start of the second process to the arrival of the last of them. */
  readonly takenUpMs: number;
}

class Service {
  readonly #dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #url: string;
  #token = '';

  private constructor(child: ChildProcess, ended: Promise<unknown>, url: string) {
    this.#child = child;
    this.#ended = ended;
    this.#url = url;
  }

  static async start(dir: string): Promise<Service> {
    const child = spawn(process.execPath, [MAIN, 'serve', '--data', dir, '--port', '0', '--json'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    let output = '';
    child.stderr?.on('data', (data) => {
      output += data;
    });
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout?.on('data', (data) => {
        output += data;
        const found = /https:\/\/[^"/]+/.exec(output)?.[0];
        if (found) resolve(found);
      });
      void ended.then(() => reject(new Error(`the server ended before it was ready: ${output}`)));
    });
    const service = new Service(child, ended, url);
    const basic = `Basic ${Buffer.from(ADMIN).toString('base64')}`;
    const { Token } = await service.call<{ Token: string }>('GET', 'users/rocketskates/token', undefined, basic);
    service.#token = `Bearer ${Token}`;
    return service;
  }

  /** Rejects when there is no answer, or one of 400 and above. */
  async call<T>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown, as = this.#token): Promise<T> {
    const answer = await request(`${this.#url}/api/v3/${path}`, {
      dispatcher: this.#dispatcher,
      method,
      headers: { authorization: as, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 400) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.#child.kill(signal);
    await this.#ended;
    await this.#dispatcher.destroy();
  }
}

const replace = (path: string, value: unknown) => [{ op: 'replace', path, value }];

/** Machines with a task that can fail, and the callback for it. What an earlier round made stays. */
async function prepare(service: Service, url: string): Promise<string[]> {
  const callbacks = { jobfail: { Url: url, Retry: 1_000, Delay: 1 } };
  await service.call('POST', 'plugins/callback/params/callback/callbacks', callbacks);
  const known = await service.call<{ Uuid: string }[]>('GET', 'machines');
  if (known.length > 0) return known.map(({ Uuid }) => Uuid);
  await service.call('POST', 'tasks', { Name: 'breaking' });
  await service.call('POST', 'stages', { Name: 'breaking', Tasks: ['breaking'] });
  await service.call('POST', 'workflows', { Name: 'breaks', Stages: ['breaking'] });
  const uuids: string[] = [];
  for (let i = 0; i < MACHINES; i++) {
    const machine = { Name: `m${i}.example.com`, Workflow: 'breaks' };
    uuids.push((await service.call<{ Uuid: string }>('POST', 'machines', machine)).Uuid);
  }
  return uuids;
}

interface Job {
  readonly Uuid: string;
  readonly State: string;
}

/** The next job of the machine fails. Resolves to its id once the server has acknowledged that. */
async function failOnce(service: Service, machine: string): Promise<string> {
  await service.call('PATCH', `machines/${machine}`, replace('/Runnable', true));
  const next = (): Promise<Job | undefined> => service.call('POST', 'jobs', { Machine: machine });
  let job = await next();
  // Entries that are no tasks are passed by.
  for (let i = 0; i < 5 && job?.State !== 'created'; i++) {
    // One that an earlier life left behind.
    if (job?.State === 'incomplete') break;
    job = await next();
  }
  if (!job) throw new Error(`machine ${machine} has no job to fail`);
  await service.call('PATCH', `jobs/${job.Uuid}`, replace('/State', 'running'));
  await service.call('PATCH', `jobs/${job.Uuid}`, replace('/State', 'failed'));
  return job.Uuid;
}

/** What the kill left running ends here, so that the machine can go on; that is a failure too. */
async function failLeftOvers(service: Service): Promise<void> {
  for (const { Uuid, State } of await service.call<Job[]>('GET', 'jobs'))
    if (State === 'running' || State === 'created')
      await service.call('PATCH', `jobs/${Uuid}`, replace('/State', 'failed'));
}

async function failUntilKilled(service: Service, machines: readonly string[], killAfterMs: number): Promise<string[]> {
  const acknowledged: string[] = [];
  const begun = Promise.withResolvers<void>();
  let killed = false;
  const failing = machines.map(async (machine) => {
    try {
      for (let i = 0; i < FAILURES_PER_MACHINE; i++) {
        acknowledged.push(await failOnce(service, machine));
        begun.resolve();
      }
    } catch (error) {
      if (!killed) throw error;
    }
  });
  const all = Promise.all(failing);
  const due = begun.promise.then(() => sleep(killAfterMs));
  await Promise.race([due, all.then(() => due)]);
  killed = true;
  await service.end('SIGKILL');
  await all;
  return acknowledged;
}

async function finished(service: Service, sinceMs: number): Promise<Delivery[]> {
  for (;;) {
    const deliveries = await service.call<Delivery[]>('GET', 'x/deliveries');
    const open = deliveries.filter(({ State }) => State !== 'ok');
    if (open.length === 0) return deliveries;
    if (performance.now() - sinceMs > TAKEN_UP_MS + 5_000)
      throw new Error(`not delivered ${TAKEN_UP_MS / 1000} s after the start: ${JSON.stringify(open[0])}`);
    await sleep(50);
  }
}

/** One delivery per failed job, one failed job per delivery, and nothing that was acknowledged is missing. */
function checkJobs(jobs: readonly Job[], deliveries: readonly Delivery[], acknowledged: readonly string[]): void {
  const failed = new Set(jobs.filter(({ State }) => State === 'failed').map(({ Uuid }) => Uuid));
  const told = deliveries.map(({ Job }) => Job);
  const lost = acknowledged.filter((job) => !failed.has(job));
  if (lost.length > 0) throw new Error(`acknowledged failures are gone: ${lost.join(', ')}`);
  const untold = [...failed].filter((job) => !told.includes(job));
  if (untold.length > 0) throw new Error(`failed jobs without a delivery: ${untold.join(', ')}`);
  const twice = told.filter((job, i) => told.indexOf(job) !== i || !failed.has(job));
  if (twice.length > 0) throw new Error(`told twice, or of jobs that did not fail: ${twice.join(', ')}`);
}

/** What arrived of each delivery, before the kill and after the start, is as its record says. */
function checkArrivals(seen: readonly Seen[], deliveries: readonly Delivery[], killedMs: number): void {
  const problems = orderProblems(seen);
  const records = new Map(deliveries.map((delivery) => [delivery.Id, delivery]));
  const after = new Map<string, number>();
  for (const { id, attempt, machine, at } of seen) {
    const record = records.get(id);
    if (record?.Machine !== machine) problems.push(`${id} is not on record for ${machine}`);
    else if (attempt > record.AttemptCount) problems.push(`${id} has no attempt ${attempt} on record`);
    if (at > killedMs) after.set(id, (after.get(id) ?? 0) + 1);
  }
  for (const [id, count] of after) if (count > 1) problems.push(`${id} was taken up ${count} times`);
  for (const { id, okAt } of seen)
    if (okAt !== undefined && okAt < killedMs - RECORD_MS && after.has(id))
      problems.push(`${id} was sent again long after it had been delivered`);
  for (const { Id } of deliveries)
    if (!seen.some(({ id, okAt }) => id === Id && okAt !== undefined)) problems.push(`${Id} never arrived`);
  if (problems.length > 0) throw new Error(problems.join('; '));
}

/** One round on the data in `dir`, which later rounds go on with. Throws an `Error` that says what went wrong. */
export async function deliveryRound(dir: string, random: () => number): Promise<DeliveryRound> {
  const receiver = await TroubledReceiver.start(random);
  try {
    const first = await Service.start(dir);
    const machines = await prepare(first, receiver.url);
    const before = await first.call<Delivery[]>('GET', 'x/deliveries');
    const acknowledged = await failUntilKilled(
      first,
      machines,
      KILL_FROM_MS + random() * (KILL_UNTIL_MS - KILL_FROM_MS),
    );
    const killedMs = performance.now();
    receiver.recover();
    const startedMs = performance.now();
    const second = await Service.start(dir);
    const known = new Set(before.map(({ Id }) => Id));
    const all = await finished(second, startedMs);
    const deliveries = all.filter(({ Id }) => !known.has(Id));
    checkJobs(await second.call<Job[]>('GET', 'jobs'), all, acknowledged);
    checkArrivals(receiver.seen, deliveries, killedMs);
    const late = receiver.seen.filter(({ at }) => at > killedMs);
    const takenUpMs = Math.max(0, ...late.map(({ at }) => at - startedMs));
    if (takenUpMs > TAKEN_UP_MS) throw new Error(`taken up after ${Math.round(takenUpMs)} ms`);
    await failLeftOvers(second);
    await finished(second, performance.now());
    await second.end('SIGTERM');
    return { failures: acknowledged.length, unfinished: late.length, takenUpMs };
  } finally {
    await receiver.close();
  }
}
