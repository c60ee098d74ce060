/** Params (wire-format.md 4.8): the type of the values of one name. The schema itself is judged where the schema checker is. */
import Type from 'typebox';
import { isJsonObject } from '../../kit/json.ts';
import { textOf } from '../../kit/json-read.ts';
import { PARAM_NAME } from '../../kit/names.ts';
import { documented, stored } from './blocks.ts';
import { define } from './define.ts';
import { nameFaults } from './faults.ts';
import { anything, flag, text } from './fields.ts';
import { nameIndex } from './indexes.ts';

export const Param = Type.Object(
  {
    ...stored,
    ...documented,
    Name: text(),
    Secure: flag({ description: 'Values are sealed to their object.' }),
    Schema: anything({ description: 'JSON Schema, draft 4; null takes any value.' }),
  },
  { title: 'Param' },
);
export type Param = Type.Static<typeof Param>;

export const paramDefinitions = define({
  prefix: 'params',
  schema: Param,
  indexes: { Name: nameIndex('Name') },
  structural(value) {
    const schema = value['Schema'] ?? null;
    return [
      ...nameFaults('Invalid Name', textOf(value, 'Name'), PARAM_NAME),
      ...(schema === null || isJsonObject(schema) ? [] : ['Invalid Schema: must be a JSON Schema object or null']),
    ];
  },
});
