/** JSON Schemas for the OpenAPI document: what is answered in a shape, and what may be sent. Plain data, without our keywords. */
import type { TObject, TSchema } from 'typebox';
import type { Json } from '../../kit/json.ts';
import type { Shape } from './fields.ts';
import { keywords } from './plan.ts';

export type JsonSchema = { readonly [k: string]: Json };

interface View {
  readonly shape: Shape;
  readonly direction: 'answer' | 'request';
}

const CARRIED = [
  'title',
  'description',
  'format',
  'minimum',
  'maximum',
  'readOnly',
  'writeOnly',
  'deprecated',
] as const;

function carried(schema: TSchema): { [k: string]: Json } {
  const words = schema as { readonly [k: string]: Json };
  const out: { [k: string]: Json } = {};
  for (const word of CARRIED) if (words[word] !== undefined) out[word] = words[word];
  return out;
}

function objectSchema(schema: TSchema, view: View): JsonSchema {
  const words = keywords(schema);
  const properties: { [k: string]: Json } = {};
  const required: string[] = [];
  for (const [name, field] of Object.entries(words.properties ?? {})) {
    const of = keywords(field);
    if (of['x-shape'] !== undefined && of['x-shape'] !== view.shape && view.direction === 'answer') continue;
    if (of.writeOnly && view.direction === 'answer') continue;
    properties[name] = convert(field, view);
    if (view.direction === 'answer' && !of['x-omit-empty']) required.push(name);
  }
  return { ...carried(schema), type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** What may be sent may be null wherever it stands: null means unset. */
function nullable(type: string, view: View): Json {
  return view.direction === 'request' ? [type, 'null'] : type;
}

function convert(schema: TSchema, view: View): JsonSchema {
  const words = keywords(schema);
  switch (words.type) {
    case 'string':
    case 'integer':
    case 'boolean':
      return { ...carried(schema), type: nullable(words.type, view) };
    case 'null':
      return { type: 'null' };
    case 'array':
      return { ...carried(schema), type: nullable('array', view), items: convert(words.items ?? {}, view) };
    case 'object': {
      const value = Object.values(words.patternProperties ?? {})[0];
      if (!value) return { ...objectSchema(schema, view), type: nullable('object', view) };
      return { ...carried(schema), type: nullable('object', view), additionalProperties: convert(value, view) };
    }
    default:
      return words.anyOf
        ? { ...carried(schema), anyOf: words.anyOf.map((option) => convert(option, view)) }
        : carried(schema);
  }
}

/** What an answer of this shape looks like: every field of the shape, all of them required but those left out when empty. */
export function answerSchema(schema: TObject, shape: Shape): JsonSchema {
  return convert(schema, { shape, direction: 'answer' });
}

/** What may be sent: any field of either shape, null for unset. Other fields are ignored. */
export function requestSchema(schema: TObject): JsonSchema {
  return { ...objectSchema(schema, { shape: 'v4', direction: 'request' }) };
}
