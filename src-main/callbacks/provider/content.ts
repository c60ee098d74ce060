/** The read-only content layer that comes with the provider (service.md, Stages and tasks; wire-format.md 13). */
import type { JsonObject } from '../../kit/json.ts';
import {
  ACTION_SCHEMA,
  AUTHS_SCHEMA,
  CA_SCHEMA,
  CALLBACKS_SCHEMA,
  DELIVERY_SCHEMA,
  INSECURE_SCHEMA,
  PLUGIN_SCHEMA,
  PROXY_SCHEMA,
  SKIP_SCHEMA,
} from './schemas.ts';
import { CALLBACK_PS1, CALLBACK_PY, CALLBACK_SH, LOCK_PS1, LOCK_PY, LOCK_SH } from './scripts.ts';

interface ContentLayer {
  readonly meta: JsonObject;
  readonly sections: Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;
}

const META: JsonObject = { color: 'blue', icon: 'phone', title: 'Callback' };

function param(Name: string, Description: string, Schema: JsonObject): JsonObject {
  return { Name, Description, Documentation: '', Secure: false, Schema, Meta: META };
}

const UNIX = 'linux,darwin,freebsd,openbsd,netbsd,solaris';

/** The same step for every system; an agent takes the one whose OS is its own. */
function scripts(name: string, shell: string, powershell: string, python: string): JsonObject[] {
  return [
    { Name: `${name}.sh`, Path: '', ID: '', Contents: shell, Meta: { OS: UNIX } },
    { Name: `${name}.ps1`, Path: '', ID: '', Contents: powershell, Meta: { OS: 'windows', Interpreter: 'powershell' } },
    { Name: `${name}.py`, Path: '', ID: '', Contents: python, Meta: { OS: 'esxi' } },
  ];
}

const TASK_META: JsonObject = { ...META, 'feature-flags': 'sane-exit-codes' };
const TASK_PARAMS = ['callback/plugin', 'callback/skip'];

const TASKS: readonly JsonObject[] = [
  {
    Name: 'callback-task',
    Description: 'Makes the callback that callback/action names.',
    Documentation:
      'Calls the action callbackDo of the plugin in callback/plugin and prints the answer of the external service. Does nothing when callback/skip is true.',
    RequiredParams: ['callback/action'],
    OptionalParams: TASK_PARAMS,
    Templates: scripts('callback-task', CALLBACK_SH, CALLBACK_PS1, CALLBACK_PY),
    Meta: TASK_META,
  },
  {
    Name: 'callback-esxi-task',
    Description: 'Makes the callback that callback/action names, with Python 3 on a hypervisor host.',
    Documentation: 'As callback-task, for hosts that have Python 3 and nothing else.',
    RequiredParams: ['callback/action'],
    OptionalParams: TASK_PARAMS,
    Templates: [{ Name: 'callback-esxi-task.py', Path: '', ID: '', Contents: CALLBACK_PY, Meta: {} }],
    Meta: TASK_META,
  },
  {
    Name: 'lock-machine',
    Description: 'Locks the machine.',
    Documentation: 'Sets Locked, so that nothing changes the machine until somebody unlocks it.',
    RequiredParams: [],
    OptionalParams: [],
    Templates: scripts('lock-machine', LOCK_SH, LOCK_PS1, LOCK_PY),
    Meta: TASK_META,
  },
];

function stage(Name: string, Description: string, Tasks: readonly string[]): JsonObject {
  return { Name, Description, Documentation: '', Params: { 'callback/action': 'complete' }, Tasks, Meta: META };
}

const STAGES: readonly JsonObject[] = [
  stage('callback-complete', 'Makes the callback named complete.', ['callback-task']),
  stage('callback-complete-and-lock', 'Makes the callback named complete and locks the machine.', [
    'callback-task',
    'lock-machine',
  ]),
];

const PARAMS: readonly JsonObject[] = [
  param('callback/action', 'Name of the callback to make.', ACTION_SCHEMA),
  param('callback/plugin', 'The callback plugin to call.', PLUGIN_SCHEMA),
  param('callback/skip', 'The default callback tasks do nothing when this is true.', SKIP_SCHEMA),
  param('callback/proxy', 'Proxy for callback requests.', PROXY_SCHEMA),
  param('callback/callbacks', 'Callbacks by name of their action.', CALLBACKS_SCHEMA),
  param('callback/auths', 'Auth methods by name.', AUTHS_SCHEMA),
  param('callback/ca', 'Certificates of authorities to trust besides those of the system.', CA_SCHEMA),
  param('callback/insecure', 'Certificates of external services are not checked when this is true.', INSECURE_SCHEMA),
  param('callback/delivery', 'Backoff, circuit breaker, signatures and egress rules.', DELIVERY_SCHEMA),
];

const byName = (objects: readonly JsonObject[]): Record<string, JsonObject> =>
  Object.fromEntries(objects.map((object) => [String(object['Name']), object]));

/** `version` is that of the product. */
export function callbackContent(version: string): ContentLayer {
  return {
    meta: {
      Name: 'callback',
      Version: version,
      Description: 'Callbacks to external services',
      Documentation: 'Params, stages and tasks of the callback plugin provider.',
      Source: 'Proviso',
      Type: 'plugin',
      Writable: false,
      Overwritable: false,
    },
    sections: { params: byName(PARAMS), stages: byName(STAGES), tasks: byName(TASKS) },
  };
}
