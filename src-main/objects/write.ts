/**
 * Create, patch, replace, remove: the one road for every change somebody asks for. Each reads the object again inside the
 * transaction, so that what was judged is what is written.
 */
import { derivePatch, deriveReplace, patchedPointers } from '../contract/claims/index.ts';
import { DecodeError, decode } from '../contract/decode.ts';
import { Problem } from '../contract/errors.ts';
import { MODELS, type ModelDefinition, present, wholeDocumentTestEquals } from '../contract/models/index.ts';
import { joinsOnCreate, leavesOnDelete } from '../contract/tenants.ts';
import { newUuid } from '../kit/ids.ts';
import type { Json, JsonObject } from '../kit/json.ts';
import { applyPatch, jsonEquals, type PatchOperation } from '../kit/json-patch.ts';
import type { Stored } from '../store/index.ts';
import { type Committer, originOf } from './committer.ts';
import { authKey, type Guard } from './guard.ts';
import { demandOn, findVisible, lookupFor, notFound } from './lookup.ts';
import { SECURE_KEYS } from './secure-keys.ts';
import type { Call, Demand, RuleContext, RuleTable, Unit, View } from './types.ts';

export interface WriteDeps {
  readonly view: View;
  readonly guard: Guard;
  readonly committer: Committer;
  readonly rules: RuleTable;
  readonly clock: () => number;
}

function contextOf(deps: WriteDeps, call: Call, unit: Unit, rewritten = false): RuleContext {
  return { unit, force: call.force, actor: call.actor, now: deps.clock(), rewritten };
}

/** Fields a caller may send but never sets: the server computes them (wire-format.md 3.7). */
const COMPUTED = ['Validated', 'Available', 'Errors', 'ReadOnly', 'Bundle', 'Endpoint', 'Partial'] as const;

function withoutComputed(value: JsonObject): JsonObject {
  const copy: { [k: string]: Json } = { ...value };
  for (const field of COMPUTED) delete copy[field];
  return copy;
}

/** Object as the caller reads it: what a patch or a PUT is applied to. Fields that are never shown are kept unless sent. */
function document(definition: ModelDefinition, stored: Stored): JsonObject {
  return present(definition, stored.value, 'v4');
}

function keepHidden(definition: ModelDefinition, before: JsonObject, after: JsonObject): JsonObject {
  if (definition.prefix !== 'users') return after;
  const hash = after['PasswordHash'];
  return hash === undefined || hash === null || hash === ''
    ? { ...after, PasswordHash: before['PasswordHash'] ?? '' }
    : after;
}

/** Refuses a write on an object of a content layer. */
function refuseReadOnly(view: View, definition: ModelDefinition, stored: Stored, status: number): void {
  if (!view.isReadOnly(definition.prefix, stored.key)) return;
  throw new Problem('read-only', `readonly: ${stored.key}`, { status });
}

/** A locked machine takes no change but its unlocking and what its own agent reports (wire-format.md 4.1). */
export function refuseLocked(call: Call, definition: ModelDefinition, before: JsonObject, after?: JsonObject): void {
  if (definition.prefix !== 'machines' || before['Locked'] !== true || call.actor.kind === 'machine') return;
  if (after && after['Locked'] === false) return;
  throw new Problem('conflict', `Machine ${String(before['Uuid'])} is locked`, {
    model: 'machines',
    key: String(before['Uuid']),
    type: 'Locked',
  });
}

/** The caller's If-Match against the object as it is now. Throws Problem `revision-mismatch`. */
export function checkRevision(call: Call, stored: Stored, definition: ModelDefinition): void {
  if (call.ifMatch && !call.ifMatch.revisions.includes(stored.revision)) {
    throw new Problem('revision-mismatch', `If-Match is ${call.ifMatch.text}, but "${stored.revision}" is current`, {
      model: definition.prefix,
      key: stored.key,
    });
  }
}

/** A body as an object of the type; undefined: no body, the filled blank. Throws Problem `malformed-json`. */
function decodeBody(definition: ModelDefinition, body: unknown): JsonObject {
  try {
    return decode(definition, body ?? {});
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new Problem('malformed-json', error.message, { cause: error });
  }
}

/** Identifier of a create claim: none, but for a job its machine, and for the reservation of a machine its address (wire-format.md 5.5, 5.8). */
function createSpecific(call: Call, definition: ModelDefinition, value: JsonObject): string {
  if (definition.prefix === 'jobs') return String(value['Machine'] ?? '');
  return definition.prefix === 'reservations' && call.actor.kind === 'machine' ? definition.keyOf(value) : '';
}

/** Creates an object (wire-format.md 3.7). `body` undefined: no body. Resolves to the stored value. */
export async function createObject(
  deps: WriteDeps,
  call: Call,
  definition: ModelDefinition,
  body: unknown,
): Promise<JsonObject> {
  const { prefix } = definition;
  let value = withoutComputed(decodeBody(definition, body));
  deps.guard.demand(call, [{ scope: prefix, action: 'create', specific: createSpecific(call, definition, value) }]);
  if (definition.key === 'Uuid' && !value['Uuid']) value = { ...value, Uuid: newUuid() };
  let key = definition.keyOf(value);
  if (key === '') throw new Problem('empty-key', 'Empty key not allowed', { model: prefix });
  return deps.committer.commit(
    originOf(call),
    () => `${prefix}/${key}`,
    (unit) => {
      if (unit.get(prefix, key)) throw new Problem('already-exists', 'already exists', { model: prefix, key });
      const context = contextOf(deps, call, unit);
      let next = value;
      for (const rule of deps.rules[prefix] ?? []) next = rule.create?.(next, context) ?? next;
      key = definition.keyOf(next);
      const after = unit.put(prefix, key, next);
      joinTenant(call, prefix, key, unit);
      return after;
    },
  );
}

/** What a member of a tenant creates becomes visible there, where the tenant restricts that scope (wire-format.md 5.7). */
function joinTenant(call: Call, prefix: string, key: string, unit: Unit): void {
  const name = call.actor.tenant;
  const tenant = name === undefined ? undefined : unit.get('tenants', name);
  if (!tenant) return;
  const members = joinsOnCreate(tenant.value['Members'] as Record<string, readonly string[]>, prefix, key);
  if (members) unit.put('tenants', tenant.key, { ...tenant.value, Members: members });
}

/** What is deleted leaves every tenant. */
export function leaveTenants(prefix: string, key: string, unit: Unit): void {
  for (const tenant of [...unit.entries('tenants')]) {
    const members = leavesOnDelete(tenant.value['Members'] as Record<string, readonly string[]>, prefix, key);
    if (members) unit.put('tenants', tenant.key, { ...tenant.value, Members: members });
  }
}

/** Puts a changed object: change rules, key check, store. Inside the transaction. */
function putChanged(
  deps: WriteDeps,
  call: Call,
  definition: ModelDefinition,
  stored: Stored,
  after: JsonObject,
  unit: Unit,
  rewritten = false,
): JsonObject {
  const { prefix } = definition;
  const next = keepHidden(definition, stored.value, withoutComputed(after));
  if (definition.keyOf(next) !== stored.key) {
    throw new Problem('invalid', `Key change from ${stored.key} to ${definition.keyOf(next)} not allowed`, {
      model: prefix,
      key: stored.key,
    });
  }
  refuseLocked(call, definition, stored.value, next);
  const context = contextOf(deps, call, unit, rewritten);
  let changed = next;
  for (const rule of deps.rules[prefix] ?? []) changed = rule.change?.(stored.value, changed, context) ?? changed;
  return unit.put(prefix, stored.key, changed);
}

/** The object as it is inside the transaction. Throws Problem `not-found`: it may have gone since it was looked up. */
export function current(unit: Unit, definition: ModelDefinition, stored: Stored, typed: string): Stored {
  const now = unit.get(definition.prefix, stored.key);
  if (!now) throw notFound(definition, typed);
  return now;
}

/**
 * Applies a JSON Patch (wire-format.md 3.5). One claim per operation's pointer. Throws `patch-conflict` with the wording of
 * wire-format.md 2.4, `patch-undecodable` when the result is no such object any more.
 */
export async function patchObject(
  deps: WriteDeps,
  call: Call,
  definition: ModelDefinition,
  typed: string,
  operations: readonly PatchOperation[],
): Promise<JsonObject> {
  const { prefix } = definition;
  const { stored } = lookupFor(deps, call, definition, typed, (key) => derivePatch(prefix, key, operations), 'patch');
  const written = patchedPointers(operations);
  const rewritten = (deps.rules[prefix] ?? []).some((rule) => rule.rewrites?.(written) === true);
  return deps.committer.commit(originOf(call), `${prefix}/${stored.key}`, (unit) => {
    const now = current(unit, definition, stored, typed);
    checkRevision(call, now, definition);
    const before = document(definition, now);
    const patched = applyPatch(before, operations, {
      wholeDocumentEquals: (mine, sent) => wholeDocumentTestEquals(definition, mine, sent),
    });
    if (!patched.ok) {
      throw new Problem(
        'patch-conflict',
        [
          `Patch error at line ${patched.index}: ${patched.reason}`,
          `Patch line: ${JSON.stringify(operations[patched.index])}`,
        ],
        { model: prefix, key: typed },
      );
    }
    if (!rewritten && jsonEquals(patched.value, before)) return now.value;
    refuseReadOnly(deps.view, definition, now, 409);
    return putChanged(deps, call, definition, now, decodePatched(definition, typed, patched.value), unit, rewritten);
  });
}

/** A patched document as an object of the type. Throws Problem `patch-undecodable` in the decoder's words. */
export function decodePatched(definition: ModelDefinition, typed: string, value: Json): JsonObject {
  try {
    return decode(definition, value);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new Problem('patch-undecodable', error.message, { model: definition.prefix, key: typed, cause: error });
  }
}

/** Replaces an object (wire-format.md 3.6): claims from the difference; missing fields take their fill values. */
export async function replaceObject(
  deps: WriteDeps,
  call: Call,
  definition: ModelDefinition,
  typed: string,
  body: unknown,
): Promise<JsonObject> {
  const { prefix } = definition;
  const sent = decodeBody(definition, body);
  const stored = findVisible(deps, call, definition, typed, demandOn(definition, 'update'));
  const wanted = (now: Stored): JsonObject => present(definition, keepHidden(definition, now.value, sent), 'v4');
  const demands = (now: Stored): readonly Demand[] =>
    deriveReplace(
      prefix,
      authKey(definition, now),
      withoutComputed(document(definition, now)),
      withoutComputed(wanted(now)),
    );
  deps.guard.demand(call, demands(stored), 'update');
  if (definition.keyOf(sent) !== typed) {
    throw new Problem('key-changed', `Key change from ${typed} to ${definition.keyOf(sent)} not allowed`, {
      model: prefix,
      key: typed,
    });
  }
  return deps.committer.commit(originOf(call), `${prefix}/${stored.key}`, (unit) => {
    const now = current(unit, definition, stored, typed);
    checkRevision(call, now, definition);
    if (now.revision !== stored.revision) deps.guard.demand(call, demands(now), 'update');
    if (jsonEquals(withoutComputed(document(definition, now)), withoutComputed(wanted(now)))) return now.value;
    refuseReadOnly(deps.view, definition, now, 409);
    return putChanged(deps, call, definition, now, sent, unit);
  });
}

/** Removes an object; resolves to what it was. Refusals: in use (409), read-only (404, wire-format.md 2.5), locked. */
export async function removeObject(
  deps: WriteDeps,
  call: Call,
  definition: ModelDefinition,
  typed: string,
): Promise<JsonObject> {
  const { prefix } = definition;
  const { stored } = lookupFor(deps, call, definition, typed, (key) => [
    { scope: prefix, action: 'delete', specific: key },
  ]);
  return deps.committer.commit(originOf(call), `${prefix}/${stored.key}`, (unit) => {
    const now = current(unit, definition, stored, typed);
    checkRevision(call, now, definition);
    const context = contextOf(deps, call, unit);
    for (const rule of deps.rules[prefix] ?? []) {
      const refusal = rule.refuseRemoval?.(now.value, context);
      if (refusal) throw refusal;
    }
    refuseReadOnly(deps.view, definition, now, 404);
    refuseLocked(call, definition, now.value);
    unit.remove(prefix, now.key);
    leaveTenants(prefix, now.key, unit);
    if (MODELS[prefix as keyof typeof MODELS]?.hasParams) unit.remove(SECURE_KEYS, `${prefix}/${now.key}`);
    return now.value;
  });
}
