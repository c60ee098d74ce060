/** Stages (wire-format.md 4.4): a boot environment, profiles and tasks that belong together. */
import Type from 'typebox';
import { flagOf, textOf, textsOf } from '../../kit/json-read.ts';
import { documented, partial, stored, templates } from './blocks.ts';
import { define } from './define.ts';
import {
  fieldReference,
  listReferences,
  missingProfile,
  missingTask,
  nameFaults,
  namesFaults,
  paramListFaults,
  paramNameFaults,
  templateFaults,
  templateReferences,
} from './faults.ts';
import { flag, params, text, texts, v4 } from './fields.ts';
import { booleanIndex, nameIndex, stringIndex } from './indexes.ts';

export const Stage = Type.Object(
  {
    ...stored,
    ...partial,
    ...documented,
    Name: text(),
    BootEnv: text({ description: 'Empty: the machine keeps its own.' }),
    Templates: templates(),
    RequiredParams: texts(),
    OptionalParams: texts(),
    Tasks: texts(),
    Profiles: texts(),
    Reboot: flag(),
    RunnerWait: flag({ default: true, description: 'Always true.' }),
    Params: params({ ...v4 }),
  },
  { title: 'Stage' },
);
export type Stage = Type.Static<typeof Stage>;

export const stages = define({
  prefix: 'stages',
  schema: Stage,
  indexes: {
    Name: nameIndex('Name'),
    BootEnv: stringIndex('BootEnv'),
    Reboot: booleanIndex('Reboot'),
  },
  actions: 'actions',
  normalize: (value) => (flagOf(value, 'RunnerWait') ? value : { ...value, RunnerWait: true }),
  structural: (value) => [
    ...nameFaults('Invalid Name', textOf(value, 'Name')),
    ...(textOf(value, 'BootEnv') === '' ? [] : nameFaults('Invalid BootEnv', textOf(value, 'BootEnv'))),
    ...paramListFaults(value),
    ...namesFaults('Invalid Profile', textsOf(value, 'Profiles')),
    ...namesFaults(
      'Invalid Task',
      // Release 4 also takes steps such as `action:reboot` here.
      textsOf(value, 'Tasks').filter((task) => !task.includes(':')),
    ),
    ...templateFaults(value, true),
    ...paramNameFaults(value),
  ],
  references: (value) => [
    ...fieldReference(value, 'BootEnv', 'bootenvs', 'Bootenv'),
    ...listReferences(value, 'Tasks', 'tasks', missingTask).filter((reference) => !reference.key.includes(':')),
    ...listReferences(value, 'Profiles', 'profiles', missingProfile),
    ...templateReferences(value),
  ],
});
