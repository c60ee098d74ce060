/**
 * Params as a sub-resource (wire-format.md 3.11, 9): own or aggregated, sealed or decoded, one or all. A write is a change of
 * `/Params/<name>` of the holder, with one claim for each param that differs.
 */
import { deriveParams, derivePatch } from '../contract/claims/index.ts';
import { Problem } from '../contract/errors.ts';
import type { ModelDefinition } from '../contract/models/index.ts';
import { isJsonObject, type Json, type JsonObject } from '../kit/json.ts';
import { applyPatch, jsonEquals, type PatchOperation } from '../kit/json-patch.ts';
import { joinPointer } from '../kit/json-pointer.ts';
import { objectOf } from '../kit/json-read.ts';
import type { Stored } from '../store/index.ts';
import { aggregatedParam, aggregatedParams, type ParamHit } from './aggregate.ts';
import { originOf } from './committer.ts';
import { authKey } from './guard.ts';
import { findVisible, lookupFor } from './lookup.ts';
import type { ParamRules } from './param-rules.ts';
import { changedParams, sealedFaults } from './sealed-values.ts';
import type { SecureKeys } from './secure-keys.ts';
import { isEnvelope, open } from './secure-params.ts';
import type { Call, Demand, Unit, View } from './types.ts';
import { checkRevision, current, decodePatched, refuseLocked, type WriteDeps } from './write.ts';

interface ParamDeps extends WriteDeps {
  readonly paramRules: ParamRules;
  readonly secureKeys: SecureKeys;
}

export interface ParamReading {
  readonly aggregate: boolean;
  /** Opens sealed values; needs the claim `getSecure`. */
  readonly decode: boolean;
}

const own = (stored: Stored): JsonObject => objectOf(stored.value, 'Params');

/** A value as the caller gets it: sealed ones opened with the key of the object they are stored on, when asked to. */
function reveal(deps: Pick<ParamDeps, 'secureKeys'>, hit: ParamHit, decode: boolean): Json {
  if (!decode || !isEnvelope(hit.value)) return hit.value;
  const pair = deps.secureKeys.find(hit.source.prefix, hit.source.key);
  const opened = pair ? open(hit.value, pair.privateKey) : undefined;
  return opened?.ok ? opened.value : hit.value;
}

/** Params of an object without asking anybody: for the product's own use (templates, actions, callbacks). */
export function effectiveParams(
  deps: Pick<ParamDeps, 'view' | 'secureKeys'>,
  stored: Stored,
  reading: ParamReading,
): JsonObject {
  const out: { [k: string]: Json } = {};
  if (reading.aggregate) {
    for (const [name, hit] of aggregatedParams(stored, deps.view)) out[name] = reveal(deps, hit, reading.decode);
    return out;
  }
  const source = { prefix: stored.prefix, key: stored.key, params: own(stored) };
  for (const [name, value] of Object.entries(source.params))
    out[name] = reveal(deps, { value, source }, reading.decode);
  return out;
}

/** One effective value, schema default last; undefined when nobody sets it. For the product's own use. */
export function effectiveParam(
  deps: Pick<ParamDeps, 'view' | 'secureKeys' | 'paramRules'>,
  stored: Stored,
  name: string,
  decode: boolean,
): Json | undefined {
  const hit = aggregatedParam(stored, name, deps.view);
  return hit ? reveal(deps, hit, decode) : deps.paramRules.defaultOf(name, deps.view);
}

function readable(
  deps: ParamDeps,
  call: Call,
  definition: ModelDefinition,
  typed: string,
  reading: ParamReading,
): Stored {
  const { prefix } = definition;
  return lookupFor(deps, call, definition, typed, (key) => [
    { scope: prefix, action: 'get', specific: key },
    ...(reading.decode ? [{ scope: prefix, action: 'getSecure', specific: key }] : []),
  ]).stored;
}

/** `GET …/params`. */
export function readParams(
  deps: ParamDeps,
  call: Call,
  definition: ModelDefinition,
  typed: string,
  reading: ParamReading,
): JsonObject {
  return effectiveParams(deps, readable(deps, call, definition, typed, reading), reading);
}

/** `GET …/params/<name>`: null when nobody sets it. */
export function readParam(
  deps: ParamDeps,
  call: Call,
  definition: ModelDefinition,
  typed: string,
  name: string,
  reading: ParamReading,
): Json {
  const stored = readable(deps, call, definition, typed, reading);
  if (reading.aggregate) return effectiveParam(deps, stored, name, reading.decode) ?? null;
  const params = own(stored);
  if (!Object.hasOwn(params, name)) return null;
  const source = { prefix: stored.prefix, key: stored.key, params };
  return reveal(deps, { value: params[name] as Json, source }, reading.decode);
}

/** Checks what is new in `after`; throws Problem `param-invalid` in the wording of wire-format.md 2.5. */
function checkValues(
  deps: ParamDeps,
  definition: ModelDefinition,
  typed: string,
  stored: Stored,
  after: JsonObject,
  view: View,
): void {
  const changed = changedParams(own(stored), after);
  const pair = () => deps.secureKeys.find(stored.prefix, stored.key);
  const problems = [
    ...deps.paramRules.valueErrors(changed, view),
    ...sealedFaults(deps.paramRules, pair, changed, view),
  ];
  if (problems.length > 0) throw new Problem('param-invalid', problems, { model: definition.prefix, key: typed });
}

interface ParamWrite<R> {
  /** Claims asked for before anything is looked at: how a change fails tells what is stored. */
  readonly needs: (key: string, before: JsonObject) => readonly Demand[];
  readonly printed?: string;
  readonly change: (before: JsonObject) => { after: JsonObject; answer: R };
}

/** One param, changed or not: whether it changes would tell its value. */
const needsOne =
  (definition: ModelDefinition, name: string) =>
  (key: string): readonly Demand[] => [
    { scope: definition.prefix, action: `update:${joinPointer('', 'Params', name)}`, specific: key },
  ];

/** Writes the params that `change` makes of the present ones. */
async function writeParams<R>(
  deps: ParamDeps,
  call: Call,
  definition: ModelDefinition,
  typed: string,
  { needs, printed, change }: ParamWrite<R>,
): Promise<R> {
  const { prefix } = definition;
  const stored = findVisible(deps, call, definition, typed, (key) => needs(key, {}), printed);
  const demand = (now: Stored): void => deps.guard.demand(call, needs(authKey(definition, now), own(now)), printed);
  demand(stored);
  if (deps.view.isReadOnly(prefix, stored.key))
    throw new Problem('read-only', stored.key, { model: prefix, key: typed });
  return deps.committer.commit(originOf(call), `${prefix}/${stored.key}`, (unit: Unit) => {
    const now = current(unit, definition, stored, typed);
    checkRevision(call, now, definition);
    if (now.revision !== stored.revision) demand(now);
    refuseLocked(call, definition, now.value);
    const { after, answer } = change(own(now));
    checkValues(deps, definition, typed, now, after, unit);
    if (!jsonEquals(own(now), after)) unit.put(prefix, now.key, { ...now.value, Params: after });
    return answer;
  });
}

/** `POST …/params`: replaces all; resolves to the new map. Who may not read the object is not told which of the params differ. */
export function replaceParams(
  deps: ParamDeps,
  call: Call,
  definition: ModelDefinition,
  typed: string,
  body: JsonObject,
): Promise<JsonObject> {
  const { prefix } = definition;
  const specific = deps.view.resolve(definition, typed)?.key ?? typed;
  const reads = deps.guard.allows(call, [{ scope: prefix, action: 'get', specific }]);
  return writeParams(deps, call, definition, typed, {
    needs: (key, before) => deriveParams(prefix, key, before, body),
    ...(reads ? {} : { printed: 'update' }),
    change: () => ({ after: body, answer: body }),
  });
}

/** `POST …/params/<name>`: sets one; resolves to the value. `null` is stored as a null value. */
export function setParam(
  deps: ParamDeps,
  call: Call,
  definition: ModelDefinition,
  typed: string,
  name: string,
  value: Json,
): Promise<Json> {
  if (name === '__proto__')
    throw new Problem('bad-request', `${name} is not a param name`, { model: definition.prefix, key: typed });
  return writeParams(deps, call, definition, typed, {
    needs: needsOne(definition, name),
    change: (before) => ({ after: { ...before, [name]: value }, answer: value }),
  });
}

/** `DELETE …/params/<name>`: resolves to the removed value; absent: `params/<name>: Not Found`. */
export function removeParam(
  deps: ParamDeps,
  call: Call,
  definition: ModelDefinition,
  typed: string,
  name: string,
): Promise<Json> {
  return writeParams(deps, call, definition, typed, {
    needs: needsOne(definition, name),
    change(before) {
      if (!Object.hasOwn(before, name)) throw new Problem('not-found', 'Not Found', { model: 'params', key: name });
      const { [name]: gone, ...after } = before;
      return { after, answer: gone as Json };
    },
  });
}

/** Runs a patch on a map that is part of an object, with the shorter wording of wire-format.md 2.4. */
function patchMap(
  definition: ModelDefinition,
  typed: string,
  map: JsonObject,
  operations: readonly PatchOperation[],
): JsonObject {
  const patched = applyPatch(map, operations);
  const fail = (index: number, reason: string): Problem =>
    new Problem('patch-conflict', [`Patch failed to apply at line ${index}`, reason], {
      model: definition.prefix,
      key: typed,
    });
  if (!patched.ok) throw fail(patched.index, patched.reason);
  const { value } = patched;
  if (!isJsonObject(value)) throw fail(operations.length - 1, 'The result must be an object');
  return value;
}

/** `PATCH …/params`: resolves to the new map. */
export function patchParams(
  deps: ParamDeps,
  call: Call,
  definition: ModelDefinition,
  typed: string,
  operations: readonly PatchOperation[],
): Promise<JsonObject> {
  return writeParams(deps, call, definition, typed, {
    needs: (key) => derivePatch(definition.prefix, key, operations, '/Params'),
    printed: 'patch',
    change(before) {
      const after = patchMap(definition, typed, before, operations);
      return { after, answer: after };
    },
  });
}

/** `GET …/pubkey`: base64 of the 32-byte public key, made at first use; needs `updateSecure`. */
export async function publicKey(
  deps: ParamDeps,
  call: Call,
  definition: ModelDefinition,
  typed: string,
): Promise<string> {
  const { stored } = lookupFor(deps, call, definition, typed, (key) => [
    { scope: definition.prefix, action: 'updateSecure', specific: key },
  ]);
  return (await deps.secureKeys.ensure(stored.prefix, stored.key)).publicKey;
}

/** `GET /meta/:type/:key`. */
export function readMeta(deps: WriteDeps, call: Call, definition: ModelDefinition, typed: string): JsonObject {
  const { stored } = lookupFor(deps, call, definition, typed, (key) => [
    { scope: definition.prefix, action: 'get', specific: key },
  ]);
  return (stored.value['Meta'] as JsonObject | undefined) ?? {};
}

/** `PATCH /meta/:type/:key`: claims as for patching `/Meta/<key>`; resolves to the new map. */
export async function patchMeta(
  deps: WriteDeps,
  call: Call,
  definition: ModelDefinition,
  typed: string,
  operations: readonly PatchOperation[],
): Promise<JsonObject> {
  const { prefix } = definition;
  const { stored } = lookupFor(
    deps,
    call,
    definition,
    typed,
    (key) => derivePatch(prefix, key, operations, '/Meta'),
    'patch',
  );
  if (deps.view.isReadOnly(prefix, stored.key))
    throw new Problem('read-only', stored.key, { model: prefix, key: typed });
  return deps.committer.commit(originOf(call), `${prefix}/${stored.key}`, (unit) => {
    const now = current(unit, definition, stored, typed);
    checkRevision(call, now, definition);
    refuseLocked(call, definition, now.value);
    const patched = patchMap(definition, typed, (now.value['Meta'] as JsonObject | undefined) ?? {}, operations);
    const after = decodePatched(definition, typed, { Meta: patched })['Meta'] as JsonObject;
    unit.put(prefix, now.key, { ...now.value, Meta: after });
    return after;
  });
}
