/** Profiles (wire-format.md 4.9): named sets of param values. */
import Type from 'typebox';
import { textOf, textsOf } from '../../kit/json-read.ts';
import { documented, partial, stored } from './blocks.ts';
import { define } from './define.ts';
import { listReferences, missingProfile, nameFaults, namesFaults, paramNameFaults } from './faults.ts';
import { params, text, texts, v4 } from './fields.ts';
import { nameIndex } from './indexes.ts';

export const Profile = Type.Object(
  {
    ...stored,
    ...partial,
    ...documented,
    Name: text(),
    Params: params(),
    Profiles: texts({ ...v4, description: 'Consulted after this one.' }),
  },
  { title: 'Profile' },
);
export type Profile = Type.Static<typeof Profile>;

export const profiles = define({
  prefix: 'profiles',
  schema: Profile,
  indexes: { Name: nameIndex('Name') },
  actions: 'actions',
  structural: (value) => [
    ...nameFaults('Invalid Name', textOf(value, 'Name')),
    ...namesFaults('Invalid Profile', textsOf(value, 'Profiles')),
    ...paramNameFaults(value),
  ],
  references: (value) => listReferences(value, 'Profiles', 'profiles', missingProfile),
});
