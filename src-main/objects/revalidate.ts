/**
 * When a referenced object appears or disappears, or a Param takes other values than before, the objects that name it change
 * between available and not (wire-format.md 3.8, 9.1). Walks the candidates in slices; a text search in the stored bytes spares parsing those that cannot be concerned.
 */
import { Problem } from '../contract/errors.ts';
import { MODELS } from '../contract/models/index.ts';
import type { Store } from '../store/index.ts';
import type { Committer } from './committer.ts';
import { clearSecrets, withoutParams } from './sealed-values.ts';
import { startSlice } from './slices.ts';
import type { View } from './types.ts';
import { finalize, type UnitDeps } from './unit.ts';

const BATCH = 200;
/** Sealing a value takes as long as writing so many objects. */
const SEALING = 10;

/** Prefix -> prefixes whose objects may name one of it. */
const NAMED_BY: Readonly<Record<string, readonly string[]>> = {
  bootenvs: ['machines', 'stages'],
  stages: ['machines', 'workflows'],
  workflows: ['machines'],
  tasks: ['stages', 'machines'],
  profiles: ['machines', 'stages', 'profiles'],
  templates: ['tasks', 'stages', 'bootenvs'],
  roles: ['users'],
  users: ['tenants'],
  params: ['machines', 'profiles', 'plugins', 'stages'],
  plugin_providers: ['plugins'],
};

const EVERYBODY = [...new Set(Object.values(NAMED_BY).flat())];

/** Text that the stored bytes of every object naming `key` have; a param is named as a member, which few names are by chance. */
function needleOf(prefix: string, key: string): string {
  const text = JSON.stringify(key);
  return prefix === 'params' ? `${text}:` : text.slice(1, -1);
}

interface Revalidator {
  /** After `prefix/key` came or went, or a Param changed what it takes. Resolves to the sentences of objects that are newly broken. */
  after(prefix: string, key: string): Promise<readonly string[]>;
  /** Seals what a stop left in the clear while its Param was becoming secure, and sees which isos are there. */
  settle(): Promise<void>;
  /** After an iso came or went. */
  afterIso(name: string): Promise<void>;
  /** After a change of content: everything in the writable store. */
  everything(): Promise<readonly string[]>;
  /** What would be newly broken if the view were `on`; nothing is changed. */
  wouldBreak(on: View): Promise<readonly string[]>;
}

export function createRevalidator(store: Store, view: View, committer: Committer, deps: UnitDeps): Revalidator {
  /** What became of the object; undefined: nothing. `secrets`: values that became secret and are to be sealed. */
  const judge = (prefix: string, key: string, on: View): { errors: readonly string[]; secrets: number } | undefined => {
    const stored = store.get(prefix, key);
    const definition = MODELS[prefix as keyof typeof MODELS];
    if (!stored || !definition?.hasValidation) return undefined;
    const secrets = definition.hasParams ? clearSecrets(deps.paramRules, stored.value, on) : [];
    const value = secrets.length === 0 ? stored.value : withoutParams(stored.value, secrets);
    try {
      const now = finalize(definition, key, value, on, deps, stored.value);
      const errors = now['Errors'] as readonly string[];
      if (JSON.stringify(errors) !== JSON.stringify(stored.value['Errors'] ?? []))
        return { errors, secrets: secrets.length };
      return secrets.length === 0 ? undefined : { errors: [], secrets: secrets.length };
    } catch (error) {
      if (error instanceof Problem) return undefined;
      throw error;
    }
  };

  const walk = async (prefixes: readonly string[], needle: string | undefined): Promise<string[]> => {
    const warnings: string[] = [];
    const slice = startSlice();
    for (const prefix of prefixes) {
      let batch: string[] = [];
      let work = 0;
      const flush = async (): Promise<void> => {
        const keys = batch;
        batch = [];
        work = 0;
        if (keys.length === 0) return;
        await committer.internal('system', (unit) => {
          for (const key of keys) {
            const current = unit.get(prefix, key);
            if (current && !unit.isReadOnly(prefix, key)) unit.put(prefix, key, current.value);
          }
        });
      };
      for (const stored of store.entries(prefix)) {
        if (slice.isOver()) await slice.next();
        if (needle !== undefined && !stored.bytes.includes(needle)) continue;
        const judged = judge(prefix, stored.key, view);
        if (!judged) continue;
        warnings.push(...judged.errors.map((error) => `${prefix}/${stored.key}: ${error}`));
        batch.push(stored.key);
        work += 1 + judged.secrets * SEALING;
        if (work >= BATCH) await flush();
      }
      await flush();
    }
    return warnings;
  };

  const wouldBreak = async (on: View): Promise<readonly string[]> => {
    const found = new Set<string>();
    const slice = startSlice();
    for (const prefix of EVERYBODY) {
      for (const stored of store.entries(prefix)) {
        if (slice.isOver()) await slice.next();
        const known = (stored.value['Errors'] ?? []) as readonly string[];
        for (const error of judge(prefix, stored.key, on)?.errors ?? []) if (!known.includes(error)) found.add(error);
      }
    }
    return [...found];
  };

  return {
    wouldBreak,
    after: (prefix, key) => walk(NAMED_BY[prefix] ?? [], needleOf(prefix, key)),
    async afterIso(name) {
      await walk(['bootenvs'], JSON.stringify(name));
    },
    async settle() {
      await walk(['bootenvs'], undefined);
      for (const { key, value } of view.entries('params'))
        if (value['Secure'] === true) await walk(NAMED_BY['params'] ?? [], needleOf('params', key));
    },
    everything: () => walk(EVERYBODY, undefined),
  };
}
