/** Who may be told of an event, and in which form: tenant first, then claims, then the fields of the client's generation. */
import { eventClaims } from '../contract/claims/index.ts';
import { modelOf } from '../contract/models/index.ts';
import type { JsonObject } from '../kit/json.ts';
import { type Call, masked, type ObjectEvent, type Objects, type Shape, showsLine } from '../objects/index.ts';

/** An object as it was when the event happened; only what the guard looks at. */
function asStored(event: ObjectEvent): {
  prefix: string;
  key: string;
  value: JsonObject;
  revision: number;
  bytes: Buffer;
} {
  const value = typeof event.object === 'object' && event.object !== null ? (event.object as JsonObject) : {};
  return { prefix: event.type, key: event.key, value, revision: event.seq, bytes: Buffer.alloc(0) };
}

function authKeyOf(event: ObjectEvent): string {
  const value = event.object;
  if (event.type === 'jobs' && typeof value === 'object' && value !== null)
    return String((value as JsonObject)['Machine'] ?? event.key);
  return event.key;
}

/** True when the caller's tenant shows the object and a claim lets it hear of this. */
export function mayReceive(objects: Objects, call: Call, event: ObjectEvent): boolean {
  const { actor } = call;
  if (event.type === 'log' && typeof event.object === 'object' && event.object !== null) {
    if (!showsLine(actor, event.object)) return false;
  }
  const definition = modelOf(event.type);
  if (definition) {
    if (!objects.guard.visible(call, definition, asStored(event), objects.view)) return false;
  } else if (actor.restricts(event.type) && !actor.sees(event.type, event.key)) return false;
  return eventClaims(event.type, event.action, authKeyOf(event)).some((claim) =>
    actor.allows(claim.scope, claim.action, claim.specific),
  );
}

/** Event record of the wire (wire-format.md 4.21). An action's event carries its object inside. */
export function wireEvent(event: ObjectEvent, shape: Shape, principal: string): JsonObject {
  const base: JsonObject = {
    Time: event.time,
    Type: event.type,
    Action: event.action,
    Key: event.key,
    Object: shapedObject(event, shape) as JsonObject,
  };
  if (shape === 'v3') return base;
  return {
    ...base,
    Principal: principal,
    Original: event.original === undefined ? null : (masked(event.type, event.original, shape) as JsonObject),
  };
}

function shapedObject(event: ObjectEvent, shape: Shape): unknown {
  const object = event.object ?? null;
  if (typeof object !== 'object' || object === null) return object;
  const action = object as { Model?: unknown; Command?: unknown };
  if (typeof action.Command === 'string' && action.Model !== undefined)
    return { ...action, Model: masked(event.type === 'system' ? 'profiles' : event.type, action.Model, shape) };
  return masked(event.type, object, shape);
}
