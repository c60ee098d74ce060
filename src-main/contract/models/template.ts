/** Templates (wire-format.md 4.6): texts that tasks, stages and boot environments share by ID. That they parse is checked where the parser is. */
import Type from 'typebox';
import { textOf } from '../../kit/json-read.ts';
import { MACHINE_NAME } from '../../kit/names.ts';
import { stored } from './blocks.ts';
import { define } from './define.ts';
import { nameFaults } from './faults.ts';
import { text } from './fields.ts';
import { nameIndex } from './indexes.ts';

export const Template = Type.Object(
  { ...stored, ID: text(), Description: text(), Contents: text() },
  { title: 'Template' },
);
export type Template = Type.Static<typeof Template>;

export const templates = define({
  prefix: 'templates',
  schema: Template,
  key: 'ID',
  indexes: { ID: nameIndex('ID') },
  actions: 'actions',
  structural: (value) => nameFaults('Invalid ID', textOf(value, 'ID'), MACHINE_NAME),
});
