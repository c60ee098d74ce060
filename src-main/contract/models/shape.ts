/**
 * Objects completed and shown: `fill` gives every field its value, `present` picks the fields of a shape, `slim` empties the
 * big maps. All of them give back the very object they got when there is nothing to change, so that what is stored can be
 * compared, cached and sent as it is.
 */
import type { TObject } from 'typebox';
import { isJsonObject, type Json, type JsonObject } from '../../kit/json.ts';
import type { ModelDefinition } from './definition.ts';
import type { Shape } from './fields.ts';
import { type Field, type Node, planOf, type StructPlan } from './plan.ts';

type Walk = (plan: StructPlan, value: JsonObject) => JsonObject;

/** Applies `walk` to the structs below a node. A value of another kind comes back as undefined. */
function through(node: Node, value: Json | undefined, walk: Walk): Json | undefined {
  switch (node.kind) {
    case 'text':
      return typeof value === 'string' ? value : undefined;
    case 'integer':
      return typeof value === 'number' ? value : undefined;
    case 'flag':
      return typeof value === 'boolean' ? value : undefined;
    case 'any':
      return value;
    case 'list':
      return Array.isArray(value) ? throughList(node.item, value, walk) : undefined;
    case 'map':
      return isJsonObject(value) ? throughMap(node.value, value, walk) : undefined;
    case 'struct':
      return isJsonObject(value) ? walk(node.plan, value) : undefined;
  }
}

/** Lists and maps of plain values are taken as they are: their members were checked when they were decoded. */
const holdsStructs = (node: Node): boolean =>
  node.kind === 'struct' ||
  ((node.kind === 'list' || node.kind === 'map') && holdsStructs(node.kind === 'list' ? node.item : node.value));

function throughList(item: Node, list: readonly Json[], walk: Walk): readonly Json[] {
  if (!holdsStructs(item)) return list;
  let changed = false;
  const out = list.map((entry) => {
    const next = through(item, entry, walk) ?? entry;
    changed ||= next !== entry;
    return next;
  });
  return changed ? out : list;
}

function throughMap(node: Node, map: JsonObject, walk: Walk): JsonObject {
  if (!holdsStructs(node)) return map;
  let changed = false;
  const entries = Object.entries(map).map(([key, entry]): [string, Json] => {
    const next = through(node, entry, walk) ?? entry;
    changed ||= next !== entry;
    return [key, next];
  });
  return changed ? Object.fromEntries(entries) : map;
}

const isZeroScalar = (value: Json | undefined): boolean => value === '' || value === 0;

function fillField(field: Field, value: Json | undefined): Json | undefined {
  const filled = through(field.node, value, fillStruct);
  if (filled === undefined)
    return field.optional ? undefined : field.node.kind === 'struct' ? fillStruct(field.node.plan, {}) : field.fill;
  // An unset scalar cannot be told from an absent one (it cannot on the other side either).
  return isZeroScalar(filled) ? field.fill : filled;
}

function fillStruct(plan: StructPlan, value: JsonObject): JsonObject {
  const out: { [k: string]: Json } = {};
  let kept = 0;
  let isSame = true;
  for (const field of plan.fields) {
    if (field.constant) continue;
    const current = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
    const filled = fillField(field, current);
    if (filled === undefined) continue;
    kept++;
    isSame &&= filled === current;
    out[field.name] = filled;
  }
  return isSame && kept === Object.keys(value).length ? value : out;
}

/** The object with every field of its model set: absent, null and unset values become the Fill value, unknown fields go. */
export function fill(definition: ModelDefinition, value: JsonObject): JsonObject {
  const filled = fillStruct(planOf(definition.schema), value);
  return definition.normalize?.(filled) ?? filled;
}

/** An object nothing was said about. */
export function blank(definition: ModelDefinition): JsonObject {
  return fill(definition, {});
}

/** `fill` for schemas that are no object types (content metadata, a license bundle). */
export function fillSchema(schema: TObject, value: JsonObject): JsonObject {
  return fillStruct(planOf(schema), value);
}

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

const shapedFields = new WeakMap<StructPlan, Record<Shape, readonly Field[]>>();

function fieldsOf(plan: StructPlan, shape: Shape): readonly Field[] {
  let lists = shapedFields.get(plan);
  if (!lists) {
    const of = (wanted: Shape): readonly Field[] =>
      plan.fields.filter((field) => !field.hidden && (field.shape === undefined || field.shape === wanted));
    lists = { v3: of('v3'), v4: of('v4') };
    shapedFields.set(plan, lists);
  }
  return lists[shape];
}

function presentStruct(plan: StructPlan, value: JsonObject, shape: Shape, walk: Walk): JsonObject {
  const out: { [k: string]: Json } = {};
  let kept = 0;
  let isSame = true;
  for (const field of fieldsOf(plan, shape)) {
    const current = value[field.name];
    if (field.omitEmpty && isEmpty(current)) continue;
    const shown = field.constant ? field.fill : (through(field.node, current, walk) ?? absent(field, walk));
    kept++;
    isSame &&= shown === current;
    out[field.name] = shown;
  }
  return isSame && kept === Object.keys(value).length ? value : out;
}

function absent(field: Field, walk: Walk): Json {
  return field.node.kind === 'struct' ? walk(field.node.plan, {}) : field.fill;
}

const walks: Record<Shape, Walk> = {
  v3: (plan, value) => presentStruct(plan, value, 'v3', walks.v3),
  v4: (plan, value) => presentStruct(plan, value, 'v4', walks.v4),
};

/**
 * The object as clients of a shape see it: exactly the fields of wire-format.md 4, hidden ones left out. Gives back `value`
 * itself when it already is that (then its stored bytes can be sent).
 */
export function present(definition: ModelDefinition, value: JsonObject, shape: Shape): JsonObject {
  return walks[shape](planOf(definition.schema), value);
}

/** `present` for schemas that are no object types. */
export function presentSchema(schema: TObject, value: JsonObject, shape: Shape): JsonObject {
  return walks[shape](planOf(schema), value);
}

/** Which maps to leave empty. */
export interface Slim {
  readonly Meta: boolean;
  readonly Params: boolean;
}

/**
 * Replaces the maps named by `{}` (the fields stay); `Partial`, where the shape has it, says that something is left out.
 */
export function slim(value: JsonObject, which: Slim): JsonObject {
  const cut = (['Meta', 'Params'] as const).filter((field) => which[field] && isJsonObject(value[field]));
  if (cut.length === 0) return value;
  const out: { [k: string]: Json } = { ...value };
  for (const field of cut) out[field] = {};
  if (Object.hasOwn(out, 'Partial')) out['Partial'] = true;
  return out;
}
