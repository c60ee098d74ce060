/** Workflows (wire-format.md 4.5): stages in order. */
import Type from 'typebox';
import { textOf, textsOf } from '../../kit/json-read.ts';
import { documented, stored } from './blocks.ts';
import { define } from './define.ts';
import { listReferences, nameFaults, namesFaults } from './faults.ts';
import { text, texts } from './fields.ts';
import { nameIndex } from './indexes.ts';

export const Workflow = Type.Object({ ...stored, ...documented, Name: text(), Stages: texts() }, { title: 'Workflow' });
export type Workflow = Type.Static<typeof Workflow>;

export const workflows = define({
  prefix: 'workflows',
  schema: Workflow,
  indexes: { Name: nameIndex('Name') },
  actions: 'actions',
  structural: (value) => [
    ...nameFaults('Invalid Name', textOf(value, 'Name')),
    ...namesFaults('Invalid Stage', textsOf(value, 'Stages')),
  ],
  references: (value) => listReferences(value, 'Stages', 'stages', (stage) => `Stage ${stage} does not exist`),
});
