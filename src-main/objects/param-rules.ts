/**
 * Typed params (wire-format.md 9.1): a value set anywhere is checked against the schema of the Param of that name, if one is
 * defined; values of unknown params are free. Secure params hold envelopes, judged by what is sealed in them.
 */
import { goPrint } from '../kit/go-text.ts';
import { isJsonObject, type Json, type JsonObject } from '../kit/json.ts';
import { createSchemaChecker } from './schema-check.ts';
import { envelopeProblem, isEnvelope } from './secure-params.ts';
import type { View } from './types.ts';

/** Characters of a value that a message shows. */
const MOST_SHOWN = 2_000;

export interface ParamRules {
  /** Faults of a Param object itself: its schema, and the default in it. */
  definitionErrors(param: JsonObject): readonly string[];
  /** One sentence for each value that does not fit. */
  valueErrors(params: JsonObject | undefined, view: View): readonly string[];
  /** Sentences about one clear value; empty when it fits or the param is not defined. */
  problems(name: string, value: Json, view: View): readonly string[];
  /** `default` of the param's schema (wire-format.md 9.2 step 5); undefined when there is none. */
  defaultOf(name: string, view: View): Json | undefined;
  isSecure(name: string, view: View): boolean;
}

function schemaOf(param: JsonObject | undefined): Json {
  return param?.['Schema'] ?? null;
}

function defaultIn(schema: Json): Json | undefined {
  if (!isJsonObject(schema)) return undefined;
  return Object.hasOwn(schema, 'default') ? schema['default'] : undefined;
}

export function createParamRules(): ParamRules {
  const checker = createSchemaChecker();
  const problems = (name: string, value: Json, view: View): readonly string[] => {
    const param = view.get('params', name)?.value;
    if (!param) return [];
    const compiled = checker.compile(schemaOf(param));
    return compiled.ok ? compiled.problems(value) : [];
  };
  const rules: ParamRules = {
    definitionErrors(param) {
      const schema = schemaOf(param);
      const compiled = checker.compile(schema);
      if (!compiled.ok) return [`Invalid schema: ${compiled.reason}`];
      const fallback = defaultIn(schema);
      if (fallback === undefined || fallback === null) return [];
      return compiled.problems(fallback).map((problem) => `Error in default value: ${problem}`);
    },
    valueErrors(params, view) {
      const found: string[] = [];
      for (const [name, value] of Object.entries(params ?? {})) {
        if (value === null) continue;
        if (rules.isSecure(name, view)) {
          const problem = isEnvelope(value) ? envelopeProblem(value) : 'a secure param takes a sealed value';
          if (problem) found.push(`Key '${name}': invalid val '***': ${problem}`);
          continue;
        }
        const wrong = problems(name, value, view);
        if (wrong.length === 0) continue;
        const printed = goPrint(value);
        const shown = printed.length > MOST_SHOWN ? `${printed.slice(0, MOST_SHOWN)}…` : printed;
        for (const problem of wrong) found.push(`Key '${name}': invalid val '${shown}': : ${problem}`);
      }
      return found;
    },
    problems,
    defaultOf: (name, view) => defaultIn(schemaOf(view.get('params', name)?.value)),
    isSecure: (name, view) => view.get('params', name)?.value['Secure'] === true,
  };
  return rules;
}
