/** What the access room reads, from the store: a couple of Map lookups each, and a counter that moves with every change of rights. */
import type { AccessReader } from './access/index.ts';
import { RIGHTS_TYPES } from './contract/claims/index.ts';
import type { JsonObject } from './kit/json.ts';
import { preferenceOf, type View } from './objects/index.ts';
import type { Store, Stored } from './store/index.ts';

export interface RightsReader extends AccessReader {
  /** Call when roles may have changed without a commit of theirs: the content stack was swapped. */
  touched(): void;
  close(): void;
}

export function createAccessReader(store: Store, view: () => View): RightsReader {
  let generation = 1;
  let tenants: Map<string, Stored> | undefined;
  const unwatch = store.watch((commit) => {
    if (!commit.changes.some((change) => RIGHTS_TYPES.has(change.prefix))) return;
    generation++;
    tenants = undefined;
  });
  /** User name to tenant, made anew after a change of rights. */
  const byUser = (): Map<string, Stored> => {
    if (tenants) return tenants;
    tenants = new Map();
    for (const stored of view().entries('tenants')) {
      const users = stored.value['Users'];
      for (const user of Array.isArray(users) ? users : []) tenants.set(String(user), stored);
    }
    return tenants;
  };
  const text = (value: JsonObject | undefined, field: string): string | undefined => {
    const found = value?.[field];
    return typeof found === 'string' ? found : undefined;
  };
  return {
    user: (name) => view().get('users', name),
    role: (name) => view().get('roles', name),
    tenantOf: (name) => byUser().get(name),
    machineSecret: (uuid) => text(view().get('machines', uuid)?.value, 'Secret'),
    machineAddress: (uuid) => text(view().get('machines', uuid)?.value, 'Address'),
    preference: (name) => preferenceOf(view(), name),
    generation: () => generation,
    touched() {
      generation++;
      tenants = undefined;
    },
    close: unwatch,
  };
}
