/** The pieces that rows of the route table are made of: what one request on an object, a map or a collection needs. */

import { v4Number } from '../../kit/ip-address.ts';
import { isJsonObject, type Json, type JsonObject } from '../../kit/json.ts';
import { joinPointer } from '../../kit/json-pointer.ts';
import type { RequiredClaim } from './allows.ts';
import { deriveParams, derivePatch, deriveReplace, type PatchStep } from './difference.ts';
import { UPDATE_PREFIX } from './parse.ts';
import { memberOf } from './read.ts';
import {
  type RouteMatch,
  type RouteNeeds,
  type StoredObject,
  type TouchedObject,
  UnreadableRequest,
} from './routes.ts';

/** The object a path names, found or not: what is not there is still asked for by the key typed. */
interface Subject {
  readonly scope: string;
  readonly authKey: string;
  readonly touches: readonly TouchedObject[];
  readonly stored: StoredObject | undefined;
}

/** Reservations and leases go by eight hex digits; the path may carry the dotted address. */
export function addressKey(scope: string, typed: string): string {
  if (scope !== 'reservations' && scope !== 'leases') return typed;
  const address = v4Number(typed);
  return address === undefined ? typed : address.toString(16).toUpperCase().padStart(8, '0');
}

export function subject(match: RouteMatch, scope: string, typed: string): Subject {
  const stored = match.context.find(scope, typed);
  const key = stored?.key ?? addressKey(scope, typed);
  const machine = scope === 'jobs' && stored ? { machine: stored.authKey } : {};
  return { scope, authKey: stored?.authKey ?? key, touches: [{ scope, key, ...machine }], stored };
}

/** A path parameter; empty when the row has none of that name. */
export const param = (match: RouteMatch, name: string): string => match.params[name] ?? '';

export const pathSubject = (match: RouteMatch): Subject => subject(match, param(match, 'type'), param(match, 'key'));

export const claim = (scope: string, action: string, specific: string): RequiredClaim => ({ scope, action, specific });

/** One claim on an object. */
export function on(target: Subject, ...actions: readonly string[]): RouteNeeds {
  return { claims: actions.map((action) => claim(target.scope, action, target.authKey)), touches: target.touches };
}

/** Claims that are about no single object. */
export function plain(...claims: readonly RequiredClaim[]): RouteNeeds {
  return { claims, touches: [] };
}

/** Asked to decode secure params. Anything but an outright no counts, so that no reader of the query sees more. */
export function decodes(match: RouteMatch): boolean {
  return match.query.getAll('decode').some((value) => value !== 'false');
}

/** The body as an object; an absent one is empty. */
export function bodyObject(match: RouteMatch): JsonObject {
  const body = match.body ?? {};
  if (!isJsonObject(body)) throw new UnreadableRequest('the body must be a JSON object');
  return body;
}

/** A text member of the body by name, whatever its letter case; empty when absent. */
export function bodyText(match: RouteMatch, name: string): string {
  const value = isJsonObject(match.body) ? memberOf(match.body, name) : undefined;
  return typeof value === 'string' ? value : '';
}

const OPERATIONS: ReadonlySet<unknown> = new Set(['add', 'remove', 'replace', 'move', 'copy', 'test']);

function patchSteps(match: RouteMatch): PatchStep[] {
  const body = match.body ?? [];
  if (!Array.isArray(body)) throw new UnreadableRequest('the body must be a JSON Patch, a list of operations');
  return (body as readonly Json[]).map((item, i) => {
    const { op, path, from } = isJsonObject(item) ? item : ({} as JsonObject);
    if (typeof op !== 'string' || !OPERATIONS.has(op)) {
      throw new UnreadableRequest(`operation ${i} has no known op (add, remove, replace, move, copy or test)`);
    }
    if (typeof path !== 'string') throw new UnreadableRequest(`operation ${i} has no path`);
    if (op === 'move' && typeof from !== 'string') throw new UnreadableRequest(`operation ${i} moves from nowhere`);
    return { op, path, ...(typeof from === 'string' ? { from } : {}) };
  });
}

/** PATCH of an object, or of the field `within` it. */
export function patch(match: RouteMatch, target: Subject, within = ''): RouteNeeds {
  const claims = derivePatch(target.scope, target.authKey, patchSteps(match), within);
  return { claims, touches: target.touches, printed: 'patch' };
}

/** Set by the server whatever a caller sends (wire-format.md 3.7). */
const COMPUTED: ReadonlySet<string> = new Set(['Validated', 'Available', 'Errors', 'ReadOnly']);
const ZERO_TIME = '0001-01-01T00:00:00Z';

function isZero(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true;
  if (value === ZERO_TIME) return true;
  return typeof value === 'object' && Object.values(value).every(isZero);
}

/** A PUT body under the stored spelling of its fields, absent fields at the zero value where that is what is stored. */
function filled(body: JsonObject, stored: JsonObject): JsonObject {
  const out: [string, Json][] = [];
  for (const [name, value] of Object.entries(stored)) {
    const sent = memberOf(body, name);
    if (sent !== undefined) out.push([name, isZero(sent) && isZero(value) ? value : sent]);
    else if (isZero(value)) out.push([name, value]);
  }
  const known = new Set(Object.keys(stored).map((name) => name.toLowerCase()));
  for (const [name, value] of Object.entries(body)) {
    if (!known.has(name.toLowerCase()) && !isZero(value)) out.push([name, value]);
  }
  return Object.fromEntries(out);
}

function withoutComputed(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !COMPUTED.has(name)));
}

/** PUT of an object: claims from the difference. One that is not there, or not to be read, needs the whole update. */
export function replace(match: RouteMatch, target: Subject): RouteNeeds {
  const body = bodyObject(match);
  const { stored } = target;
  if (stored?.value === undefined) return { ...on(target, 'update'), printed: 'update' };
  const after = match.context.complete?.(target.scope, body, stored) ?? filled(body, stored.value);
  const before = withoutComputed(stored.value);
  const claims = deriveReplace(target.scope, target.authKey, before, withoutComputed(after));
  return { claims, touches: target.touches, printed: 'update' };
}

/** POST of all params: claims from the difference to the present ones; where these are not to be read, for every param sent. */
export function replaceParams(match: RouteMatch, target: Subject): RouteNeeds {
  const held = target.stored?.value?.['Params'];
  const before = isJsonObject(held) ? held : {};
  return { claims: deriveParams(target.scope, target.authKey, before, bodyObject(match)), touches: target.touches };
}

/** One param written or removed, changed or not. */
export function oneParam(match: RouteMatch, target: Subject): RouteNeeds {
  return on(target, UPDATE_PREFIX + joinPointer('', 'Params', param(match, 'param')));
}
