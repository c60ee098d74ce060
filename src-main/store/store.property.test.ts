/** Random transactions, many at a time, against a plain Map that does them one after the other. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Driver } from './driver.ts';
import { memoryDatabase, memoryDriver } from './drivers/memory.ts';
import { createSqliteDriver } from './drivers/sqlite.ts';
import { StoreError } from './errors.ts';
import { compareKeys } from './key-order.ts';
import { openStore } from './store.ts';
import type { JsonObject, Reader, Store, Transaction } from './types.ts';

const PREFIXES = ['machines', 'ключи/x'];
const KEYS = ['a', 'b', 'a/b', '\u{1f600}', '\uff5e', 'a\u0000'];

type Operation =
  | {
      readonly kind: 'put';
      readonly prefix: string;
      readonly key: string;
      readonly n: number;
      readonly name: string | null;
      readonly secret: string;
      readonly expect: 'none' | 'absent' | 'present' | 'right' | 'wrong';
    }
  | { readonly kind: 'remove'; readonly prefix: string; readonly key: string }
  | { readonly kind: 'throw' };
type Step =
  | { readonly kind: 'together'; readonly transactions: readonly (readonly Operation[])[] }
  | { readonly kind: 'note' }
  | { readonly kind: 'reopen' }
  | { readonly kind: 'compact' };

const place = { prefix: fc.constantFrom(...PREFIXES), key: fc.constantFrom(...KEYS) };
const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('put' as const),
      ...place,
      n: fc.nat(9),
      name: fc.constantFrom(null, 'x', 'y', 'z'),
      secret: fc.constantFrom('', 's3cret-1', 's3cret-2'),
      expect: fc.constantFrom(
        'none' as const,
        'none' as const,
        'absent' as const,
        'present' as const,
        'right' as const,
        'wrong' as const,
      ),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove' as const), ...place }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'throw' as const }) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('together' as const),
      transactions: fc.array(fc.array(operation, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 8 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'note' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'reopen' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'compact' as const }) },
);

interface ModelObject {
  readonly value: JsonObject;
  readonly revision: number;
}
type Model = Map<string, ModelObject>;
const nameOf = (prefix: string, key: string): string => JSON.stringify([prefix, key]);

/** What one transaction does to the model, or undefined when it must be refused. */
function modelled(model: Model, seq: number, operations: readonly Operation[]): Model | undefined {
  const next = new Map(model);
  for (const one of operations) {
    if (one.kind === 'throw') return undefined;
    const name = nameOf(one.prefix, one.key);
    const before = next.get(name);
    if (one.kind === 'remove') {
      if (!next.delete(name)) return undefined;
      continue;
    }
    if (one.expect === 'absent' ? before : one.expect !== 'none' && !before) return undefined;
    if (one.expect === 'wrong') return undefined;
    if (one.name !== null)
      for (const [holder, object] of next)
        if (holder !== name && JSON.parse(holder)[0] === one.prefix && object.value.name === one.name) return undefined;
    next.set(name, { value: storedValue(one), revision: seq });
  }
  return next;
}

function storedValue({ n, name, secret }: Extract<Operation, { kind: 'put' }>): JsonObject {
  return { n, ...(name !== null && { name }), secret };
}

function perform(tx: Transaction, operations: readonly Operation[]): void {
  for (const one of operations) {
    if (one.kind === 'throw') throw new Error('refused by the caller');
    if (one.kind === 'remove') tx.remove(one.prefix, one.key);
    else {
      const revision = tx.get(one.prefix, one.key)?.revision ?? 0;
      const expected = {
        none: undefined,
        absent: 'absent',
        present: 'present',
        right: { revision },
        wrong: { revision: -1 },
      } as const;
      tx.put(one.prefix, one.key, storedValue(one), expected[one.expect]);
    }
  }
}

function contentOf(reader: Reader): [string, ModelObject][] {
  return PREFIXES.flatMap((prefix) => {
    const listed = [...reader.entries(prefix)];
    expect(reader.count(prefix)).toBe(listed.length);
    for (const { key, value, revision } of listed) {
      expect(reader.get(prefix, key)?.revision).toBe(revision);
      if (typeof value.name === 'string') expect(reader.find(prefix, 'name', value.name)?.key).toBe(key);
    }
    for (const name of ['x', 'y', 'z'])
      if (!listed.some((o) => o.value.name === name)) expect(reader.find(prefix, 'name', name)).toBeUndefined();
    return listed.map(({ key, value, revision }): [string, ModelObject] => [nameOf(prefix, key), { value, revision }]);
  });
}

function sorted(model: Model): [string, ModelObject][] {
  return [...model].sort(([a], [b]) => {
    const [left, right] = [JSON.parse(a) as [string, string], JSON.parse(b) as [string, string]];
    return compareKeys(left[0], right[0]) || compareKeys(left[1], right[1]);
  });
}

async function check(createDriver: () => Driver, steps: readonly Step[]): Promise<void> {
  const value = ({ name }: JsonObject) => (typeof name === 'string' ? name : undefined);
  const unique = { name: { version: 1, value } };
  const open = (): Promise<Store> =>
    openStore({
      driver: createDriver(),
      uniqueIndexes: Object.fromEntries(PREFIXES.map((prefix) => [prefix, unique])),
      secretFields: { [PREFIXES[1] ?? '']: ['/secret'] },
    });
  let store = await open();
  let model: Model = new Map();
  let seq = 0;
  const heard: number[] = [];
  const listen = () => store.watch((commit) => heard.push(commit.seq));
  listen();
  try {
    for (const one of steps) {
      if (one.kind === 'together') {
        const before = contentOf(store);
        const expected = one.transactions.map((operations) => {
          const next = modelled(model, seq + 1, operations);
          const changed = next !== undefined && JSON.stringify(sorted(next)) !== JSON.stringify(sorted(model));
          if (next) model = next;
          if (changed) seq++;
          return next ? seq : undefined;
        });
        const asked = one.transactions.map((operations, i) =>
          store.transact({ actor: `t${i}`, requestId: 'r' }, (tx) => perform(tx, operations)),
        );
        expect(contentOf(store)).toEqual(before);
        const answers = (await Promise.allSettled(asked)).map((a) => {
          if (a.status === 'fulfilled') return a.value.seq;
          expect(a.reason instanceof StoreError ? a.reason.code : a.reason.message).toMatch(
            /^(conflict|refused by the caller)$/,
          );
          return undefined;
        });
        expect(answers).toEqual(expected);
      } else if (one.kind === 'note') {
        expect(await store.appendNote({ actor: 'n', requestId: 'r' }, { kind: 'denied' })).toBe(++seq);
      } else if (one.kind === 'compact') await store.compact({ maxBytes: 500 });
      else {
        await store.close();
        store = await open();
        listen();
      }
      expect(store.seq).toBe(seq);
      expect(contentOf(store)).toEqual(sorted(model));
      expect(heard).toEqual(heard.toSorted((a, b) => a - b));
    }
    expect(await store.verify()).toMatchObject({ ok: true, problems: [], lastSeq: seq });
    const logged = (await store.history({})).flatMap((record) => record.changes);
    expect(JSON.stringify(logged.filter((change) => change.prefix === PREFIXES[1]))).not.toContain('s3cret');
    await store.close();
    store = await open();
    expect(contentOf(store)).toEqual(sorted(model));
  } finally {
    await store.close();
  }
}

const steps = fc.array(step, { minLength: 1, maxLength: 12 });

it('memory: any mix of transactions has the same outcome as one after the other', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      const database = memoryDatabase();
      await check(() => memoryDriver(database), given);
    }),
    { seed: 20_261_121, numRuns: 150 },
  );
});

it('sqlite: any mix of transactions has the same outcome as one after the other, restarts in between', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      const dir = mkdtempSync(join(tmpdir(), 'proviso-property-'));
      try {
        await check(() => createSqliteDriver({ path: join(dir, 'proviso.db') }), given);
      } finally {
        rmSync(dir, { recursive: true, force: true });
      }
    }),
    { seed: 20_261_121, numRuns: 12 },
  );
}, 30_000);
