/** Param, ParamExists, ParamExpand, ParamAsJSON, ParamAsYAML. */
import { FunctionError, TemplateError } from './errors.ts';
import { toGoJson } from './go-json.ts';
import { toGoYaml } from './go-yaml.ts';
import type { RenderSelf } from './machine-dot.ts';
import { stringOf } from './typed-fields.ts';
import { fromData, type GoValue, type HostCalls, type HostMethod } from './values.ts';

/** The param as the machine has it, a null included; else the default of its definition; else nil. */
function lookUp(self: RenderSelf, name: string): unknown {
  const { params, options } = self;
  if (params !== undefined && Object.hasOwn(params, name) && params[name] !== undefined) return params[name];
  return options.paramDefault?.(name) ?? null;
}

function ofParam(
  read: (value: unknown, name: string, self: RenderSelf, host: HostCalls) => GoValue,
): HostMethod<RenderSelf> {
  return {
    kind: 'method',
    parameters: ['string'],
    call: (self, [name], host) => read(lookUp(self, stringOf(name)), stringOf(name), self, host),
  };
}

/** Only a param that is text is rendered; text inside of lists and maps stays as it is. */
function expand(value: unknown, name: string, self: RenderSelf, host: HostCalls): GoValue {
  if (typeof value !== 'string') return fromData(value);
  try {
    return host.render(value, { name: 'machine', dot: self.dot, missingKey: 'error' });
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const act = error.class === 'parse' ? 'compiling' : 'rendering';
    throw new FunctionError(`Error ${act} parameter ${name}: ${error.message}`);
  }
}

export const PARAM_METHODS: ReadonlyMap<string, HostMethod<RenderSelf>> = new Map<string, HostMethod<RenderSelf>>([
  ['Param', ofParam((value) => fromData(value))],
  ['ParamExpand', ofParam(expand)],
  ['ParamAsJSON', ofParam((value) => `${toGoJson(value)}\n`)],
  ['ParamAsYAML', ofParam((value) => toGoYaml(value))],
  [
    'ParamExists',
    {
      kind: 'method',
      parameters: ['string'],
      call: ({ params }, [name]) => params !== undefined && Object.hasOwn(params, stringOf(name)),
    },
  ],
]);
