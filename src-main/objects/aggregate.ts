/**
 * Where a param value comes from (wire-format.md 9.2): the object itself; for machines its profiles in order (each followed
 * by its own nested ones), the current stage's params and profiles; the profile `global` at last.
 */
import type { Json, JsonObject } from '../kit/json.ts';
import { objectOf, textsOf } from '../kit/json-read.ts';
import type { Stored } from '../store/index.ts';
import type { View } from './types.ts';

/** One source of values. */
export interface ParamSource {
  readonly prefix: 'machines' | 'profiles' | 'plugins' | 'stages' | string;
  readonly key: string;
  readonly params: JsonObject;
}

export interface ParamHit {
  readonly value: Json;
  readonly source: ParamSource;
}

const paramsOf = (value: JsonObject): JsonObject => objectOf(value, 'Params');

function* profileSources(list: readonly string[], view: View, seen: Set<string>): Iterable<ParamSource> {
  for (const name of list) {
    if (seen.has(name)) continue;
    seen.add(name);
    const profile = view.get('profiles', name);
    if (!profile) continue;
    yield { prefix: 'profiles', key: name, params: paramsOf(profile.value) };
    yield* profileSources(textsOf(profile.value, 'Profiles'), view, seen);
  }
}

/** Sources in the order of precedence; the first that has a value wins. */
function* paramSources(stored: Stored, view: View): Iterable<ParamSource> {
  yield { prefix: stored.prefix, key: stored.key, params: paramsOf(stored.value) };
  const seen = new Set<string>(stored.prefix === 'profiles' ? [stored.key] : []);
  if (stored.prefix === 'machines') {
    yield* profileSources(textsOf(stored.value, 'Profiles'), view, seen);
    const stage = view.get('stages', String(stored.value['Stage'] ?? ''));
    if (stage) {
      yield { prefix: 'stages', key: stage.key, params: paramsOf(stage.value) };
      yield* profileSources(textsOf(stage.value, 'Profiles'), view, seen);
    }
  }
  yield* profileSources(['global'], view, seen);
}

/** The value that counts, with its source; undefined when nobody sets it (schema defaults are the caller's last resort). */
export function aggregatedParam(stored: Stored, name: string, view: View): ParamHit | undefined {
  for (const source of paramSources(stored, view)) {
    if (Object.hasOwn(source.params, name)) return { value: source.params[name] as Json, source };
  }
  return undefined;
}

/** All values that count, by name. */
export function aggregatedParams(stored: Stored, view: View): Map<string, ParamHit> {
  const merged = new Map<string, ParamHit>();
  for (const source of paramSources(stored, view)) {
    for (const [name, value] of Object.entries(source.params)) {
      if (!merged.has(name)) merged.set(name, { value, source });
    }
  }
  return merged;
}
