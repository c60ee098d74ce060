/** Urls and string overrides as templates (template-functions.md): the machine, its params, and GetAuthString. */
import type { Json, JsonObject } from '../kit/json.ts';
import { type AuthOutcome, cachedTemplate, machineDot, parseTemplate, TemplateError } from '../templates/index.ts';

export interface RenderContext {
  /** The machine with the Params that the callback asked for. */
  readonly machine: JsonObject;
  readonly info: JsonObject;
  readonly plugin: string;
  readonly paramDefault: (name: string) => Json | undefined;
  readonly authString: (name: string) => Promise<AuthOutcome>;
}

/** Go's words for what is wrong with a template, or undefined. */
export function parseError(text: string): string | undefined {
  try {
    parseTemplate(text);
    return undefined;
  } catch (error) {
    if (error instanceof TemplateError) return error.message;
    throw error;
  }
}

/** Text without template parts is what it is. */
export function isTemplate(text: string): boolean {
  return text.includes('{{');
}

/** Rejects with TemplateError. */
export function renderText(text: string, context: RenderContext): string | Promise<string> {
  if (!isTemplate(text)) return text;
  const { machine, info, plugin, paramDefault, authString } = context;
  return cachedTemplate(text).renderAsync(machineDot({ machine, info, paramDefault, authString, pluginName: plugin }));
}
