/**
 * JSON Schema for params: draft 4 (wire-format.md 9.1), checked by Ajv, with sentences in the wording that existing
 * clients print. Compiled schemas are kept by their text.
 */
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import AjvDraft04 from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import type { Json } from '../kit/json.ts';

const KEPT = 500;

// The packages are CommonJS with a default export: what an ES module gets depends on who loads it.
type Constructor = new (options: ConstructorParameters<typeof Ajv>[0]) => InstanceType<typeof Ajv>;
const Draft04 = ((AjvDraft04 as unknown as { default?: Constructor }).default ?? AjvDraft04) as Constructor;
const formats = ((addFormats as unknown as { default?: (ajv: unknown) => void }).default ?? addFormats) as (
  ajv: unknown,
) => void;

function newAjv(): InstanceType<typeof Ajv> {
  const ajv = new Draft04({ strict: false, allErrors: true, verbose: true, validateFormats: true, logger: false });
  formats(ajv);
  return ajv;
}

/** JSON Schema type name of a value, as the messages print it. */
function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** `/a/0` becomes `a.0`; the top is `(root)`. */
function place(path: string): string {
  if (path === '') return '(root)';
  return path
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}

function sentence(error: ErrorObject): string {
  const where = place(error.instancePath);
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'type': {
      const expected = Array.isArray(params['type']) ? params['type'].join('/') : String(params['type']);
      return `${where}: Invalid type. Expected: ${expected.replaceAll(',', '/')}, given: ${typeName(error.data)}`;
    }
    case 'required':
      return `${where}: ${String(params['missingProperty'])} is required`;
    case 'enum':
      return `${where}: ${where} must be one of the following: ${(params['allowedValues'] as unknown[]).map((v) => JSON.stringify(v)).join(', ')}`;
    case 'additionalProperties':
      return `${where}: Additional property ${String(params['additionalProperty'])} is not allowed`;
    case 'minimum':
      return `${where}: Must be greater than or equal to ${String(params['limit'])}`;
    case 'maximum':
      return `${where}: Must be less than or equal to ${String(params['limit'])}`;
    case 'minLength':
      return `${where}: String length must be greater than or equal to ${String(params['limit'])}`;
    case 'maxLength':
      return `${where}: String length must be less than or equal to ${String(params['limit'])}`;
    case 'pattern':
      return `${where}: Does not match pattern '${String(params['pattern'])}'`;
    case 'format':
      return `${where}: Does not match format '${String(params['format'])}'`;
    case 'minItems':
      return `${where}: Array must have at least ${String(params['limit'])} items`;
    case 'maxItems':
      return `${where}: Array must have at most ${String(params['limit'])} items`;
    case 'uniqueItems':
      return `${where}: array items must be unique`;
    case 'anyOf':
      return `${where}: Must validate at least one schema (anyOf)`;
    case 'oneOf':
      return `${where}: Must validate one and only one schema (oneOf)`;
    case 'allOf':
      return `${where}: Must validate all the schemas (allOf)`;
    case 'not':
      return `${where}: Must not validate the schema (not)`;
    default:
      return `${where}: ${error.message ?? error.keyword}`;
  }
}

export type Compiled =
  | { readonly ok: true; readonly problems: (value: Json) => readonly string[] }
  | { readonly ok: false; readonly reason: string };

export interface SchemaChecker {
  /** Compiles a schema; `null` accepts everything. The answer says why when it is no schema. */
  compile(schema: Json): Compiled;
}

const ANYTHING: Compiled = { ok: true, problems: () => [] };

export function createSchemaChecker(): SchemaChecker {
  const cache = new Map<string, Compiled>();
  const compile = (schema: Json, text: string): Compiled => {
    if (schema === null || schema === true) return ANYTHING;
    if (typeof schema !== 'object' || Array.isArray(schema)) return { ok: false, reason: 'a schema must be an object' };
    let validate: ValidateFunction;
    try {
      // A fresh instance for each schema: ids of different params may not collide.
      validate = newAjv().compile(JSON.parse(text) as object);
    } catch (error) {
      return { ok: false, reason: error instanceof Error ? error.message : String(error) };
    }
    return {
      ok: true,
      problems: (value) => (validate(value) ? [] : (validate.errors ?? []).map(sentence)),
    };
  };
  return {
    compile(schema) {
      const text = JSON.stringify(schema);
      const known = cache.get(text);
      if (known) return known;
      const made = compile(schema, text);
      if (cache.size >= KEPT) cache.delete(cache.keys().next().value as string);
      cache.set(text, made);
      return made;
    },
  };
}
