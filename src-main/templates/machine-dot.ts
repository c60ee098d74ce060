/**
 * The dot of machine templates: a callback's Url and overrides, task and bootenv templates. The functions of the
 * service stand on dot; the machine's fields and functions stand there too and under `.Machine`, where older
 * installations have them. Where those use another spelling both are offered (ProvisionURL and ProvisionerURL,
 * ParseURL and ParseUrl).
 */

import { trimSpace } from '../kit/go-string.ts';
import { FunctionError } from './errors.ts';
import { INFO_TYPE } from './info-type.ts';
import { MACHINE_MEMBERS, MACHINE_TYPE, type MachineData } from './machine-type.ts';
import { PARAM_METHODS } from './param-functions.ts';
import { parseGoUrl } from './parse-url.ts';
import { entry, ipValue, type JsonObject, jsonObject, stringOf, textOf } from './typed-fields.ts';
import {
  fromData,
  GoInt,
  type GoValue,
  type HostMember,
  type HostMethod,
  HostObject,
  type HostType,
} from './values.ts';

/** What running the program of a named auth structure came to. */
export type AuthOutcome =
  | { readonly kind: 'ran'; readonly output: string }
  | { readonly kind: 'unknown' }
  /** `reason`: "exit status 3", or why the program could not be started. */
  | { readonly kind: 'failed'; readonly path: string; readonly output: string; readonly reason: string };

/** Makes the tokens of task templates. Each call makes a new token; an Error becomes the template's error. */
export interface TokenFunctions {
  readonly generateToken: () => string | Promise<string>;
  readonly generateInfiniteToken: () => string | Promise<string>;
  /** `duration` in seconds. */
  readonly generateProfileToken?: (profile: string, duration: number) => string | Promise<string>;
}

export interface MachineDotOptions {
  /** The machine's JSON. */
  readonly machine: JsonObject;
  /** Params to look in; default: the machine's own Params. What is here counts as existing. */
  readonly params?: JsonObject | undefined;
  /** Default of a defined param the machine lacks; undefined when there is no definition or no default. */
  readonly paramDefault?: (name: string) => unknown;
  /** The endpoint's info structure, by its JSON names. */
  readonly info: JsonObject;
  /** Runs the named auth structure; without it every name is unknown. */
  readonly authString?: (name: string) => AuthOutcome | Promise<AuthOutcome>;
  /** Plugin named in the texts of failing auth programs. */
  readonly pluginName?: string;
  /** Only for task and bootenv templates: a template without them cannot name them. */
  readonly tokens?: TokenFunctions;
  readonly task?: JsonObject | undefined;
  readonly stage?: JsonObject | undefined;
  readonly env?: JsonObject | undefined;
  /** BootParams of the boot environment: a template, rendered when `.BootParams` is used. */
  readonly bootParams?: string | undefined;
  /** Scheme of `.ApiURL`; default http, what callback templates have always been given. */
  readonly apiScheme?: 'http' | 'https';
}

/** Private state of one dot. */
export interface RenderSelf extends MachineData {
  readonly options: MachineDotOptions;
  readonly infoObject: HostObject;
  machineObject: HostObject | undefined;
  dot: HostObject | undefined;
}

type Method = HostMethod<RenderSelf>;

function text(value: (self: RenderSelf) => string): Method {
  return { kind: 'method', parameters: [], call: (self) => value(self) };
}

const address = (self: RenderSelf): string => ipValue(entry(self.info, 'address')).text;

const port = (self: RenderSelf, name: string): string => {
  const value = entry(self.info, name);
  return String(typeof value === 'number' ? value : 0);
};

const fileServer = text((self) => `http://${address(self)}:${port(self, 'file_port')}`);

const parseUrl: Method = {
  kind: 'method',
  parameters: ['string', 'string'],
  call: (_self, [segment, url]) => {
    const parts = parseGoUrl(stringOf(url));
    if (segment === 'scheme' || segment === 'host' || segment === 'path') return parts[segment];
    throw new FunctionError(`No idea how to get URL part ${stringOf(segment)} from ${stringOf(url)}`);
  },
};

const getAuthString: Method = {
  kind: 'method',
  parameters: ['string'],
  hasEffect: true,
  call: (self, [name]) => {
    const { authString, pluginName = 'unknown' } = self.options;
    const outcome = authString?.(stringOf(name)) ?? { kind: 'unknown' };
    if (outcome instanceof Promise) return outcome.then((settled) => authText(stringOf(name), pluginName, settled));
    return authText(stringOf(name), pluginName, outcome);
  },
};

function authText(name: string, plugin: string, outcome: AuthOutcome): string {
  switch (outcome.kind) {
    case 'ran':
      return trimSpace(outcome.output);
    case 'unknown':
      throw new FunctionError(`Failed to find ${name} in auths for plugin`);
    default:
      throw new FunctionError(
        `rpc: plugin/${plugin}\n  Failed to execute: ${outcome.path}\n  out: ${outcome.output}\n  ${outcome.reason}`,
      );
  }
}

const RENDER_MEMBERS: ReadonlyMap<string, HostMember<RenderSelf>> = new Map<string, HostMember<RenderSelf>>([
  ['Machine', { kind: 'field', get: (self) => self.machineObject }],
  ...MACHINE_MEMBERS,
  ...PARAM_METHODS,
  ['ProvisionerAddress', text(address)],
  ['ProvisionURL', fileServer],
  ['ProvisionerURL', fileServer],
  ['ApiURL', text((self) => `${self.options.apiScheme ?? 'http'}://${address(self)}:${port(self, 'api_port')}`)],
  ['Info', { kind: 'method', parameters: [], call: (self) => self.infoObject }],
  ['ParseURL', parseUrl],
  ['ParseUrl', parseUrl],
  ['GetAuthString', getAuthString],
  ['Stage', { kind: 'field', get: (self) => self.options.stage ?? textOf(entry(self.machine, 'Stage')) }],
]);

function tokenMethod(make: () => string | Promise<string>): Method {
  return { kind: 'method', parameters: [], hasEffect: true, call: () => make() };
}

/** Members that are there only when the caller has handed in what is behind them. */
function optionalMember(self: RenderSelf, name: string): HostMember<RenderSelf> | undefined {
  const { tokens, task, env, bootParams } = self.options;
  switch (name) {
    case 'GenerateToken':
      return tokens && tokenMethod(tokens.generateToken);
    case 'GenerateInfiniteToken':
      return tokens && tokenMethod(tokens.generateInfiniteToken);
    case 'GenerateProfileToken':
      return tokens?.generateProfileToken && profileToken(tokens.generateProfileToken);
    case 'Task':
      return task && { kind: 'field', get: () => fromData(task) };
    case 'Env':
      return env && { kind: 'field', get: () => fromData(env) };
    case 'BootParams':
      return bootParams === undefined ? undefined : bootParamsMethod(bootParams);
    default:
      return MACHINE_TYPE.extra?.(self, name);
  }
}

function profileToken(make: NonNullable<TokenFunctions['generateProfileToken']>): Method {
  return {
    kind: 'method',
    parameters: ['string', 'int'],
    hasEffect: true,
    call: (_self, [profile, seconds]) => make(stringOf(profile), seconds instanceof GoInt ? Number(seconds.value) : 0),
  };
}

function bootParamsMethod(template: string): Method {
  return {
    kind: 'method',
    parameters: [],
    call: (self, _args, host) => host.render(template, { name: 'machine', dot: self.dot, missingKey: 'error' }),
  };
}

const RENDER_TYPE: HostType<RenderSelf> = { name: '*main.RenderData', members: RENDER_MEMBERS, extra: optionalMember };

/** Builds the dot for one machine. Cheap: nothing is computed before a template asks for it. */
export function machineDot(options: MachineDotOptions): GoValue {
  const { machine, info } = options;
  const self: RenderSelf = {
    options,
    machine,
    info,
    params: options.params ?? jsonObject(entry(machine, 'Params')),
    infoObject: new HostObject(INFO_TYPE, info),
    machineObject: undefined,
    dot: undefined,
  };
  self.machineObject = new HostObject<MachineData>(MACHINE_TYPE, self);
  self.dot = new HostObject(RENDER_TYPE, self);
  return self.dot;
}
