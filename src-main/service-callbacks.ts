/** Wires the callbacks room: what it needs of the objects, what the objects need of it, and the command it serves. */
import {
  CALLBACK_ACTION,
  type Callbacks,
  callbackContent,
  callbackProvider,
  createCallbacks,
  DEFAULT_SETTINGS,
  systemClock,
  validatePlugin,
} from './callbacks/index.ts';
import { Problem } from './contract/errors.ts';
import { MODELS } from './contract/models/index.ts';
import { newUuid } from './kit/ids.ts';
import type { JsonObject } from './kit/json.ts';
import type { Log } from './kit/log.ts';
import {
  type ActionProvider,
  type Layer,
  type Objects,
  type RuleTable,
  shaped,
  type TypeRules,
  type View,
} from './objects/index.ts';
import type { Store, Stored } from './store/index.ts';

const PROVIDER = 'callback';

/** A value on its way into the store, as what is stored already looks. */
function asStored(value: JsonObject): Stored {
  return { prefix: 'plugins', key: String(value['Name']), value, revision: 0, bytes: Buffer.alloc(0) };
}

/**
 * Rules of plugins: the findings on a callback configuration are `Errors` (the plugin is saved, not Available); what does not stop
 * it from working goes to `PluginErrors`, and so does a provider that is not here.
 */
function pluginRules(objects: () => Objects): TypeRules {
  const judge = (value: JsonObject): ReturnType<typeof validatePlugin> | undefined =>
    value['Provider'] === PROVIDER
      ? validatePlugin(
          String(value['Name']),
          objects().effectiveParams(asStored(value), { aggregate: false, decode: true }),
        )
      : undefined;
  return {
    normalize(value: JsonObject, view: View): JsonObject {
      const provider = String(value['Provider'] ?? '');
      const missing =
        provider === '' || view.get('plugin_providers', provider) ? [] : [`Missing Plugin Provider: ${provider}`];
      const warnings = judge(value)?.warnings.map((warning) => `Warning: ${warning}`) ?? [];
      return { ...value, PluginErrors: [...missing, ...warnings] };
    },
    unavailable: (value) => judge(value)?.errors ?? [],
  };
}

interface CallbackWiring {
  readonly rules: RuleTable;
  readonly layer: Layer;
  /** The provider's record, for `plugin_providers`. */
  readonly record: JsonObject;
  readonly autoStart: { readonly name: string; readonly provider: string; readonly description: string };
  /** Makes the room once the objects are there. */
  create(
    store: Store,
    log: Log,
    info: () => JsonObject,
  ): { readonly callbacks: Callbacks; readonly provider: ActionProvider };
}

export function wireCallbacks(version: string, objects: () => Objects): CallbackWiring {
  let callbacks: Callbacks | undefined;
  const content = callbackContent(version);
  return {
    rules: {
      plugins: [pluginRules(objects)],
      jobs: [{ react: (before, after, unit) => callbacks?.onJobChange(unit, before, after) }],
    },
    layer: { name: String(content.meta['Name']), type: 'plugin', pack: content },
    record: callbackProvider(version),
    autoStart: { name: PROVIDER, provider: PROVIDER, description: 'Callbacks to external services' },
    create(store, log, info) {
      const made = createCallbacks({
        store,
        *plugins() {
          for (const stored of objects().view.entries('plugins')) {
            if (stored.value['Provider'] !== PROVIDER) continue;
            yield {
              Name: stored.key,
              Params: objects().effectiveParams(stored, { aggregate: false, decode: true }),
              Available: stored.value['Available'] === true,
            };
          }
        },
        machine(uuid) {
          const stored = objects().view.get('machines', uuid);
          return stored && shaped(MODELS.machines, stored.value, 'v4');
        },
        machineParams(uuid, reading) {
          const stored = objects().view.get('machines', uuid);
          return stored ? objects().effectiveParams(stored, reading) : {};
        },
        isSecureParam: (name) => objects().paramRules.isSecure(name, objects().view),
        paramDefault: (name) => objects().paramRules.defaultOf(name, objects().view),
        info,
        publishEvent: (event) =>
          objects().events.publish({
            type: event.Type,
            action: event.Action,
            key: event.Key,
            object: event.Object,
            principal: `plugin/${PROVIDER}`,
          }),
        clock: systemClock,
        newId: newUuid,
        random: Math.random,
        log,
        settings: DEFAULT_SETTINGS,
      });
      callbacks = made;
      return { callbacks: made, provider: actionProvider(made) };
    },
  };
}

function actionProvider(callbacks: Callbacks): ActionProvider {
  return {
    name: PROVIDER,
    actions: [CALLBACK_ACTION],
    invoke({ plugin, stored, params }) {
      // The action belongs to a machine whose agent runs (architecture: 409 when it does not).
      if (stored.value['Runnable'] === false) {
        throw new Problem('conflict', `Machine ${stored.key} is not runnable`);
      }
      return callbacks.callbackDo({ machine: stored.key, plugin, params });
    },
  };
}
