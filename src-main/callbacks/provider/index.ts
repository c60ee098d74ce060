/** The plugin provider `callback` as a record (wire-format.md 4.11, 13) and the content layer it brings. */
import { stringify } from 'yaml';
import type { JsonObject } from '../../kit/json.ts';
import { callbackContent } from './content.ts';

export { callbackContent } from './content.ts';

/** The one command of the provider. */
export const CALLBACK_ACTION = {
  Provider: 'callback',
  Model: 'machines',
  Command: 'callbackDo',
  RequiredParams: ['callback/action'],
  OptionalParams: ['callback/data-override'],
} as const;

/** The provider's record. An instance of the same name appears by itself (AutoStart). */
export function callbackProvider(version: string): JsonObject {
  return {
    Name: 'callback',
    Version: version,
    PluginVersion: 4,
    AutoStart: true,
    HasPublish: true,
    AvailableActions: [CALLBACK_ACTION],
    RequiredParams: ['callback/callbacks'],
    OptionalParams: ['callback/auths', 'callback/proxy', 'callback/ca', 'callback/insecure', 'callback/delivery'],
    StoreObjects: {},
    Documentation:
      'Sends web requests to external services: by the action callbackDo, from stages, and when a job fails.',
    Content: stringify(callbackContent(version)),
    Meta: { color: 'blue', icon: 'phone', title: 'Callback' },
  };
}
