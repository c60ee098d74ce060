/** Tenants (wire-format.md 4.15, 5.7): which users see which objects. */
import Type from 'typebox';
import { objectOf, textOf } from '../../kit/json-read.ts';
import { documented, stored } from './blocks.ts';
import { define } from './define.ts';
import { PREFIXES } from './definition.ts';
import { nameFaults } from './faults.ts';
import { mapOf, text, texts } from './fields.ts';
import { nameIndex } from './indexes.ts';

export const Tenant = Type.Object(
  {
    ...stored,
    ...documented,
    Name: text(),
    Members: mapOf(Type.Array(Type.String()), {
      description: 'Object type to the keys visible to the users of the tenant.',
    }),
    Users: texts(),
  },
  { title: 'Tenant' },
);
export type Tenant = Type.Static<typeof Tenant>;

const SCOPES: ReadonlySet<string> = new Set(PREFIXES);

export const tenants = define({
  prefix: 'tenants',
  schema: Tenant,
  indexes: { Name: nameIndex('Name') },
  structural: (value) => [
    ...nameFaults('Invalid Name', textOf(value, 'Name')),
    // The trailing blank is part of the text that clients compare.
    ...Object.keys(objectOf(value, 'Members'))
      .filter((scope) => !SCOPES.has(scope))
      .map(() => 'Invalid '),
  ],
});
