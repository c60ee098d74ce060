/** An example of every creatable type, with the fields of wire-format.md 4 by generation. */
import type { Json, JsonObject } from '../../kit/json.ts';

export const VALIDATION = ['Validated', 'Available', 'Errors', 'ReadOnly', 'Meta'];
const DOCUMENTED = ['Name', 'Description', 'Documentation'];
const ORIGIN = ['Endpoint', 'Bundle'];

interface TypeCase {
  readonly prefix: string;
  readonly body: JsonObject;
  /** As in paths. */
  readonly key: string;
  readonly keyField: string;
  /** A field that can be changed, and to what. */
  readonly change: readonly [field: string, value: Json];
  /** Fields beyond the common blocks. */
  readonly v3: readonly string[];
  /** Further ones of release 4. */
  readonly v4: readonly string[];
}

export const UUID = '3e7031fe-3062-45f1-835c-92541bc9cbd3';

/** One of each creatable type. */
export const CREATABLE: readonly TypeCase[] = [
  {
    prefix: 'bootenvs',
    body: { Name: 'fredhammer', OS: { Name: 'fred' } },
    key: 'fredhammer',
    keyField: 'Name',
    change: ['Kernel', 'vmlinuz'],
    v3: [
      ...['Name', 'Description', 'Documentation', 'Kernel', 'BootParams', 'OS', 'Templates', 'Initrds'],
      ...['RequiredParams', 'OptionalParams', 'OnlyUnknown'],
    ],
    v4: [...ORIGIN, 'Loaders'],
  },
  {
    prefix: 'machines',
    body: { Name: 'bob.example.com', Uuid: UUID },
    key: UUID,
    keyField: 'Uuid',
    change: ['Description', 'changed'],
    v3: [
      ...['Name', 'Description', 'Uuid', 'CurrentJob', 'Address', 'Stage', 'BootEnv', 'Profiles', 'Profile', 'Params'],
      ...['Tasks', 'CurrentTask', 'Runnable', 'Secret', 'OS', 'HardwareAddrs', 'Workflow'],
    ],
    // The embedded profile is of release 3 only.
    v4: [
      ...[...ORIGIN, 'Partial', 'Arch', 'Locked', 'Context', 'Fingerprint', 'Pool', 'PoolAllocated', 'PoolStatus'],
      ...['WorkflowComplete', 'RetryTaskAttempt', 'TaskErrorStacks'],
    ],
  },
  {
    prefix: 'params',
    body: { Name: 'some/param', Schema: { type: 'string' } },
    key: 'some%2Fparam',
    keyField: 'Name',
    change: ['Documentation', 'changed'],
    v3: [...DOCUMENTED, 'Secure', 'Schema'],
    v4: ORIGIN,
  },
  {
    prefix: 'plugins',
    body: { Name: 'plug', Provider: 'missing' },
    key: 'plug',
    keyField: 'Name',
    change: ['Description', 'changed'],
    v3: [...DOCUMENTED, 'Provider', 'Params', 'PluginErrors'],
    v4: [...ORIGIN, 'Partial'],
  },
  {
    prefix: 'profiles',
    body: { Name: 'prof' },
    key: 'prof',
    keyField: 'Name',
    change: ['Description', 'changed'],
    v3: [...DOCUMENTED, 'Params'],
    v4: [...ORIGIN, 'Partial', 'Profiles'],
  },
  {
    prefix: 'reservations',
    body: { Addr: '192.168.100.103', Token: '00:11:22:33:44:55', Strategy: 'MAC' },
    key: 'C0A86467',
    keyField: 'Addr',
    change: ['NextServer', '2.2.2.2'],
    v3: ['Addr', 'Token', 'Strategy', 'NextServer', 'Options', 'Description', 'Documentation'],
    v4: [...ORIGIN, 'Subnet', 'Scoped', 'Duration'],
  },
  {
    prefix: 'roles',
    body: { Name: 'some-role', Claims: [{ scope: 'machines', action: 'list', specific: '*' }] },
    key: 'some-role',
    keyField: 'Name',
    change: ['Claims', []],
    v3: [...DOCUMENTED, 'Claims'],
    v4: ORIGIN,
  },
  {
    prefix: 'stages',
    body: { Name: 'some-stage' },
    key: 'some-stage',
    keyField: 'Name',
    change: ['Reboot', true],
    v3: [
      ...DOCUMENTED,
      'BootEnv',
      'Templates',
      'RequiredParams',
      'OptionalParams',
      'Tasks',
      'Profiles',
      'Reboot',
      'RunnerWait',
    ],
    v4: [...ORIGIN, 'Partial', 'Params'],
  },
  {
    prefix: 'subnets',
    body: { Name: 'john', Subnet: '192.168.100.0/24', ActiveStart: '192.168.100.20', ActiveEnd: '192.168.100.100' },
    key: 'john',
    keyField: 'Name',
    change: ['Strategy', 'NewStrat'],
    v3: [
      ...[...DOCUMENTED, 'Enabled', 'Proxy', 'Unmanaged', 'OnlyReservations', 'Subnet', 'NextServer', 'ActiveStart'],
      ...['ActiveEnd', 'ActiveLeaseTime', 'ReservedLeaseTime', 'Options', 'Strategy', 'Pickers'],
    ],
    v4: ORIGIN,
  },
  {
    prefix: 'tasks',
    body: { Name: 'some-task', Templates: [{ Name: 'run', Contents: 'echo' }] },
    key: 'some-task',
    keyField: 'Name',
    change: ['Documentation', 'changed'],
    v3: [...DOCUMENTED, 'Templates', 'RequiredParams', 'OptionalParams'],
    v4: [...ORIGIN, 'Prerequisites'],
  },
  {
    prefix: 'templates',
    body: { ID: 'some.tmpl', Contents: 'hello {{.Machine.Name}}' },
    key: 'some.tmpl',
    keyField: 'ID',
    change: ['Description', 'changed'],
    v3: ['ID', 'Description', 'Contents'],
    v4: ORIGIN,
  },
  {
    prefix: 'tenants',
    body: { Name: 'some-tenant', Members: { machines: [] } },
    key: 'some-tenant',
    keyField: 'Name',
    change: ['Members', { machines: ['x'] }],
    v3: [...DOCUMENTED, 'Members', 'Users'],
    v4: ORIGIN,
  },
  {
    prefix: 'users',
    body: { Name: 'some-user' },
    key: 'some-user',
    keyField: 'Name',
    change: ['Roles', ['superuser']],
    v3: ['Name', 'Description', 'Secret', 'Roles'],
    v4: ORIGIN,
  },
  {
    prefix: 'workflows',
    body: { Name: 'some-flow' },
    key: 'some-flow',
    keyField: 'Name',
    change: ['Stages', ['none']],
    v3: [...DOCUMENTED, 'Stages'],
    v4: ORIGIN,
  },
];
