/** Leases (wire-format.md 4.17): addresses in use. Clients read and delete them; nothing but DHCP makes them. */
import Type from 'typebox';
import { textOf } from '../../kit/json-read.ts';
import { DhcpOption, stored } from './blocks.ts';
import { define } from './define.ts';
import { flag, integer, ip, listOf, text, time, v4 } from './fields.ts';
import { addressIndex, stringIndex, timeIndex } from './indexes.ts';
import { addressFaults } from './subnet.ts';

export const Lease = Type.Object(
  {
    ...stored,
    Addr: ip(),
    Token: text(),
    Strategy: text(),
    State: text(),
    ExpireTime: time(),
    NextServer: ip({ ...v4 }),
    Via: ip({ ...v4 }),
    Duration: integer({ ...v4 }),
    Options: listOf(DhcpOption, { ...v4 }),
    ProvidedOptions: listOf(DhcpOption, { ...v4 }),
    SkipBoot: flag({ ...v4 }),
  },
  { title: 'Lease' },
);
export type Lease = Type.Static<typeof Lease>;

export const leases = define({
  prefix: 'leases',
  schema: Lease,
  key: 'Addr',
  indexes: {
    Addr: addressIndex('Addr', () => 'Addr must be an IP address'),
    ExpireTime: timeIndex('ExpireTime', 'Date/Time string', 'ExpireTime is not valid: '),
    State: stringIndex('State'),
    Strategy: stringIndex('Strategy'),
    Token: stringIndex('Token'),
  },
  creatable: false,
  writable: false,
  actions: 'actions',
  structural: (value) => addressFaults(textOf(value, 'Addr')),
});
