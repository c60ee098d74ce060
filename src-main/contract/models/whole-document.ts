/**
 * The `test` of a whole document (wire-format.md 3.5). Clients send the object as they know it, re-encoded: a release 3
 * client has no release 4 fields, times lose trailing zeros, empty lists become null. Such differences are none; any
 * difference in a field that both sides know is one.
 */
import { parseTime } from '../../kit/go-text.ts';
import { addressKey } from '../../kit/ip-address.ts';
import { isJsonObject, type Json, type JsonObject } from '../../kit/json.ts';
import { jsonEquals } from '../../kit/json-patch.ts';
import type { ModelDefinition } from './definition.ts';
import { type Field, type Node, planOf, type StructPlan, zeroOf } from './plan.ts';

function isZeroLike(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.values(value).every(isZeroLike);
}

function isUnset(field: Field, value: Json | undefined): boolean {
  return isZeroLike(value) || (value !== undefined && nodeEquals(field.node, field.fill, value));
}

function textEquals(node: Extract<Node, { kind: 'text' }>, a: string, b: string): boolean {
  if (a === b) return true;
  switch (node.form) {
    case 'uuid':
      return a.toLowerCase() === b.toLowerCase();
    case 'ip': {
      const key = addressKey(a);
      return key !== undefined && key === addressKey(b);
    }
    case 'time': {
      const [x, y] = [parseTime(a), parseTime(b)];
      return x.ok && y.ok && x.ms === y.ms;
    }
    default:
      return false;
  }
}

function listEquals(item: Node, a: Json, b: Json): boolean {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  return a.every((entry: Json, i) => nodeEquals(item, entry, (b as readonly Json[])[i] ?? null));
}

function mapEquals(value: Node, a: Json, b: Json): boolean {
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && nodeEquals(value, a[key] ?? null, b[key] ?? null));
}

function nodeEquals(node: Node, a: Json, b: Json): boolean {
  if ((a === null || b === null) && node.kind !== 'any') {
    const other = a ?? b;
    return isZeroLike(other) || jsonEquals(zeroOf(node), other);
  }
  switch (node.kind) {
    case 'text':
      return typeof a === 'string' && typeof b === 'string' && textEquals(node, a, b);
    case 'integer':
    case 'flag':
      return a === b;
    case 'any':
      return jsonEquals(a, b);
    case 'list':
      return listEquals(node.item, a, b);
    case 'map':
      return mapEquals(node.value, a, b);
    case 'struct':
      return isJsonObject(a) && isJsonObject(b) && structEquals(node.plan, a, b);
  }
}

function fieldEquals(field: Field, stored: JsonObject, sent: JsonObject): boolean {
  const isStored = Object.hasOwn(stored, field.name) && !field.constant;
  const isSent = Object.hasOwn(sent, field.name);
  if (isStored && isSent) return nodeEquals(field.node, stored[field.name] ?? null, sent[field.name] ?? null);
  // Fields of one release only, and fields that were never shown, cannot be expected back.
  if (isStored) return field.hidden || field.shape !== undefined || isUnset(field, stored[field.name]);
  return !isSent || isUnset(field, sent[field.name]);
}

function structEquals(plan: StructPlan, stored: JsonObject, sent: JsonObject): boolean {
  for (const field of plan.fields) if (!fieldEquals(field, stored, sent)) return false;
  for (const name of Object.keys(sent)) if (!plan.byName.has(name) && !isZeroLike(sent[name])) return false;
  return true;
}

/** True when `sent` is the object `stored`, as far as a client can know it. */
export function wholeDocumentTestEquals(definition: ModelDefinition, stored: Json, sent: Json): boolean {
  return isJsonObject(stored) && isJsonObject(sent) && structEquals(planOf(definition.schema), stored, sent);
}
