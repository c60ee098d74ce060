/**
 * JSON Schema for params: draft 4 (wire-format.md 9.1), checked by Ajv, with sentences in the wording that existing
 * clients print. Compiled schemas are kept by their text.
 */
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import AjvDraft04 from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import type { Json } from '../kit/json.ts';
import { compileRegex, type LinearRegex } from '../kit/linear-regex.ts';

const KEPT = 500;

// The packages are CommonJS with a default export: what an ES module gets depends on who loads it.
type Constructor = new (options: ConstructorParameters<typeof Ajv>[0]) => InstanceType<typeof Ajv>;
const Draft04 = ((AjvDraft04 as unknown as { default?: Constructor }).default ?? AjvDraft04) as Constructor;
const formats = ((addFormats as unknown as { default?: (ajv: unknown) => void }).default ?? addFormats) as (
  ajv: unknown,
) => void;

/** Patterns of schemas: states they may have, and the most work of matching one with one text. */
const MOST_STATES = 3_000;
const MOST_MATCHING = 10_000_000;
/** Compiling takes time with every part of a schema; subschemas weigh more than plain values. */
const MOST_SCHEMA = 10_000;
const SUBSCHEMA = 5;
/** All problems of a value are looked for only where parts of value times parts of schema stay below this. */
const MOST_THOROUGH = 1_000_000;
const MOST_PROBLEMS = 50;

/**
 * Patterns are RE2's, matched in linear time: one that backtracks would let a param and a value stop the server. Text too long for
 * its pattern does not match.
 */
function linearPattern(pattern: string): { test(text: string): boolean; toString(): string } {
  let regex: LinearRegex;
  try {
    regex = compileRegex(pattern, MOST_STATES);
  } catch (error) {
    throw new Error(`pattern '${pattern}': ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  return {
    test: (text) => regex.size * text.length <= MOST_MATCHING && regex.test(text),
    // Patterns are told apart by this.
    toString: () => pattern,
  };
}

function isPattern(text: string): boolean {
  try {
    compileRegex(text, MOST_STATES);
    return true;
  } catch {
    return false;
  }
}

function newAjv(allErrors: boolean): InstanceType<typeof Ajv> {
  const ajv = new Draft04({
    strict: false,
    allErrors,
    verbose: true,
    validateFormats: true,
    logger: false,
    code: { regExp: Object.assign(linearPattern, { code: 'linearPattern' }) },
  });
  formats(ajv);
  ajv.addFormat('regex', isPattern);
  return ajv;
}

/** Parts of a value, counted no further than `most`. */
function weigh(value: unknown, most: number, container: number): number {
  let weight = 0;
  const todo: unknown[] = [value];
  for (let part = todo.pop(); part !== undefined && weight <= most; part = todo.pop()) {
    const isContainer = typeof part === 'object' && part !== null;
    weight += isContainer ? container : 1;
    if (isContainer) for (const member of Object.values(part as object)) todo.push(member);
  }
  return weight;
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
      const types = (Array.isArray(params['type']) ? params['type'] : String(params['type']).split(',')) as string[];
      const expected = types.length === 1 ? types[0] : `[${types.join(',')}]`;
      return `${where}: Invalid type. Expected: ${expected}, given: ${typeName(error.data)}`;
    }
    case 'required':
      return `${where}: ${String(params['missingProperty'])} is required`;
    case 'enum':
      return `${where}: ${where} must be one of the following: ${(params['allowedValues'] as unknown[]).map((v) => JSON.stringify(v)).join(', ')}`;
    case 'additionalProperties':
      return `${where}: Additional property ${String(params['additionalProperty'])} is not allowed`;
    case 'minimum':
      return `${where}: Must be greater than ${params['comparison'] === '>' ? '' : 'or equal to '}${String(params['limit'])}`;
    case 'maximum':
      return `${where}: Must be less than ${params['comparison'] === '<' ? '' : 'or equal to '}${String(params['limit'])}`;
    case 'multipleOf':
      return `${where}: Must be a multiple of ${String(params['multipleOf'])}`;
    case 'dependencies':
      return `${where}: Has a dependency on ${String(params['missingProperty'])}`;
    case 'additionalItems':
      return `${where}: No additional items allowed on array`;
    case 'minProperties':
      return `${where}: Must have at least ${String(params['limit'])} properties`;
    case 'maxProperties':
      return `${where}: Must have at most ${String(params['limit'])} properties`;
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

type Compiled =
  | { readonly ok: true; readonly problems: (value: Json) => readonly string[] }
  | { readonly ok: false; readonly reason: string };

interface SchemaChecker {
  /** Compiles a schema; `null` accepts everything. The answer says why when it is no schema. */
  compile(schema: Json): Compiled;
}

const ANYTHING: Compiled = { ok: true, problems: () => [] };

export function createSchemaChecker(): SchemaChecker {
  const cache = new Map<string, Compiled>();
  const compile = (schema: Json, text: string): Compiled => {
    if (schema === null || schema === true) return ANYTHING;
    if (typeof schema !== 'object' || Array.isArray(schema)) return { ok: false, reason: 'a schema must be an object' };
    const weight = weigh(schema, MOST_SCHEMA, SUBSCHEMA);
    if (weight > MOST_SCHEMA) return { ok: false, reason: 'the schema has too many parts' };
    // A fresh instance for each schema: ids of different params may not collide.
    const compiled = (allErrors: boolean): ValidateFunction => newAjv(allErrors).compile(JSON.parse(text) as object);
    let quick: ValidateFunction;
    try {
      quick = compiled(false);
      quick(null);
    } catch (error) {
      if (error instanceof RangeError) return { ok: false, reason: 'the schema refers to itself without end' };
      return { ok: false, reason: error instanceof Error ? error.message : String(error) };
    }
    let thorough: ValidateFunction | undefined;
    return {
      ok: true,
      problems(value) {
        try {
          if (quick(value)) return [];
        } catch (error) {
          // Some schemas refer to themselves without end for some kinds of value only.
          if (error instanceof RangeError) return ['(root): the schema refers to itself without end'];
          throw error;
        }
        let { errors } = quick;
        if (weight * weigh(value, MOST_THOROUGH, 1) <= MOST_THOROUGH) {
          thorough ??= compiled(true);
          thorough(value);
          errors = thorough.errors;
        }
        return (errors ?? []).slice(0, MOST_PROBLEMS).map(sentence);
      },
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
