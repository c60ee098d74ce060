/** Subnets (wire-format.md 4.16): networks the service gives addresses in. */
import Type from 'typebox';
import { isGlobalUnicast, type Network, parseNetwork, v4Number, v4Text } from '../../kit/ip-address.ts';
import { isJsonObject, type Json, type JsonObject } from '../../kit/json.ts';
import { listOf as entriesOf, flagOf, integerOf, textOf } from '../../kit/json-read.ts';
import { DhcpOption, documented, stored } from './blocks.ts';
import { define } from './define.ts';
import { nameFaults } from './faults.ts';
import { flag, ip, listOf, text, texts } from './fields.ts';
import {
  addressIndex,
  booleanIndex,
  nameIndex,
  networkContainsIndex,
  networkIndex,
  rangeContainsIndex,
  stringIndex,
} from './indexes.ts';

export const Subnet = Type.Object(
  {
    ...stored,
    ...documented,
    Name: text(),
    Enabled: flag({ description: 'A disabled subnet does not provision.' }),
    Proxy: flag(),
    Unmanaged: flag(),
    OnlyReservations: flag(),
    Subnet: text({ description: 'The network in CIDR form.' }),
    NextServer: ip(),
    ActiveStart: ip(),
    ActiveEnd: ip(),
    ActiveLeaseTime: Type.Integer({ default: 60, 'x-go': 'int32', description: 'Seconds.' }),
    ReservedLeaseTime: Type.Integer({ default: 7200, 'x-go': 'int32', description: 'Seconds.' }),
    Options: listOf(DhcpOption),
    Strategy: text({ default: 'MAC' }),
    Pickers: texts(),
  },
  { title: 'Subnet' },
);
export type Subnet = Type.Static<typeof Subnet>;

const NETMASK = 1;
const BROADCAST = 28;
const MIN_ACTIVE_LEASE = 60;
const MIN_RESERVED_LEASE = 7200;

function withOption(options: readonly Json[], code: number, text: string): readonly Json[] {
  const at = options.findIndex((option) => isJsonObject(option) && option['Code'] === code);
  if (at < 0) return [...options, { Code: code, Value: text }];
  const current = options[at];
  if (isJsonObject(current) && current['Value'] === text) return options;
  return options.with(at, { Code: code, Value: text });
}

/** Netmask and broadcast address follow from the network; pickers from whether there are only reservations. */
function normalize(value: JsonObject): JsonObject {
  const changes: { [k: string]: Json } = {};
  const network = parseNetwork(textOf(value, 'Subnet'));
  const options = entriesOf(value, 'Options');
  if (network) {
    const complete = withOption(
      withOption(options, NETMASK, v4Text(network.mask)),
      BROADCAST,
      v4Text(network.broadcast),
    );
    if (complete !== options) changes['Options'] = complete;
  }
  if (entriesOf(value, 'Pickers').length === 0) {
    changes['Pickers'] = flagOf(value, 'OnlyReservations') ? ['none'] : ['hint', 'nextFree', 'mostExpired'];
  }
  return Object.keys(changes).length === 0 ? value : { ...value, ...changes };
}

/** Faults of an address a machine could get; `isOptional`: unset is fine. */
export function addressFaults(address: string, isOptional = false): string[] {
  if (address === '' || (isOptional && address === '0.0.0.0')) return isOptional ? [] : ['IP Address is nil'];
  return isGlobalUnicast(address) ? [] : [`${address} is not a valid IP address for dr-provision`];
}

function rangeFaults(value: JsonObject, network: Network): string[] {
  const [start, end] = [textOf(value, 'ActiveStart'), textOf(value, 'ActiveEnd')];
  const faults = [...addressFaults(start), ...addressFaults(end)];
  if (faults.length > 0) return faults;
  const [from, to] = [v4Number(start) ?? -1, v4Number(end) ?? -1];
  const inNetwork = (address: number): boolean => address >= network.base && address <= network.broadcast;
  const subnet = textOf(value, 'Subnet');
  if (!inNetwork(from)) faults.push(`ActiveStart ${start} not in subnet range ${subnet}`);
  if (!inNetwork(to)) faults.push(`ActiveEnd ${end} not in subnet range ${subnet}`);
  if (from >= to) faults.push(`ActiveStart ${start} must be less than ActiveEnd ${end}`);
  return faults;
}

function structural(value: JsonObject): string[] {
  const faults = nameFaults('Invalid Name', textOf(value, 'Name'));
  const subnet = textOf(value, 'Subnet');
  const network = parseNetwork(subnet);
  if (network) {
    faults.push(...addressFaults(v4Text(network.base)));
    if (!flagOf(value, 'OnlyReservations') && !flagOf(value, 'Proxy')) {
      faults.push(...rangeFaults(value, network));
      const lease = integerOf(value, 'ActiveLeaseTime');
      if (lease < MIN_ACTIVE_LEASE)
        faults.push(`ActiveLeaseTime must be greater than or equal to ${MIN_ACTIVE_LEASE} seconds, not ${lease}`);
    }
  } else {
    faults.push(`Invalid subnet ${subnet}: invalid CIDR address: ${subnet}`);
  }
  faults.push(...addressFaults(textOf(value, 'NextServer'), true));
  if (textOf(value, 'Strategy') === '') faults.push('Strategy must have a value');
  if (flagOf(value, 'Unmanaged') && flagOf(value, 'Proxy')) faults.push('Unmanaged and Proxy cannot both be true');
  const reserved = integerOf(value, 'ReservedLeaseTime');
  if (reserved < MIN_RESERVED_LEASE)
    faults.push(`ReservedLeaseTime must be greater than or equal to ${MIN_RESERVED_LEASE} seconds, not ${reserved}`);
  return faults;
}

export const subnets = define({
  prefix: 'subnets',
  schema: Subnet,
  indexes: {
    Name: nameIndex('Name'),
    Subnet: networkIndex('Subnet'),
    Address: networkContainsIndex('Subnet'),
    ActiveAddress: rangeContainsIndex('ActiveStart', 'ActiveEnd'),
    NextServer: addressIndex('NextServer', (given) => `Invalid Address: ${given}`),
    Strategy: stringIndex('Strategy'),
    Enabled: booleanIndex('Enabled'),
    Proxy: booleanIndex('Proxy'),
  },
  actions: 'actions',
  normalize,
  structural,
});
