/**
 * What a change to an object needs: one claim per changed field, from a patch by its operations, from a whole new
 * object by the difference (service.md Claim derivation, wire-format.md 3.5, 3.6).
 */
import { isJsonObject, type Json, type JsonObject } from '../../kit/json.ts';
import { jsonEquals } from '../../kit/json-patch.ts';
import { joinPointer } from '../../kit/json-pointer.ts';
import type { RequiredClaim } from './allows.ts';
import { UPDATE_PREFIX } from './parse.ts';

/** The part of a patch operation that decides what it changes. */
export interface PatchStep {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
}

/**
 * Pointers of the fields in which two values differ, in the order of `before`, new ones last. Objects are compared
 * member by member; an array that differs counts as one field, as clients replace arrays whole.
 */
function changedPointers(before: Json | undefined, after: Json | undefined, base = ''): string[] {
  if (!isJsonObject(before) || !isJsonObject(after)) return jsonEquals(before, after) ? [] : [base];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const at = joinPointer(base, name);
    if (!Object.hasOwn(before, name) || !Object.hasOwn(after, name)) return [at];
    return changedPointers(before[name], after[name], at);
  });
}

/** Pointers a patch changes: of every operation but `test`; a `move` changes where it takes from as well. */
export function patchedPointers(operations: readonly PatchStep[]): string[] {
  const pointers = operations
    .filter(({ op }) => op !== 'test')
    .flatMap(({ op, path, from }) => (op === 'move' && from !== undefined ? [path, from] : [path]));
  return [...new Set(pointers)];
}

function updates(scope: string, authKey: string, pointers: readonly string[]): RequiredClaim[] {
  return pointers.map((pointer) => ({ scope, action: UPDATE_PREFIX + pointer, specific: authKey }));
}

/** A write that changes nothing is answered with the object, so it is a read and needs the claim of one. */
function orRead(scope: string, authKey: string, claims: RequiredClaim[]): RequiredClaim[] {
  return claims.length > 0 ? claims : [{ scope, action: 'get', specific: authKey }];
}

/**
 * Claims of a PATCH. `within` is the field the patched document is: empty for the object, `/Meta` or `/Params` for
 * those sub-resources. Never empty: a patch without a change needs `get`.
 */
export function derivePatch(
  scope: string,
  authKey: string,
  operations: readonly PatchStep[],
  within = '',
): RequiredClaim[] {
  const pointers = patchedPointers(operations).map((pointer) => within + pointer);
  return orRead(scope, authKey, updates(scope, authKey, pointers));
}

/**
 * Claims of replacing `before` by `after`, both complete and without the fields the server computes. Empty when they
 * are equal: see `deriveReplace` for what a route must demand.
 */
export function deriveChanges(scope: string, authKey: string, before: JsonObject, after: JsonObject): RequiredClaim[] {
  return updates(scope, authKey, changedPointers(before, after));
}

/** As `deriveChanges`; an equal object needs `get`, since the answer shows it. */
export function deriveReplace(scope: string, authKey: string, before: JsonObject, after: JsonObject): RequiredClaim[] {
  return orRead(scope, authKey, deriveChanges(scope, authKey, before, after));
}

/** Claims of replacing all params: one per param that differs, whatever differs inside it. */
export function deriveParams(scope: string, authKey: string, before: JsonObject, after: JsonObject): RequiredClaim[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !Object.hasOwn(before, name) || !Object.hasOwn(after, name) || !jsonEquals(before[name], after[name]),
  );
  const pointers = names.map((name) => joinPointer('', 'Params', name));
  return orRead(scope, authKey, updates(scope, authKey, pointers));
}
