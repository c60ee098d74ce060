/** All object types by prefix. */
import { bootenvs } from './bootenv.ts';
import type { ModelDefinition, Prefix } from './definition.ts';
import { interfaces } from './interface.ts';
import { jobs } from './job.ts';
import { leases } from './lease.ts';
import { machines } from './machine.ts';
import { paramDefinitions } from './param.ts';
import { plugins } from './plugin.ts';
import { pluginProviders } from './plugin-provider.ts';
import { preferences } from './preference.ts';
import { profiles } from './profile.ts';
import { reservations } from './reservation.ts';
import { roles } from './role.ts';
import { stages } from './stage.ts';
import { subnets } from './subnet.ts';
import { tasks } from './task.ts';
import { templates } from './template.ts';
import { tenants } from './tenant.ts';
import { users } from './user.ts';
import { workflows } from './workflow.ts';

export const MODELS: Readonly<Record<Prefix, ModelDefinition>> = {
  bootenvs,
  interfaces,
  jobs,
  leases,
  machines,
  params: paramDefinitions,
  plugin_providers: pluginProviders,
  plugins,
  preferences,
  profiles,
  reservations,
  roles,
  stages,
  subnets,
  tasks,
  templates,
  tenants,
  users,
  workflows,
};

type Pointers = Readonly<Record<string, readonly string[]>>;

function declared(field: 'secretFields' | 'secretAddresses'): Pointers {
  return Object.fromEntries(
    Object.values(MODELS)
      .filter((definition) => definition[field].length > 0)
      .map((definition) => [definition.prefix, definition[field]]),
  );
}

/** Prefix to the JSON pointers of values that no log may hold, as the store takes them. */
export const SECRET_FIELDS = declared('secretFields');
/** The same of addresses whose credentials no log may hold. */
export const SECRET_ADDRESSES = declared('secretAddresses');

/** True for the prefix of an object type. */
export function isPrefix(text: string): text is Prefix {
  return Object.hasOwn(MODELS, text);
}

/** The definition of a prefix that may be any text. */
export function modelOf(prefix: string): ModelDefinition | undefined {
  return isPrefix(prefix) ? MODELS[prefix] : undefined;
}

/** The published indexes of a type; undefined for types without (wire-format.md 3.10). */
export function publishedIndexes(
  prefix: string,
): Record<string, { Type: string; Unique: boolean; Unordered: boolean; Regex: boolean }> | undefined {
  const indexes = Object.entries(modelOf(prefix)?.indexes ?? {});
  if (indexes.length === 0) return undefined;
  return Object.fromEntries(
    indexes.map(([name, { Type, Unique, Unordered, Regex }]) => [name, { Type, Unique, Unordered, Regex }]),
  );
}
