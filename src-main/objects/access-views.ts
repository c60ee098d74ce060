/** What the access explanations need of the objects: the world as it is, and requests of the past from the change log. */
import type { AccessState, PastRequest } from '../access/index.ts';
import { API_PREFIX } from '../contract/api-prefix.ts';
import { type DeriveContext, deriveChanges } from '../contract/claims/index.ts';
import { fill, MODELS, type ModelDefinition, modelOf, present } from '../contract/models/index.ts';
import type { JsonObject } from '../kit/json.ts';
import type { LogRecord, Store, Stored } from '../store/index.ts';
import { authKey } from './guard.ts';
import type { View } from './types.ts';

/** All users, roles and tenants now. */
export function accessState(view: View): AccessState {
  const values = (prefix: string): JsonObject[] => [...view.entries(prefix)].map((stored) => stored.value);
  return { users: values('users'), roles: values('roles'), tenants: values('tenants') };
}

/** Stored objects as deriving claims wants them: those that are not `shown` are not there, and only those that are `read` have contents. */
export function deriveContext(
  view: View,
  shown: (definition: ModelDefinition, stored: Stored) => boolean = () => true,
  read: (definition: ModelDefinition, authKey: string) => boolean = () => true,
): DeriveContext {
  return {
    find(scope, typed) {
      const definition = modelOf(scope);
      const stored = definition && view.resolve(definition, typed);
      if (!definition || !stored || !shown(definition, stored)) return undefined;
      const found = { key: stored.key, authKey: authKey(definition, stored) };
      return read(definition, found.authKey) ? { ...found, value: present(definition, stored.value, 'v4') } : found;
    },
    complete(scope, body) {
      const definition = modelOf(scope);
      return definition ? present(definition, fill(definition, body), 'v4') : body;
    },
  };
}

/** The requests a log record stands for: one per object that its actor changed or was refused. */
function requestsOf(record: LogRecord): PastRequest[] {
  const { note } = record;
  if (note?.kind === 'denied') {
    const { scope = '', action = '', specific = '', url = '', reason } = note as unknown as Record<string, string>;
    // Refused before it was asked what it needs.
    if (reason === 'token') return [];
    // A job goes by its machine, and is seen with it.
    const hidden = { scope, key: specific, ...(scope === 'jobs' ? { machine: specific } : {}) };
    const touches = reason === 'tenant' ? [hidden] : [];
    return [
      { Time: record.time, User: record.actor, Method: '', Path: url, claims: [{ scope, action, specific }], touches },
    ];
  }
  return record.changes.flatMap(({ prefix, key, before, after }): PastRequest[] => {
    if (!Object.hasOwn(MODELS, prefix)) return [];
    const path = `${API_PREFIX}/${prefix}/${key}`;
    const common = { Time: record.time, User: record.actor, touches: before ? [{ scope: prefix, key }] : [] };
    if (!before)
      return [
        {
          ...common,
          Method: 'POST',
          Path: `${API_PREFIX}/${prefix}`,
          claims: [{ scope: prefix, action: 'create', specific: '' }],
        },
      ];
    if (!after)
      return [
        { ...common, Method: 'DELETE', Path: path, claims: [{ scope: prefix, action: 'delete', specific: key }] },
      ];
    return [{ ...common, Method: 'PATCH', Path: path, claims: deriveChanges(prefix, key, before, after) }];
  });
}

/** The last `count` requests the audit trail knows of: changes and denials, newest first. */
export async function pastRequests(store: Store, count: number): Promise<PastRequest[]> {
  const records = await store.history({ limit: count, newestFirst: true });
  return records.flatMap(requestsOf).slice(0, count);
}
