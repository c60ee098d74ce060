/** The little of machines, jobs and tasks that a runner reads. Whatever is missing in an answer reads as unset. */

export interface MachineRecord {
  readonly uuid: string;
  readonly name: string;
  readonly stage: string;
  readonly bootEnv: string;
  readonly workflow: string;
  readonly context: string;
  readonly tasks: readonly string[];
  readonly currentTask: number;
  readonly currentJob: string;
  readonly runnable: boolean;
  readonly available: boolean;
  readonly flags: string;
}

export interface JobRecord {
  readonly uuid: string;
  readonly task: string;
  readonly state: string;
  readonly token: string;
}

export interface ActionRecord {
  readonly name: string;
  readonly path: string;
  readonly content: string;
  readonly os: string;
  readonly interpreter: string;
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const text = (fields: Fields, name: string): string => {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
};

export function machineRecord(value: unknown): MachineRecord {
  const fields = fieldsOf(value);
  const { Tasks: tasks, CurrentTask: currentTask } = fields;
  return {
    uuid: text(fields, 'Uuid'),
    name: text(fields, 'Name'),
    stage: text(fields, 'Stage'),
    bootEnv: text(fields, 'BootEnv'),
    workflow: text(fields, 'Workflow'),
    context: text(fields, 'Context'),
    tasks: Array.isArray(tasks) ? tasks.map(String) : [],
    currentTask: typeof currentTask === 'number' ? currentTask : -1,
    currentJob: text(fields, 'CurrentJob'),
    runnable: fields['Runnable'] === true,
    available: fields['Available'] === true,
    flags: text(fieldsOf(fields['Meta']), 'feature-flags'),
  };
}

export function jobRecord(value: unknown): JobRecord {
  const fields = fieldsOf(value);
  return {
    uuid: text(fields, 'Uuid'),
    task: text(fields, 'Task'),
    state: text(fields, 'State'),
    token: text(fields, 'Token'),
  };
}

export function actionRecords(value: unknown): ActionRecord[] {
  return (Array.isArray(value) ? value : []).map((item: unknown) => {
    const fields = fieldsOf(item);
    const meta = fieldsOf(fields['Meta']);
    return {
      name: text(fields, 'Name'),
      path: text(fields, 'Path'),
      content: text(fields, 'Content'),
      os: text(meta, 'OS'),
      interpreter: text(meta, 'Interpreter'),
    };
  });
}

/** `feature-flags` of a task. */
export const taskFlags = (task: unknown): string => text(fieldsOf(fieldsOf(task)['Meta']), 'feature-flags');

export const hasFlag = (flags: string, name: string): boolean => flags.split(',').some((flag) => flag.trim() === name);
