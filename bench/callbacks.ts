/**
 * Deliveries against a bare undici loop that posts the same 4 KB to the same receiver in the same run. Ours take what waits
 * in the outbox, render the machine, and have every attempt on disk before its request goes out and its outcome after it.
 */
import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Pool } from 'undici';
import { type BenchRoom, benchRoom } from './callbacks/room.ts';
import { type Bench, type BenchRun, type Case, quantile } from './frame.ts';

const BODY = JSON.stringify({ filler: 'x'.repeat(4_080) });
const HEADERS = { 'content-type': 'application/json; charset=utf-8', accept: 'application/json' };

interface Receiver {
  readonly url: string;
  onArrival: (id: string, at: number) => void;
  close(): void;
}

async function startReceiver(): Promise<Receiver> {
  const child = fork(join(import.meta.dirname, 'callbacks/receiver.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const receiver = {
    url: '',
    onArrival: (_id: string, _at: number): void => undefined,
    close: () => child.disconnect(),
  };
  await new Promise<void>((resolve) => {
    child.on('message', (message: { port?: number; id?: string; arrived?: number }) => {
      if (message.port !== undefined) {
        receiver.url = `http://127.0.0.1:${message.port}`;
        resolve();
      } else receiver.onArrival(message.id ?? '', message.arrived ?? 0);
    });
  });
  return receiver;
}

function bareLoop(pool: Pool, concurrency: number): Case {
  return {
    name: `bare undici, ${concurrency} at once`,
    async run(operations) {
      let left = operations;
      const worker = async (): Promise<void> => {
        while (left-- > 0) {
          const { body } = await pool.request({ path: '/', method: 'POST', headers: HEADERS, body: BODY });
          await body.text();
        }
      };
      await Promise.all(Array.from({ length: concurrency }, worker));
    },
  };
}

function deliveries(room: BenchRoom, concurrency: number): Case {
  return {
    name: `deliveries, ${concurrency} at once`,
    // The waiting row belongs to the commit of the event; from there on everything is timed.
    async prepare(operations) {
      room.callbacks.hold(true);
      await room.enqueue(operations);
    },
    async run() {
      room.callbacks.hold(false);
      await room.idle();
    },
  };
}

function actions(room: BenchRoom, concurrency: number): Case {
  return {
    name: `callbackDo, ${concurrency} at once`,
    async run(operations) {
      let left = operations;
      const worker = async (): Promise<void> => {
        while (left-- > 0)
          await room.callbacks.callbackDo({
            machine: 'm',
            plugin: 'callback',
            params: { 'callback/action': 'jobfail' },
          });
      };
      await Promise.all(Array.from({ length: concurrency }, worker));
    },
  };
}

const BUDGETS = [
  [1, 0.4],
  [50, 0.5],
  [500, 0.5],
] as const;

async function rates(b: BenchRun, receiver: Receiver): Promise<void> {
  for (const [concurrency, budget] of BUDGETS) {
    const room = await benchRoom({ url: receiver.url, concurrency, start: true });
    const pool = new Pool(receiver.url, { connections: concurrency });
    try {
      const bare = bareLoop(pool, concurrency);
      const ours = deliveries(room, concurrency);
      const waited = actions(room, concurrency);
      const measured = await b.measure([bare, ours, waited], { rounds: 9, roundMs: 500 });
      const peer = measured.get(bare.name);
      const value = measured.get(ours.name);
      const action = measured.get(waited.name);
      if (!peer || !value || !action) throw new Error('a case was not measured');
      b.ratio(`callbacks.rate-${concurrency}`, value, peer, budget);
      b.ratio(`callbacks.action-${concurrency}`, action, peer, null);
    } finally {
      await room.close();
      await pool.destroy();
    }
  }
}

const EVENTS_PER_SECOND = 100;
const EVENTS = 500;

/** From the call that commits an event to the arrival of its request. */
async function latency(b: BenchRun, receiver: Receiver): Promise<void> {
  const room = await benchRoom({ url: receiver.url, concurrency: 64, headers: { 'X-Arrival': '1' }, start: true });
  const caused = new Map<string, number>();
  const arrivals = new Map<string, number>();
  receiver.onArrival = (id, at) => void arrivals.set(id, at);
  try {
    const start = performance.now();
    for (let i = 0; i < EVENTS; i++) {
      const due = start + (i * 1000) / EVENTS_PER_SECOND;
      const early = due - performance.now();
      if (early > 0) await sleep(early);
      const at = Date.now();
      void room.enqueue(1).then(([id]) => caused.set(id ?? '', at));
    }
    while (arrivals.size < EVENTS) await sleep(5);
    const times = [...caused].map(([id, at]) => (arrivals.get(id) ?? Number.POSITIVE_INFINITY) - at);
    b.number('callbacks.event-to-first-byte-p95-ms', quantile(times, 0.95), {
      better: 'lower',
      budget: 25,
      against: `${EVENTS} events at ${EVENTS_PER_SECOND} per second`,
    });
  } finally {
    await room.close();
  }
}

const WAITING = 10_000;

/**
 * Heap and buffers per delivery that waits: its row in the store and its place in a lane. The receiver never answers, one
 * delivery is on its way to it.
 */
async function memory(b: BenchRun): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = (): number => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const room = await benchRoom({ url: `http://127.0.0.1:${port}`, concurrency: 1, start: true });
  try {
    const before = used();
    await room.enqueue(WAITING);
    const each = (used() - before) / WAITING;
    if (room.callbacks.counts().waiting < WAITING - 100) throw new Error('deliveries did not wait');
    b.number('callbacks.bytes-per-waiting', each, {
      better: 'lower',
      budget: 8192,
      against: `${WAITING} waiting deliveries`,
    });
  } finally {
    await room.close();
    silent.close();
  }
}

export const bench: Bench = {
  name: 'callbacks',
  async run(b) {
    const receiver = await startReceiver();
    try {
      // First, while nothing else is left over in memory.
      await memory(b);
      await rates(b, receiver);
      await latency(b, receiver);
    } finally {
      receiver.close();
    }
  },
};
