/**
 * From two versions of an object to the JSON Patch a form sends. Every change is preceded by a `test` of
 * the value the form was opened with, so a stale form can never win silently. Pure.
 */
import { isJsonObject, type Json, type JsonObject } from '../../src-main/kit/json.ts';
import { jsonEquals } from '../../src-main/kit/json-patch.ts';
import { escapeToken } from '../../src-main/kit/json-pointer.ts';

export type PatchOp =
  | { readonly op: 'test' | 'add' | 'replace'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string };

/** Fields only the server writes; a form never sends them, whatever the JSON tab holds. */
const SERVER_FIELDS = new Set([
  'Validated',
  'Available',
  'Errors',
  'ReadOnly',
  'PluginErrors',
  'PasswordHash',
  'Profile',
]);

/**
 * The smallest guarded patch from `opened` to `draft`. Objects are compared member by member one level
 * below the top (Params, Meta, Members: one claim per param); arrays and deeper values are replaced whole.
 */
export function buildPatch(opened: JsonObject, draft: JsonObject): PatchOp[] {
  const ops: PatchOp[] = [];
  for (const field of fieldsOf(opened, draft)) {
    if (SERVER_FIELDS.has(field)) continue;
    const before = opened[field];
    const after = draft[field];
    const path = `/${escapeToken(field)}`;
    if (isJsonObject(before) && isJsonObject(after)) {
      for (const member of fieldsOf(before, after)) {
        pushChange(ops, `${path}/${escapeToken(member)}`, before[member], after[member]);
      }
    } else pushChange(ops, path, before, after);
  }
  return ops;
}

/** The top-level fields two versions differ in, in the order of the first; for dirty marks and summaries. */
export function changedFields(opened: JsonObject, draft: JsonObject): string[] {
  return fieldsOf(opened, draft).filter((name) => !SERVER_FIELDS.has(name) && !jsonEquals(opened[name], draft[name]));
}

function fieldsOf(a: JsonObject, b: JsonObject): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])];
}

function pushChange(ops: PatchOp[], path: string, before: Json | undefined, after: Json | undefined): void {
  if (jsonEquals(before, after)) return;
  if (before !== undefined) ops.push({ op: 'test', path, value: before });
  if (after === undefined) ops.push({ op: 'remove', path });
  else ops.push({ op: before === undefined ? 'add' : 'replace', path, value: after });
}

/**
 * The patch that takes `ops` back, guarded by the values they wrote. `ops` must come from `buildPatch`: there
 * each change follows the `test` of what it replaces.
 */
export function invertPatch(ops: readonly PatchOp[]): PatchOp[] {
  const before = new Map(ops.flatMap((op) => (op.op === 'test' ? [[op.path, op.value] as const] : [])));
  return ops.flatMap((op): PatchOp[] => {
    const old = before.get(op.path) ?? null;
    if (op.op === 'test') return [];
    if (op.op === 'remove') return [{ op: 'add', path: op.path, value: old }];
    const guard: PatchOp = { op: 'test', path: op.path, value: op.value };
    if (op.op === 'add') return [guard, { op: 'remove', path: op.path }];
    return [guard, { op: 'replace', path: op.path, value: old }];
  });
}
