/** Reservations (wire-format.md 4.17): an address kept for one machine. The key is the address in hex. */
import Type from 'typebox';
import type { JsonObject } from '../../kit/json.ts';
import { textOf } from '../../kit/json-read.ts';
import { DhcpOption, documented, stored } from './blocks.ts';
import { define } from './define.ts';
import { fieldReference } from './faults.ts';
import { flag, integer, ip, listOf, text, v4 } from './fields.ts';
import { addressIndex, stringIndex } from './indexes.ts';
import { addressFaults } from './subnet.ts';

export const Reservation = Type.Object(
  {
    ...stored,
    ...documented,
    Addr: ip(),
    Token: text(),
    Strategy: text(),
    NextServer: ip(),
    Options: listOf(DhcpOption),
    Subnet: text({ ...v4 }),
    Scoped: flag({ ...v4 }),
    Duration: integer({ ...v4 }),
  },
  { title: 'Reservation' },
);
export type Reservation = Type.Static<typeof Reservation>;

function structural(value: JsonObject): string[] {
  const required = (field: string): string[] => (textOf(value, field) === '' ? [`${field} must have a value`] : []);
  return [
    ...addressFaults(textOf(value, 'Addr')),
    ...addressFaults(textOf(value, 'NextServer'), true),
    ...required('Token'),
    ...required('Strategy'),
  ];
}

const complaint = (given: string): string => `Invalid Address: ${given}`;

export const reservations = define({
  prefix: 'reservations',
  schema: Reservation,
  key: 'Addr',
  indexes: {
    Addr: addressIndex('Addr', complaint),
    NextServer: addressIndex('NextServer', complaint),
    Strategy: stringIndex('Strategy'),
    Token: stringIndex('Token'),
  },
  actions: 'actions',
  structural,
  references: (value) => fieldReference(value, 'Subnet', 'subnets', 'Subnet'),
});
