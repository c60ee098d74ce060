/**
 * How a machine moves between workflows, stages and boot environments when somebody changes it (wire-format.md 8.5). What a
 * runner moves by asking for its next job is in job-start.ts; it goes around these rules.
 */
import { Problem } from '../contract/errors.ts';
import { MODELS, references } from '../contract/models/index.ts';
import { randomText } from '../kit/ids.ts';
import type { JsonObject } from '../kit/json.ts';
import { integerOf, objectOf, textOf, textsOf } from '../kit/json-read.ts';
import { preferenceOf, type RuleContext, type TypeRules, type View } from '../objects/index.ts';
import { isOver, phaseOf } from './job-states.ts';
import { find } from './read.ts';
import { expandStages, type StageSteps, taskEditProblem } from './steps.ts';

const SECRET_LENGTH = 16;
const NO_STAGE = 'none';
/** Tells runners that the server, not they, moves stages. */
const STAGES_BY_SERVER = 'change-stage-v2';
const FEATURE_FLAGS = 'feature-flags';

function refusal(machine: JsonObject, sentence: string): Problem {
  return new Problem('invalid', sentence, { model: 'machines', key: textOf(machine, 'Uuid') });
}

function withStageFlag(meta: JsonObject): JsonObject {
  const flags = textOf(meta, FEATURE_FLAGS)
    .split(',')
    .map((flag) => flag.trim())
    .filter((flag) => flag !== '');
  if (flags.includes(STAGES_BY_SERVER)) return meta;
  return { ...meta, [FEATURE_FLAGS]: [...flags, STAGES_BY_SERVER].join(',') };
}

/** Steps that a workflow may have. */
const MOST_STEPS = 50_000;

function stageSteps(view: View, name: string): StageSteps {
  const stage = find(view, 'stages', name) ?? {};
  return { name, bootEnv: textOf(stage, 'BootEnv'), tasks: textsOf(stage, 'Tasks') };
}

/** The fields that a workflow decides. A workflow that does not exist decides none: the model refuses its name. */
function enteringWorkflow(view: View, machine: JsonObject, name: string): JsonObject {
  const workflow = find(view, 'workflows', name);
  if (!workflow) return { Workflow: name };
  if (workflow['Available'] !== true)
    throw refusal(machine, `Machine ${textOf(machine, 'Uuid')} wants Workflow ${name}, which is not available`);
  const named = textsOf(workflow, 'Stages');
  const known = new Map([...new Set(named)].map((stage) => [stage, stageSteps(view, stage)]));
  const stages = named.flatMap((stage) => known.get(stage) ?? []);
  // Counted before they are spelled out: stages named thousands of times, with thousands of tasks each, would fill the memory.
  const steps = stages.reduce((sum, { tasks }) => sum + tasks.length + 1, 0);
  if (steps > MOST_STEPS) throw refusal(machine, `Workflow ${name} has ${steps} steps, more than ${MOST_STEPS}`);
  const first = stages[0];
  return {
    Workflow: name,
    Stage: first?.name ?? NO_STAGE,
    BootEnv: first?.bootEnv || textOf(machine, 'BootEnv'),
    Tasks: expandStages(stages),
    CurrentTask: -1,
    WorkflowComplete: false,
  };
}

function leavingWorkflow(machine: JsonObject): JsonObject {
  return {
    Workflow: '',
    Stage: NO_STAGE,
    BootEnv: textOf(machine, 'BootEnv'),
    Tasks: [],
    CurrentTask: -1,
    WorkflowComplete: false,
  };
}

/** The fields that a stage decides on a machine without a workflow. */
function enteringStage(view: View, machine: JsonObject, name: string): JsonObject {
  const { bootEnv, tasks } = stageSteps(view, name);
  return {
    Stage: name,
    BootEnv: bootEnv || textOf(machine, 'BootEnv'),
    Tasks: tasks,
    CurrentTask: -1,
    WorkflowComplete: false,
  };
}

/** True while entries of the task list wait, or the last one is still at work. */
function hasPendingTasks(view: View, machine: JsonObject): boolean {
  const last = textsOf(machine, 'Tasks').length - 1;
  const current = integerOf(machine, 'CurrentTask');
  if (current !== last || last < 0) return current < last;
  const job = find(view, 'jobs', textOf(machine, 'CurrentJob'));
  return job !== undefined && !isOver(phaseOf(job));
}

/** Why a machine cannot be put into a boot environment. One that does not exist is refused by the model. */
function bootEnvProblem(view: View, machine: JsonObject, name: string): string | undefined {
  const bootEnv = find(view, 'bootenvs', name);
  if (!bootEnv) return undefined;
  if (bootEnv['OnlyUnknown'] === true) return `Bootenv ${name} is only for unknown machines`;
  if (bootEnv['Available'] !== true)
    return `Machine ${textOf(machine, 'Uuid')} wants BootEnv ${name}, which is not available`;
  return undefined;
}

/** A changed boot environment is checked, and takes effect at the next boot: until then nothing may run. */
function settleBootEnv(view: View, before: JsonObject, after: JsonObject): JsonObject {
  const name = textOf(after, 'BootEnv');
  if (name === textOf(before, 'BootEnv')) return after;
  const problem = bootEnvProblem(view, after, name);
  if (problem !== undefined) throw refusal(before, problem);
  return { ...after, Runnable: false };
}

function changeStage(before: JsonObject, after: JsonObject, { unit, force }: RuleContext): JsonObject {
  const name = textOf(after, 'Stage');
  if (!find(unit, 'stages', name)) return after;
  if (!force && hasPendingTasks(unit, before))
    throw refusal(before, 'Can not change stages with pending tasks unless forced');
  const entered = enteringStage(unit, after, name);
  if (textOf(before, 'Workflow') === '') return { ...after, ...entered };
  // The task list belongs to the workflow: a machine moved by hand keeps it.
  return { ...changeTasks(before, after), Stage: name, BootEnv: entered['BootEnv'] ?? '' };
}

function changeBootEnv(before: JsonObject, after: JsonObject, { unit, force }: RuleContext): JsonObject {
  const name = textOf(after, 'BootEnv');
  if (name === textOf(before, 'BootEnv') || !find(unit, 'bootenvs', name)) return after;
  const stage = textOf(before, 'Stage');
  if (!force && stageSteps(unit, stage).bootEnv !== '')
    throw refusal(before, `Can not change BootEnv while Stage ${stage} sets it unless forced`);
  return after;
}

function changeTasks(before: JsonObject, after: JsonObject): JsonObject {
  const from = integerOf(before, 'CurrentTask');
  const to = integerOf(after, 'CurrentTask');
  if (from !== to && to !== -1) throw refusal(before, `Cannot change CurrentTask from ${from} to ${to}`);
  const oldTasks = textsOf(before, 'Tasks');
  const newTasks = textsOf(after, 'Tasks');
  const isEdited = oldTasks.length !== newTasks.length || oldTasks.some((task, i) => newTasks[i] !== task);
  const problem = isEdited ? taskEditProblem(oldTasks, newTasks, to) : undefined;
  if (problem !== undefined) throw refusal(before, problem);
  return isEdited || from !== to ? { ...after, WorkflowComplete: false } : after;
}

export const machineRules: TypeRules = {
  create(value, { unit }) {
    const given = textOf(value, 'Stage');
    const bootEnv = textOf(value, 'BootEnv') || preferenceOf(unit, 'defaultBootEnv') || '';
    const machine: JsonObject = {
      ...value,
      BootEnv: bootEnv,
      CurrentJob: '',
      CurrentTask: -1,
      Runnable: true,
      WorkflowComplete: false,
      Secret: textOf(value, 'Secret') || randomText(SECRET_LENGTH),
      Meta: withStageFlag(objectOf(value, 'Meta')),
    };
    const workflow = textOf(value, 'Workflow') || preferenceOf(unit, 'defaultWorkflow') || '';
    if (workflow !== '') return { ...machine, ...enteringWorkflow(unit, machine, workflow) };
    if (given !== '') return { ...machine, ...enteringStage(unit, machine, given) };
    const stage = preferenceOf(unit, 'defaultStage') || NO_STAGE;
    const entered = enteringStage(unit, machine, stage);
    return {
      ...machine,
      Stage: stage,
      // What was asked for by name counts more than what the default stage would bring.
      BootEnv: textOf(value, 'BootEnv') || (entered['BootEnv'] ?? ''),
      Tasks: textsOf(value, 'Tasks').length > 0 ? textsOf(value, 'Tasks') : (entered['Tasks'] ?? []),
    };
  },

  change(before, sent, context) {
    const after: JsonObject = {
      ...sent,
      Stage: textOf(sent, 'Stage') || NO_STAGE,
      BootEnv: textOf(sent, 'BootEnv') || textOf(before, 'BootEnv'),
      Secret: textOf(sent, 'Secret') || randomText(SECRET_LENGTH),
      WorkflowComplete: before['WorkflowComplete'] ?? false,
    };
    const { unit } = context;
    const workflow = textOf(after, 'Workflow');
    if (workflow !== textOf(before, 'Workflow')) {
      const entered = workflow === '' ? leavingWorkflow(before) : enteringWorkflow(unit, after, workflow);
      return settleBootEnv(unit, before, { ...after, ...entered });
    }
    if (textOf(after, 'Stage') !== textOf(before, 'Stage'))
      return settleBootEnv(unit, before, changeStage(before, after, context));
    return settleBootEnv(unit, before, changeTasks(before, changeBootEnv(before, after, context)));
  },

  normalize(value, view) {
    if (value['Runnable'] !== true) return value;
    const isWhole = references(MODELS.machines, value).every(({ hard, kind, key }) => hard || view.get(kind, key));
    return isWhole ? value : { ...value, Runnable: false };
  },
};
