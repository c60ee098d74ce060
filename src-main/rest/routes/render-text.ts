/**
 * Renders a Url or a string override for a machine without any callback: what an author tries out while writing. The same functions as
 * in a callback; auth programs are not run.
 */
import { Problem } from '../../contract/errors.ts';
import { MODELS } from '../../contract/models/index.ts';
import type { Json, JsonObject } from '../../kit/json.ts';
import { type Objects, type Stored, shaped } from '../../objects/index.ts';
import { cachedTemplate, machineDot, TemplateError } from '../../templates/index.ts';

/** Far more than any address or body needs, and little enough not to hold up other requests. */
const LIMITS = { steps: 50_000, outputLength: 1024 * 1024 } as const;
const MASK = '***';

/** Resolves to the rendered text. Rejects with Problem `invalid` that has the place and the words of the template's error. */
export async function renderForMachine(
  objects: Pick<Objects, 'view' | 'effectiveParams' | 'paramRules'>,
  stored: Stored,
  text: string,
  info: JsonObject,
): Promise<string> {
  const params = objects.effectiveParams(stored, { aggregate: true, decode: false });
  const machine = { ...shaped(MODELS.machines, stored.value, 'v4'), Params: params };
  const paramDefault = (name: string): Json | undefined => objects.paramRules.defaultOf(name, objects.view);
  try {
    return await cachedTemplate(text).renderAsync(
      machineDot({ machine, info, paramDefault, authString: () => ({ kind: 'ran', output: MASK }) }),
      { limits: LIMITS },
    );
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new Problem('invalid', error.message, { model: 'machines', key: stored.key });
  }
}
