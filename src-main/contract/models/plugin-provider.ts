/** Plugin providers (wire-format.md 4.11): code that offers actions, and the content pack it brings. */
import Type from 'typebox';
import { textOf } from '../../kit/json-read.ts';
import { define } from './define.ts';
import { nameFaults } from './faults.ts';
import { anything, flag, integer, listOf, mapOf, meta, text, texts, v4 } from './fields.ts';

/** An action of a provider. `Model` is an object prefix, or empty or `system` for actions of the system. */
export const AvailableAction = Type.Object(
  { Provider: text(), Model: text(), Command: text(), RequiredParams: texts(), OptionalParams: texts() },
  { title: 'AvailableAction' },
);
export type AvailableAction = Type.Static<typeof AvailableAction>;

export const PluginProvider = Type.Object(
  {
    Meta: meta(),
    Name: text(),
    Version: text(),
    PluginVersion: integer(),
    HasPublish: flag(),
    AvailableActions: listOf(AvailableAction),
    RequiredParams: texts(),
    OptionalParams: texts(),
    Documentation: text(),
    Content: text({ description: 'A content pack as YAML; empty when there is none.' }),
    AutoStart: flag({ ...v4 }),
    StoreObjects: mapOf(Type.Unknown(), { ...v4 }),
  },
  { title: 'PluginProvider' },
);
export type PluginProvider = Type.Static<typeof PluginProvider>;

/** Answer to the upload of a provider; its keys are lower-case, unlike BlobInfo's. */
export const PluginProviderUpload = Type.Object(
  { path: text(), size: integer() },
  { title: 'PluginProviderUploadInfo' },
);
export type PluginProviderUpload = Type.Static<typeof PluginProviderUpload>;

/** What a plugin is given to act on (wire-format.md 4.12). */
export const Action = Type.Object(
  { Model: anything(), Plugin: text(), Command: text(), Params: mapOf(Type.Unknown()), CommandSet: text({ ...v4 }) },
  { title: 'Action' },
);
export type Action = Type.Static<typeof Action>;

export const pluginProviders = define({
  prefix: 'plugin_providers',
  schema: PluginProvider,
  indexed: false,
  creatable: false,
  writable: false,
  structural: (value) => nameFaults('Invalid Name', textOf(value, 'Name')),
});
