/** `.Machine`: the machine's fields by their Go types, and the functions computed from the machine alone. */
import { v4Hex } from '../kit/ip-address.ts';
import {
  entry,
  type FieldType,
  ipValue,
  type JsonObject,
  jsonField,
  stringOf,
  textOf,
  typedValue,
  uuidText,
} from './typed-fields.ts';
import { GoMap, type GoValue, type HostField, type HostMember, type HostMethod, type HostType } from './values.ts';

/** What machine functions read. */
export interface MachineData {
  readonly machine: JsonObject;
  readonly info: JsonObject;
  /** Params to look in; undefined when the machine has none at all. */
  readonly params: JsonObject | undefined;
}

const FIELDS: Readonly<Record<string, FieldType>> = {
  Validated: 'bool',
  Available: 'bool',
  Errors: 'strings',
  ReadOnly: 'bool',
  Meta: 'meta',
  Endpoint: 'string',
  Bundle: 'string',
  Partialed: 'bool',
  Name: 'string',
  Description: 'string',
  Documentation: 'string',
  Uuid: 'uuid',
  CurrentJob: 'uuid',
  Address: 'ip',
  Stage: 'string',
  BootEnv: 'string',
  Profiles: 'strings',
  Tasks: 'strings',
  CurrentTask: 'int',
  RetryTaskAttempt: 'int',
  Runnable: 'bool',
  Secret: 'string',
  OS: 'string',
  HardwareAddrs: 'strings',
  Workflow: 'string',
  Arch: 'string',
  Locked: 'bool',
  Context: 'string',
  Pool: 'string',
  PoolAllocated: 'bool',
  PoolStatus: 'string',
  WorkflowComplete: 'bool',
};

const uuid = (self: MachineData): string => uuidText(entry(self.machine, 'Uuid'));
const name = (self: MachineData): string => textOf(entry(self.machine, 'Name'));
const path = (self: MachineData): string => (uuid(self) === '' ? 'machines' : `machines/${uuid(self)}`);

function shortName(self: MachineData): string {
  const full = name(self);
  const dot = full.indexOf('.');
  return dot < 0 ? full : full.slice(0, dot);
}

/** From the address as it prints, so that an IPv4 address in its mapped IPv6 form counts as what it is. */
function hexAddress(self: MachineData): string {
  return v4Hex(ipValue(entry(self.machine, 'Address')).text) ?? '';
}

function url(self: MachineData): string {
  const port = entry(self.info, 'file_port');
  const endpoint = ipValue(entry(self.info, 'address')).text;
  return `http://${endpoint}:${typeof port === 'number' ? port : 0}/${path(self)}`;
}

function firstMac(self: MachineData): string {
  const addresses = entry(self.machine, 'HardwareAddrs');
  return Array.isArray(addresses) ? textOf(addresses[0]) : '';
}

function params(self: MachineData): GoMap {
  return new GoMap('map[string]interface {}', 'interface {}', self.params);
}

function method(value: (self: MachineData) => GoValue): HostMethod<MachineData> {
  return { kind: 'method', parameters: [], call: (self) => value(self) };
}

/** MacAddr: the first address, raw or in the format named by the first argument. */
function macAddr(prefixed: readonly string[]): HostMethod<MachineData> {
  return {
    kind: 'method',
    parameters: [],
    variadic: 'string',
    call: (self, [format]) => {
      const address = firstMac(self);
      const dashed = address.replaceAll(':', '-');
      if (format === 'rpi4') return dashed;
      return prefixed.includes(stringOf(format)) ? `01-${dashed}` : address;
    },
  };
}

/** Made once for each dot: a loop may ask for every profile of a long list. */
const profileSets = new WeakMap<MachineData, ReadonlySet<unknown>>();

function profileSet(self: MachineData): ReadonlySet<unknown> {
  let profiles = profileSets.get(self);
  if (profiles === undefined) {
    const listed = entry(self.machine, 'Profiles');
    profiles = new Set(Array.isArray(listed) ? listed.map(textOf) : []);
    profileSets.set(self, profiles);
  }
  return profiles;
}

const hasProfile: HostMethod<MachineData> = {
  kind: 'method',
  parameters: ['string'],
  call: (self, [profile]) => profileSet(self).has(profile),
};

const field = (key: string, type: FieldType): HostField<MachineData> => jsonField(type, key, (self) => self.machine);

const strings = (key: string): HostMethod<MachineData> =>
  method((self) => typedValue('strings', entry(self.machine, key)));
const plain = (key: string): HostMethod<MachineData> => method((self) => textOf(entry(self.machine, key)));

/** What stands both on dot and under `.Machine`. */
export const MACHINE_MEMBERS: ReadonlyMap<string, HostMember<MachineData>> = new Map<string, HostMember<MachineData>>([
  ...Object.entries(FIELDS).map(([key, type]) => [key, field(key, type)] as const),
  ['Params', { kind: 'field', get: params }],
  ['UUID', method(uuid)],
  ['HexAddress', method(hexAddress)],
  ['ShortName', method(shortName)],
  ['Path', method(path)],
  ['Url', method(url)],
  ['HasProfile', hasProfile],
  ['MacAddr', macAddr(['pxe'])],
  ['Key', method(uuid)],
  ['KeyName', method(() => 'Uuid')],
  ['AuthKey', method(uuid)],
  ['Prefix', method(() => 'machines')],
  ['IsLocked', method((self) => entry(self.machine, 'Locked') === true)],
  ['IsAvailable', method((self) => entry(self.machine, 'Available') === true)],
  ['IsReadOnly', method((self) => entry(self.machine, 'ReadOnly') === true)],
  ['GetParams', method(params)],
  ['GetMeta', method((self) => typedValue('meta', entry(self.machine, 'Meta')))],
  ['GetProfiles', strings('Profiles')],
  ['GetTasks', strings('Tasks')],
  ['GetBootEnv', plain('BootEnv')],
  ['GetWorkflow', plain('Workflow')],
  ['GetDescription', plain('Description')],
  ['GetEndpoint', plain('Endpoint')],
]);

export const MACHINE_TYPE: HostType<MachineData> = {
  name: '*main.rMachine',
  members: new Map([
    ...MACHINE_MEMBERS,
    // Under .Machine, where older installations have it, the older name of the format counts as well.
    ['MacAddr', macAddr(['pxe', 'pxelinux'])],
  ]),
  // Fields of newer machines that the table does not know are read as the JSON has them.
  extra: (self, key) => {
    if (!/^[A-Z]/.test(key) || !Object.hasOwn(self.machine, key)) return undefined;
    return field(key, 'any');
  },
};
