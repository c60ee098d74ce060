/**
 * Three-way merge of an edited object: what the form was opened with, what is stored now, what the user
 * wrote. Only fields both sides changed to different values need a choice; lists merge item by item. Pure.
 */
import { isJsonObject, type Json, type JsonObject } from '../../src-main/kit/json.ts';
import { jsonEquals } from '../../src-main/kit/json-patch.ts';
import { escapeToken, parsePointer } from '../../src-main/kit/json-pointer.ts';

/** One field two people changed differently. `undefined` means the field is absent on that side. */
export interface Clash {
  /** RFC 6901 pointer of the field. */
  readonly pointer: string;
  readonly opened: Json | undefined;
  readonly theirs: Json | undefined;
  readonly mine: Json | undefined;
}

export interface Merge {
  /** Both sides' changes together; clashing fields hold mine until `resolve` says otherwise. */
  readonly merged: JsonObject;
  readonly clashes: readonly Clash[];
}

/** Merges `theirs` and `mine`, both derived from `opened`. */
export function mergeThreeWay(opened: JsonObject, theirs: JsonObject, mine: JsonObject): Merge {
  const clashes: Clash[] = [];
  return { merged: mergeObjects(opened, theirs, mine, '', clashes), clashes };
}

/** `merged` with the value of `theirs` at each pointer of `takeTheirs`. */
export function resolve(merge: Merge, takeTheirs: ReadonlySet<string>): JsonObject {
  let result = merge.merged;
  for (const clash of merge.clashes) {
    if (takeTheirs.has(clash.pointer)) result = setAt(result, parsePointer(clash.pointer), clash.theirs);
  }
  return result;
}

function mergeObjects(
  opened: JsonObject,
  theirs: JsonObject,
  mine: JsonObject,
  at: string,
  clashes: Clash[],
): JsonObject {
  const merged: { [k: string]: Json } = {};
  for (const name of new Set([...Object.keys(theirs), ...Object.keys(mine)])) {
    const value = mergeValue(opened[name], theirs[name], mine[name], `${at}/${escapeToken(name)}`, clashes);
    if (value !== undefined) merged[name] = value;
  }
  return merged;
}

function mergeValue(
  opened: Json | undefined,
  theirs: Json | undefined,
  mine: Json | undefined,
  pointer: string,
  clashes: Clash[],
): Json | undefined {
  if (jsonEquals(mine, opened)) return theirs;
  if (jsonEquals(theirs, opened) || jsonEquals(theirs, mine)) return mine;
  if (isJsonObject(theirs) && isJsonObject(mine)) {
    return mergeObjects(isJsonObject(opened) ? opened : {}, theirs, mine, pointer, clashes);
  }
  if (isList(theirs) && isList(mine) && isList(opened)) return mergeLists(opened, theirs, mine);
  clashes.push({ pointer, opened, theirs, mine });
  return mine;
}

/** Their list, without what I removed, with what I added at the end: additions and removals never clash. */
function mergeLists(opened: readonly Json[], theirs: readonly Json[], mine: readonly Json[]): readonly Json[] {
  const has = (list: readonly Json[], item: Json) => list.some((other) => jsonEquals(other, item));
  const kept = theirs.filter((item) => has(mine, item) || !has(opened, item));
  const added = mine.filter((item) => !has(opened, item) && !has(theirs, item));
  return [...kept, ...added];
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function setAt(object: JsonObject, tokens: readonly string[], value: Json | undefined): JsonObject {
  const [name, ...rest] = tokens;
  if (name === undefined) return object;
  const inner = object[name];
  if (rest.length > 0 && isJsonObject(inner)) return { ...object, [name]: setAt(inner, rest, value) };
  const { [name]: _, ...others } = object;
  return value === undefined ? others : { ...object, [name]: value };
}
