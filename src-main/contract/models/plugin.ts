/** Plugins (wire-format.md 4.10): an instance of a provider with its configuration in Params. */
import Type from 'typebox';
import { textOf } from '../../kit/json-read.ts';
import { documented, partial, stored } from './blocks.ts';
import { define } from './define.ts';
import { nameFaults, paramNameFaults } from './faults.ts';
import { params, text, texts } from './fields.ts';
import { nameIndex, stringIndex } from './indexes.ts';

export const Plugin = Type.Object(
  {
    ...stored,
    ...partial,
    ...documented,
    Name: text(),
    Provider: text(),
    Params: params(),
    PluginErrors: texts({ description: 'Trouble at run time; faults of the configuration are in Errors.' }),
  },
  { title: 'Plugin' },
);
export type Plugin = Type.Static<typeof Plugin>;

export const plugins = define({
  prefix: 'plugins',
  schema: Plugin,
  indexes: { Name: nameIndex('Name'), Provider: stringIndex('Provider') },
  actions: 'actions',
  structural: (value) => [
    ...nameFaults('Invalid Name', textOf(value, 'Name')),
    ...nameFaults('Invalid Provider', textOf(value, 'Provider')),
    ...paramNameFaults(value),
  ],
});
