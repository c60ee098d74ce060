/**
 * What the access types and the plain ones add to the generic behaviour (wire-format.md 4, 5.7, 2.5). Machines and jobs have
 * their rules in the workflow room, plugins theirs in the callbacks room.
 */
import { lockOutProblem, newSecret } from '../access/index.ts';
import { Problem } from '../contract/errors.ts';
import { MODELS } from '../contract/models/index.ts';
import { sharedUserProblems, userLeaves } from '../contract/tenants.ts';
import { parseNetwork } from '../kit/ip-address.ts';
import type { Json, JsonObject } from '../kit/json.ts';
import { textsOf } from '../kit/json-read.ts';
import { cachedTemplate, TemplateError } from '../templates/index.ts';
import { preferenceOf } from './preferences.ts';
import type { RuleContext, RuleTable, TypeRules, View } from './types.ts';

/** Why one object may not become `after` (undefined: be removed): nobody would be left who may do everything. */
function lockOutRefusal(
  context: RuleContext,
  prefix: string,
  key: string,
  after: JsonObject | undefined,
): Problem | undefined {
  const collect = (type: string, changed: boolean): JsonObject[] => {
    const out: JsonObject[] = [];
    for (const stored of context.unit.entries(type)) {
      if (changed && type === prefix && stored.key === key) continue;
      out.push(stored.value);
    }
    if (changed && type === prefix && after) out.push(after);
    return out;
  };
  const world = (changed: boolean): { users: JsonObject[]; roles: JsonObject[]; tenants: JsonObject[] } => ({
    users: collect('users', changed),
    roles: collect('roles', changed),
    tenants: collect('tenants', changed),
  });
  const sentence = lockOutProblem(world(false), world(true));
  return sentence === undefined ? undefined : new Problem('last-superuser', sentence, { model: prefix, key });
}

const users: TypeRules = {
  create: (value) => ({ ...value, Secret: newSecret() }),
  rewrites: (pointers) => pointers.includes('/Secret'),
  change(before, after, context) {
    // Writing Secret in any way replaces it with a new random value; a PUT that sends back what was read is not writing.
    const rotated =
      !context.rewritten &&
      after['Secret'] === before['Secret'] &&
      (after['PasswordHash'] ?? '') === (before['PasswordHash'] ?? '')
        ? after
        : { ...after, Secret: newSecret() };
    const refusal = lockOutRefusal(context, 'users', String(before['Name']), rotated);
    if (refusal) throw refusal;
    return rotated;
  },
  refuseRemoval: (value, context) => lockOutRefusal(context, 'users', String(value['Name']), undefined),
  react(before, after, unit) {
    if (after || !before) return;
    const name = String(before['Name']);
    for (const tenant of [...unit.entries('tenants')]) {
      const left = userLeaves(textsOf(tenant.value, 'Users'), name);
      if (left) unit.put('tenants', tenant.key, { ...tenant.value, Users: left });
    }
  },
};

const roles: TypeRules = {
  change(before, after, context) {
    const refusal = lockOutRefusal(context, 'roles', String(before['Name']), after);
    if (refusal) throw refusal;
    return after;
  },
  refuseRemoval(value, context) {
    const name = String(value['Name']);
    const holders = [...context.unit.entries('users')].filter((user) => textsOf(user.value, 'Roles').includes(name));
    if (holders.length === 0) return lockOutRefusal(context, 'roles', name, undefined);
    return new Problem(
      'in-use',
      holders.map((user) => `In use by User ${user.key}`),
      { model: 'roles', key: name },
    );
  },
};

const tenants: TypeRules = {
  invalid(value, view) {
    const others = [...view.entries('tenants')].map(({ key, value }) => ({
      Name: key,
      Users: textsOf(value, 'Users'),
    }));
    return sharedUserProblems({ Name: String(value['Name']), Users: textsOf(value, 'Users') }, others);
  },
  create(value, context) {
    const refusal = lockOutRefusal(context, 'tenants', String(value['Name']), value);
    if (refusal) throw refusal;
    return value;
  },
  change(before, after, context) {
    const refusal = lockOutRefusal(context, 'tenants', String(before['Name']), after);
    if (refusal) throw refusal;
    return after;
  },
  refuseRemoval(value) {
    const members = textsOf(value, 'Users');
    if (members.length === 0) return undefined;
    return new Problem('in-use', `Constraining Users: [${members.join(' ')}]`, {
      model: 'tenants',
      key: String(value['Name']),
    });
  },
};

/** Sentences for objects of the writable layer that name `key` in `field`; `isOwn`: one that names itself does not count. */
function namedBy(view: View, prefix: string, field: string, key: string, isOwn: boolean): string[] {
  const noun = MODELS[prefix as keyof typeof MODELS].name;
  const found: string[] = [];
  for (const stored of view.entries(prefix)) {
    if (view.isReadOnly(prefix, stored.key) || (isOwn && stored.key === key)) continue;
    const value: Json | undefined = stored.value[field];
    if (value === key || (Array.isArray(value) && value.includes(key))) found.push(`In use by ${noun} ${stored.key}`);
    if (found.length >= 100) break;
  }
  return found;
}

const refuseNamed =
  (
    prefix: string,
    holders: readonly (readonly [prefix: string, field: string])[],
  ): NonNullable<TypeRules['refuseRemoval']> =>
  (value, { unit }) => {
    const key = String(value[MODELS[prefix as keyof typeof MODELS].key]);
    const found = holders.flatMap(([holder, field]) => namedBy(unit, holder, field, key, holder === prefix));
    return found.length === 0 ? undefined : new Problem('in-use', [...new Set(found)], { model: prefix, key });
  };

const bootenvs: TypeRules = {
  refuseRemoval(value, context) {
    const key = String(value['Name']);
    for (const preference of ['defaultBootEnv', 'unknownBootEnv']) {
      if (preferenceOf(context.unit, preference) === key)
        return new Problem('in-use', `BootEnv ${key} is the active ${preference}, cannot remove it`, {
          model: 'bootenvs',
          key,
        });
    }
    return refuseNamed('bootenvs', [
      ['machines', 'BootEnv'],
      ['stages', 'BootEnv'],
    ])(value, context);
  },
};

const profiles: TypeRules = {
  refuseRemoval(value, context) {
    if (value['Name'] === 'global')
      return new Problem('in-use', 'Profile global is attached to all machines, cannot remove it', {
        model: 'profiles',
        key: 'global',
      });
    return refuseNamed('profiles', [
      ['machines', 'Profiles'],
      ['stages', 'Profiles'],
      ['profiles', 'Profiles'],
    ])(value, context);
  },
};

/** Values are no references: they stay, untyped, when their param goes (wire-format.md 9.1, 16). */
const params: TypeRules = {
  refuseRemoval: refuseNamed(
    'params',
    ['bootenvs', 'stages', 'tasks'].flatMap((prefix) => [
      [prefix, 'RequiredParams'] as const,
      [prefix, 'OptionalParams'] as const,
    ]),
  ),
};

/** Why the contents do not parse; undefined when they do. */
function parseFault(value: JsonObject): string | undefined {
  try {
    cachedTemplate(String(value['Contents'] ?? ''), { name: String(value['ID']) });
    return undefined;
  } catch (error) {
    if (error instanceof TemplateError) return error.message;
    throw error;
  }
}

/** A function of a newer release: the template cannot be used here, but a pack that has it is no broken pack. */
const isUnknownFunction = (fault: string): boolean => /function "[^"]*" not defined/.test(fault);

const templates: TypeRules = {
  invalid(value) {
    const fault = parseFault(value);
    return fault === undefined || isUnknownFunction(fault) ? [] : [fault];
  },
  unavailable(value) {
    const fault = parseFault(value);
    return fault !== undefined && isUnknownFunction(fault) ? [fault] : [];
  },
  refuseRemoval(value, { unit }) {
    const id = String(value['ID']);
    const found: string[] = [];
    for (const prefix of ['bootenvs', 'stages', 'tasks'] as const) {
      for (const stored of unit.entries(prefix)) {
        const infos = stored.value['Templates'];
        if (unit.isReadOnly(prefix, stored.key) || !Array.isArray(infos)) continue;
        if (infos.some((info) => (info as JsonObject)['ID'] === id))
          found.push(`In use by ${MODELS[prefix].name} ${stored.key}`);
      }
    }
    return found.length === 0 ? undefined : new Problem('in-use', found, { model: 'templates', key: id });
  },
};

/** Two subnets may not give out the same address (wire-format.md 4.16). */
const subnets: TypeRules = {
  invalid(value, view) {
    const network = parseNetwork(String(value['Subnet']));
    if (!network) return [];
    const found: string[] = [];
    for (const other of view.entries('subnets')) {
      const held = other.key === value['Name'] ? undefined : parseNetwork(String(other.value['Subnet']));
      if (held && held.base <= network.broadcast && network.base <= held.broadcast)
        found.push(`Overlaps subnet ${other.key}: ${String(other.value['Subnet'])}`);
    }
    return found;
  },
};

/** A new task runs with sane exit codes unless it says otherwise (wire-format.md 4.3). */
const tasks: TypeRules = {
  create(value) {
    const meta = (value['Meta'] ?? {}) as JsonObject;
    return meta['feature-flags'] ? value : { ...value, Meta: { ...meta, 'feature-flags': 'sane-exit-codes' } };
  },
};

export const GENERIC_RULES: RuleTable = {
  users: [users],
  roles: [roles],
  tenants: [tenants],
  bootenvs: [bootenvs],
  profiles: [profiles],
  params: [params],
  templates: [templates],
  subnets: [subnets],
  tasks: [tasks],
};

/** Both tables, rule by rule in order. */
export function joinRules(...tables: readonly RuleTable[]): RuleTable {
  const joined: Record<string, TypeRules[]> = {};
  for (const table of tables) {
    for (const [prefix, rules] of Object.entries(table)) joined[prefix] = [...(joined[prefix] ?? []), ...(rules ?? [])];
  }
  return joined;
}
