/** Machines (wire-format.md 4.1): what is provisioned. How stage, workflow and tasks move is the business of rules, not of the model. */
import Type from 'typebox';
import { isHardwareAddress } from '../../kit/ip-address.ts';
import type { JsonObject } from '../../kit/json.ts';
import { textOf, textsOf } from '../../kit/json-read.ts';
import { MACHINE_NAME } from '../../kit/names.ts';
import { archFault } from './arch.ts';
import { documented, partial, stored } from './blocks.ts';
import { define } from './define.ts';
import type { Reference } from './definition.ts';
import { fieldReference, listReferences, missingProfile, nameFaults, namesFaults, paramNameFaults } from './faults.ts';
import { bytes, flag, integer, ip, listOf, managed, meta, orNull, params, text, texts, uuid, v4 } from './fields.ts';
import { addressIndex, booleanIndex, nameIndex, stringIndex, uuidIndex } from './indexes.ts';

const Fingerprint = Type.Object(
  {
    SSNHash: bytes(),
    CSNHash: bytes(),
    CloudInstanceID: text(),
    SystemUUID: text(),
    MemoryIds: listOf(Type.String({ default: '', 'x-form': 'bytes', 'x-go': '[]uint8' })),
  },
  { title: 'MachineFingerprint', ...v4 },
);

const TaskStack = Type.Object({ CurrentTask: integer(), TaskList: texts() }, { title: 'TaskStack' });

/** Deprecated, of release 3 only: always the same object in answers. Params sent in it move to the machine's own. */
const EMBEDDED_PROFILE = Object.freeze({
  Available: false,
  Description: '',
  Documentation: '',
  Errors: null,
  Meta: null,
  Name: '',
  Params: null,
  ReadOnly: false,
  Validated: false,
});

const EmbeddedProfile = Type.Object(
  {
    Available: Type.Boolean(),
    Description: Type.String(),
    Documentation: Type.String(),
    Errors: orNull(texts()),
    Meta: orNull(meta()),
    Name: Type.String(),
    Params: orNull(params()),
    ReadOnly: Type.Boolean(),
    Validated: Type.Boolean(),
  },
  {
    title: 'Profile',
    default: EMBEDDED_PROFILE,
    deprecated: true,
    'x-shape': 'v3',
    // Never stored: present() adds the constant, decode() takes the Params out of it.
    'x-constant': true,
  },
);

export const Machine = Type.Object(
  {
    ...stored,
    ...partial,
    Name: text({ description: 'Unique; by convention the full domain name.' }),
    Description: documented.Description,
    Uuid: uuid({ description: 'Random at creation when absent; never changes.' }),
    CurrentJob: uuid(),
    Address: ip(),
    Stage: text(),
    BootEnv: text(),
    Profiles: texts(),
    Profile: Type.Optional(EmbeddedProfile),
    Params: params(),
    Tasks: texts(),
    CurrentTask: integer(),
    Runnable: flag({ description: 'The agent may run tasks.' }),
    Secret: text({ description: 'Changing it revokes the tokens of the machine.' }),
    OS: text(),
    HardwareAddrs: texts(),
    Workflow: text(),
    Arch: text({ default: 'amd64', ...v4 }),
    Locked: flag({ ...v4, description: 'Refuses changes while true.' }),
    Context: text({ ...v4 }),
    Fingerprint,
    Pool: text({ ...v4 }),
    PoolAllocated: flag({ ...v4 }),
    PoolStatus: text({ ...v4 }),
    WorkflowComplete: flag({ ...v4, ...managed }),
    RetryTaskAttempt: integer({ ...v4 }),
    TaskErrorStacks: listOf(TaskStack, { ...v4 }),
  },
  { title: 'Machine' },
);
export type Machine = Type.Static<typeof Machine>;

const POOL_STATUS = new Set([
  '',
  'Joining',
  'HoldJoin',
  'Free',
  'Building',
  'HoldBuild',
  'InUse',
  'Destroying',
  'HoldDestroy',
  'Leaving',
  'HoldLeave',
]);

/** Entries that are steps, not tasks: they name what follows the colon. */
const STEP_KINDS = new Set(['stage', 'bootenv', 'chroot', 'context', 'action']);

function taskFaults(tasks: readonly string[], hasWorkflow: boolean): string[] {
  return tasks.flatMap((task) => {
    const colon = task.indexOf(':');
    if (colon < 0) return nameFaults('Invalid Task', task);
    const kind = task.slice(0, colon);
    if (!STEP_KINDS.has(kind)) return [`Invalid Task Step ${task}`];
    const isTransition = kind === 'stage' || kind === 'bootenv';
    if (!isTransition) return [];
    if (!hasWorkflow) return [`Invalid Task \`${task}\``];
    return nameFaults(kind === 'stage' ? 'Invalid Stage' : 'Invalid BootEnv', task.slice(colon + 1));
  });
}

function duplicateProfiles(profiles: readonly string[]): string[] {
  const first = new Map<string, number>();
  return profiles.flatMap((profile, i) => {
    const earlier = first.get(profile);
    if (earlier !== undefined) return [`Duplicate profile ${profile}: at ${earlier} and ${i}`];
    first.set(profile, i);
    return [];
  });
}

function structural(value: JsonObject): string[] {
  const optional = (label: string, field: string): string[] =>
    textOf(value, field) === '' ? [] : nameFaults(label, textOf(value, field));
  const poolStatus = textOf(value, 'PoolStatus');
  const arch = archFault(textOf(value, 'Arch'));
  return [
    ...nameFaults('Invalid Name', textOf(value, 'Name'), MACHINE_NAME),
    ...optional('Invalid Stage', 'Stage'),
    ...optional('Invalid BootEnv', 'BootEnv'),
    ...optional('Invalid Workflow', 'Workflow'),
    ...namesFaults('Invalid Profile', textsOf(value, 'Profiles')),
    ...duplicateProfiles(textsOf(value, 'Profiles')),
    ...taskFaults(textsOf(value, 'Tasks'), textOf(value, 'Workflow') !== ''),
    ...textsOf(value, 'HardwareAddrs')
      .filter((address) => !isHardwareAddress(address))
      .map((address) => `Invalid Hardware Address \`${address}\`: address ${address}: invalid MAC address`),
    ...paramNameFaults(value),
    ...(arch === undefined ? [] : [arch]),
    ...(POOL_STATUS.has(poolStatus) ? [] : [`Invalid PoolStatus \`${poolStatus}\``]),
  ];
}

function taskReferences(value: JsonObject): Reference[] {
  return textsOf(value, 'Tasks').flatMap((task, i): Reference[] => {
    const pointer = `/Tasks/${i}`;
    const colon = task.indexOf(':');
    if (colon < 0)
      return [{ kind: 'tasks', key: task, message: `Task ${task} (at ${i}) does not exist`, hard: false, pointer }];
    const key = task.slice(colon + 1);
    switch (task.slice(0, colon)) {
      case 'stage':
        return [{ kind: 'stages', key, message: `Stage ${key} (at ${i}) does not exist`, hard: false, pointer }];
      case 'bootenv':
        return [{ kind: 'bootenvs', key, message: `Bootenv ${key} (at ${i}) does not exist`, hard: false, pointer }];
      default:
        return [];
    }
  });
}

export const machines = define({
  prefix: 'machines',
  schema: Machine,
  key: 'Uuid',
  indexes: {
    Uuid: uuidIndex('Uuid', true),
    Name: nameIndex('Name'),
    Address: addressIndex('Address', (given) => `Invalid address: ${given}`),
    BootEnv: stringIndex('BootEnv'),
    Stage: stringIndex('Stage'),
    Workflow: stringIndex('Workflow'),
    Runnable: booleanIndex('Runnable'),
  },
  secretFields: ['/Secret'],
  actions: 'actions',
  structural,
  references: (value) => [
    ...fieldReference(value, 'Stage', 'stages', 'Stage', true),
    ...fieldReference(value, 'BootEnv', 'bootenvs', 'Bootenv', true),
    ...fieldReference(value, 'Workflow', 'workflows', 'Workflow', true),
    ...listReferences(value, 'Profiles', 'profiles', missingProfile, true),
    ...taskReferences(value),
  ],
});
