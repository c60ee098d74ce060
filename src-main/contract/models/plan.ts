/**
 * A schema read once into what decoding, filling and output walk: fields by exact and by folded name, their kinds, their
 * Fill values. Plans are made at first use and kept with the schema.
 */
import type { TObject, TSchema } from 'typebox';
import type { Json } from '../../kit/json.ts';
import type { Shape, TextForm } from './fields.ts';

export type Node =
  | { readonly kind: 'text'; readonly form: TextForm | undefined; readonly go: string }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number; readonly go: string }
  | { readonly kind: 'flag'; readonly go: string }
  | { readonly kind: 'any'; readonly go: string }
  | { readonly kind: 'list'; readonly item: Node; readonly go: string }
  | { readonly kind: 'map'; readonly value: Node; readonly go: string }
  | { readonly kind: 'struct'; readonly plan: StructPlan; readonly go: string };

export interface Field {
  readonly name: string;
  readonly node: Node;
  /** Fill value, frozen. */
  readonly fill: Json;
  /** The only shape that has it; undefined: both. */
  readonly shape: Shape | undefined;
  /** May be absent from a filled object. */
  readonly optional: boolean;
  readonly omitEmpty: boolean;
  /** Stored, never sent. */
  readonly hidden: boolean;
  /** Sent as its Fill value, never stored. */
  readonly constant: boolean;
}

export interface StructPlan {
  /** Type name in error texts. */
  readonly name: string;
  readonly fields: readonly Field[];
  readonly byName: ReadonlyMap<string, Field>;
  /** By lower-case name. */
  readonly byFold: ReadonlyMap<string, Field>;
}

const plans = new WeakMap<TObject, StructPlan>();

/** The schema keywords a plan reads. TypeBox types each kind apart; here they are looked at as the JSON they are. */
interface Keywords {
  readonly type?: string;
  readonly title?: string;
  readonly default?: Json;
  readonly items?: TSchema;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly anyOf?: readonly TSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly writeOnly?: boolean;
  readonly 'x-shape'?: Shape;
  readonly 'x-omit-empty'?: boolean;
  readonly 'x-constant'?: boolean;
  readonly 'x-go'?: string;
  readonly 'x-form'?: TextForm;
}

export const keywords = (schema: TSchema): Keywords => schema as Keywords;

const INT32 = 2 ** 31;

function integerNode(schema: Keywords): Node {
  const go = schema['x-go'] ?? 'int';
  const limit =
    go === 'int32' ? { min: -INT32, max: INT32 - 1 } : { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER };
  return { kind: 'integer', min: schema.minimum ?? limit.min, max: schema.maximum ?? limit.max, go };
}

export function nodeOf(schema: TSchema): Node {
  const words = keywords(schema);
  const go = words['x-go'];
  switch (words.type) {
    case 'string':
      return { kind: 'text', form: words['x-form'], go: go ?? 'string' };
    case 'integer':
      return integerNode(words);
    case 'boolean':
      return { kind: 'flag', go: 'bool' };
    case 'array': {
      const item = nodeOf(words.items ?? {});
      return { kind: 'list', item, go: go ?? `[]${item.go}` };
    }
    case 'object': {
      const value = Object.values(words.patternProperties ?? {})[0];
      if (value) {
        const node = nodeOf(value);
        return { kind: 'map', value: node, go: go ?? `map[string]${node.go}` };
      }
      return { kind: 'struct', plan: planOf(schema as TObject), go: go ?? `models.${words.title ?? 'Object'}` };
    }
    default: {
      // A list or map that may be null: the only unions there are.
      const choice = words.anyOf?.find((option) => keywords(option).type !== 'null');
      return choice ? nodeOf(choice) : { kind: 'any', go: 'interface {}' };
    }
  }
}

const EMPTY_LIST: Json = Object.freeze([]);
const EMPTY_MAP: Json = Object.freeze({});

/** Value of a node that nothing was said about. */
export function zeroOf(node: Node): Json {
  switch (node.kind) {
    case 'text':
      return '';
    case 'integer':
      return 0;
    case 'flag':
      return false;
    case 'any':
      return null;
    case 'list':
      return EMPTY_LIST;
    case 'map':
      return EMPTY_MAP;
    case 'struct':
      return Object.freeze(
        Object.fromEntries(
          node.plan.fields.filter((field) => !field.optional).map((field) => [field.name, field.fill]),
        ),
      );
  }
}

function deepFreeze(value: Json): Json {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) deepFreeze(member);
    Object.freeze(value);
  }
  return value;
}

function fieldOf(name: string, schema: TSchema, required: ReadonlySet<string>): Field {
  const words = keywords(schema);
  const node = nodeOf(schema);
  return {
    name,
    node,
    fill: words.default === undefined ? zeroOf(node) : deepFreeze(words.default),
    shape: words['x-shape'],
    optional: !required.has(name),
    omitEmpty: words['x-omit-empty'] === true,
    hidden: words.writeOnly === true,
    constant: words['x-constant'] === true,
  };
}

/** The plan of an object schema. */
export function planOf(schema: TObject): StructPlan {
  const known = plans.get(schema);
  if (known) return known;
  const words = keywords(schema);
  const required = new Set(words.required);
  const fields = Object.entries(words.properties ?? {}).map(([name, field]) => fieldOf(name, field, required));
  const plan: StructPlan = {
    name: words.title ?? 'Object',
    fields,
    byName: new Map(fields.map((field) => [field.name, field])),
    byFold: new Map(fields.map((field) => [field.name.toLowerCase(), field])),
  };
  plans.set(schema, plan);
  return plan;
}
