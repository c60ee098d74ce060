/** What a runner has to do for a job (wire-format.md 8.3, 8.6): the task's templates, rendered for the machine. */
import { Problem } from '../contract/errors.ts';
import type { JobAction } from '../contract/models/index.ts';
import type { Json, JsonObject } from '../kit/json.ts';
import { objectOf, objectsOf, textOf, textsOf } from '../kit/json-read.ts';
import type { Call, Objects, Stored, View } from '../objects/index.ts';
import { cachedTemplate, machineDot, TemplateError, type TokenFunctions } from '../templates/index.ts';
import { jobFor } from './job-lookup.ts';
import { find } from './read.ts';
import { readStep } from './steps.ts';

/** Tokens that templates make; nothing else makes them (service.md Machine tokens). */
export type IssueMachineToken = (
  kind: 'operations' | 'infinite' | 'profile',
  /** Machine uuid, or name of the profile. */
  subject: string,
  /** Lifetime of a profile token. */
  seconds?: number,
) => string;

export interface RenderDeps {
  readonly objects: Pick<Objects, 'view' | 'guard' | 'effectiveParams' | 'paramRules'>;
  readonly issueMachineToken: IssueMachineToken;
}

interface ActionsRequest {
  /** The endpoint's info as this caller sees it; templates take addresses from it. */
  readonly info: JsonObject;
  /** Operating system of the runner; undefined: actions for all of them. */
  readonly os: string | undefined;
}

type Rendered = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };
type Render = (source: string, name: string) => Rendered;

function tokensFor(deps: RenderDeps, machine: string): TokenFunctions {
  return {
    generateToken: () => deps.issueMachineToken('operations', machine),
    generateInfiniteToken: () => deps.issueMachineToken('infinite', machine),
    generateProfileToken: (profile, seconds) => deps.issueMachineToken('profile', profile, seconds),
  };
}

/** Renders for one machine. A name that is nowhere is an error: a script with a hole in it must not run. */
function rendererFor(
  deps: RenderDeps,
  machine: Stored,
  task: JsonObject,
  params: JsonObject,
  info: JsonObject,
): Render {
  const { view, paramRules } = deps.objects;
  const bootEnv = find(view, 'bootenvs', textOf(machine.value, 'BootEnv')) ?? {};
  const dot = machineDot({
    machine: machine.value,
    params,
    paramDefault: (name) => paramRules.defaultOf(name, view),
    info,
    apiScheme: 'https',
    tokens: tokensFor(deps, machine.key),
    task,
    stage: find(view, 'stages', textOf(machine.value, 'Stage')),
    env: bootEnv,
    bootParams: textOf(bootEnv, 'BootParams'),
  });
  const storedTemplate = (id: string): string | undefined => {
    const stored = find(view, 'templates', id);
    return stored && textOf(stored, 'Contents');
  };
  return (source, name) => {
    try {
      return { ok: true, text: cachedTemplate(source, { name, missingKey: 'error' }).render(dot, { storedTemplate }) };
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      return { ok: false, reason: error.message };
    }
  };
}

function sourceOf(view: View, template: JsonObject): Rendered {
  const id = textOf(template, 'ID');
  const name = textOf(template, 'Name');
  if (id !== '') {
    const common = find(view, 'templates', id);
    return common
      ? { ok: true, text: textOf(common, 'Contents') }
      : { ok: false, reason: `Template ${name}: No common template for ${id}` };
  }
  const contents = textOf(template, 'Contents');
  if (contents === '' && textOf(template, 'Link') !== '')
    return { ok: false, reason: `Template ${name}: Link is not supported; use ID or Contents` };
  return { ok: true, text: contents };
}

function isFor(template: JsonObject, os: string | undefined): boolean {
  const wanted = textOf(objectOf(template, 'Meta'), 'OS');
  if (os === undefined || wanted === '') return true;
  return wanted.split(',').some((one) => one.trim() === os);
}

function renderTemplate(view: View, template: JsonObject, render: Render): JobAction | readonly string[] {
  const name = textOf(template, 'Name');
  const source = sourceOf(view, template);
  if (!source.ok) return [source.reason];
  const path = render(textOf(template, 'Path'), name);
  const content = render(source.text, name);
  if (path.ok && content.ok) {
    const meta = objectOf(template, 'Meta') as { [k: string]: string };
    return { Name: name, Path: path.text, Content: content.text, Meta: meta };
  }
  return [path, content].flatMap((part) => (part.ok ? [] : [part.reason]));
}

/** Required params that nobody sets and that have no default. */
function missingParams(deps: RenderDeps, task: JsonObject, params: JsonObject): string[] {
  const { view, paramRules } = deps.objects;
  const has = (name: string): boolean =>
    Object.hasOwn(params, name) || (paramRules.defaultOf(name, view) as Json | undefined) !== undefined;
  return textsOf(task, 'RequiredParams')
    .filter((name) => !has(name))
    .map((name) => `Task ${textOf(task, 'Name')} requires the param ${name}, which is not set`);
}

/**
 * The rendered actions of a job, in order. Throws Problem `invalid`: with status 404 when there is no such job, then for a task
 * and a machine that do not exist, then with one message for each required param and each template that cannot be rendered.
 */
export function jobActions(deps: RenderDeps, call: Call, typed: string, request: ActionsRequest): JobAction[] {
  const { view } = deps.objects;
  const job = jobFor(deps.objects, call, typed, 'actions').value;
  const taskName = textOf(job, 'Task');
  // The server itself has done what such an entry asks for.
  if (readStep(taskName).kind !== 'task') return [];
  const task = find(view, 'tasks', taskName);
  if (!task) throw new Problem('invalid', `Task ${taskName} does not exist`);
  const machine = view.get('machines', textOf(job, 'Machine'));
  if (!machine) throw new Problem('invalid', `Machine ${textOf(job, 'Machine')} does not exist`);

  const params = deps.objects.effectiveParams(machine, { aggregate: true, decode: true });
  const problems = missingParams(deps, task, params);
  const render = rendererFor(deps, machine, task, params, request.info);
  const actions: JobAction[] = [];
  for (const template of objectsOf(task, 'Templates')) {
    if (!isFor(template, request.os)) continue;
    const rendered = renderTemplate(view, template, render);
    if ('Name' in rendered) actions.push(rendered);
    else problems.push(...rendered);
  }
  if (problems.length > 0) throw new Problem('invalid', problems, { model: 'jobs', key: typed });
  return actions;
}
