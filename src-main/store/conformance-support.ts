/** Hand-made batches for the conformance suite: a driver is tested without the store above it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { JsonObject } from '../kit/json.ts';
import type { Batch, Driver, Opened, RecordQuery, WriteCommit } from './driver.ts';
import { encodeIndexValues } from './indexes.ts';
import { toRecordQuery } from './record-query.ts';
import type { ObjectRow } from './stored.ts';

/** One database that several drivers can be made for. */
export interface DriverSite {
  /** A new driver, not yet open, over the same database every time. */
  driver(): Driver;
  /** A driver over what `backupTo` wrote into `dir`. */
  restored(dir: string): Driver;
  dispose(): void;
}

/** What the tests of one driver work with. */
export interface Stage {
  /** Of the driver. */
  readonly name: string;
  /** Opens a driver, by default a new one over the same database; closed when the test is over. */
  open(driver?: Driver): Promise<{ readonly driver: Driver } & Awaited<ReturnType<typeof readAll>>>;
  /** A new driver over the same database, not yet open. */
  unopened(): Driver;
  restored(dir: string): Driver;
}

export const NO_CURSORS = { cursors: [] };

/** Gone when the test is over. */
export function temporaryDirectory(): string {
  const dir = mkdtempSync(join(tmpdir(), 'proviso-store-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

interface GivenChange {
  readonly id: number;
  readonly key: string;
  /** Left out: removed. */
  readonly value?: JsonObject;
  readonly indexed?: string;
  /** What the log shows instead of the value. */
  readonly shown?: string;
}

const ORIGIN = { time: 0, actor: 'tester', requestId: 'r' };

/** A commit of objects with prefix "things". */
export function commit(seq: number, changes: readonly GivenChange[], origin: Partial<typeof ORIGIN> = {}): WriteCommit {
  const prefix = 'things';
  let body = '{"changes":[';
  const writes = changes.map(({ id, key, value, indexed = '', shown }, i) => {
    const text = value && JSON.stringify(value);
    body += `${i > 0 ? ',' : ''}{"prefix":"${prefix}","key":${JSON.stringify(key)},"id":${id}`;
    if (indexed !== '') body += `,"index":${indexed}`;
    if (shown !== undefined) body += ',"masked":true';
    let textAt = -1;
    if (text !== undefined) {
      body += ',"after":';
      if (shown === undefined) textAt = body.length;
      body += shown ?? text;
    }
    body += '}';
    return { id, prefix, key, text, indexed, textAt };
  });
  return { seq, ...ORIGIN, ...origin, body: `${body}]}`, changes: writes };
}

export function note(seq: number, origin: Partial<typeof ORIGIN> = {}): WriteCommit {
  return { seq, ...ORIGIN, ...origin, body: '{"note":{"kind":"denied"}}', changes: [] };
}

export function cursor(name: string, seq: number | undefined): Batch['cursors'][number] {
  return { name, seq };
}

export function everyRecord(query: Partial<RecordQuery> = {}): RecordQuery {
  return { ...toRecordQuery({ limit: 10_000 }), ...query };
}

/** Reads the snapshot to its end; objects in the order the driver says. */
export async function readAll({
  snapshot,
  ...opened
}: Opened): Promise<Omit<Opened, 'snapshot'> & { objects: ObjectRow[] }> {
  const arrived: ObjectRow[] = [];
  const objects: ObjectRow[] = [];
  for await (const chunk of snapshot) {
    if (chunk.kind === 'order') {
      for (const position of chunk.positions) objects.push(arrived[position] as ObjectRow);
      continue;
    }
    let start = 0;
    for (const [i, id] of chunk.ids.entries()) {
      const end = chunk.ends[i] ?? 0;
      arrived.push({
        id,
        prefix: chunk.prefixes[i] ?? '',
        key: chunk.keys[i] ?? '',
        revision: chunk.revisions[i] ?? 0,
        indexed: encodeIndexValues(chunk.indexed[i] ?? []),
        text: Buffer.from(chunk.bytes.subarray(start, end)).toString(),
      });
      start = end;
    }
  }
  return { ...opened, objects };
}
