/**
 * Values of secure params inside the objects that hold them (wire-format.md 9.3): what comes in sealed must open with the key of
 * its holder; what was stored in the clear before its Param became secure is sealed where it lies.
 */
import type { Json, JsonObject } from '../kit/json.ts';
import { jsonEquals } from '../kit/json-patch.ts';
import type { ParamRules } from './param-rules.ts';
import { ensurePair, pairOf } from './secure-keys.ts';
import { envelopeProblem, isEnvelope, type KeyPair, open, seal } from './secure-params.ts';
import type { Unit, View } from './types.ts';

type Rules = Pick<ParamRules, 'isSecure' | 'problems'>;

function paramsOf(value: JsonObject | undefined): JsonObject {
  const params = value?.['Params'];
  return typeof params === 'object' && params !== null && !Array.isArray(params) ? (params as JsonObject) : {};
}

/** Names of secure params that the object holds in the clear; null tells nothing and stays. */
export function clearSecrets(rules: Rules, value: JsonObject, view: View): readonly string[] {
  return Object.entries(paramsOf(value)).flatMap(([name, held]) =>
    held !== null && !isEnvelope(held) && rules.isSecure(name, view) ? [name] : [],
  );
}

/** The object without the params of these names. */
export function withoutParams(value: JsonObject, names: readonly string[]): JsonObject {
  const left = Object.entries(paramsOf(value)).filter(([name]) => !names.includes(name));
  return { ...value, Params: Object.fromEntries(left) };
}

/** One sentence for each sealed value that does not open with `pair`, or has inside what does not fit its schema. */
export function sealedFaults(
  rules: Rules,
  pair: () => KeyPair | undefined,
  params: JsonObject,
  view: View,
): readonly string[] {
  return Object.entries(params).flatMap(([name, value]) => {
    // What is no envelope in its outer form is told of by the rules of every value.
    if (!isEnvelope(value) || envelopeProblem(value) !== undefined || !rules.isSecure(name, view)) return [];
    const keys = pair();
    const opened = keys ? open(value, keys.privateKey) : ({ ok: false, reason: 'SecureData corrupted' } as const);
    const wrong = opened.ok
      ? rules.problems(name, opened.value, view).map((problem) => `: ${problem}`)
      : [opened.reason];
    return wrong.map((reason) => `Key '${name}': invalid val '***': ${reason}`);
  });
}

/** Members of `params` that `before` has not, or has otherwise. */
export function changedParams(before: JsonObject, params: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(params).filter(([name, value]) => !Object.hasOwn(before, name) || !jsonEquals(before[name], value)),
  );
}

/** Faults of the sealed values that a write brings to an object; `before` undefined: it is new. */
export function newSealedFaults(
  rules: Rules,
  [prefix, key]: readonly [string, string],
  value: JsonObject,
  before: JsonObject | undefined,
  view: View,
): readonly string[] {
  return sealedFaults(rules, () => pairOf(view, prefix, key), changedParams(paramsOf(before), paramsOf(value)), view);
}

/** The object with the clear secrets that `before` has too sealed; new ones stay, to be refused. */
export function withHeldSealed(
  rules: Rules,
  [prefix, key]: readonly [string, string],
  value: JsonObject,
  before: JsonObject,
  unit: Unit,
): JsonObject {
  const params = paramsOf(value);
  const held = paramsOf(before);
  const names = clearSecrets(rules, value, unit).filter((name) => jsonEquals(held[name], params[name]));
  if (names.length === 0) return value;
  const { publicKey } = ensurePair(unit, prefix, key);
  const sealed = names.map((name) => [name, { ...seal(params[name] as Json, publicKey) }] as const);
  return { ...value, Params: { ...params, ...Object.fromEntries(sealed) } };
}

/** Why a Param cannot be made secure: objects of content layers hold values of it that cannot be sealed there. */
export function unsealableHolders(
  name: string,
  layered: Iterable<{ readonly prefix: string; readonly key: string; readonly value: JsonObject }>,
): readonly string[] {
  const found: string[] = [];
  for (const { prefix, key, value } of layered) {
    const held = paramsOf(value)[name];
    if (held === undefined || held === null || isEnvelope(held)) continue;
    found.push(`${prefix}/${key} of a content pack holds a clear value of ${name}, which cannot be sealed there`);
  }
  return found;
}
