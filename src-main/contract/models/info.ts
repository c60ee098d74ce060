/** What the service says about itself (wire-format.md 4.20). */
import Type from 'typebox';
import { anything, flag, integer, ip, listOf, mapOf, text, texts, v4 } from './fields.ts';
import { LicenseBundle } from './license.ts';

const Stat = Type.Object({ name: text(), count: integer() }, { title: 'Stat' });

const HaPassiveState = Type.Object(
  { id: text(), address: text(), state: text(), electable: flag() },
  { title: 'HaPassiveState' },
);

export const Info = Type.Object(
  {
    arch: text(),
    os: text(),
    version: text(),
    id: text(),
    api_port: integer(),
    file_port: integer(),
    dhcp_port: integer(),
    binl_port: integer(),
    tftp_port: integer(),
    tftp_enabled: flag(),
    dhcp_enabled: flag(),
    binl_enabled: flag(),
    prov_enabled: flag(),
    address: ip({ description: 'Local address facing the caller.' }),
    stats: listOf(Stat),
    features: texts(),
    scopes: mapOf(mapOf(mapOf(Type.Unknown()))),
    License: LicenseBundle,
    local_id: text({ ...v4 }),
    ha_id: text({ ...v4 }),
    secure_file_port: integer({ ...v4 }),
    secure_prov_enabled: flag({ ...v4 }),
    server_hostname: text({ ...v4 }),
    manager: flag({ ...v4 }),
    errors: texts({ ...v4 }),
    ha_enabled: flag({ ...v4 }),
    ha_virtual_address: text({ ...v4 }),
    ha_is_active: flag({ ...v4 }),
    ha_status: text({ ...v4 }),
    ha_active_id: text({ ...v4 }),
    ha_passive_state: listOf(HaPassiveState, { ...v4 }),
    ClusterState: anything({ ...v4 }),
    // Generated clients of later versions refuse an Info without these.
    uuid: text({ ...v4 }),
    ha_consensus_id: text({ ...v4 }),
    dns_port: integer({ ...v4 }),
    dns_enabled: flag({ ...v4 }),
  },
  { title: 'Info' },
);
export type Info = Type.Static<typeof Info>;

/** Answer of the token routes. */
export const TokenAnswer = Type.Object({ Token: text(), Info }, { title: 'UserToken' });
export type TokenAnswer = Type.Static<typeof TokenAnswer>;
