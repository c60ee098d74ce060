/** Users (wire-format.md 4.13, service.md User). The hash is stored and never sent. */
import Type from 'typebox';
import { textOf } from '../../kit/json-read.ts';
import { USER_NAME } from '../../kit/names.ts';
import { stored } from './blocks.ts';
import { define } from './define.ts';
import { listReferences, nameFaults } from './faults.ts';
import { bytes, text, texts } from './fields.ts';
import { nameIndex } from './indexes.ts';

export const User = Type.Object(
  {
    ...stored,
    Name: text(),
    Description: text(),
    PasswordHash: Type.Optional(bytes({ writeOnly: true })),
    Secret: text({ description: 'Changing it ends every token of the user.' }),
    Roles: texts(),
  },
  { title: 'User' },
);
export type User = Type.Static<typeof User>;

/** Body of `PUT /users/:name/password`. */
export const NewPassword = Type.Object({ Password: text() }, { title: 'UserPassword' });

export const users = define({
  prefix: 'users',
  schema: User,
  indexes: { Name: nameIndex('Name') },
  secretFields: ['/PasswordHash', '/Secret'],
  actions: 'actions',
  structural: (value) => nameFaults('Invalid Name', textOf(value, 'Name'), USER_NAME),
  references: (value) => listReferences(value, 'Roles', 'roles', (role) => `Role ${role} does not exist`),
});
