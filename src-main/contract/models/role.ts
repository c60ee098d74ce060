/** Roles (wire-format.md 4.14, 5.2): claims under a name. */
import Type from 'typebox';
import type { JsonObject } from '../../kit/json.ts';
import { objectsOf, textOf } from '../../kit/json-read.ts';
import { Claim, documented, stored } from './blocks.ts';
import { define } from './define.ts';
import type { ScopeRegistry } from './definition.ts';
import { nameFaults } from './faults.ts';
import { listOf, text } from './fields.ts';
import { nameIndex } from './indexes.ts';

export const Role = Type.Object({ ...stored, ...documented, Name: text(), Claims: listOf(Claim) }, { title: 'Role' });
export type Role = Type.Static<typeof Role>;

const items = (field: string): readonly string[] =>
  field === '*' ? ['*'] : field.split(',').map((item) => item.trim());

/** An action must be known in one of the claim's scopes at least; its qualifier (after the colon) is free. */
function claimFaults(claim: JsonObject, scopes: ScopeRegistry): string[] {
  const found: string[] = [];
  const known: ReadonlySet<string>[] = [];
  for (const scope of items(textOf(claim, 'scope'))) {
    const actions = scopes.get(scope);
    if (scope === '*') known.push(...scopes.values());
    else if (actions) known.push(actions);
    else found.push(`No such scope '${scope}'`);
  }
  // Without a known scope nothing can be said about actions.
  if (known.length === 0) return found;
  for (const action of items(textOf(claim, 'action'))) {
    const base = action.split(':', 1)[0] ?? '';
    const isQualified = base !== action;
    const mayBeQualified = base === 'action' || base === 'update';
    const isKnown = action === '*' || (known.some((actions) => actions.has(base)) && (!isQualified || mayBeQualified));
    if (!isKnown) found.push(`No such action '${action}'`);
  }
  return found;
}

export const roles = define({
  prefix: 'roles',
  schema: Role,
  indexes: { Name: nameIndex('Name') },
  structural: (value, { scopes }) => [
    ...nameFaults('Invalid Name', textOf(value, 'Name')),
    ...objectsOf(value, 'Claims').flatMap((claim) => claimFaults(claim, scopes)),
  ],
});
