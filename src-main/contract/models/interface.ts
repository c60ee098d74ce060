/** Network interfaces of the host (wire-format.md 4.18), read-only. */
import Type from 'typebox';
import { access } from './blocks.ts';
import { define } from './define.ts';
import { integer, meta, text, texts } from './fields.ts';

export const Interface = Type.Object(
  {
    ...access,
    Meta: meta(),
    Name: text(),
    Index: integer(),
    Addresses: texts({ description: 'In CIDR form.' }),
    ActiveAddress: text(),
    Gateway: text(),
    DnsServers: texts(),
    DnsDomain: text(),
  },
  { title: 'Interface' },
);
export type Interface = Type.Static<typeof Interface>;

export const interfaces = define({
  prefix: 'interfaces',
  schema: Interface,
  indexed: false,
  creatable: false,
  writable: false,
});
