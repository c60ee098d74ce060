/** `GET /info`: what this endpoint is and offers (wire-format.md 4.20). */
import { arch, platform } from 'node:os';
import { infoScopes, registryV3, registryV4 } from './contract/claims/index.ts';
import { LicenseBundle, MODELS, presentSchema } from './contract/models/index.ts';
import type { JsonObject } from './kit/json.ts';
import type { Call, Objects, Shape } from './objects/index.ts';

/** Order matters to old clients (wire-format.md 1.7). */
const FEATURES = [
  'api-v3',
  'sane-exit-codes',
  'common-blob-size',
  'change-stage-map',
  'job-exit-states',
  'package-repository-handling',
  'profileless-machine',
  'threaded-log-levels',
  'plugin-v2',
  'fsm-runner',
  'plugin-v2-safe-config',
  'workflows',
  'default-workflow',
  'http-range-header',
  'roles',
  'tenants',
  'secure-params',
  'seperate-meta-api',
  'slim-objects',
] as const;

const GO_ARCH: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };
const GO_OS: Readonly<Record<string, string>> = { win32: 'windows' };

interface InfoOptions {
  readonly objects: Objects;
  readonly version: string;
  readonly endpointId: string;
  readonly apiPort: number;
  readonly license: () => JsonObject;
}

/** Objects of a prefix that the caller's tenant shows. */
function visibleCount(objects: Objects, call: Call, prefix: 'machines' | 'subnets'): number {
  if (!call.actor.restricts(prefix)) return objects.view.count(prefix);
  let count = 0;
  for (const stored of objects.view.entries(prefix))
    if (objects.guard.visible(call, MODELS[prefix], stored, objects.view)) count++;
  return count;
}

const SCOPES = { v3: infoScopes(registryV3), v4: infoScopes(registryV4) } as const;

/** The bundle with the fields of the client's generation; `Lab` and `Notice` are ours. */
function licenseFor(license: JsonObject, shape: Shape): JsonObject {
  const { Lab, Notice } = license;
  return {
    ...presentSchema(LicenseBundle, license, shape),
    ...(Lab === undefined ? {} : { Lab }),
    ...(Notice === undefined ? {} : { Notice }),
  };
}

/** Builds the info structure as one caller sees it. `address`: the local address facing the caller. */
export function buildInfo(options: InfoOptions, call: Call, address: string, shape: Shape): JsonObject {
  const { objects } = options;
  const common: JsonObject = {
    arch: GO_ARCH[arch()] ?? arch(),
    os: GO_OS[platform()] ?? platform(),
    version: options.version,
    id: options.endpointId,
    api_port: options.apiPort,
    file_port: 8091,
    dhcp_port: 67,
    binl_port: 4011,
    tftp_port: 69,
    tftp_enabled: false,
    dhcp_enabled: false,
    binl_enabled: false,
    prov_enabled: false,
    address,
    features: FEATURES,
    scopes: SCOPES[shape],
    stats: [
      { name: 'machines.count', count: visibleCount(objects, call, 'machines') },
      { name: 'subnets.count', count: visibleCount(objects, call, 'subnets') },
    ],
    License: licenseFor(options.license(), shape),
  };
  if (shape === 'v3') return common;
  return {
    ...common,
    local_id: options.endpointId,
    ha_id: '',
    secure_file_port: 0,
    secure_prov_enabled: false,
    server_hostname: '',
    manager: false,
    errors: [],
    ha_enabled: false,
    ha_virtual_address: '',
    ha_is_active: true,
    ha_status: 'Up',
    ha_active_id: options.endpointId,
    ha_passive_state: [],
    ClusterState: null,
    uuid: options.endpointId,
    ha_consensus_id: '',
    dns_port: 53,
    dns_enabled: false,
  };
}
