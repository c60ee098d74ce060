/** Tasks (wire-format.md 4.3): scripts and files, rendered for a machine when its job runs. */
import Type from 'typebox';
import { textOf, textsOf } from '../../kit/json-read.ts';
import { Claim, documented, stored, templates } from './blocks.ts';
import { define } from './define.ts';
import {
  listReferences,
  nameFaults,
  namesFaults,
  paramListFaults,
  templateFaults,
  templateReferences,
} from './faults.ts';
import { listOf, text, texts, v4 } from './fields.ts';
import { nameIndex } from './indexes.ts';

export const Task = Type.Object(
  {
    ...stored,
    ...documented,
    Name: text(),
    Templates: templates(),
    RequiredParams: texts(),
    OptionalParams: texts(),
    Prerequisites: texts({ ...v4 }),
    ExtraRoles: Type.Optional(texts({ ...v4, 'x-omit-empty': true })),
    ExtraClaims: Type.Optional(listOf(Claim, { ...v4, 'x-omit-empty': true })),
  },
  { title: 'Task' },
);
export type Task = Type.Static<typeof Task>;

export const tasks = define({
  prefix: 'tasks',
  schema: Task,
  indexes: { Name: nameIndex('Name') },
  actions: 'actions',
  structural: (value) => [
    ...nameFaults('Invalid Name', textOf(value, 'Name')),
    ...paramListFaults(value),
    ...namesFaults('Invalid Task', textsOf(value, 'Prerequisites')),
    ...templateFaults(value, false),
  ],
  references: (value) => [
    ...templateReferences(value),
    ...listReferences(value, 'Prerequisites', 'tasks', (task) => `Task ${task} does not exist`),
    ...listReferences(value, 'ExtraRoles', 'roles', (role) => `Role ${role} does not exist`),
  ],
});
