/**
 * The unit of work: one transaction in which every write is filled, validated, flagged and followed by its reactions, so
 * that nothing half-checked can reach the store whoever asks.
 */
import { Problem } from '../contract/errors.ts';
import { fill, MODELS, type ModelDefinition, modelOf, references, structuralErrors } from '../contract/models/index.ts';
import type { Json, JsonObject } from '../kit/json.ts';
import { jsonEquals } from '../kit/json-patch.ts';
import type { Stored, Transaction } from '../store/index.ts';
import type { LayerStack } from './layers.ts';
import type { LiveObjects } from './live.ts';
import type { ParamRules } from './param-rules.ts';
import { newSealedFaults, unsealableHolders, withHeldSealed } from './sealed-values.ts';
import type { RuleTable, Unit, View } from './types.ts';
import { createView, isStoreIndex } from './view.ts';

export interface UnitDeps {
  readonly layers: () => LayerStack;
  readonly rules: RuleTable;
  readonly paramRules: ParamRules;
  readonly live?: LiveObjects;
}

/**
 * Values that do not fit their schema: new ones are refused; those that `before` has too became wrong when the Param changed, and
 * only make the object unavailable (wire-format.md 9.1). Otherwise nothing else of it could be changed any more.
 */
function valueFaults(
  params: JsonObject,
  before: JsonObject | undefined,
  view: View,
  { paramRules }: Pick<UnitDeps, 'paramRules'>,
): { readonly refused: readonly string[]; readonly soft: readonly string[] } {
  const all = paramRules.valueErrors(params, view);
  if (all.length === 0 || !before) return { refused: all, soft: [] };
  const isHeld = ([name, value]: [string, Json]): boolean =>
    Object.hasOwn(before, name) && jsonEquals(before[name], value);
  const [held, fresh] = [true, false].map((wanted) =>
    paramRules.valueErrors(
      Object.fromEntries(Object.entries(params).filter((entry) => isHeld(entry) === wanted)),
      view,
    ),
  );
  return { refused: fresh ?? [], soft: held ?? [] };
}

/**
 * Fills and judges one object: refuses structural faults (Problem `invalid`, wire-format.md 3.8), notes soft ones in `Errors`.
 */
export function finalize(
  definition: ModelDefinition,
  key: string,
  value: JsonObject,
  view: View,
  deps: Pick<UnitDeps, 'rules' | 'paramRules'>,
  before?: JsonObject,
): JsonObject {
  const rules = deps.rules[definition.prefix] ?? [];
  let full = fill(definition, value);
  for (const rule of rules) full = rule.normalize?.(full, view) ?? full;
  const refused = [...structuralErrors(definition, full), ...rules.flatMap((rule) => rule.invalid?.(full, view) ?? [])];
  if (definition.prefix === 'params') refused.push(...deps.paramRules.definitionErrors(full));
  const soft: string[] = [];
  if (definition.hasParams) {
    const faults = valueFaults(full['Params'] as JsonObject, before?.['Params'] as JsonObject | undefined, view, deps);
    refused.push(...faults.refused);
    soft.push(...faults.soft);
  }
  for (const reference of references(definition, full, before)) {
    if (view.get(reference.kind, reference.key)) continue;
    (reference.hard ? refused : soft).push(reference.message);
  }
  if (refused.length > 0) throw new Problem('invalid', refused, { model: definition.prefix, key });
  if (!definition.hasValidation) return full;
  for (const rule of rules) soft.push(...(rule.unavailable?.(full, view) ?? []));
  const flagged = { ...full, Validated: true, Available: soft.length === 0, Errors: soft };
  return definition.hasAccess ? { ...flagged, ReadOnly: false } : flagged;
}

/** Refuses a value of a unique index that another object holds. */
function refuseTaken(
  definition: ModelDefinition,
  key: string,
  value: JsonObject,
  view: View,
  before: JsonObject | undefined,
): void {
  for (const [index, spec] of Object.entries(definition.indexes)) {
    if (!isStoreIndex(definition, index)) continue;
    const held = spec.value(value);
    if (held === undefined || held === '') continue;
    const holder = view.resolve(definition, `${index}:${String(held)}`);
    if (holder && holder.key !== key) {
      throw new Problem('already-exists', `${index} ${String(held)} already exists`, {
        model: definition.prefix,
        key,
        ...(before ? { type: 'METHOD' } : {}),
      });
    }
  }
}

export function createUnit(tx: Transaction, deps: UnitDeps): Unit {
  const view = createView(tx, deps.layers, deps.live);
  /** Sealed values that come in must open here; clear ones that became secret meanwhile are sealed. */
  const sealSecrets = (
    definition: ModelDefinition,
    key: string,
    value: JsonObject,
    before: JsonObject | undefined,
  ): JsonObject => {
    if (!definition.hasParams) return value;
    const place = [definition.prefix, key] as const;
    const faults = newSealedFaults(deps.paramRules, place, value, before, unit);
    if (faults.length > 0) throw new Problem('invalid', faults, { model: definition.prefix, key });
    return before ? withHeldSealed(deps.paramRules, place, value, before, unit) : value;
  };
  /** Values in content layers cannot be sealed: whoever may read them would go on reading what is secret now. */
  const refuseUnsealable = (
    definition: ModelDefinition,
    key: string,
    value: JsonObject,
    before: JsonObject | undefined,
  ): void => {
    if (definition.prefix !== 'params' || value['Secure'] !== true || before?.['Secure'] === true) return;
    const layered = Object.values(MODELS)
      .filter(({ hasParams }) => hasParams)
      .flatMap(({ prefix }) =>
        deps
          .layers()
          .keys(prefix)
          .map((one) => view.get(prefix, one)),
      )
      .filter((one) => one !== undefined && view.isReadOnly(one.prefix, one.key)) as Stored[];
    const holders = unsealableHolders(key, layered);
    if (holders.length > 0) throw new Problem('invalid', holders, { model: 'params', key });
  };
  const unit: Unit = {
    ...view,
    put(prefix, key, value) {
      // Own records of other rooms (deliveries, keys) have no model and pass through unchecked.
      const definition = modelOf(prefix);
      const before = tx.get(prefix, key)?.value;
      if (!definition) {
        tx.put(prefix, key, value);
        return value;
      }
      const sealed = sealSecrets(definition, key, value, before);
      refuseUnsealable(definition, key, sealed, before);
      const after = finalize(definition, key, sealed, view, deps, before);
      if (before && jsonEquals(before, after)) return before;
      refuseTaken(definition, key, after, view, before);
      tx.put(prefix, key, after);
      for (const rule of deps.rules[prefix] ?? []) rule.react?.(before, after, unit);
      return after;
    },
    remove(prefix, key) {
      const before = tx.get(prefix, key)?.value;
      if (!before) return;
      tx.remove(prefix, key);
      for (const rule of deps.rules[prefix] ?? []) rule.react?.(before, undefined, unit);
    },
  };
  return unit;
}
