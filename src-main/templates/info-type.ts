/** `.Info`: the endpoint's info structure by its Go field names. */
import { entry, type FieldType, type JsonObject, jsonField } from './typed-fields.ts';
import type { HostMember, HostType } from './values.ts';

/** Go name, JSON name, type. */
const FIELDS: readonly (readonly [string, string, FieldType])[] = [
  ['Arch', 'arch', 'string'],
  ['Os', 'os', 'string'],
  ['Version', 'version', 'string'],
  ['Id', 'id', 'string'],
  ['LocalId', 'local_id', 'string'],
  ['HaId', 'ha_id', 'string'],
  ['ApiPort', 'api_port', 'int'],
  ['FilePort', 'file_port', 'int'],
  ['SecureFilePort', 'secure_file_port', 'int'],
  ['DhcpPort', 'dhcp_port', 'int'],
  ['BinlPort', 'binl_port', 'int'],
  ['TftpPort', 'tftp_port', 'int'],
  ['TftpEnabled', 'tftp_enabled', 'bool'],
  ['DhcpEnabled', 'dhcp_enabled', 'bool'],
  ['BinlEnabled', 'binl_enabled', 'bool'],
  ['ProvisionerEnabled', 'prov_enabled', 'bool'],
  ['SecureProvisionerEnabled', 'secure_prov_enabled', 'bool'],
  ['Address', 'address', 'ip'],
  ['Manager', 'manager', 'bool'],
  ['Features', 'features', 'strings'],
  ['ServerHostname', 'server_hostname', 'string'],
  ['Errors', 'errors', 'strings'],
  ['HaEnabled', 'ha_enabled', 'bool'],
  ['HaVirtualAddress', 'ha_virtual_address', 'string'],
  ['HaIsActive', 'ha_is_active', 'bool'],
  ['HaStatus', 'ha_status', 'string'],
  ['HaActiveId', 'ha_active_id', 'string'],
];

const asIs = (json: JsonObject): JsonObject => json;

/** ha_passive_state is HaPassiveState. */
const goName = (key: string): string =>
  key.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());

export const INFO_TYPE: HostType<JsonObject> = {
  name: '*models.Info',
  members: new Map<string, HostMember<JsonObject>>([
    ...FIELDS.map(([name, key, type]) => [name, jsonField(type, key, asIs)] as const),
    [
      'HasFeature',
      {
        kind: 'method',
        parameters: ['string'],
        call: (json, [feature]) => {
          const features = entry(json, 'features');
          return Array.isArray(features) && features.includes(feature);
        },
      },
    ],
  ]),
  extra: (json, name) => {
    const key = Object.keys(json).find((candidate) => /^[A-Z]/.test(name) && goName(candidate) === name);
    return key === undefined ? undefined : jsonField('any', key, asIs);
  },
};
